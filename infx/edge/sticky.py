"""Sticky comments: one comment a topic, found by hidden mark and own login, written on change only."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Protocol

from infx.edge.api import PAGE
from infx.errors import CouldNotReport, CouldNotTell, InfxError, Refused
from infx.event import Comment


class Comments(Protocol):
    """The part of GitHub that this module talks to; `infx.edge.github.GitHub` has it."""

    def login(self) -> str:
        """Login under which this token writes, such as `github-actions[bot]`."""
        ...

    def comments(self, number: int, *, since: str = "") -> Iterable[Comment]:
        """Comments of all pages, oldest first, each page asked for when it is reached; an error when one
        fails. `since` leaves out what was neither written nor changed since that time."""
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


@dataclass(frozen=True, kw_only=True)
class Search:
    """Where a comment is looked for, so that a long conversation is not read for nothing."""

    since: str = ""
    """A time after which somebody has probably changed it; it then is found at once."""
    born: str = ""
    """A time before which nobody can have written it; nothing older is looked at."""
    whole: bool = False
    """Read every page, so that duplicates behind the oldest are found as well."""


EVERYWHERE = Search()


def put(
    github: Comments, number: int, mark: str, *, render: Callable[[str], str], search: Search = EVERYWHERE
) -> Written:
    """Bring the comment that starts with `mark` to `render(present body)`, which is `""` before it exists.

    CouldNotReport when any page or write fails: nothing is created on an incomplete list.
    """
    with _reporting(number):
        me = github.login()
        recent = search.since and not search.whole
        mine = _mine(github.comments(number, since=search.since), mark, me) if recent else []
        mine = mine or _mine(github.comments(number, since=search.born), mark, me, whole=search.whole)
        if mine:
            return _settle(github, mine, render)
        made = github.create_comment(number, render(""), mark=mark, login=me)
        # Another delivery may have created one in the same moment, so look again; both sides keep the oldest.
        seen = _mine(github.comments(number, since=search.born), mark, me, whole=True)
        if len(seen) < 2:
            return Written(comment=made.id, change="created")
        return _settle(github, seen, render)


def remove(github: Comments, number: int, mark: str) -> int:
    """Delete the comment of a topic that ended; how many there were."""
    with _reporting(number):
        mine = _mine(github.comments(number), mark, github.login(), whole=True)
        for comment in mine:
            github.delete_comment(comment.id)
        return len(mine)


def _mine(listed: Iterable[Comment], mark: str, me: str, *, whole: bool = False) -> list[Comment]:
    """Comments of this topic that this bot wrote, oldest first: a person may have copied the mark.

    The oldest is the one that counts, so the page that holds it is the last one unless `whole` is asked for.
    """
    found = []
    for place, one in enumerate(listed, 1):
        if one.author == me and one.body.startswith(mark):
            found.append(one)
        if found and not whole and place % PAGE == 0:
            break
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
