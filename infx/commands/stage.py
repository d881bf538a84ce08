"""/stage-results shows a run on the preview page."""

from collections.abc import Sequence
from typing import Any

from infx.command import Form
from infx.desk import Desk, Order, Outcome
from infx.edge import store
from infx.errors import CouldNotTell
from infx.ledger import State
from infx.say import reply
from infx.sweeps import Sweep

FORM = Form(
    words="/stage-results",
    usage="/stage-results [<run_id>]",
    example="/stage-results 27528759942",
    help="show a run on the preview page; without an id, the newest one with results",
    topic="stage",
    most=1,
)


def answer(desk: Desk, order: Order) -> Outcome:
    """Rows of a run onto the preview page, whatever colour the run has."""
    runs = order.command.runs or newest(desk)
    sweeps = desk.sources.sweeps.of(desk.pull, named=runs, only_named=True)
    found = [sweep for sweep in sweeps if sweep.run.id in runs]
    if not found:
        return Outcome(go=False, kind="no-such-run", reason="no such run, or none of this pull request yet")
    if foreign(desk, found[0]):
        return Outcome(go=False, kind="foreign-run", reason=f"run {runs[0]} is no sweep of this repository")
    if found[0].trouble:
        return Outcome(go=False, kind="could-not-tell", reason=f"could not tell: {found[0].trouble}")
    rows = rows_of(found)
    if not rows:
        return Outcome(go=False, kind=refusal(found[0]), reason=f"run {runs[0]}: {refusal(found[0])}")
    put(desk, found)
    lines = reply.staged(order.comment.author, runs, [row for _, row in rows])
    return Outcome(go=True, kind="staged", reason="staged", runs=tuple(runs), lines=tuple(lines))


def foreign(desk: Desk, sweep: Sweep) -> bool:
    """Another workflow measured it, or a fork's own event started it."""
    run = sweep.run
    forked = run.event == "pull_request" and run.head_repo != desk.github.repository
    return forked or run.path != desk.rules.layout.sweep_workflow


def newest(desk: Desk) -> tuple[int, ...]:
    """The newest finished run of the pull request."""
    ended = [run.id for run in desk.sources.sweeps.runs(desk.pull) if run.status == "completed"]
    return (max(ended),) if ended else ()


def rows_of(sweeps: Sequence[Sweep]) -> list[tuple[str, Any]]:
    """Point id and row of every valid point."""
    ledgers = [sweep.ledger for sweep in sweeps if sweep.ledger]
    return [
        (entry.point, entry.result)
        for ledger in ledgers
        for entry in ledger.entries
        if entry.state == State.VALID and entry.result
    ]


def refusal(sweep: Sweep) -> str:
    """Why a run cannot be shown."""
    if sweep.broken:
        return "expired" if "expired" in sweep.broken else "unreadable"
    return "empty" if sweep.ledger is None else "nothing-valid"


def put(desk: Desk, sweeps: Sequence[Sweep]) -> None:
    """The embedded target: rows keyed by run and point, so that a run replaces only itself.

    CouldNotTell when the store cannot be written."""
    files = {store.preview(sweep.run.id): dict(rows_of([sweep])) for sweep in sweeps}
    desk.store.put(files, why=f"preview of #{desk.pull.number}")


def try_put(desk: Desk, sweeps: Sequence[Sweep]) -> str:
    """`put`, where failing is only a warning: its sentence, or nothing."""
    try:
        put(desk, sweeps)
    except CouldNotTell as problem:
        return f"not staged: {problem.what}"
    return ""
