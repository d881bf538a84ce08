"""Published rows from a file that anybody may have written: each is taken, or named with what is wrong."""

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from enum import StrEnum
from math import isfinite
from typing import Any

from infx.curve import series_of
from infx.errors import BadInput
from infx.publication import Publication

NEEDED = ("hw", "conc", "model", "framework", "precision")
MEASURES = ("tput_per_gpu", "total_tput_tps", "score")
"""One of them makes a row worth reading."""
HIGHEST = sys.float_info.max
"""Beyond it no column can hold a number."""
TIMES = ("ttft", "tpot", "itl", "e2el", "intvty")
STATISTICS = ("mean", "median", "std", "p90", "p99")
NUMBERS = (
    *(f"{statistic}_{time}" for time in TIMES for statistic in STATISTICS),
    *("tput_per_gpu", "output_tput_per_gpu", "input_tput_per_gpu", "total_tput_tps", "output_tput_tps"),
    *("input_tput_tps", "score", "em_strict", "em_flexible", "threshold", "result_time"),
    *("avg_power_w", "joules_per_output_token", "joules_per_input_token", "joules_per_total_token"),
)
USUAL: Mapping[str, Any] = {
    "spec_decoding": "none",
    "disagg": False,
    "is_multinode": False,
}
"""Values of fields that rows of older tools lack."""


UNKNOWN: Mapping[str, Any] = {
    **dict.fromkeys(("key", "title", "merge", "merged_at", "node", "sha", "match"), ""),
    **dict.fromkeys(("pr", "run", "attempt"), 0),
    **{"mode": "throughput", "task": None, "accepted_changed": False},
    **{"fingerprint": {}, "planned": {}, "authorisation": {}},
}
"""What a publication says of itself when it does not say it."""


class Defect(StrEnum):
    """Why a row cannot be shown."""

    NO_ROW = "no-row"
    MISSING_FIELD = "missing-field"
    NOT_A_NUMBER = "not-a-number"
    NEGATIVE = "negative"
    NOT_FINITE = "not-finite"


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One row that was left out."""

    where: str
    defect: Defect
    detail: str

    @property
    def text(self) -> str:
        return f"{self.where}: {self.defect} ({self.detail})"


@dataclass(frozen=True, kw_only=True)
class Rows:
    """Everything that one file holds."""

    taken: tuple[Publication, ...]
    problems: tuple[Problem, ...]


def rows(text: str, *, where: str) -> Rows:
    """A JSON list of rows, or one row or publication a line. BadInput when it is neither."""
    taken: list[Publication] = []
    problems: list[Problem] = []
    escaped = "\\ud" in text.lower()
    for place, value in _values(text, where=where):
        found = (_unwritable(value, place) if escaped else None) or _publication(value, place)
        if isinstance(found, Publication):
            found = _endless(value, place) or found
        if isinstance(found, Problem):
            problems.append(found)
        else:
            taken.append(found)
    return Rows(taken=tuple(taken), problems=tuple(problems))


def _values(text: str, *, where: str) -> Iterator[tuple[str, Any]]:
    if text.lstrip().startswith("["):
        for at, value in enumerate(_parsed(text, where)):
            yield f"{where}[{at}]", value
        return
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            yield f"{where}:{number}", _parsed(line, f"{where}:{number}")


def _parsed(text: str, where: str) -> Any:
    """NaN and infinity are read, so that they can be named."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(
            f"not JSON ({error})"[:200], where=where, todo="give a list of rows, or one a line"
        ) from error


def _unwritable(value: Any, where: str) -> Problem | None:
    """JSON can escape half of a surrogate pair, which no page can show."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return Problem(where=where, defect=Defect.NO_ROW, detail="a text that is no Unicode")
    return None


def _endless(value: Any, where: str) -> Problem | None:
    """NaN and infinity stand in no JSON, in whatever field, however deep."""
    rest = [value]
    while rest:
        one = rest.pop()
        if isinstance(one, Mapping):
            rest += one.values()
        elif isinstance(one, list):
            rest += one
        elif isinstance(one, float) and not isfinite(one):
            return Problem(where=where, defect=Defect.NOT_FINITE, detail=f"a field is {one}")
    return None


def _publication(value: Any, where: str) -> Publication | Problem:
    if not isinstance(value, Mapping):
        return Problem(where=where, defect=Defect.NO_ROW, detail=f"{type(value).__name__}, not an object")
    bare = not isinstance(value.get("row"), Mapping)
    row = value if bare else value["row"]
    problem = _defect(row, where)
    if problem:
        return problem
    whole = current(row)
    try:
        if not bare:
            return publication({**value, "row": whole})
        at = datetime.fromtimestamp(row.get("result_time") or 0, UTC).isoformat()
        task = whole.get("task")
        return publication(
            {"point": series_of(whole), "row": whole, "title": title(whole), "merged_at": at, "task": task}
        )
    except (KeyError, TypeError, ValueError, OverflowError, OSError) as error:
        return Problem(where=where, defect=Defect.NO_ROW, detail=str(error)[:120])


def publication(value: Mapping[str, Any]) -> Publication:
    """A publication of this or another format: what an older one lacks is unknown, what a newer one has on
    top is left out. TypeError when point or row is missing."""
    names = {one.name for one in fields(Publication)}
    return Publication(**{**UNKNOWN, **{name: value[name] for name in value if name in names}})


def _defect(row: Mapping[str, Any], where: str) -> Problem | None:
    def problem(defect: Defect, detail: str) -> Problem:
        return Problem(where=where, defect=defect, detail=detail)

    lacking = [name for name in NEEDED if row.get(name) in (None, "")]
    if lacking or not any(name in row for name in MEASURES):
        return problem(Defect.MISSING_FIELD, ", ".join(lacking) or "neither throughput nor score")
    if not all(isinstance(row[name], str) for name in NEEDED if name != "conc"):
        return problem(Defect.NO_ROW, "hw, model, framework and precision are texts")
    concs = row["conc"] if isinstance(row["conc"], list) else [row["conc"]]
    for name, value in [("conc", one) for one in concs] + [
        (name, row[name]) for name in NUMBERS if name in row
    ]:
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int | float):
            return problem(Defect.NOT_A_NUMBER, f"{name} is {value!r:.40}")
        if not -HIGHEST <= value <= HIGHEST:
            return problem(Defect.NOT_FINITE, f"{name} is {value!s:.40}")
        if value < 0:
            return problem(Defect.NEGATIVE, f"{name} is {value:g}")
    if not concs or not all(isinstance(one, int) and one > 0 for one in concs):
        return problem(Defect.NOT_A_NUMBER, f"conc is {row['conc']!r:.40}")
    return None


def current(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row in the newest schema: older tools left fields out, and wrote booleans as text."""
    words = {"true": True, "false": False}
    switches = {
        name: row[name] for name in row if name.endswith("dp_attention") and isinstance(row[name], str)
    }
    mended = {name: words.get(value.lower(), value) for name, value in switches.items()}
    return {**USUAL, **row, **mended}


def title(row: Mapping[str, Any]) -> str:
    """`C4`, `C64 gsm8k`."""
    concs = row["conc"] if isinstance(row["conc"], list) else [row["conc"]]
    return " ".join(filter(None, ("C" + ",".join(map(str, concs)), str(row.get("task", "")))))
