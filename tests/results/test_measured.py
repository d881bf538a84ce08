"""From ledgers to sources: a run's plan and ledger, and a sweep that is resumed."""

from collections.abc import Sequence
from dataclasses import replace

from infx.entry import Entry
from infx.equal import Mark
from infx.ledger import Ledger
from infx.matrix.planner import Request, make
from infx.plan import Plan
from infx.point import Point
from infx.policy import readiness, source
from infx.read.config import read_catalog
from infx.record import Outcome
from infx.results.measured import Files, candidate, differences, entries_differ
from infx.results.tally import Facts, ledger
from infx.source import Candidate, ReadinessFacts, SourceFacts
from infx.state import State
from tests.builders import FULL, point, record, rules
from tests.matrix.test_planner import M1, ORIGIN
from tests.repo import FILES, MASTER, RUNNERS
from tests.sources import facts, run, use

NINE = MASTER.replace("[4, 8]", "[1, 2, 4, 8, 16, 32, 64, 128, 256]").split("m2-")[0]


def state(master: str) -> State:
    scripts = {path: text.encode() for path, text in FILES.items() if path.startswith("benchmarks/")}
    catalog = read_catalog([("m", master.encode())], ("r", RUNNERS.encode()))
    return State(commit="c", catalog=catalog, files=scripts)


def plan(*labels: str, accepted: Sequence[Mark] = ()) -> Plan:
    """The nine-point sweep of one key."""
    entry = Entry(config_keys=(M1,), description=("d",), pr_link="l")
    made = state(NINE)
    request = Request(entries=[entry], base=made, head=made, labels=labels, origin=ORIGIN)
    return make(request, rules(), accepted=accepted)


def ran(number: int, made: Plan, valid: Sequence[Point], failed: Sequence[Point] = ()) -> Candidate:
    """A run of `made` in which some points succeeded and some failed."""
    records = [record(one, sha="h", run_id=number) for one in valid]
    records += [record(one, Outcome.FAILURE, reason="engine-died", sha="h", run_id=number) for one in failed]
    done: Ledger = ledger(made, records, Facts(run_id=number, attempt=1))
    conclusion = "success" if done.complete else "failure"
    return candidate(run(number, conclusion=conclusion), made, done, wanted=made, files=lambda one: Files())


def status(found: SourceFacts) -> str:
    return readiness.decide(source.decide(found, rules()), ReadinessFacts(source=found)).reason


def test_resume_measures_exactly_what_is_missing_and_both_runs_stand_together() -> None:
    whole = plan(FULL)
    assert len(whole.points) == 9
    first = ran(500, whole, whole.points[:5], failed=whole.points[5:6])
    wanted = tuple(Mark.of(one) for one in whole.points)
    found = facts(first, wanted=wanted)
    assert status(found) == "partial 5 of 9: /sweep resume, or pin with /use"

    rest = plan(FULL, "resume-sweep", accepted=source.accepted(found, rules()))
    assert [one.id for one in rest.points] == [one.id for one in whole.points[5:]]
    assert [key.canary for key in rest.keys] == [None]

    second = ran(501, rest, rest.points)
    after = replace(found, candidates=(first, second))
    assert source.accepted(after, rules()) == wanted
    assert status(after) == "nothing authorised: /use 500 501"
    used = replace(after, authorisations=(use(500, 501),))
    assert status(used) == "main will publish 9 of 9 points from runs 500 and 501"
    provenance = source.decide(used, rules()).details["accepted"]
    assert [one["run"] for one in provenance] == [500] * 5 + [501] * 4
    assert {one["node"] for one in provenance} == {"h200-dgxc_03"}


def test_nothing_missing_is_an_empty_plan() -> None:
    whole = plan(FULL)
    found = facts(ran(500, whole, whole.points), wanted=tuple(Mark.of(one) for one in whole.points))
    assert plan(FULL, "resume-sweep", accepted=source.accepted(found, rules())).points == ()


def test_C50_a_point_whose_artifact_is_broken_is_missing_and_the_others_count() -> None:
    whole = plan(FULL)
    lost = {whole.points[1].id: "502 after 3 tries", whole.points[2].id: "not a readable zip archive"}
    records = [record(one, sha="h", run_id=500) for one in whole.points if one.id not in lost]
    done = ledger(whole, records, Facts(run_id=500, attempt=1, unreadable=lost))
    one = candidate(run(), whole, done, wanted=whole, files=lambda point: Files())
    found = facts(one, wanted=tuple(Mark.of(one) for one in whole.points), asked=[use(500)])
    got = source.decide(found, rules())
    assert got.reason == "partial 7 of 9, pinned by @mia"
    assert {one["reason"] for one in got.details["missing"]} == {"unreadable"}


def test_what_changed_is_named_by_file_and_field() -> None:
    old, new = point(4), point(4, image="lmsysorg/sglang:v0.5.17")
    made = replace(plan(FULL), points=(old,), keys=())
    records = [record(old, sha="h")]
    done = ledger(made, records, Facts(run_id=500, attempt=1))
    files = Files(recipe=("run.sh",), shared=("lib.sh",), own=("lib.sh",))
    wanted = replace(made, points=(new,))
    got = candidate(run(), made, done, wanted=wanted, files=lambda one: files).points[0]
    assert got.differs == ("image: lmsysorg/sglang:v0.5.16 → lmsysorg/sglang:v0.5.17", "run.sh")
    assert (got.drift, got.own) == (("lib.sh",), ("lib.sh",))


def test_fields_that_come_and_go_are_differences() -> None:
    assert differences({"a": 1, "b": 2}, {"b": 2, "c": 3}) == ("a: 1 → nothing", "c: nothing → 3")


def test_an_entry_differs_in_all_but_its_link() -> None:
    old = {"entries": [{"description": ["a"], "pr-link": "XXX"}]}
    assert entries_differ(old, {"entries": [{"description": ["a"], "pr-link": "7"}]}) == ()
    assert entries_differ(old, {"entries": [{"description": ["b"], "no-evals": True}]}) == (
        "description",
        "no-evals",
    )
    assert entries_differ(old, {"entries": []}) == ("number of entries",)
