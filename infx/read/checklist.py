"""Checklist: its template, and the sign-offs that people write after it.

Lines are read, not Markdown, for people paste bullets of every kind. The word before its colon is an item.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from infx.errors import BadInput
from infx.event import BODY_LIMIT
from infx.signoff import PHRASE, Claim, Item

BOX = re.compile(
    r"^(?P<indent>[ \t]*)(?:[-*+\u2022\u25e6\u2023\u2013\u2014\u00b7]|\d{1,3}[.)])[ \t]*"
    r"\[(?P<mark>[ xX\u2713\u2714]?)\][ \t]*(?P<text>.*)$"
)
NAME = re.compile(r"^[*_`~\s]*([A-Za-z][A-Za-z0-9]*(?:[ _-][A-Za-z0-9]+)*)[*_`~\s]*(?::|\uff1a|-\s|$)")
REASON = re.compile(r"\b(?:reason|n/a|not applicable)\b[*_]*\s*[:\uff1a=-]?\s*(.*)$", re.IGNORECASE)
SIGNER = re.compile(
    r"^[*_>\s]*signed(?:[ -]off)?(?:[ ]+by)?[*_]*\s*[:\uff1a][*_`\s]*@([A-Za-z0-9-]+)", re.IGNORECASE
)
FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
HIDDEN = re.compile(
    r"<!--.*?(?:-->|\Z)|<(pre|code|samp)\b[^>]*>.*?(?:</\1\s*>|\Z)", re.DOTALL | re.IGNORECASE
)
INVISIBLE = re.compile("[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
"""Characters that turn or hide text; without them the words are those that were meant."""
ALIKE = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " ", "\u2011": "-"}
)


@dataclass(frozen=True, kw_only=True)
class Said:
    """What one text says."""

    signer: str = ""
    claims: tuple[Claim, ...] = ()


def template(text: str, *, where: str = "PR_REVIEW_CHECKLIST.md") -> tuple[Item, ...]:
    """Items of the checklist file, in order. BadInput without the phrase, or with an item twice."""
    lines = list(plain(text))
    if not has_phrase(lines):
        raise BadInput("the sign-off phrase is missing", where=where, todo=f"write: {PHRASE}")
    found: dict[str, Item] = {}
    for line in lines:
        box = BOX.match(line)
        name = known(box["text"], ()) if box else ""
        if box and (not name or name in found):
            raise BadInput(
                f"an item {'without a name' if not name else f'twice: {name}'}",
                where=where,
                todo="name each once",
            )
        if box:
            found[name] = Item(id=name, text=box["text"].partition(":")[2].strip())
    return tuple(found.values())


def is_signoff(body: str) -> bool:
    """Somebody says the phrase; a quote, code or a hidden comment is not said. A text beyond the limit is
    only looked at up to it."""
    return has_phrase(plain(body[:BODY_LIMIT]))


def read(body: str, items: Sequence[Item]) -> Said:
    """What a sign-off says about each item of the template."""
    names = tuple(item.id for item in items)
    claims: dict[str, Claim] = {}
    signer, current, depth = "", "", -1
    for line in plain(body[:BODY_LIMIT]):
        if match := SIGNER.match(line):
            signer, current = match[1], ""
        elif box := BOX.match(line):
            name, ticked = known(box["text"], names), box["mark"].strip() != ""
            indent = len(box["indent"].expandtabs(4))
            if name:
                current, depth = name, indent
                claims[name] = joined(claims.get(name), name, ticked, reason_in(box["text"]))
            elif current and indent > depth:
                # A box below an item is part of it.
                claims[current] = joined(claims[current], current, ticked, reason_in(box["text"]))
            else:
                current = ""
        elif current and line.strip() and (words := reason_in(line)):
            claims[current] = replace(claims[current], reason=claims[current].reason or words)
        elif line.strip() and not line.startswith((" ", "\t")) and not REASON.search(line):
            current = ""
    return Said(signer=signer, claims=tuple(claims.values()))


def joined(old: Claim | None, name: str, ticked: bool, reason: str) -> Claim:
    """An item that stands twice is ticked only where it is ticked each time."""
    if old is None:
        return Claim(item=name, ticked=ticked, reason=reason)
    return replace(old, ticked=old.ticked and ticked, reason=old.reason or reason)


def known(text: str, names: Sequence[str]) -> str:
    """Identity of an item by the word in front; with `names` only those count, in whatever case."""
    match = NAME.match(text)
    slug = re.sub(r"[ _]+", "-", match[1].strip()).lower() if match else ""
    if not names:
        return slug
    if slug in names:
        return slug
    # Without a colon the words run on: the longest name that they begin with.
    start = re.sub(r"[ _]+", "-", text.lstrip("*_`~ ").lower())
    return max(
        (name for name in names if re.match(rf"{re.escape(name)}(?![a-z0-9])", start)), key=len, default=""
    )


def reason_in(text: str) -> str:
    match = REASON.search(text)
    return match[1].strip(" *_-\u2014")[:300] if match else ""


def plain(body: str) -> Iterator[str]:
    """Lines that are said, without quotes, code, hidden comments and characters that nobody sees."""
    text = HIDDEN.sub(" ", INVISIBLE.sub("", body.replace("\r\n", "\n").replace("\r", "\n"))).translate(ALIKE)
    fence = ""
    for line in text.split("\n"):
        mark = FENCE.match(line)
        if fence:
            fence = "" if mark and mark[1].startswith(fence) else fence
        elif mark:
            fence = mark[1]
        elif not line.lstrip().startswith(">"):
            yield line


def has_phrase(lines: Iterator[str] | Sequence[str]) -> bool:
    """The phrase may run over several lines; what is indented as code is not said."""
    said = " ".join(line for line in lines if not line.startswith(("    ", "\t")))
    return " ".join(PHRASE.lower().split()) in " ".join(re.sub(r"[*_]", "", said).lower().split())
