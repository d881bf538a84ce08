"""Readiness: what main would do with this head, as one line before the merge."""

from enum import StrEnum

from infx import source
from infx.decision import Decision
from infx.source import CONTEXT, ReadinessFacts
from infx.union import Coverage, runs_text

LIMIT = 140
"""Characters of a status description (docs: Commit statuses)."""


class Kind(StrEnum):
    """Every answer, and the state of its status."""

    NOT_NEEDED = "not-needed"
    READY = "ready"
    PINNED = "pinned"
    PARTIAL = "partial"
    NOTHING_AUTHORISED = "nothing-authorised"
    REFUSED = "refused"
    SWEEPING = "sweeping"
    COULD_NOT_TELL = "could-not-tell"


STATE = {
    Kind.NOT_NEEDED: "success",
    Kind.READY: "success",
    Kind.PINNED: "success",
    Kind.PARTIAL: "failure",
    Kind.NOTHING_AUTHORISED: "failure",
    Kind.REFUSED: "failure",
    Kind.SWEEPING: "pending",
    Kind.COULD_NOT_TELL: "error",
}


def decide(found: Decision, facts: ReadinessFacts) -> Decision:
    """The status of a head. `found` is what `resolve source` says of the same facts."""
    if found.kind == source.Kind.NOT_NEEDED:
        return _status(Kind.NOT_NEEDED, "not needed: no config key changes")
    if facts.sweeping is not None:
        return pending(facts.sweeping)
    if found.kind == source.Kind.COULD_NOT_TELL:
        return _status(Kind.COULD_NOT_TELL, found.reason)
    return _ready(found) if found.go else _lacking(found, _ends(found, facts))


def _ends(found: Decision, facts: ReadinessFacts) -> str:
    """The first day on which results end that could be authorised, when it is near."""
    there = found.details["available"]["runs"]
    days = [run.expires for run in facts.source.candidates if run.expires and run.run.id in there]
    return min(days, default="")


def pending(run: int | None) -> Decision:
    """While a sweep of the head runs; None where its run has no number yet."""
    return _status(
        Kind.SWEEPING, f"sweep {run} of this head is running" if run else "a sweep of this head starts"
    )


def _ready(found: Decision) -> Decision:
    have, runs = Coverage.from_json(found.extra["coverage"]), found.extra["runs"]
    if found.kind == source.Kind.PARTIAL:
        return _status(Kind.PINNED, f"partial {have.partial}, pinned by @{found.details['by']}")
    text = f"main will publish {have.text} from {runs_text(runs)}"
    fits = len(text) <= LIMIT
    return _status(Kind.READY, text if fits else f"main will publish {have.text} from {len(runs)} runs")


def _lacking(found: Decision, ends: str) -> Decision:
    """What a person has to do: measure the rest, authorise what is there, or repair what was authorised.
    `ends`: the day on which the first results end."""
    there = found.details["available"]
    until = f"; results end {ends}" if ends else ""
    have = Coverage.from_json(there["coverage"])
    if have.some and found.kind not in (source.Kind.BLOCKED, source.Kind.HEAD_MOVED):
        return _status(Kind.PARTIAL, f"partial {have.partial}: /sweep resume, or pin with /use{until}")
    if found.kind in (source.Kind.NOTHING_AUTHORISED, source.Kind.WITHDRAWN, source.Kind.NO_CANDIDATE):
        runs = " ".join(map(str, there["runs"])) or "<id>"
        command = f"nothing authorised: /use {runs}{until}"
        fits = len(command) <= LIMIT
        return _status(Kind.NOTHING_AUTHORISED, command if fits else f"nothing authorised: /use <id>{until}")
    return _status(Kind.REFUSED, f"{found.kind}: {found.reason}")


def _status(kind: Kind, text: str) -> Decision:
    line = " ".join(text.split())
    cut = line if len(line) <= LIMIT else line[: LIMIT - 1] + "…"
    state = STATE[kind]
    return Decision(
        decision="readiness",
        go=state == "success",
        kind=kind,
        reason=cut,
        extra={"state": state, "context": CONTEXT},
    )
