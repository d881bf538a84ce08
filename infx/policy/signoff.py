"""Signoff: what the status of a head says about its sign-offs."""

from collections.abc import Sequence

from infx.assessment import Findings, Verdict, shown, verdicts
from infx.decision import Decision
from infx.ownership import required, uncovered
from infx.rules import Rules
from infx.signoff import CONTEXT, Kind, SignoffFacts, Standing

LIMIT = 140
"""Characters of a status description (docs: Commit statuses)."""
AGAIN = "mend it and edit the sign-off"
STRANGE = frozenset({Kind.NOT_AN_OWNER, Kind.DELETED_ACCOUNT})
ORDER = (
    (
        frozenset({Kind.FAILED, Kind.NO_SIGNER, Kind.OTHER_SIGNER, Kind.EDITED, Kind.TOO_LONG}),
        Standing.REJECTED,
    ),
    (frozenset({Kind.COULD_NOT_TELL}), Standing.COULD_NOT_TELL),
    (frozenset({Kind.NEW_HEAD}), Standing.NEW_HEAD),
    (STRANGE, Standing.REJECTED),
)
"""Which verdict the status shows first: a stranger's only where no owner wrote one."""


def decide(facts: SignoffFacts, findings: Findings, rules: Rules) -> Decision:
    """The status of the head; its `verdicts` are those of the sign-offs."""
    found = verdicts(facts, findings)
    standing, text = _standing(facts, found)
    state = _state(standing, rules)
    line = " ".join(text.split())
    checks = next((one.findings for one in reversed(found) if one.findings), ())
    return Decision(
        decision="signoff",
        go=standing in (Standing.NOT_REQUIRED, Standing.PASSED),
        kind=standing,
        reason=line if len(line) <= LIMIT else line[: LIMIT - 1] + "…",
        details={"head": facts.head_sha, "codeowners": facts.base_sha, "skipped lines": list(facts.faults)},
        extra={
            "state": state,
            "context": CONTEXT,
            "verdicts": [one.as_json() for one in found],
            "checks": [shown(one) for one in checks],
        },
    )


def _standing(facts: SignoffFacts, found: Sequence[Verdict]) -> tuple[Standing, str]:
    """Of each person the newest sign-off counts."""
    if facts.trouble:
        return Standing.COULD_NOT_TELL, f"could not tell: {facts.trouble}"
    if not required(facts):
        return Standing.NOT_REQUIRED, "not required: no file of a vendor's CODEOWNER changes"
    if facts.draft:
        return Standing.WAITING, "waiting: a draft; sign-offs are read once it is ready for review"
    latest = list({one.author.lower(): one for one in _by_time(facts, found)}.values())
    passed = [one for one in latest if one.good]
    open_ = uncovered(facts, [pattern for one in passed for pattern in one.covers])
    if not open_:
        return Standing.PASSED, _passed(passed)
    return _lacking(latest) or (Standing.WAITING, _waiting(open_[0].owners, open_[0].path, bool(passed)))


def _lacking(latest: Sequence[Verdict]) -> tuple[Standing, str] | None:
    """What an owner's sign-off lacks; a stranger's is told only where no owner wrote one."""
    for kinds, standing in ORDER:
        one = next((one for one in latest if one.kind in kinds), None)
        if one and standing == Standing.REJECTED:
            return standing, f"rejected @{one.author}: {_cut(one.reason)}; {AGAIN}"
        if one and standing == Standing.NEW_HEAD:
            return standing, f"new head needs sign-off: @{one.author} {one.reason}"
        if one:
            return standing, one.reason if one.reason.startswith(
                "could not tell"
            ) else f"could not tell: {one.reason}"
    return None


def _cut(text: str) -> str:
    room = LIMIT - len(AGAIN) - 45
    return text if len(text) <= room else text[: room - 1] + "…"


def _passed(passed: Sequence[Verdict]) -> str:
    *others, last = passed
    names = " and ".join(f"@{one.author}" for one in [*others, last])
    if last.kind == Kind.CARRIED:
        return f"passed: {names} {last.reason}"
    return f"passed: {names} signed {last.head[:7]}"


def _waiting(owners: Sequence[str], path: str, partly: bool) -> str:
    names = " or ".join(owners)
    return f"waiting for {names} on {path}" if partly else f"waiting for a sign-off of {names}"


def _by_time(facts: SignoffFacts, found: Sequence[Verdict]) -> list[Verdict]:
    times = {one.key: (one.at, one.id) for one in facts.statements}
    there = [one for one in found if one.kind != Kind.WITHDRAWN]
    return sorted(there, key=lambda one: times.get(one.key, ("", 0)))


def _state(standing: Standing, rules: Rules) -> str:
    """The status is advice, unless the policy requires sign-offs."""
    if standing == Standing.COULD_NOT_TELL:
        return "error"
    if standing in (Standing.NOT_REQUIRED, Standing.PASSED):
        return "success"
    stopped = standing in (Standing.REJECTED, Standing.NEW_HEAD) and rules.signoff == "required"
    return "failure" if stopped else "pending"
