"""Permit: may this person do this? Decided by the live role, in three values."""

from infx.decision import Decision
from infx.facts import Answer, PermitFacts, Role
from infx.rules import Rules

ORDER = ("none", "read", "triage", "write", "maintain", "admin")
ASSOCIATIONS = frozenset({"OWNER", "MEMBER", "COLLABORATOR"})
"""GitHub's words of the literal association rule; CONTRIBUTOR never grants anything."""
WEAKEST = (Answer.NO, Answer.UNKNOWN, Answer.YES)


def may(role: Role, needs: str, rules: Rules) -> Answer:
    """Whether `role` is at least `needs`. Unlisted custom roles and unanswered questions are UNKNOWN."""
    held = _held(role, rules)
    if role.bot:
        return Answer.NO
    if held is None or _somebody_else(role):
        return Answer.UNKNOWN
    if role.role_name is None and held == "write" and needs == "maintain":
        # Without the exact role, GitHub's `permission` says "write" for maintain too.
        return Answer.UNKNOWN
    return Answer.YES if ORDER.index(held) >= ORDER.index(needs) else Answer.NO


def _held(role: Role, rules: Rules) -> str | None:
    """Built-in role that the person holds or is counted as; None when nobody can tell."""
    exact = role.role_name or role.permission
    if exact is None or exact in ORDER:
        return exact
    return rules.custom_roles.get(exact)


def _somebody_else(role: Role) -> bool:
    """The login was renamed and taken: the live role is not that of the person who acted."""
    return bool(role.id and role.acted_as) and role.id != role.acted_as


def decide(facts: PermitFacts, rules: Rules) -> Decision:
    """The author must be allowed, and whoever edited the words since; the weakest answer counts."""
    people = [facts.person, *([facts.editor] if facts.editor else [])]
    answers = [(role.login, _answer(role, facts, rules)) for role in people]
    answers.sort(key=lambda pair: WEAKEST.index(pair[1]))
    login, worst = answers[0]
    rule = "association" if facts.by_association else f"role {facts.needs} or more"
    text = {
        Answer.YES: f"@{login} has the {rule} that is needed",
        Answer.NO: f"@{login} lacks the {rule} that is needed",
        Answer.UNKNOWN: f"could not tell whether @{login} has the {rule} that is needed; nothing was done",
    }[worst]
    return Decision(
        decision="permit",
        go=worst == Answer.YES,
        kind=worst,
        reason=text,
        details={"answers": {name: str(answer) for name, answer in reversed(answers)}, "needs": facts.needs},
    )


def _answer(role: Role, facts: PermitFacts, rules: Rules) -> Answer:
    if not facts.by_association:
        return may(role, facts.needs, rules)
    return Answer.YES if role.association in ASSOCIATIONS and not role.bot else Answer.NO
