"""What artifacts hold. Their bytes come from pull requests: bounded, checked, never trusted."""

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from infx import record
from infx.canon import canonical
from infx.edge import archive, files
from infx.errors import BadInput, Refused
from infx.ledger import Ledger
from infx.plan import Plan
from infx.power import Package, Trace, Window
from infx.read import power
from infx.record import TRIES, Record, Try

RECORD_LIMIT = 1024 * 1024
"""Bytes of one record.json; real ones have a few thousand."""
DOCUMENT_LIMIT = 32 * 1024 * 1024
"""Bytes of plan.json or ledger.json, for up to 2,048 points."""
ZIP_LIMIT = 8 * 1024 * 1024
"""Bytes of one zipped plan, ledger or record."""
TEXT_LIMIT = 500
"""Characters of one free text of a record."""
LONG_TEXT_LIMIT = 4096
"""Bytes of one text of a plan or ledger, such as a path or a reason."""
NOTES_LIMIT = 20
MOST_ATTEMPTS = 1000
"""GitHub runs a run again at most 50 times."""
NEW_SWEEP = "look at the jobs of this run, and start a new sweep"

T = TypeVar("T")

ZIP = ".zip"
STATS = "run-stats"
"""Artifact with the statistics of the run."""
KINDS = ("bmk_", "eval_")
"""Prefixes of the artifacts that must hold a record."""


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One artifact that could not be read, and why."""

    artifact: str
    what: str
    lost: bool = False
    """It never arrived, or not as an archive: of its point nothing is known, good or bad."""


def records(folder: Path) -> tuple[list[Record], list[Problem]]:
    """Records of the point artifacts in `folder`; an unreadable one is named, not fatal.

    Each artifact has a folder of its own there, or is still a zip archive; a download that matched only one
    leaves it without a folder.
    """
    found: list[Record] = []
    problems: list[Problem] = []
    inside = sorted(folder.iterdir()) if folder.is_dir() else []
    alone = [folder] if (folder / record.FILE).exists() else []
    for path in alone + [path for path in inside if path.name.startswith(KINDS)]:
        try:
            found.append(_record(path))
        except (BadInput, Refused) as error:
            lost = isinstance(error, Refused)
            problems.append(Problem(artifact=path.name.removesuffix(ZIP), what=error.what, lost=lost))
    return found, problems


def tries(folder: Path) -> list[Try]:
    """Attempts that an earlier collection of this run listed below `folder`; none when there was none.
    BadInput when the list is no list of attempts."""
    path = folder / STATS / TRIES
    return _noun(_tries, files.read_bytes(path, limit=DOCUMENT_LIMIT), where=TRIES) if path.is_file() else []


def power_of(folder: Path, artifact: str, *, gpus: int) -> Package:
    """Samples and window of one point's artifact below `folder`; empty ones, which prove nothing, where they
    are absent or broken. `gpus` is the plan's: what the artifact says of it does not count."""
    path = folder / artifact if (folder / artifact).is_dir() else folder
    try:
        found = parse(files.read_text(path / "power.json", limit=RECORD_LIMIT), where=artifact)["window"]
        window = Window(**{**found, "gpus": gpus})
        _number(window.started)
        _number(window.ended)
        trace = power.trace(files.read_text(path / "power.csv", limit=DOCUMENT_LIMIT), where=artifact)
    except (BadInput, KeyError, TypeError):
        return Package(trace=Trace(boot="", gpus={}), window=Window(started=0, ended=0, gpus=gpus, boot=""))
    return Package(trace=trace, window=window)


def record_of(data: bytes, artifact: str) -> Record:
    """Record in the bytes of `record.json` of the named artifact. BadInput when it is not that point's."""
    made = _noun(_whole_record, data, where=artifact)
    if artifact.startswith(KINDS) and not artifact.endswith(f"_{made.point}"):
        raise BadInput("its record belongs to another point", where=artifact)
    return made


def plan_at(path: Path, *, seal: str = "") -> Plan | None:
    """Plan in the file `path`, or in the artifact `plan` downloaded below it; None when there is none.
    Refused when it has another seal than the plan job gave it: cells run code that could upload another."""
    for file in (path, path / "plan.json", path / "plan" / "plan.json"):
        if file.is_file():
            found = plan(files.read_bytes(file, limit=DOCUMENT_LIMIT), where=str(file))
            if seal and found.seal != seal:
                raise Refused("this is not what the job `plan` wrote", where=str(file), todo=NEW_SWEEP)
            return found
    return None


def plan(data: bytes, *, where: str = "plan.json") -> Plan:
    """Plan in the bytes of `plan.json`. BadInput when it is not one."""
    return _noun(_whole_plan, data, where=where)


def ledger(data: bytes) -> Ledger:
    """Ledger in the bytes of `ledger.json`. BadInput when it is not one."""
    return _noun(_whole_ledger, data, where="ledger.json")


def rows(data: bytes, *, where: str) -> tuple[Mapping[str, Any], ...]:
    """Published rows in the bytes of an aggregate. BadInput when it is no list of objects."""
    return _noun(_whole_rows, data, where=where)


def parse(text: str, *, where: str) -> Any:
    """Strict JSON: NaN, infinity, numbers beyond a double and halves of surrogate pairs are BadInput."""

    def refuse(word: str) -> NoReturn:
        raise BadInput(f"{word} is not a JSON number", where=where, todo="write a finite number")

    def finite(word: str) -> float:
        number = float(word)
        return number if math.isfinite(number) else refuse(word)

    def exact(word: str) -> int:
        finite(word)
        return int(word)

    try:
        value = json.loads(text, parse_constant=refuse, parse_float=finite, parse_int=exact)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()
        return value
    except json.JSONDecodeError as error:
        place = f"{where}:{error.lineno}:{error.colno}"
        raise BadInput(f"not JSON ({error.msg})", where=place, todo="give a JSON document") from error
    except (ValueError, RecursionError) as error:
        raise BadInput(f"not JSON ({error})", where=where, todo="give a JSON document") from error


def _noun(make: Callable[[Any], T], data: bytes, *, where: str) -> T:
    try:
        return make(parse(files.decode(data, where=where), where=where))
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise BadInput(
            f"not of the expected shape ({type(error).__name__}: {error})"[:200],
            where=where,
            todo="see docs/design.md",
        ) from error


def _whole_plan(value: Any) -> Plan:
    """A plan whose derived values can be computed, so that no reader meets a wrong type later."""
    made = Plan.from_json(value)
    for key in made.keys:
        _texts(key.key, key.why, "" if key.canary is None else key.canary, *key.candidates)
        _number(key.deadline_s or 0)
    for point in made.points:
        _texts(point.key, point.mode, point.task or "", point.script, point.reason, point.title)
        _number(point.duration_s)
        canonical(point.concurrencies)
    _texts(made.repository, made.head_sha, made.merge_base, made.primary, *made.modifiers)
    _number(made.pr or 0)
    canonical([made.digest, made.gpu_hours, made.as_json()])
    _joined(made)
    return made


def _joined(made: Plan) -> None:
    """ValueError unless points and keys of a plan speak of each other."""
    if {key.key for key in made.keys} != {point.key for point in made.points}:
        raise ValueError("its keys are not those of its points")
    for key in made.keys:
        if unknown := {key.canary, *key.candidates} - {None, *made.by_id}:
            raise ValueError(f"no point is {min(map(str, unknown)):.16}")


def _whole_ledger(value: Any) -> Ledger:
    made = Ledger.from_json(value)
    for entry in made.entries:
        _texts(
            entry.point, entry.key, entry.title, entry.mode, entry.reason, entry.node, entry.sha, *entry.notes
        )
        _number(0 if entry.attempt is None else entry.attempt)
        _object({} if entry.result is None else entry.result)
    _texts(made.head_sha, made.plan_digest)
    _number(made.run_id)
    _number(made.attempt)
    return made


def _whole_rows(value: Any) -> tuple[Mapping[str, Any], ...]:
    if not isinstance(value, list):
        raise TypeError("a list is expected")
    for row in value:
        _object(row)
    return tuple(value)


def _tries(value: Any) -> list[Try]:
    made = [Try.from_json(one) for one in value]
    _texts(*(one.point for one in made))
    for one in made:
        _number(one.attempt)
        if one.attempt not in range(1, MOST_ATTEMPTS):
            raise ValueError("an attempt is a whole number from 1 on")
    return made


def _texts(*values: object) -> None:
    """TypeError unless every value is a text that UTF-8 can carry, of bounded length."""
    for value in values:
        if not isinstance(value, str) or len(value.encode()) > LONG_TEXT_LIMIT:
            raise TypeError("a text is expected")


def _number(value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError("a number is expected")


def _object(value: object) -> None:
    if not isinstance(value, dict):
        raise TypeError("an object is expected")


def _record(folder: Path) -> Record:
    if folder.suffix == ZIP and folder.is_file() and not folder.is_symlink():
        name = folder.name.removesuffix(ZIP)
        inside = archive.unpack(files.read_bytes(folder), where=folder.name)
        if record.FILE not in inside:
            raise BadInput(f"it holds no {record.FILE}", where=name)
        return record_of(inside[record.FILE], name)
    path = folder / record.FILE
    if folder.is_symlink() or path.is_symlink() or not path.is_file():
        raise BadInput(f"it holds no {record.FILE}", where=folder.name)
    return record_of(files.read_bytes(path, limit=RECORD_LIMIT), folder.name)


def _whole_record(value: Any) -> Record:
    """A record whose fields hold what the types promise; TypeError or ValueError when not."""
    made = Record.from_json(value)
    texts = (made.point, made.reason, made.detail, made.sha, made.node, *made.notes)
    _texts(*texts)
    if any(len(text) > TEXT_LIMIT for text in texts) or len(made.notes) > NOTES_LIMIT:
        raise ValueError("texts are too long or too many")
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,59}|", made.reason):
        raise ValueError("the reason is not from a closed list")
    if not re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", made.sha):
        raise ValueError("the sha is not a commit")
    for number in (made.run_id, made.attempt, made.started, made.ended):
        _number(number)
    for part in (made.identity, made.fingerprint, {} if made.result is None else made.result):
        _object(part)
    return made
