"""/use none withdraws what was authorised."""

from infx.command import Form
from infx.desk import Desk, Order, Outcome
from infx.handled import Kind

FORM = Form(
    words="/use none",
    usage="/use none",
    example="/use none",
    help="withdraw the authorisation",
    topic="reuse",
)


def answer(desk: Desk, order: Order) -> Outcome:
    """From now on nothing is authorised, whatever stands above."""
    return Outcome(go=True, kind=Kind.WITHDRAWN, reason="nothing is authorised any more", withdraw=True)
