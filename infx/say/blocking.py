"""What still blocks the merge, as small sections of the status comment: one topic each, in both languages."""

from collections.abc import Iterable, Sequence

from infx.blocker import Blocker, Topic
from infx.say import advice
from infx.say.comment import BLOCKING, CHINESE, Section
from infx.say.words import code, short

SHOWN = 6
"""Most blockers of one topic."""


def sections(
    topic: Topic, blockers: Sequence[Blocker], *, head: str, order: tuple[int, ...], notes: Iterable[str] = ()
) -> list[Section]:
    """Both sections of one topic; without blockers they take what stood there away. `notes` block nothing."""
    lines = [advice.english(one) for one in blockers[:SHOWN]]
    chinese = [advice.chinese(one) for one in blockers[:SHOWN]]
    if len(blockers) > SHOWN:
        lines.append(f"- … and {len(blockers) - SHOWN} more, listed below")
    english = "\n".join([*lines, *(f"> {note}" for note in notes)])
    return [
        Section(name=f"{BLOCKING}{topic}", order=order, head=head, text=english),
        Section(name=f"{CHINESE}{topic}", order=order, head=head, text="\n".join(chinese)),
    ]


def uncovered(reviews: Iterable[tuple[str, str]]) -> list[str]:
    """One line for each review of a bot that is not of the head."""
    return [
        f"{code(login)} reviewed {code(short(sha))}: later commits are not covered." for login, sha in reviews
    ]
