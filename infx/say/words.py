"""Small words of all texts: numbers, commits, lists, and what strangers wrote, made harmless."""

import re
from collections.abc import Iterable, Sequence

SHOWN = 12
"""Most names in one list before the rest is only counted."""
STRANGER_LIMIT = 120
"""Characters of one name from a pull request."""
REASON = 400
"""Characters of one reason or note."""

_PLAIN = re.compile(r"[^\w .,+%=()-]")
_CONTROL = re.compile(
    r"[\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]+"
)


def plain(text: str) -> str:
    """A name as bare text: nothing left that Markdown, HTML, a mention or a link could be made of."""
    kept = _PLAIN.sub("", _CONTROL.sub(" ", text)[:STRANGER_LIMIT]).replace("_", "\\_")
    return " ".join(re.sub(r"(?i)\bwww\.", "www ", kept).split())


def code(text: str, limit: int = STRANGER_LIMIT) -> str:
    """Text of a stranger as inline code, where GitHub makes no mention, link, HTML or table of it."""
    flat = " ".join(_CONTROL.sub(" ", text).split())
    for bad, good in (("`", "'"), ("|", "¦"), ("<", "‹"), (">", "›")):
        flat = flat.replace(bad, good)
    cut = flat if len(flat) <= limit else flat[: limit - 1] + "…"
    return f"`{cut}`" if cut else "`(empty)`"


def tagged(text: str) -> str:
    """`code` for places that are HTML already, such as the summary of a fold."""
    return f"<code>{code(text).strip('`').replace('&', '&amp;')}</code>"


def short(sha: str) -> str:
    """Seven digits of a commit; `?` when it is none."""
    return sha[:7] if re.fullmatch(r"[0-9a-f]{7,64}", sha) else "?"


def number(value: float) -> str:
    """Four digits or more: `12.35`, `123.5`, `1,234`."""
    digits = 0 if abs(value) >= 1000 else 1 if abs(value) >= 100 else 2
    return f"{value:,.{digits}f}"


def percent(share: float) -> str:
    """`0.9757` is `97.57 %`, `0.9` is `90 %`."""
    return f"{share * 100:.2f}".rstrip("0").rstrip(".") + " %"


def minutes(seconds: float) -> str:
    """`90 min`."""
    return f"{seconds / 60:.0f} min"


def some(names: Sequence[str], more: str = "and {} more") -> str:
    """`C1, C4, C8`; a long list is cut and the rest counted."""
    shown = [plain(name) for name in names[:SHOWN]]
    if len(names) > SHOWN:
        shown.append(more.format(len(names) - SHOWN))
    return ", ".join(shown)


def plural(count: int, word: str) -> str:
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"


def fold(summary: str, lines: Iterable[str]) -> list[str]:
    """A `<details>` block; the empty line makes GitHub read Markdown inside."""
    return [f"<details><summary>{summary}</summary>", "", *lines, "", "</details>"]
