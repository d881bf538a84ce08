"""/infx help lists the commands."""

from infx.command import Form
from infx.desk import Desk, Order, Outcome
from infx.handled import Kind
from infx.say import reply

FORM = Form(
    words="/infx help",
    usage="/infx help",
    example="/infx help",
    help="list the commands",
    topic="help",
    role="read",
)


def answer(desk: Desk, order: Order) -> Outcome:
    """The list of commands; the registry is handed in, for it imports this file."""
    return Outcome(go=True, kind=Kind.HELP, reason="commands", lines=tuple(reply.help_lines(order.forms)))
