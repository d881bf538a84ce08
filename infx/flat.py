"""Flat: a published row as the columns that database, comparison and pages work with."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from math import isfinite
from typing import Any, get_type_hints

from infx import curve, published, several
from infx.canon import canonical
from infx.publication import Publication


@dataclass(frozen=True, kw_only=True)
class Flat:
    """One version of one published point. None: not measured, or not believed."""

    merge: str
    """Commit of the merge that published it; with `point`, `conc` and `version` the natural key."""
    point: str
    version: int
    """0 for the first line that the merge wrote of this point, 1 for the next."""
    current: bool
    """It is the first: what a merge published stays, whatever is written later."""
    series: str
    curve: str
    mode: str
    task: str
    key: str
    title: str
    hw: str
    model: str
    prefix: str
    framework: str
    precision: str
    scenario: str
    shape: str
    conc: int
    image: str
    tput: float | None
    """Input and output tokens per second and GPU."""
    output_tput: float | None
    """Output tokens per second and GPU."""
    intvty: float | None
    """Output tokens per second and user, median."""
    e2el: float | None
    """Seconds, median."""
    ttft: float | None
    """Seconds, median."""
    joules: float | None
    """Joules per output token; None when power was not valid."""
    score: float | None
    threshold: float | None
    run: int
    attempt: int
    sha: str
    node: str
    pr: int
    matched: str
    """How the measured point relates to the merged one."""
    accepted_changed: bool
    """Somebody took the row although its point was changed since."""
    authorisation: str
    """Who published it, by which comment; canonical JSON."""
    published: float
    """Unix seconds (UTC)."""
    measured: float | None
    """End of the measurement, Unix seconds (UTC)."""
    simulated: bool
    fingerprint: str
    """Canonical JSON."""
    notes: str
    body: str
    """The whole row as canonical JSON."""

    @property
    def row(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found


COLUMNS = tuple(field.name for field in fields(Flat))
TYPES: Mapping[str, Any] = get_type_hints(Flat)
"""Column → its Python type, `float | None` where a value may be absent."""


def flats(one: Publication, *, version: int = 0, notes: str = "") -> list[Flat]:
    """A line for each concurrency of the point. TypeError or ValueError as `flat`."""
    rows = several.taken_apart(one.row)
    if len(rows) == 1:
        return [flat(one, version=version, notes=notes)]
    titled = (replace(one, row=row, title=f"C{row.get('conc')}") for row in rows)
    return [flat(made, version=version, notes=notes) for made in titled]


def flat(one: Publication, *, version: int = 0, notes: str = "") -> Flat:
    """TypeError or ValueError when the publication holds values of another type than it promises."""
    row = one.row
    measured = row.get("result_time")
    return Flat(
        merge=_text(one.merge),
        point=_text(one.point),
        version=version,
        current=version == 0,
        series=curve.series_of(row, one.task or ""),
        curve=curve.curve_of(row),
        mode="eval" if one.task or row.get("task") else "throughput",
        task=_text(one.task or str(row.get("task") or "")),
        key=_text(one.key),
        title=_text(one.title),
        hw=curve.hardware(row),
        model=str(row.get("model", "")),
        prefix=curve.prefix(row),
        framework=str(row.get("framework", "")),
        precision=str(row.get("precision", "")),
        scenario=curve.scenario(row),
        shape=curve.shape(row),
        conc=curve.concurrency(row),
        image=str(row.get("image", "")),
        **_numbers(row),
        run=int(one.run),
        attempt=int(one.attempt),
        sha=_text(one.sha),
        node=_text(one.node),
        pr=int(one.pr),
        matched=_text(one.match),
        accepted_changed=bool(one.accepted_changed),
        authorisation=canonical(dict(one.authorisation)),
        published=_moment(one.merged_at),
        measured=_finite(measured) if isinstance(measured, int | float) else None,
        simulated=published.simulated(row),
        fingerprint=canonical(dict(one.fingerprint)),
        notes=notes,
        body=canonical(dict(row)),
    )


def _numbers(row: Mapping[str, Any]) -> dict[str, float | None]:
    return {
        "tput": published.throughput(row),
        "output_tput": published.output(row),
        "intvty": published.interactivity(row),
        "e2el": published.latency(row),
        "ttft": published.first_token(row),
        "joules": published.energy(row),
        "score": published.score(row),
        "threshold": published.threshold(row),
    }


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"a text is expected, not {value!r:.60}")
    return value


def _moment(text: str) -> float:
    """Unix seconds of an ISO time, UTC unless it says otherwise; 0 for none."""
    if not text:
        return 0.0
    found = datetime.fromisoformat(_text(text))
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def _finite(value: Any) -> float:
    number = float(value)
    if not isfinite(number):
        raise ValueError(f"{number} is no time")
    return number
