"""Commands: a conversation comment becomes command values, or a mistake that says what would be right.

A command stands alone on a line of plain text. Markdown decides what plain text is: quotes, code, links,
lists, headings, tables, HTML and emphasis are none.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from infx.command import Command, Commands, Form, Mistake, settle
from infx.errors import BadInput
from infx.event import BODY_LIMIT, Comment
from infx.read.place import nearest

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

RUN_ID = re.compile(r"[1-9][0-9]{0,18}")
"""ASCII digits of a positive 64-bit number."""
SHOWN = 80
MISTAKES = 10
"""Most mistakes that are told about one comment."""
QUOTING = frozenset({"a", "blockquote", "code", "del", "kbd", "pre", "q", "s", "samp", "strike", "tt"})
"""HTML elements whose content somebody shows rather than says."""
HTML = "html_inline"
BREAKS = frozenset({"softbreak", "hardbreak"})
_TAG = re.compile(r"<(/?)([a-z][a-z0-9-]*)", re.IGNORECASE)


def read(comment: Comment, forms: Sequence[Form]) -> Commands:
    """What `comment` asks for; a bot asks for nothing."""
    if comment.author_type == "Bot" or comment.author.endswith("[bot]"):
        return Commands()
    return read_text(comment.body, forms)


def read_text(body: str, forms: Sequence[Form]) -> Commands:
    """Commands in the text of a person."""
    heads = {form.head for form in forms}
    if len(body) > BODY_LIMIT or not any(head in body.lower() for head in heads):
        return Commands()
    commands: list[Command] = []
    mistakes: list[Mistake] = []
    for number, line in plain_lines(body):
        if line.split()[0].lower() not in heads:
            continue
        try:
            commands.append(_command(line, forms, number=number))
        except _Wrong as wrong:
            mistakes.append(Mistake(line=number, text=line[:SHOWN], what=wrong.what, usage=wrong.todo))
    return settle(commands, mistakes[:MISTAKES])


def plain_lines(body: str) -> Iterator[tuple[int, str]]:
    """Number and text of every line of top-level paragraphs that is plain text from end to end."""
    quoting = 0
    for token, inside in pairwise(_parser().parse(body)):
        if token.type == "html_block":
            quoting = max(0, quoting + _quoting(token.content))
        elif token.type == "paragraph_open" and token.level == 0 and token.map:
            for offset, parts in _lines(inside.children or []):
                quoting = max(0, quoting + sum(_quoting(one.content) for one in parts if one.type == HTML))
                plain = len(parts) == 1 and parts[0].type == "text" and parts[0].level == 0
                if plain and not quoting and parts[0].content.strip():
                    yield token.map[0] + offset + 1, parts[0].content.strip()


def _lines(tokens: Sequence["Token"]) -> Iterator[tuple[int, list["Token"]]]:
    """Inline tokens line by line, each with its offset in the paragraph."""
    offset = 0
    for is_break, group in groupby(tokens, key=lambda token: token.type in BREAKS):
        parts = list(group)
        if is_break:
            offset += len(parts)
            continue
        yield offset, parts
        offset += sum(part.content.count("\n") for part in parts)


def _quoting(html: str) -> int:
    """Quoting elements that `html` opens, less those that it closes."""
    tags = [match for match in _TAG.finditer(html) if match[2].lower() in QUOTING]
    return sum(-1 if match[1] else 1 for match in tags)


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # late: most payloads hold no command

    # Joining would make an escaped or entity-written slash look like one that was typed.
    return MarkdownIt("commonmark").enable(["table", "strikethrough"]).disable("text_join")


class _Wrong(BadInput):
    """A line that is meant for infx and cannot be read; `todo` is the usage."""


def _command(line: str, forms: Sequence[Form], *, number: int) -> Command:
    words = line.split()
    form = _form(words, forms)
    rest = words[len(form.words.split()) :]
    flags = frozenset(word for word in rest if word.startswith("--"))
    if strange := sorted(flags - form.flags):
        raise _Wrong(
            f"there is no flag {strange[0][:SHOWN]}{nearest(strange[0], form.flags)}", todo=form.usage
        )
    runs = tuple(dict.fromkeys(_run_id(word, form) for word in rest if not word.startswith("--")))
    if not form.least <= len(runs) <= form.most:
        raise _Wrong(_count(form, len(runs)), todo=form.usage)
    return Command(words=form.words, topic=form.topic, line=number, text=line, runs=runs, flags=flags)


def _form(words: Sequence[str], forms: Sequence[Form]) -> Form:
    """The form with the most words that the line starts with."""
    said = [word.lower() for word in words]
    fits = [form for form in forms if said[: len(form.words.split())] == form.words.split()]
    if fits:
        return max(fits, key=lambda form: len(form.words.split()))
    near = [form for form in forms if form.head == said[0]]
    second = [form.words.split()[1] for form in near if " " in form.words]
    given = f"{said[0]} {said[1][:SHOWN]}" if len(said) > 1 else f"{said[0]} alone"
    hint = nearest(said[1], second) if len(said) > 1 else ""
    raise _Wrong(f"{given} is no command{hint}", todo=" · ".join(form.usage for form in near))


def _run_id(word: str, form: Form) -> int:
    """BadInput on everything but the digits that GitHub shows in the address of a run."""
    if not form.most and not RUN_ID.fullmatch(word):
        raise _Wrong(f'"{word[:SHOWN]}" is too much: {form.words} stands alone', todo=form.usage)
    if not RUN_ID.fullmatch(word) or int(word) >= 2**63:
        raise _Wrong(
            f'"{word[:SHOWN]}" is no run id, which is the number in the run\'s address', todo=form.usage
        )
    return int(word)


def _count(form: Form, given: int) -> str:
    if not form.most:
        return f"{form.words} takes no run id"
    if given < form.least:
        return f"{form.words} needs at least {form.least} run id"
    return f"{given} run ids are given, at most {form.most} can be"
