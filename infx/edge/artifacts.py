"""Artifacts on disk or zipped. Their bytes come from pull requests: bounded, checked, never trusted."""

import io
import json
import math
import re
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from infx import record
from infx.canon import canonical
from infx.edge import files
from infx.errors import BadInput
from infx.ledger import Ledger
from infx.plan import Plan
from infx.record import Record

RECORD_LIMIT = 1024 * 1024
"""Bytes of one record.json; real ones have a few thousand."""
DOCUMENT_LIMIT = 32 * 1024 * 1024
"""Bytes of plan.json or ledger.json, for up to 2,048 points."""
RATIO_LIMIT = 200
"""Unpacked to packed bytes of one zipped file; JSON of a plan packs about 20 to 1."""
TEXT_LIMIT = 500
"""Characters of one free text of a record."""
NOTES_LIMIT = 20

KINDS = ("bmk_", "eval_")
"""Prefixes of the artifacts that must hold a record."""


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One artifact that could not be read, and why."""

    artifact: str
    what: str


def records(folder: Path) -> tuple[list[Record], list[Problem]]:
    """Records of all point artifacts below `folder`, one folder each; an unreadable one is named, not fatal."""
    found: list[Record] = []
    problems: list[Problem] = []
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if not path.name.startswith(KINDS):
            continue
        try:
            found.append(_record(path))
        except BadInput as error:
            problems.append(Problem(artifact=path.name, what=error.what))
    return found, problems


def plan(data: bytes) -> Plan:
    """Plan in the bytes of `plan.json`. BadInput when it is not one."""
    return _noun(Plan, data, where="plan.json")


def ledger(data: bytes) -> Ledger:
    """Ledger in the bytes of `ledger.json`. BadInput when it is not one."""
    return _noun(Ledger, data, where="ledger.json")


def member(archive: bytes, name: str, *, limit: int = DOCUMENT_LIMIT) -> bytes:
    """Content of the file `name` in a zip. Nothing is unpacked to disk. BadInput for a bomb or a broken zip."""
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as opened:
            entry = opened.getinfo(name)
            if entry.file_size > limit or entry.file_size > RATIO_LIMIT * max(entry.compress_size, 1024):
                raise BadInput(
                    f"{entry.file_size} bytes are too many", where=name, todo="look at the artifact"
                )
            with opened.open(entry) as file:
                data = file.read(limit + 1)
    except KeyError as error:
        raise BadInput("not in the artifact", where=name, todo="look at the artifact") from error
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        raise BadInput("not a zip file that can be read", where=name, todo="look at the artifact") from error
    return data


def parse(text: str, *, where: str) -> Any:
    """Strict JSON: NaN, infinity and numbers beyond a double are BadInput too."""

    def refuse(word: str) -> NoReturn:
        raise BadInput(f"{word} is not a JSON number", where=where, todo="write a finite number")

    def finite(word: str) -> float:
        number = float(word)
        return number if math.isfinite(number) else refuse(word)

    try:
        return json.loads(text, parse_constant=refuse, parse_float=finite)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"not JSON ({error})", where=where, todo="give a JSON document") from error


def _noun(kind: Any, data: bytes, *, where: str) -> Any:
    value = parse(files.decode(data, where=where), where=where)
    try:
        made = kind.from_json(value)
        canonical(made.as_json())
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput(
            f"not of the expected shape ({type(error).__name__})", where=where, todo="see docs/design.md"
        ) from error
    return made


def _record(folder: Path) -> Record:
    path = folder / record.FILE
    if folder.is_symlink() or path.is_symlink() or not path.is_file():
        raise BadInput(f"it holds no {record.FILE}", where=folder.name)
    made: Record = _noun(Record, files.read_bytes(path, limit=RECORD_LIMIT), where=folder.name)
    for complaint in _complaints(made):
        raise BadInput(complaint, where=folder.name)
    if not folder.name.endswith(f"_{made.point}"):
        raise BadInput("its record belongs to another point", where=folder.name)
    return made


def _complaints(made: Record) -> Iterable[str]:
    """What the types promise but JSON does not keep."""
    texts = (made.point, made.reason, made.detail, made.sha, made.node, *made.notes)
    if not all(isinstance(text, str) and len(text) <= TEXT_LIMIT for text in texts):
        yield f"a text is missing, too long or not a text (limit {TEXT_LIMIT} characters)"
        return
    if len(made.notes) > NOTES_LIMIT:
        yield f"it has more than {NOTES_LIMIT} notes"
    if not re.fullmatch(r"[a-z0-9][a-z0-9-]{0,59}|", made.reason):
        yield "its reason is not from the closed list"
    if not re.fullmatch(r"[0-9a-f]{40}|[0-9a-f]{64}", made.sha):
        yield "its sha is not a commit"
    if not all(type(number) is int for number in (made.run_id, made.attempt)):
        yield "run_id and attempt must be whole numbers"
    if not all(isinstance(number, int | float) for number in (made.started, made.ended)):
        yield "started and ended must be numbers"
    if not all(isinstance(part, dict) for part in (made.identity, made.fingerprint, made.result or {})):
        yield "identity, fingerprint and result must be objects"
