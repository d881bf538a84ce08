"""/use names the runs whose results stand for this pull request."""

from typing import Any

from infx import staging
from infx.command import Form
from infx.commands import stage
from infx.decision import Decision
from infx.desk import Desk, Order, Outcome
from infx.edge import store
from infx.equal import Mark
from infx.facts import Answer
from infx.handled import Accepted
from infx.handled import Kind as Ended
from infx.policy import source
from infx.say import reply
from infx.source import Kind, SourceFacts
from infx.sweeps import documents
from infx.union import Coverage

ACCEPT_CHANGED = "--accept-changed"

FORM = Form(
    words="/use",
    usage="/use <run_id> [<run_id> …] [--accept-changed]",
    example="/use 27528759942",
    help="publish these runs, united point by point; `--accept-changed` (maintain or admin) also takes "
    "points that were changed since",
    topic="reuse",
    least=1,
    most=20,
    flags=frozenset({ACCEPT_CHANGED}),
    stages=True,
)


def answer(desk: Desk, order: Order) -> Outcome:
    """The named runs stand from now on, as far as their points are equal; a run that is not named is chosen
    now and bound."""
    asked = order.asking(order.command.runs, accept_changed=ACCEPT_CHANGED in order.command.flags)
    if asked.accept_changed and asked.may_accept_changed != Answer.YES:
        needed = f"{ACCEPT_CHANGED} needs role {desk.rules.grant_authority} or more"
        return Outcome(go=False, kind=Ended.NOT_ALLOWED, reason=needed)
    facts = desk.sources.facts([asked])
    decision = source.decide(facts, desk.rules)
    if decision.kind == Kind.NOT_NEEDED:
        return Outcome(
            go=False, kind=Kind.NOT_NEEDED, reason="no config key changes, so nothing is published"
        )
    if not decision.go:
        lines = tuple(reply.source(decision))
        return Outcome(go=False, kind=Kind(decision.kind), reason=decision.reason, lines=lines)
    if moved := desk.moved(order.at):
        return Outcome(go=False, kind=Kind.HEAD_MOVED, reason=moved)
    return _accept(desk, order, facts, decision)


def _accept(desk: Desk, order: Order, facts: SourceFacts, decision: Decision) -> Outcome:
    """Copy the results, which end as artifacts, show them on the preview page, and say what stands."""
    refused = {one["run"] for one in decision.extra["refused"]}
    named = order.command.runs or decision.extra["runs"]
    runs: tuple[int, ...] = tuple(run for run in named if run not in refused)
    sweeps = [sweep for sweep in desk.sources.looked if sweep.run.id in runs]
    held = {store.held(sweep.run.id): documents(sweep) for sweep in sweeps}
    desk.store.put(held, why=f"results of #{desk.pull.number}")
    state = staging.put(desk, order, sweeps)
    marks = {mark.id: mark for mark in facts.wanted}
    have = Coverage.from_json(decision.extra["coverage"])
    lines = [
        *stage.shown(desk, order, sweeps, state=state),
        f"Coverage: {have.text}.",
        *reply.source(decision),
    ]
    return Outcome(
        go=True,
        kind=Kind(decision.kind),
        reason=decision.reason,
        lines=tuple(lines),
        runs=runs if not order.command.runs else order.command.runs,
        chosen=not order.command.runs,
        accept_changed=ACCEPT_CHANGED in order.command.flags,
        accepted=tuple(_accepted(one, marks) for one in decision.details["accepted"]),
        lacking=tuple(marks[one["point"]] for one in decision.details["missing"]),
    )


def _accepted(one: dict[str, Any], marks: dict[str, Mark]) -> Accepted:
    return Accepted(
        mark=marks[one["point"]],
        run=one["run"],
        attempt=one["attempt"],
        sha=one["sha"],
        node=one["node"],
        match=one["match"],
    )
