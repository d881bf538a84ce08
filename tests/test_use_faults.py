"""`/use` while GitHub fails: one outcome and a reason, nothing half done, and all is well once it answers."""

from collections.abc import Iterator

import pytest

from benchmarks.self.reuse import NAME, Place, Size, busy
from infx.edge import store
from infx.edge.api import Api
from infx.edge.github import GitHub
from infx.say import reply
from infx.source import CONTEXT

pytestmark = pytest.mark.forge
WHERE = [
    "GET */pulls/*",
    "GET */issues/*/comments",
    "GET */permission",
    "GET */workflows/*/runs",
    "GET */actions/runs/*",
    "GET */runs/*/artifacts",
    "GET */artifacts/*/zip",
    "GET /_blobs/*",
    "GET */git/ref/*",
    "POST */issues/*/comments",
    "PATCH */issues/comments/*",
    "POST */reactions",
    "POST /api/graphql",
    "GET */statuses",
    "POST */statuses/*",
]
DOWN, LOST = "error_before {} times=0", "lost {}"
BROKEN, LIMITED = "broken_page {}", "secondary_limit {} seconds=1"
CASES = [
    *((where, DOWN) for where in WHERE),
    *((where, LOST) for where in WHERE if not where.startswith("GET")),
    *((where, BROKEN) for where in WHERE if where.startswith("GET */")),
    *((where, LIMITED) for where in WHERE[:3]),
]


@pytest.fixture(scope="module")
def place() -> Iterator[Place]:
    with busy(Size(comments=2, commits=1, runs=2, full=2, points=3)) as made:
        yield made


def client(place: Place) -> None:
    """A new process: nothing is known, and waiting takes no time."""
    api = Api(place.token, place.forge.api, sleep=lambda seconds: None)
    place.github = GitHub(NAME, place.token, place.forge.api, api=api)
    place.known = {}


def outcomes(place: Place, comment: int) -> list[str]:
    return [str(one.kind) for one in place.desk.records if one.comment == comment]


@pytest.mark.parametrize(("where", "how"), CASES, ids=lambda one: one.split(" {")[0])
def test_a_fault_leaves_one_outcome_and_nothing_half_done(place: Place, where: str, how: str) -> None:
    client(place)
    event = place.say("/use {0} {1}")
    place.forge.site.faults.clear()
    place.forge.fault(how.format(where))
    try:
        code = place.wake(event)
    except Exception as problem:  # noqa: BLE001  # what the command line would show
        code = getattr(problem, "exit_code", 4)
    place.forge.site.faults.clear()
    client(place)
    told = outcomes(place, event.id)
    assert (code, told) in ((0, ["covers"]), (3, []), (3, ["covers"]))
    assert place.wake(event) == 0
    whole(place, event.id)


def whole(place: Place, comment: int) -> None:
    """One record, the results that it rests on, one reply, one reaction, and the status."""
    assert outcomes(place, comment) == ["covers"]
    for run in place.runs:
        assert place.desk.store.read(store.held(run)).keys() == {"plan", "ledger"}
    replies = [one for one in place.github.comments(place.number) if one.body.startswith(reply.mark(comment))]
    assert [("staged run" in one.body, "staging…" in one.body) for one in replies] == [(True, False)]
    said = place.github.comment(comment)
    assert said.reactions == frozenset({"+1"})
    assert place.github.statuses(place.desk.pull.head_sha)[CONTEXT][0] == "success"
