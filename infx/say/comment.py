"""One comment made of sections that different jobs write; an older run never replaces a newer one."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from infx.blocker import Topic
from infx.say.words import code, fold, plural, short

LIMIT = 60_000
"""Characters of one comment; GitHub takes 65,536."""

STATUS = "<!-- infx:status -->"
"""Hidden mark at the start of the status comment."""

LIFE = "life"
PLAN = "plan"
RUN = "run"
ADVICE = "advice"
NOTICE = "notice"
WELCOME = "welcome"
ROOM = {RUN: 26_000, PLAN: 10_000, LIFE: 1_000, ADVICE: 3_000, NOTICE: 1_000, WELCOME: 4_000}
"""Characters of each section; what blocks takes at most 14,000 more, and all together stay below `LIMIT`."""
LAST = (ADVICE, NOTICE, WELCOME)
"""Sections at the end; plan and results stand before them, the newer commit first."""
BLOCKING, CHINESE = "blocks-", "blocks-zh-"
"""What the names of sections about blockers begin with; the second ones are gathered in one fold."""
TOPICS = tuple(Topic)

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
    kept: dict[str, Section] = {
        section.name: section for section in sorted(sections(old), key=lambda one: one.order)
    }
    for section in new:
        known = kept.get(section.name)
        if section.name == LIFE and known is not None and not known.text and not section.text:
            continue  # every report says that all is well, which is no news
        if known is None or known.order <= section.order:
            kept[section.name] = section
    if not any(section.text for section in kept.values()):
        return ""
    # Markdown: HTML such as `</details>` goes on until an empty line, and would swallow the next heading.
    return f"{mark}\n" + "\n\n".join(filter(None, _blocks(kept))) + "\n"


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


def _blocks(parts: Mapping[str, Section]) -> Sequence[str]:
    """The first screen is what blocks; then the life of the sweep, results, plan and the rest."""
    blockers = {name for name in parts if name.startswith(BLOCKING)}
    middle = {name: part for name, part in parts.items() if name not in {*blockers, LIFE, *LAST}}
    first = [parts[LIFE].block] if LIFE in parts else []
    last = [parts[name].block for name in LAST if name in parts]
    return [*_merge(parts), *first, *_middle(middle), *last]


def _merge(parts: Mapping[str, Section]) -> Sequence[str]:
    """What still blocks the merge of the newest head that anybody told of."""
    speaker = parts.get(PLAN) or parts.get(RUN)
    named = [[parts.get(f"{prefix}{topic}") for topic in TOPICS] for prefix in (BLOCKING, CHINESE)]
    english, chinese = ([one for one in own if one is not None] for own in named)
    if speaker is None or not english:
        return []
    head = short(speaker.head)
    # What was said of an earlier head is not known of this one.
    fresh, fresh_zh = ([one for one in own if short(one.head) == head] for own in (english, chinese))
    count = sum(line.startswith("- ") for one in fresh for line in one.text.splitlines())
    title = f"### {_mood(count)} of {code(head)}"
    shown = "\n".join(one.block for one in fresh)
    told = [line for one in fresh_zh for line in one.block.splitlines()]
    folded = fold("中文：合并前还需要", told) if any(one.text for one in fresh_zh) else told
    return [title, shown, "\n".join(folded)]


def _mood(count: int) -> str:
    if not count:
        return "✅ Nothing that is known blocks the merge"
    return f"❌ {plural(count, 'thing')} still {'blocks' if count == 1 else 'block'} the merge"


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
