"""/stage-results shows a run on the preview page."""

from infx import staging
from infx.command import Form
from infx.desk import Desk, Order, Outcome
from infx.handled import Kind
from infx.policy import source
from infx.results.selection import Stageable, select
from infx.say import reply
from infx.source import Kind as Ruled
from infx.sweeps import Sweep
from infx.union import Coverage

FORM = Form(
    words="/stage-results",
    usage="/stage-results [<run_id>]",
    example="/stage-results 27528759942",
    help="show a run on the preview page; without an id, the newest one with results",
    topic="stage",
    most=1,
    stages=True,
)
REPAIR = {
    Stageable.EMPTY: "it measured nothing; name a run that did, or start a sweep",
    Stageable.METADATA_ONLY: "it left metadata and no result; name a run that measured, or start a sweep",
    Stageable.NO_METADATA: "it left results without the metadata that says what they are of; measure again",
    Stageable.NOT_COLLECTED: "its results were never collected; re-run its failed jobs, and repeat this",
    Stageable.NOTHING_VALID: "none of its points is valid; look at its points, then /sweep resume",
    Stageable.EXPIRED: "its results have expired; measure them again with /sweep resume",
    Stageable.UNREADABLE: "what it left cannot be read; measure again with /sweep resume",
}
"""Why a run cannot be shown → what to do."""


def answer(desk: Desk, order: Order) -> Outcome:
    """Rows of a run onto the preview page, whatever colour the run has."""
    runs = order.command.runs or newest(desk)
    sweeps = desk.sources.of(named=runs, only_named=True)
    found = [sweep for sweep in sweeps if sweep.run.id in runs]
    if not found:
        return Outcome(
            go=False, kind=Ruled.NO_SUCH_RUN, reason="no such run, or none of this pull request yet"
        )
    if foreign(desk, found[0]):
        return Outcome(
            go=False, kind=Kind.FOREIGN_RUN, reason=f"run {runs[0]} is no sweep of this repository"
        )
    if found[0].run.status != "completed":
        return Outcome(
            go=False, kind=Ruled.NOT_FINISHED, reason=f"run {runs[0]} still measures; wait for its end"
        )
    if found[0].trouble:
        return Outcome(go=False, kind=Kind.COULD_NOT_TELL, reason=f"could not tell: {found[0].trouble}")
    if not staging.rows_of(found):
        kind = refusal(desk, found[0])
        return Outcome(go=False, kind=kind, reason=f"run {runs[0]}: {REPAIR[kind]}")
    state = staging.put(desk, order, found)
    if state not in (reply.DONE, reply.WAITING):
        return Outcome(go=False, kind=Kind.NOT_STAGED, reason=f"run {runs[0]} is not staged: {state}")
    return Outcome(
        go=True,
        kind=Kind.STAGED,
        reason=f"run {runs[0]} is on the preview page",
        runs=tuple(runs),
        lines=(*shown(desk, order, found, state=state), *covered(desk, order, runs)),
    )


def shown(desk: Desk, order: Order, sweeps: list[Sweep], *, state: str) -> list[str]:
    """What the reply says about staging."""
    return reply.staged(
        reply.Staging(
            who=order.comment.author,
            runs=[sweep.run.id for sweep in sweeps],
            rows=[row for _, row in staging.rows_of(sweeps)],
            names=desk.models,
            workflow=desk.page,
            state=state,
        )
    )


def covered(desk: Desk, order: Order, runs: tuple[int, ...]) -> list[str]:
    """How much of the plan the runs hold, as if they were authorised."""
    decision = source.decide(desk.sources.facts([order.asking(runs)]), desk.rules)
    have = Coverage.from_json(decision.extra["coverage"]).text
    return [*([f"Coverage: {have}."] if have else []), *reply.source(decision)]


def foreign(desk: Desk, sweep: Sweep) -> bool:
    """Another workflow measured it, or a fork's own event started it."""
    run = sweep.run
    forked = run.event == "pull_request" and run.head_repo != desk.github.repository
    return forked or run.path != desk.rules.layout.sweep_workflow


def newest(desk: Desk) -> tuple[int, ...]:
    """The newest run of the pull request that has results, else the newest that ended."""
    sources = desk.sources
    ended = sorted(
        (run for run in sources.sweeps.runs(desk.pull) if run.status == "completed"), key=lambda run: -run.id
    )
    held = (run for run in ended if staging.rows_of([sources.look(run)]))
    chosen = next(held, ended[0] if ended else None)
    return (chosen.id,) if chosen else ()


def refusal(desk: Desk, sweep: Sweep) -> Stageable:
    """Why a run cannot be shown: what its ledger says, else what its artifacts are. Their list is one
    request, which a run that can be shown never costs."""
    if sweep.ledger is not None:
        return Stageable.NOTHING_VALID
    if sweep.broken:
        return Stageable.EXPIRED if "expired" in sweep.broken else Stageable.UNREADABLE
    left = select(desk.github.artifacts(sweep.run.id)).stageable
    return Stageable.NOT_COLLECTED if left == Stageable.YES else left
