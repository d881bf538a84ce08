"""Shorten: a text for a place with a limit is cut between lines, and a link leads to the rest."""

import re

FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})", re.M)


def shorten(text: str, limit: int, *, link: str = "") -> str:
    """`text`, or as many of its first lines as fit in `limit` characters together with a closing note."""
    if len(text) <= limit:
        return text
    note = f"… shortened: [the whole is here]({link})." if link else "… shortened."
    room = limit - len(note) - 2
    while True:
        cut = max(text.rfind("\n", 0, room), 0) or room
        ending = _closing(text[:cut])
        if cut + len(ending) <= limit - len(note) - 2 or cut <= 0:
            return f"{text[:cut]}{ending}\n\n{note}"[:limit]
        room = cut - 1


def _closing(text: str) -> str:
    """What ends every code fence and fold that `text` leaves open, for the note would be inside of them."""
    fences = FENCE.findall(text)
    ending = f"\n{fences[-1]}" if len(fences) % 2 else ""
    folds = text.count("<details>") - text.count("</details>")
    return ending + "\n\n</details>" * max(0, folds)
