"""One comment made of sections that different jobs write; an older run never replaces a newer one."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from infx.say.words import short

LIMIT = 60_000
"""Characters of one comment; GitHub takes 65,536."""

STATUS = "<!-- infx:status -->"
"""Hidden mark at the start of the status comment."""

PLAN = "plan"
RUN = "run"
ROOM = {RUN: 42_000, PLAN: 16_000}
"""Characters of each section, together below `LIMIT`."""

_END = "<!-- infx:end -->"
_SECTION = re.compile(r"^<!-- infx:section (\{[^\n]*\}) -->\n(.*?)\n^<!-- infx:end -->$", re.M | re.S)


@dataclass(frozen=True, kw_only=True)
class Section:
    """What one job knows, ready to show. Only the order in the hidden mark is ever read back."""

    name: str
    order: tuple[int, ...]
    """Run id, attempt, and stage of what is shown; a greater one is newer."""
    head: str
    """Commit it speaks of."""
    text: str

    @property
    def block(self) -> str:
        tail = json.dumps({"name": self.name, "order": self.order, "head": short(self.head)})
        return f"<!-- infx:section {tail} -->\n{self.text}\n{_END}"


def compose(old: str, new: Section, *, mark: str = STATUS) -> str:
    """The whole comment with `new` in it; `old` unchanged when it already shows something newer."""
    kept = {section.name: section for section in sections(old)}
    known = kept.get(new.name)
    if known is not None and known.order > new.order:
        return old
    # Markdown: HTML such as `</details>` goes on until an empty line, and would swallow the next heading.
    return f"{mark}\n" + "\n\n".join(_blocks({**kept, new.name: new})) + "\n"


def sections(body: str) -> list[Section]:
    """Sections of a comment that the bot wrote; a part that a person damaged is left out."""
    found = []
    for match in _SECTION.finditer(body):
        try:
            tail = json.loads(match[1])
            order = tuple(int(part) for part in tail["order"])
            found.append(Section(name=str(tail["name"]), order=order, head=str(tail["head"]), text=match[2]))
        except (ValueError, KeyError, TypeError):
            continue
    return found


def _blocks(parts: dict[str, Section]) -> Sequence[str]:
    """Results first while they are of the planned commit, else the newer plan and a warning before them."""
    run, plan = parts.get(RUN), parts.get(PLAN)
    if run is None or plan is None:
        return [part.block for part in parts.values()]
    if short(run.head) == short(plan.head):
        return [run.block, plan.block]
    return [plan.block, NOT_COVERED.format(short(run.head)), run.block]


NOT_COVERED = (
    "> Results below are of `{0}`: later commits are not covered. 以下结果属于 `{0}`，之后的提交未包括在内。"
)
