"""/reuse-sweep-run is the older name of /use; without a run it chooses one."""

from infx.command import Form
from infx.commands import use
from infx.desk import Desk, Order, Outcome

FORM = Form(
    words="/reuse-sweep-run",
    usage="/reuse-sweep-run [<run_id>]",
    example="/reuse-sweep-run 27528759942",
    help="publish this run; without an id, the newest complete and successful one",
    topic="reuse",
    most=1,
    stages=True,
)


def answer(desk: Desk, order: Order) -> Outcome:
    """As `/use`; a run that is not named is chosen now and bound."""
    return use.answer(desk, order)
