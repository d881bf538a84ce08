"""Sticky comments: one comment a topic, found by hidden mark and own login, written on change only."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Protocol

from infx.errors import CouldNotReport, CouldNotTell, InfxError, Refused
from infx.event import Comment


class Comments(Protocol):
    """The part of GitHub that this module talks to; `infx.edge.github.GitHub` has it."""

    def login(self) -> str:
        """Login under which this token writes, such as `github-actions[bot]`."""
        ...

    def comments(self, number: int) -> Iterable[Comment]:
        """All comments of all pages, oldest first; an error when any page fails."""
        ...

    def create_comment(self, number: int, body: str, *, mark: str, login: str) -> Comment:
        """Repeated after a lost answer only when no comment by `login` holds `mark`."""
        ...

    def edit_comment(self, comment_id: int, body: str) -> object: ...
    def delete_comment(self, comment_id: int) -> None: ...


@dataclass(frozen=True, kw_only=True)
class Written:
    """What became of one sticky comment."""

    comment: int
    change: str
    """`created`, `edited` or `same`."""
    collapsed: int = 0
    """Duplicates that were taken away."""


def put(github: Comments, number: int, mark: str, *, render: Callable[[str], str]) -> Written:
    """Bring the comment that starts with `mark` to `render(present body)`, which is `""` before it exists.

    CouldNotReport when any page or write fails: nothing is created on an incomplete list.
    """
    with _reporting(number):
        me = github.login()
        mine = _mine(github, number, mark, me)
        if mine:
            return _settle(github, mine, render)
        made = github.create_comment(number, render(""), mark=mark, login=me)
        # Another delivery may have created one in the same moment, so look again; both sides keep the oldest.
        seen = _mine(github, number, mark, me)
        if len(seen) < 2:
            return Written(comment=made.id, change="created")
        return _settle(github, seen, render)


def remove(github: Comments, number: int, mark: str) -> int:
    """Delete the comment of a topic that ended; how many there were."""
    with _reporting(number):
        mine = _mine(github, number, mark, github.login())
        for comment in mine:
            github.delete_comment(comment.id)
        return len(mine)


def _mine(github: Comments, number: int, mark: str, me: str) -> list[Comment]:
    """Comments of this topic that this bot wrote, oldest first: a person may have copied the mark."""
    found = [one for one in github.comments(number) if one.author == me and one.body.startswith(mark)]
    return sorted(found, key=lambda comment: comment.id)


def _settle(github: Comments, mine: list[Comment], render: Callable[[str], str]) -> Written:
    """Update the oldest and take the others away."""
    oldest, *others = mine
    body = render(oldest.body)
    if body != oldest.body:
        github.edit_comment(oldest.id, body)
    gone = 0
    for other in others:
        # The rival delivery may be deleting the same one, and a leftover is collapsed next time.
        with suppress(InfxError):
            github.delete_comment(other.id)
            gone += 1
    return Written(comment=oldest.id, change="same" if body == oldest.body else "edited", collapsed=gone)


@contextmanager
def _reporting(number: int) -> Iterator[None]:
    """A refusal or a fault of GitHub here means that nobody was told, never another decision."""
    try:
        yield
    except (Refused, CouldNotTell) as error:
        raise CouldNotReport(
            f"the comment could not be written ({error.what})",
            where=f"pull request #{number}",
            todo="the decision stands; see the step summary",
        ) from error
