"""One wrong value anywhere in what a pull request's run left: shown or refused, never a traceback."""

import json
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx import press
from infx.edge import artifacts
from infx.errors import BadInput
from infx.event import Run
from infx.ledger import Ledger
from infx.matrix.release import release
from infx.plan import Plan
from infx.policy.blocking import blocking
from infx.record import Record
from infx.results import page, stats, tally
from infx.say import status
from tests import builders as build

PLAN = build.plan()
RECORDS = [build.record(point) for point in PLAN.points]
FACTS = tally.Facts(run_id=build.RUN, attempt=1)
FRAME = page.Frame(template="$title$lead$banners$points$provenance$data", css="", js="", vega="")
RUN = Run(id=build.RUN, attempt=1, head_sha=build.HEAD)
JUNK: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    10**400,
    1e308,
    "x\n::set-output name=a::b",
    "\u202e@mia",
    "</details>\n<!-- infx:end -->\n<!-- infx:status -->",
    "\ud800",
    "\0",
    "|`",
    "a" * 5000,
    [],
    {},
    {"a": [None]},
)
Path = tuple[str | int, ...]


def places(value: Any, before: Path = ()) -> Iterator[Path]:
    """Every place in a JSON document."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in inside:
        yield (*before, name)
        yield from places(inner, (*before, name))


def spoilt(document: Any, place: Path, junk: Any) -> bytes:
    made = deepcopy(document)
    inner = made
    for name in place[:-1]:
        inner = inner[name]
    inner[place[-1]] = junk
    return json.dumps(made).encode()


def show(plan: Plan, records: list[Record], ledger: Ledger) -> None:
    """All that report, fanout and collect make of it."""
    seen = status.Status(run=RUN, plan=plan, ledger=ledger, blockers=blocking(ledger))
    block = status.section(seen).block
    assert (block.count("<!--"), block.count("<details>")) == (2, block.count("</details>"))
    release(plan, tally.newest(records))
    made = [stats.aggregates(plan, ledger, stats.tries(records, [])), ledger.as_json()]
    told = [block, page.page(FRAME, press.of_run(plan, ledger, address=""))]
    json.dumps(made, allow_nan=False, ensure_ascii=False).encode()
    "".join(told).encode()


def plan(data: bytes) -> None:
    found = artifacts.plan(data)
    show(found, RECORDS, tally.ledger(found, RECORDS, FACTS))


def record(data: bytes) -> None:
    found = [artifacts.record_of(data, "x"), *RECORDS[1:]]
    show(PLAN, found, tally.ledger(PLAN, found, FACTS))


def ledger(data: bytes) -> None:
    found = artifacts.ledger(data)
    if [entry.point for entry in found.entries] == [point.id for point in PLAN.points]:
        show(PLAN, RECORDS, tally.explained(found, PLAN, FACTS))


DOCUMENTS = {
    plan: PLAN.as_json(),
    record: RECORDS[0].as_json(),
    ledger: tally.ledger(PLAN, RECORDS, FACTS).as_json(),
}


@pytest.mark.parametrize("read", DOCUMENTS)
@given(data=st.data())
def test_a_wrong_value_is_shown_or_refused(read: Any, data: st.DataObject) -> None:
    document = DOCUMENTS[read]
    place = data.draw(st.sampled_from(list(places(document))))
    with suppress(BadInput):
        read(spoilt(document, place, data.draw(st.sampled_from(JUNK))))


@pytest.mark.parametrize(
    ("read", "place", "junk"),
    [
        (record, ("attempt",), 10**400),
        (record, ("result", "tput_per_gpu"), 10**400),
        (record, ("result", "image"), "\ud800"),
        (ledger, ("entries", 0, "attempt"), []),
        (ledger, ("entries", 0, "attempt"), 10**400),
        (plan, ("keys", 0, "canary"), "no such point"),
        (plan, ("keys", 0, "canary"), []),
        (plan, ("points",), []),
        (plan, ("points", 0, "key"), "another"),
    ],
)
def test_what_nothing_can_be_made_of_is_refused(read: Any, place: Path, junk: Any) -> None:
    with pytest.raises(BadInput):
        read(spoilt(DOCUMENTS[read], place, junk))
