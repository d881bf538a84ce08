"""Hints: advice about a pull request's description, and guarded paths that it touches."""

from collections.abc import Sequence

from infx.description import Advice
from infx.say.comment import ADVICE, Section
from infx.say.words import code, fold

SHOWN = 10
"""Most guarded paths that are named."""


def section(
    advice: Sequence[Advice], guarded: Sequence[str], *, head: str, order: tuple[int, ...]
) -> Section:
    """One line each, with the rule and the policy key that switches it off; nothing without any."""
    lines = [f"- {one.text} · rule {code(one.rule)}, off with {code(f'{one.key}: false')}" for one in advice]
    lines += (
        [f"- guarded paths are touched: {', '.join(code(path) for path in guarded[:SHOWN])}"]
        if guarded
        else []
    )
    if len(guarded) > SHOWN:
        lines.append(f"- … and {len(guarded) - SHOWN} more guarded paths")
    if not lines:
        return Section(name=ADVICE, order=order, head=head, text="")
    chinese = [f"- {one.chinese} · {code(one.key)}" for one in advice]
    chinese += [f"- 涉及受保护的路径：{'、'.join(code(path) for path in guarded[:SHOWN])}"] if guarded else []
    text = ["**Advice on the description** (blocks nothing)", "", *lines, "", *fold("中文", chinese)]
    return Section(name=ADVICE, order=order, head=head, text="\n".join(text))
