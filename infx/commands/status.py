"""/sweep status answers with the state of every point."""

from infx.command import Form
from infx.desk import Desk, Order, Outcome
from infx.handled import Kind
from infx.policy import source
from infx.say import reply
from infx.union import coverage

FORM = Form(
    words="/sweep status",
    usage="/sweep status",
    example="/sweep status",
    help="say which points are valid, missing or running",
    topic="sweep status",
)


def answer(desk: Desk, order: Order) -> Outcome:
    """What there is of every planned point, and what main would publish."""
    facts = desk.sources.facts(desk.asked, everything=True)
    decision = source.decide(facts, desk.rules)
    have = coverage(source.available(facts, desk.rules)).text or "no point is planned"
    lines = [f"- measured: {have}", f"- main: {reply.plain_text(decision.reason)}", *reply.source(decision)]
    return Outcome(go=True, kind=Kind.STATUS, reason=have, lines=tuple(lines))
