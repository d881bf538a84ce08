"""Merging: the next step towards a merge that loses no result, or the reason why there is none."""

from collections.abc import Callable

from infx.check import Standing
from infx.decision import Decision
from infx.facts import Answer
from infx.merge import MergeFacts, Step, Why

JOB = "github-actions"
"""Whom a job's own token writes as, without the `[bot]` that not every answer of GitHub's shows: it starts no
workflow for what that token pushes or merges."""
SHOWN = 5
"""Most names in one sentence."""
Row = Callable[[MergeFacts], tuple[Step, Why, str] | None]


def decide(facts: MergeFacts) -> Decision:
    """The first row that has something to say; `go` is false where it stops."""
    for row in ROWS:
        if answer := row(facts):
            step, why, reason = answer
            return _answer(step, why, reason)
    return _answer(Step.MERGE, Why.READY, facts.readiness.reason)


def by_job(login: str) -> bool:
    return login.removesuffix("[bot]") == JOB


def _answer(step: Step, why: Why, reason: str) -> Decision:
    return Decision(
        decision="merge", go=step != Step.STOP, kind=why, reason=reason, extra={"step": str(step)}
    )


def _stop(why: Why, reason: str) -> tuple[Step, Why, str]:
    return Step.STOP, why, reason


def _state(facts: MergeFacts) -> tuple[Step, Why, str] | None:
    pull = facts.pull
    if pull.merged:
        return Step.DONE, Why.MERGED, f"#{pull.number} is merged"
    if not pull.open:
        return _stop(Why.CLOSED, f"#{pull.number} is closed; reopen it")
    if by_job(facts.login):
        what = f"the token is {JOB}, whose pushes and merges start no workflow"
        return _stop(
            Why.JOB_TOKEN, f"{what}, so nothing would be published; use a person's or an App's token"
        )
    if pull.draft:
        return _stop(Why.DRAFT, f"#{pull.number} is a draft; mark it ready for review")
    if facts.queue:
        what = f"{pull.base_ref} has a merge queue, which is not supported"
        return _stop(Why.MERGE_QUEUE, f"{what}: it merges other commits than were looked at")
    return None


def _fork(facts: MergeFacts) -> tuple[Step, Why, str] | None:
    """Nothing is ever pushed to a fork."""
    pull, joined = facts.pull, facts.joined
    if not pull.fork:
        return None
    if pull.head_repo is None:
        return _stop(Why.FORK_GONE, "the head repository was deleted; open the change from another one")
    if joined.conflicts:
        return _stop(
            Why.CONFLICT, f"{_some(joined.conflicts)} conflict; the author has to merge {pull.base_ref}"
        )
    if joined.repaired or not facts.changelog.go:
        what = (
            facts.changelog.reason if not facts.changelog.go else "the entry must link to this pull request"
        )
        repair = f"the author writes the lines above to its end: `infx changelog fix --pr {pull.number}`"
        return _stop(Why.FORK_CHANGELOG, f"the changelog is not right as it stands ({what}); {repair}")
    return None


def _conflict(facts: MergeFacts) -> tuple[Step, Why, str] | None:
    found = facts.joined.conflicts
    if not found:
        return None
    return _stop(
        Why.CONFLICT, f"{_some(found)} conflict with {facts.pull.base_ref}; merge it by hand and push"
    )


def _changelog(facts: MergeFacts) -> tuple[Step, Why, str] | None:
    """A fault that the repair of bytes does not mend."""
    gate = facts.changelog
    if gate.go or facts.joined.repaired:
        return None
    return _stop(Why.CHANGELOG, f"{gate.kind}: {gate.reason}")


def _ready(facts: MergeFacts) -> tuple[Step, Why, str] | None:
    """The same decision as the status before the merge, taken again now."""
    state, reason = facts.readiness.extra["state"], facts.readiness.reason
    if state == "pending":
        return Step.WAIT, Why.SWEEPING, reason
    if state == "error":
        return _stop(Why.COULD_NOT_TELL, reason)
    return None if state == "success" else _stop(Why.NOT_READY, reason)


def _scope(facts: MergeFacts) -> tuple[Step, Why, str] | None:
    """GitHub would refuse half-way."""
    own = facts.pull.fork or not facts.joined.needed
    carried = sorted({*facts.proposes, *(() if own else facts.joined.carries)})
    if not carried or facts.workflow_scope != Answer.NO:
        return None
    return _stop(
        Why.WORKFLOW_SCOPE, f"the token lacks the scope `workflow`, and {_some(carried)} would change"
    )


def _update(facts: MergeFacts) -> tuple[Step, Why, str] | None:
    if facts.pull.fork or not facts.joined.needed:
        return None
    base, log = facts.pull.base_ref, "the changelog is repaired" if facts.joined.repaired else ""
    if not facts.joined.behind:
        return Step.UPDATE, Why.REPAIR, log
    merged = f"{base} is merged into {facts.pull.head_ref}"
    return Step.UPDATE, Why.BEHIND, f"{merged}, {log}" if log else merged


def _checks(facts: MergeFacts) -> tuple[Step, Why, str] | None:
    """Jobs of the sweep workflow count by their ledger, which readiness looks at, and not by colour."""
    if not facts.pull.fork and not facts.gates and not facts.skip_word:
        return Step.WAIT, Why.NO_GATE, "the sweep workflow has not started for this head yet"
    gates = {run.id for run in facts.gates}
    failed = [
        one.check for one in facts.checks if one.standing == Standing.FAIL and one.check.run not in gates
    ]
    if failed:
        what = f"{_some([one.name for one in failed])} failed on this head"
        skips = [one.name for one in failed if one.conclusion == "skipped"]
        hint = f"; if {_some(skips)} may be skipped, name it in `checks.may-skip`" if skips else ""
        return _stop(Why.CHECKS_FAILED, what + hint)
    running = [one.check.name for one in facts.checks if one.standing == Standing.PENDING]
    running += [f"run {run.id}" for run in facts.gates if run.active]
    if running:
        return Step.WAIT, Why.CHECKS_RUNNING, f"waiting for {_some(running)}"
    return None


def _mergeable(facts: MergeFacts) -> tuple[Step, Why, str] | None:
    if facts.pull.mergeable is None:
        return Step.WAIT, Why.UNKNOWN_MERGEABLE, "GitHub has not computed yet whether it merges"
    if not facts.pull.mergeable:
        return _stop(Why.CONFLICT, f"GitHub says that it conflicts with {facts.pull.base_ref}")
    if facts.method == "rebase" and facts.skip_word:
        what = f"the head's message holds {facts.skip_word}, which a rebase keeps"
        return _stop(
            Why.SKIP_WORD, f"{what}, and nothing would run on {facts.pull.base_ref}; use --method squash"
        )
    return None


ROWS: tuple[Row, ...] = (
    _state,
    _fork,
    _conflict,
    _changelog,
    _ready,
    _scope,
    _update,
    _checks,
    _mergeable,
)
"""In this order: everything that stops stands before the first push, and pushing before waiting."""


def _some(names: tuple[str, ...] | list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more
