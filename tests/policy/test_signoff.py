"""Sign-offs: who may, what becomes of each, and what the status of the head says."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.assessment import outstanding, verdicts
from infx.decision import Decision
from infx.facts import Answer
from infx.ownership import required, right
from infx.policy.signoff import LIMIT, decide
from infx.read.codeowners import read
from infx.signoff import (
    Assessed,
    Finding,
    Grade,
    Kind,
    Membership,
    Owned,
    Place,
    SignoffFacts,
    Standing,
    Statement,
)
from tests.builders import rules

H1, H2 = "1" * 40, "2" * 40
REQUIRED = rules("signoff: required\n")
GOOD = (Finding(check="sweep-green", grade=Grade.PASS, what="9 of 9"),)
BAD = (Finding(check="reuse-command-posted", grade=Grade.FAIL, what="post: /use 500"),)
UNSURE = (Finding(check="recipe-linked", grade=Grade.UNKNOWN, what="cannot be reached"),)


def owned(path: str = "configs/nvidia-master.yaml", *owners: str, **changes: Any) -> Owned:
    base: dict[str, Any] = {"pattern": f"/{path}", "line": 2, "owners": owners or ("@owner-a",)}
    return Owned(path=path, **{**base, **changes})


def said(author: str = "owner-a", number: int = 1, **changes: Any) -> Statement:
    base: dict[str, Any] = {"place": Place.COMMENT, "digest": "d1", "at": f"2026-07-01T00:0{number}:00Z"}
    return Statement(id=number, author=author, **{**base, "signer": author, **changes})


def old(kind: Kind = Kind.PASSED, head: str = H1, **changes: Any) -> Assessed:
    base: dict[str, Any] = {"key": "comment 1", "digest": "d1", "author": "owner-a", "reason": "fine"}
    covers = ("/configs/nvidia-master.yaml (line 2)",) if kind == Kind.PASSED else ()
    return Assessed(kind=kind, head=head, **{**base, "covers": covers, **changes})


def facts(*statements: Statement, **changes: Any) -> SignoffFacts:
    base: dict[str, Any] = {
        "repository": "o/r",
        "pr": 7,
        "head_sha": H1,
        "base_ref": "main",
        "base_sha": "b" * 40,
        "owned": (owned(),),
    }
    return SignoffFacts(statements=statements, **{**base, **changes})


def judge(made: SignoffFacts, findings: Any = GOOD, policy: Any = None) -> Decision:
    return decide(made, {one.key: findings for one in outstanding(made)}, policy or rules())


def kinds(made: SignoffFacts, findings: Any = GOOD) -> list[str]:
    return [str(one.kind) for one in verdicts(made, {one.key: findings for one in outstanding(made)})]


# -- who may


def of_file(text: str, *paths: str) -> tuple[Owned, ...]:
    found = read(text.encode())
    rows = [(path, found.rule(path)) for path in paths]
    return tuple(
        Owned(path=path, pattern=one.pattern, line=one.line, owners=one.owners, catch_all=one.catch_all)
        for path, one in rows
        if one and one.owners
    )


def test_C86_ownership_decides_and_each_sign_off_is_answered() -> None:
    text = "* @org/core\n/configs/nvidia-master.yaml @owner-a\n"
    made = facts(
        said("member-x"),
        said("outsider", 2),
        owned=of_file(text, "configs/nvidia-master.yaml"),
        exempt=("@org/core",),
    )
    found = verdicts(made, {})
    reason = "not-an-owner of configs/nvidia-master.yaml (@owner-a)"
    assert [(one.kind, one.reason) for one in found] == [(Kind.NOT_AN_OWNER, reason)] * 2
    assert decide(made, {}, rules()).extra["state"] == "pending"


def test_each_file_needs_one_of_its_own_owners() -> None:
    made = facts(
        owned=(owned("a", "@ada", "@bea"), owned("b", "@cleo"), owned("c", "@org/t", catch_all=True))
    )
    assert [right(login, made).covers for login in ("ada", "cleo", "dora")] == [
        ("/a (line 2)", "/c (line 2)"),
        ("/b (line 2)", "/c (line 2)"),
        (),
    ]
    both = replace(made, statements=(said("ada"), said("cleo", 2)))
    assert judge(replace(made, statements=(said("ada"),))).reason == "waiting for @cleo on b"
    assert judge(both).kind == Standing.PASSED


def test_files_of_admins_and_the_core_team_need_no_sign_off() -> None:
    made = facts(owned=(owned("a", "@Ada"), owned("b", "@org/core")), exempt=("@ada", "@ORG/core"))
    assert required(made) == ()
    assert judge(made).kind == Standing.NOT_REQUIRED


def test_a_login_counts_whole_and_in_any_case() -> None:
    made = facts(owned=(owned("a", "@owner-a"),))
    assert right("Owner-A", made).answer == Answer.YES
    assert right("owner", made).answer == Answer.NO
    assert right("owner-abc", made).answer == Answer.NO


@pytest.mark.parametrize("answer", list(Answer))
def test_teams_are_told_in_three_values(answer: Answer) -> None:
    team = Membership(owner="@org/nv", login="ada", answer=answer)
    made = facts(said("ada"), owned=(owned("a", "@org/nv"),), memberships=(team,))
    expected = {
        Answer.YES: Standing.PASSED,
        Answer.NO: Standing.REJECTED,
        Answer.UNKNOWN: Standing.COULD_NOT_TELL,
    }
    assert judge(made).kind == expected[answer]


def test_a_team_that_nobody_asked_about_is_no_pass() -> None:
    assert kinds(facts(said("ada"), owned=(owned("a", "ada@example.com"),))) == ["could-not-tell"]


# -- what becomes of one


@pytest.mark.parametrize(
    ("changes", "findings", "kind"),
    [
        ({}, GOOD, Kind.PASSED),
        ({}, BAD, Kind.FAILED),
        ({}, UNSURE, Kind.COULD_NOT_TELL),
        ({}, (*UNSURE, *BAD), Kind.FAILED),
        ({}, (), Kind.COULD_NOT_TELL),
        ({"signer": ""}, GOOD, Kind.NO_SIGNER),
        ({"signer": "owner"}, GOOD, Kind.OTHER_SIGNER),
        ({"signer": "OWNER-A"}, GOOD, Kind.PASSED),
        ({"author": "ghost"}, GOOD, Kind.DELETED_ACCOUNT),
        ({"length": 65_537}, GOOD, Kind.TOO_LONG),
        ({"editor": "mia"}, GOOD, Kind.EDITED),
        ({"editor": "Owner-A"}, GOOD, Kind.PASSED),
        ({"commit": H2}, GOOD, Kind.NEW_HEAD),
        ({"stale": True}, GOOD, Kind.NEW_HEAD),
    ],
)
def test_rules_in_their_order(changes: dict[str, Any], findings: Any, kind: Kind) -> None:
    assert kinds(facts(said(**changes)), findings) == [kind]


def test_C97_a_failed_check_names_the_command_to_paste() -> None:
    decision = judge(facts(said()), BAD, REQUIRED)
    assert (decision.kind, decision.extra["state"]) == (Standing.REJECTED, "failure")
    assert "reuse-command-posted: post: /use 500" in decision.reason
    assert decision.extra["checks"][0]["check"] == "reuse-command-posted"


@pytest.mark.parametrize(
    ("diffs", "kind"),
    [
        ({H1: "x", H2: "x"}, "carried-forward"),
        ({H1: "x", H2: "y"}, "new-head"),
        ({}, "new-head"),
        ({H1: "", H2: ""}, "new-head"),
    ],
)
def test_only_a_byte_equal_diff_carries_a_pass_forward(diffs: dict[str, str], kind: str) -> None:
    made = facts(said(), head_sha=H2, assessed=(old(),), diffs=diffs)
    assert kinds(made) == [kind]
    assert (outstanding(made) == ()) is True


def test_C94_a_verdict_on_the_head_itself_stands() -> None:
    """A success on an older head is never looked for while the head has a failure of its own."""
    both = (old(), old(Kind.FAILED, H2))
    made = facts(said(), head_sha=H2, assessed=both, diffs={H1: "x", H2: "x"})
    assert kinds(made, BAD) == ["check-failed"]
    decision = judge(made, BAD, REQUIRED)
    assert (decision.extra["state"], decision.kind) == ("failure", Standing.REJECTED)


def test_a_rejection_is_looked_at_again_and_a_pass_is_not() -> None:
    assert [one.key for one in outstanding(facts(said(), assessed=(old(Kind.FAILED),)))] == ["comment 1"]
    assert outstanding(facts(said(), assessed=(old(),))) == ()
    assert [one.key for one in outstanding(facts(said(digest="d2"), assessed=(old(),)))] == ["comment 1"]


def test_words_of_somebody_else_stay_so_on_every_head() -> None:
    made = facts(said(), head_sha=H2, assessed=(old(Kind.EDITED),), diffs={H1: "x", H2: "x"})
    assert kinds(made) == ["edited-by-another"]


def test_a_pass_does_not_outlive_the_owners_own_words() -> None:
    """Another look passed the words before anybody knew who had changed them."""
    made = facts(said(editor="mia"), assessed=(old(),))
    assert kinds(made) == ["edited-by-another"]
    assert judge(made, GOOD, REQUIRED).extra["state"] == "failure"
    back = facts(said(editor="owner-a"), assessed=(old(Kind.EDITED),))
    assert kinds(back, GOOD) == ["passed"]


def test_what_is_gone_is_withdrawn_once() -> None:
    made = facts(assessed=(old(),))
    [gone] = verdicts(made, {})
    assert (gone.kind, gone.known) == (Kind.WITHDRAWN, False)
    again = replace(made, assessed=(old(), old(Kind.WITHDRAWN)))
    assert [one.known for one in verdicts(again, {})] == [True]
    assert judge(made).kind == Standing.WAITING


# -- the status


@pytest.mark.parametrize(
    ("made", "standing", "advisory", "needed"),
    [
        (facts(owned=()), Standing.NOT_REQUIRED, "success", "success"),
        (facts(), Standing.WAITING, "pending", "pending"),
        (facts(draft=True), Standing.WAITING, "pending", "pending"),
        (facts(said()), Standing.PASSED, "success", "success"),
        (facts(said(signer="")), Standing.REJECTED, "pending", "failure"),
        (facts(said(commit=H2)), Standing.NEW_HEAD, "pending", "failure"),
        (facts(said(), trouble="retargeted"), Standing.COULD_NOT_TELL, "error", "error"),
    ],
)
def test_C92_six_answers_and_their_states(
    made: SignoffFacts, standing: Standing, advisory: str, needed: str
) -> None:
    free, strict = judge(made), judge(made, policy=REQUIRED)
    assert (free.kind, free.extra["state"], strict.extra["state"]) == (standing, advisory, needed)
    assert free.go == (advisory == "success")


def test_C98_three_situations_have_three_texts() -> None:
    rejected = judge(facts(said()), BAD).reason
    moved = judge(facts(said(), head_sha=H2, assessed=(old(),))).reason
    passed = judge(facts(said())).reason
    assert rejected.startswith("rejected @owner-a: reuse-command-posted")
    assert rejected.endswith("mend it and edit the sign-off")
    assert moved.startswith("new head needs sign-off: @owner-a signed at 1111111")
    assert passed == "passed: @owner-a signed 1111111"


def test_of_each_person_the_newest_sign_off_counts() -> None:
    made = facts(said(signer=""), said(number=2))
    assert judge(made).kind == Standing.PASSED


def test_a_stranger_hides_no_owner() -> None:
    made = facts(said("eva", 3), said())
    assert judge(made).kind == Standing.PASSED
    assert judge(made, BAD).reason.startswith("rejected @owner-a")


@given(
    st.lists(st.sampled_from(["owner-a", "eva", "ghost", "mia"]), max_size=4),
    st.sampled_from([GOOD, BAD, UNSURE, ()]),
    st.booleans(),
    st.sampled_from([H1, H2]),
    st.text(max_size=300),
)
def test_every_question_has_an_answer(
    authors: list[str], findings: Any, strict: bool, head: str, words: str
) -> None:
    statements = [said(author, at + 1, signer=words) for at, author in enumerate(authors)]
    made = facts(*statements, head_sha=head, assessed=(old(),), trouble=words if strict else "")
    decision = judge(made, findings, REQUIRED if strict else None)
    assert 0 < len(decision.reason) <= LIMIT
    assert decision.extra["state"] in ("success", "pending", "failure", "error")
    assert decision.kind != Standing.PASSED or any(
        one["kind"] in ("passed", "carried-forward") for one in decision.extra["verdicts"]
    )
