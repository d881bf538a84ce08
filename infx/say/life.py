"""Life: that a wanted sweep does not live, why, and what to do, at the top of the status comment."""

from infx.decision import Decision
from infx.say.comment import LIFE, Section
from infx.say.words import REASON, code


def section(told: Decision | None, *, head: str, moment: int) -> Section:
    """None takes away what was said before. `moment`, in Unix seconds, lets the latest look win."""
    text = ""
    if told is not None:
        mark = "⏳" if told.go else "⚠️"
        text = f"{mark} **{told.kind}** {code(told.reason, REASON)} · 扫描状态：{code(told.kind)}"
    return Section(name=LIFE, order=(moment,), head=head, text=text)
