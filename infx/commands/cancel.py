"""/sweep cancel ends the active sweep."""

from infx.command import Form
from infx.desk import Desk, Order, Outcome
from infx.handled import Kind
from infx.lineage import Lineage

FORM = Form(
    words="/sweep cancel",
    usage="/sweep cancel",
    example="/sweep cancel",
    help="cancel the active sweep; what was measured stays",
    topic="sweep cancel",
)


def answer(desk: Desk, order: Order) -> Outcome:
    """End every active run of the pull request that measures."""
    lineage = Lineage(runs=desk.sources.sweeps.runs(desk.pull), book=desk.rules.labels)
    active = lineage.sweeps(None)
    ended = [run.id for run in active if desk.github.cancel(run.id)]
    if not ended:
        return Outcome(go=True, kind=Kind.NOTHING_ACTIVE, reason="no sweep is active")
    names = ", ".join(map(str, ended))
    return Outcome(go=True, kind=Kind.CANCELLED, reason=f"run {names} is cancelled; what was measured stays")
