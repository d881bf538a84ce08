"""Who may: live roles, three values."""

import pytest

from infx.facts import Answer, PermitFacts, Role
from infx.policy import permit
from tests.builders import rules

YES, NO, UNKNOWN = Answer.YES, Answer.NO, Answer.UNKNOWN


@pytest.mark.parametrize(
    ("permission", "role_name", "needs", "answer"),
    [
        ("admin", "admin", "write", YES),
        ("write", "maintain", "maintain", YES),
        ("write", "write", "maintain", NO),
        ("write", None, "write", YES),
        ("write", None, "maintain", UNKNOWN),
        ("read", "triage", "write", NO),
        ("none", None, "write", NO),
        ("write", "bench-operator", "write", UNKNOWN),
        ("read", "sweeper", "write", YES),
        (None, None, "write", UNKNOWN),
    ],
)
def test_roles(permission: str | None, role_name: str | None, needs: str, answer: Answer) -> None:
    role = Role(login="ada", permission=permission, role_name=role_name)
    assert permit.may(role, needs, rules("custom-roles: {sweeper: write}")) == answer


@pytest.mark.parametrize(
    ("association", "permission", "by_role", "by_association"),
    [("CONTRIBUTOR", "admin", YES, NO), ("CONTRIBUTOR", "read", NO, NO), ("MEMBER", "read", NO, YES)],
)
def test_C113_the_live_role_decides_and_the_association_only_where_asked(
    association: str, permission: str, by_role: Answer, by_association: Answer
) -> None:
    person = Role(login="ada", permission=permission, role_name=permission, association=association)
    kinds = [
        permit.decide(PermitFacts(person=person, by_association=literal), rules()).kind
        for literal in (False, True)
    ]
    assert kinds == [by_role, by_association]


@pytest.mark.parametrize(
    ("editor", "kind"), [("write", YES), ("triage", NO), (None, UNKNOWN)], ids=["yes", "no", "unknown"]
)
def test_an_editor_must_be_allowed_as_well(editor: str | None, kind: Answer) -> None:
    facts = PermitFacts(
        person=Role(login="ada", permission="admin", role_name="admin"),
        editor=Role(login="eve", permission=editor, role_name=editor),
    )
    decision = permit.decide(facts, rules())
    assert (decision.kind, decision.go) == (kind, kind == YES)


def test_a_bot_may_nothing() -> None:
    assert permit.may(Role(login="x[bot]", permission="admin", bot=True), "write", rules()) == NO


@pytest.mark.parametrize(("now", "acted", "answer"), [(5, 5, YES), (6, 5, UNKNOWN), (0, 5, YES), (5, 0, YES)])
def test_a_login_that_somebody_else_took_over_has_no_known_role(now: int, acted: int, answer: Answer) -> None:
    role = Role(login="ada", permission="admin", role_name="admin", id=now, acted_as=acted)
    assert permit.may(role, "write", rules()) == answer


@pytest.mark.parametrize("order", [1, -1])
def test_a_person_who_edits_an_own_comment_is_looked_at_as_both(order: int) -> None:
    author, editor = [
        Role(login="ada", permission="admin", id=5, acted_as=5),
        Role(login="ada", permission="admin", id=5, acted_as=9),
    ][::order]
    assert permit.decide(PermitFacts(person=author, editor=editor), rules()).kind == UNKNOWN
