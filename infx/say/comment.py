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

MERGE = "merge"
LIFE = "life"
PLAN = "plan"
RUN = "run"
ADVICE = "advice"
NOTICE = "notice"
WELCOME = "welcome"
ROOM = {MERGE: 7_000, LIFE: 1_500, RUN: 30_000, PLAN: 11_000, ADVICE: 4_000, NOTICE: 1_500, WELCOME: 4_000}
"""Characters of each section, together below `LIMIT`."""
FIRST, LAST = (MERGE, LIFE), (ADVICE, NOTICE, WELCOME)
"""Order of the sections; plan and results stand between these, the newer commit first."""

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
    """`""` takes the section away; its order stays, so that an older job does not bring it back."""

    @property
    def block(self) -> str:
        tail = json.dumps({"name": self.name, "order": self.order, "head": short(self.head)})
        return f"<!-- infx:section {tail} -->\n{self.text}\n{_END}"


def compose(old: str, *new: Section, mark: str = STATUS) -> str:
    """The whole comment with each of `new` in it, where `old` does not show something newer already."""
    kept = {section.name: section for section in sorted(sections(old), key=lambda one: one.order)}
    for section in new:
        known = kept.get(section.name)
        if section.text if known is None else known.order <= section.order:
            kept[section.name] = section
    if not kept:
        return ""
    # Markdown: HTML such as `</details>` goes on until an empty line, and would swallow the next heading.
    return f"{mark}\n" + "\n\n".join(_blocks(kept)) + "\n"


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
    middle = {name: part for name, part in parts.items() if name not in (*FIRST, *LAST)}
    first, last = ([parts[name].block for name in names if name in parts] for names in (FIRST, LAST))
    return [*first, *_middle(middle), *last]


def _middle(parts: dict[str, Section]) -> Sequence[str]:
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
