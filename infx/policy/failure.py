"""Failure: one failed job becomes a kind, a cause, and what may be done about it by a machine."""

from collections.abc import Callable, Sequence

from infx import pattern
from infx.decision import Decision
from infx.failure import BLAME, Cause, FailureFacts, Remedy, Signature
from infx.rules import Rules

UNKNOWN = "unknown"
LOG = 20_000
"""Characters of a log's end that are looked at: the reason stands there."""
ACTIONS = {
    Remedy.RERUN: ("rerun-failed-jobs of the same run",),
    Remedy.CLEAN: ("pre-checkout scoped cleanup", "rerun only after cleanup", "flag runner in PR comment"),
    Remedy.PERSON: ("tell the author once",),
}


def decide(facts: FailureFacts, rules: Rules, signatures: Sequence[Signature]) -> Decision:
    """The first signature that fits decides. `go`: the failed job may be run again now, by a machine."""
    found = next((one for one in signatures if fits(one, facts)), None)
    cause = found.cause if found else Cause.UNKNOWN
    remedy = found.remedy if found else Remedy.PERSON
    barred = bar(facts, rules) if remedy == Remedy.RERUN else f"remedy {remedy}"
    kind = found.detail if found else UNKNOWN
    return Decision(
        decision="failure",
        go=not barred,
        kind=kind,
        reason=_sentence(facts, found, barred if remedy == Remedy.RERUN else ""),
        details={"job": facts.job, "step": facts.step, "runner": facts.runner, "attempt": facts.attempt},
        extra={
            "class": str(cause),
            "blame": BLAME[cause],
            "remedy": str(remedy),
            "actions": list(ACTIONS[remedy]),
            "keep_other_results": True,
        },
    )


def bar(facts: FailureFacts, rules: Rules) -> str:
    """Why a job may not be run again although that would help; `""` when it may."""
    if facts.gpu and facts.accepted:
        return "its point has an accepted result"
    if facts.attempt > rules.auto_rerun:
        return f"auto-rerun allows {rules.auto_rerun}, and this was attempt {facts.attempt}"
    return ""


def fits(one: Signature, facts: FailureFacts) -> bool:
    """Whether every condition of the signature holds."""
    return all(condition(one, facts) for condition in CONDITIONS)


def _within(one: Signature, facts: FailureFacts) -> bool:
    return one.within_s is None or (facts.seconds is not None and facts.seconds <= one.within_s)


def _waited(one: Signature, facts: FailureFacts) -> bool:
    return one.waited_s is None or (not facts.runner and facts.waited_s >= one.waited_s)


CONDITIONS: tuple[Callable[[Signature, FailureFacts], bool], ...] = (
    lambda one, facts: not one.conclusion or facts.conclusion == one.conclusion,
    lambda one, facts: not one.reasons or facts.reason in one.reasons,
    lambda one, facts: facts.runner_failures >= one.runner_failures,
    lambda one, facts: not one.server_alive or facts.server_alive is True,
    _within,
    _waited,
    lambda one, facts: not one.step or pattern.found(one.step, facts.step),
    lambda one, facts: not one.log or pattern.found(one.log, facts.log[-LOG:]),
)


def _sentence(facts: FailureFacts, found: Signature | None, barred: str) -> str:
    where = f" on {facts.runner}" if facts.runner and found and found.cause == Cause.RUNNER else ""
    if found is None:
        return f"no signature of configs/failures.yaml fits step {facts.step or '(none)'}; read the log"
    text = f"{found.cause}: {found.detail}{where}"
    text += f"; {found.hint}" if found.hint else ""
    return f"{text}; not run again: {barred}" if barred else text
