"""Who publishes, and what a landed pull request publishes."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.decision import Decision
from infx.facts import Answer
from infx.landing import Landing, Place, PublishFacts, Result
from infx.policy import source
from infx.policy.publishing import Kind, decide, differing, may, rows
from infx.read.changelog import read_entries
from tests.builders import A, rules
from tests.repo import entry
from tests.sources import candidate, facts, use

RULES = rules()
INGEST = ".github/workflows/ingest.yml"
M1 = "m1-fp8-h200-sglang"


def place(**changes: Any) -> Place:
    base = {
        "workflow": INGEST,
        "event": "push",
        "ref": "refs/heads/main",
        "default_branch": "main",
        "actors": {},
    }
    return Place(**{**base, **changes})


@pytest.mark.parametrize(
    ("where", "kind"),
    [
        pytest.param(place(), Answer.YES, id="push"),
        pytest.param(place(event="workflow_dispatch", actors={"max": Answer.YES}), Answer.YES, id="recovery"),
        pytest.param(place(event="workflow_dispatch", actors={"mia": Answer.NO}), Answer.NO, id="write"),
        pytest.param(
            place(event="workflow_dispatch", actors={"max": Answer.YES, "mia": Answer.NO}),
            Answer.NO,
            id="rerun",
        ),
        pytest.param(
            place(event="workflow_dispatch", actors={"x": Answer.UNKNOWN}), Answer.UNKNOWN, id="unknown"
        ),
        pytest.param(place(event="workflow_dispatch"), Answer.UNKNOWN, id="nobody"),
        pytest.param(place(event="schedule"), Answer.NO, id="schedule"),
        pytest.param(place(event="pull_request_target"), Answer.NO, id="target"),
        pytest.param(place(ref="refs/heads/feature"), Answer.NO, id="branch"),
        pytest.param(place(ref="refs/tags/main"), Answer.NO, id="tag"),
        pytest.param(place(workflow="", ref=""), Answer.NO, id="laptop"),
        pytest.param(
            place(
                workflow=".github/workflows/e2e-tests.yml",
                event="workflow_dispatch",
                ref="refs/heads/feature",
            ),
            Answer.NO,
            id="C53",
        ),
    ],
)
def test_only_ingest_of_the_default_branch_publishes(where: Place, kind: Answer) -> None:
    found = may(where, RULES)
    assert (found.kind, found.go) == (kind, kind == Answer.YES)


def landing(key: str = M1, more: str = "", pr: int | str = 7) -> Landing:
    text = entry(key, pr, more)
    [read] = read_entries(text, where="x")
    return Landing(commit=A, at="2026-07-01T00:00:00+00:00", link=read.pr_link, entry=read)


def result(mode: str = "throughput", agentic: bool = False, **changes: Any) -> Result:
    number = changes.pop("number", 1)
    accepted = {
        "point": f"{number:016x}",
        "key": M1,
        "title": f"C{number}",
        "mode": mode,
        "run": 500,
        "attempt": 1,
        "sha": A,
        "node": "n1",
        "measured": f"{number:016x}",
        "match": "equal",
        **changes.pop("accepted", {}),
    }
    prints = {"row": "r", "recipe": "s", "shared": "t"}
    base = {"agentic": agentic, "planned": prints, "fingerprint": prints, "row": {"tput_per_gpu": 1.0}}
    return Result(accepted=accepted, **{**base, **changes})


def landed(*results: Result, found: Decision | None = None, **changes: Any) -> PublishFacts:
    known = landing()
    assert known.entry
    base: dict[str, Any] = {
        "pr": 7,
        "commit": A,
        "at": known.at,
        "entries": (known,),
        "proposed": (known.entry,),
        "source": found or source.decide(facts(candidate(500), asked=[use(500)]), RULES),
        "results": results,
    }
    return PublishFacts(**{**base, **changes})


def test_C80_a_green_job_with_no_rows_is_an_empty_ingest() -> None:
    for found in (decide(landed()), decide(landed(result(row=None), result(row={}, number=2)))):
        assert (found.go, found.kind) == (False, Kind.EMPTY)
        assert str(found.kind) == "empty-ingest"


def test_C52_fixed_and_agentic_rows_go_one_way_and_each_bucket_is_whole() -> None:
    every = [result(number=n) for n in range(1, 7)] + [result(agentic=True, number=n) for n in range(7, 11)]
    found = decide(landed(*every))
    assert (found.kind, found.details["rows"]) == (Kind.PUBLISHED, {"fixed": 6, "agentic": 4})
    assert len(rows(landed(*every))) == 10
    lost = [replace(one, row=None) if one.bucket == "fixed" else one for one in every]
    refused = decide(landed(*lost))
    assert (refused.go, refused.kind) == (False, Kind.INCOMPLETE)
    assert "6 fixed" in refused.reason


@pytest.mark.parametrize("field", ["run", "attempt", "node", "sha"])
@pytest.mark.parametrize("empty", ["", 0, None])
def test_C121_a_row_without_provenance_is_never_sent(field: str, empty: Any) -> None:
    found = decide(landed(result(), result(number=2, accepted={field: empty})))
    assert (found.go, found.kind, str(found.kind)) == (False, Kind.NO_PROVENANCE, "empty-provenance")
    assert f"C2 has no {field}" in found.reason


@pytest.mark.parametrize("prints", [{}, {"row": "", "recipe": "s", "shared": "t"}])
def test_C121_nor_one_without_fingerprint(prints: dict[str, str]) -> None:
    assert decide(landed(result(fingerprint=prints))).kind == Kind.NO_PROVENANCE


@pytest.mark.parametrize(
    ("more", "kind"),
    [
        ("", Kind.PUBLISHED),
        ("  evals-only: true\n", Kind.ENTRY_CHANGED),
    ],
)
def test_the_entry_that_landed_is_the_one_that_was_proposed(more: str, kind: Kind) -> None:
    there = landing(more=more, pr=9)
    assert decide(landed(result(), entries=(there,))).kind == kind


def test_an_entry_that_its_pull_request_never_proposed_is_refused() -> None:
    assert decide(landed(result(), proposed=())).kind == Kind.ENTRY_CHANGED


def test_links_do_not_count_when_entries_are_compared() -> None:
    one, other = landing(pr=7).entry, landing(pr="XXX").entry
    assert one
    assert other
    assert differing(one, other) == []


def test_without_authorisation_the_repair_names_the_runs_that_are_there() -> None:
    found = decide(landed(found=source.decide(facts(candidate(500)), RULES)))
    assert (found.go, found.kind) == (False, "nothing-authorised")
    assert "write /use 500 on #7, then `infx ingest recover" in found.reason


def test_a_pull_request_that_changes_no_key_publishes_nothing_and_is_fine() -> None:
    found = decide(landed(found=source.decide(facts(wanted=()), RULES)))
    assert (found.go, found.kind) == (True, Kind.NOTHING)


def test_what_could_not_be_looked_up_says_nothing_about_the_entry() -> None:
    found = decide(landed(found=source.decide(facts(trouble="GitHub answers 502"), RULES), proposed=()))
    assert (found.go, found.kind) == (False, "could-not-tell")


def test_accept_changed_stands_in_every_row() -> None:
    made = rows(landed(result(), result(number=2), accept_changed=True))
    assert [one.accepted_changed for one in made] == [True, True]


@given(st.permutations(range(1, 6)))
def test_rows_do_not_depend_on_order_or_repetition(order: list[int]) -> None:
    every = landed(*(result(number=n) for n in order))
    assert {one.point: one.as_json() for one in rows(every)} == {
        one.point: one.as_json() for one in rows(landed(*(result(number=n) for n in range(1, 6))))
    }
