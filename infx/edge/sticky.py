"""Sticky comments: one comment a topic, found by hidden mark and own login, written on change only."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Protocol

from infx.edge.api import PAGE
from infx.errors import CouldNotReport, CouldNotTell, InfxError, Refused
from infx.event import Comment

RIVALS_S = 600
"""Seconds before a creation in which a rival's may have come unseen: longer than any look takes."""


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

    def edit_comment(self, comment_id: int, body: str) -> Comment | None:
        """None when the comment is gone."""
        ...

    def delete_comment(self, comment_id: int) -> None: ...


@dataclass(frozen=True, kw_only=True)
class Topic:
    """One sticky comment: its hidden mark, and what it should say."""

    mark: str
    render: Callable[[str], str]
    """From the present body, `""` before there is one, to the wanted body; `""` takes the comment away.
    Several copies are given together, so that nothing in them is lost when they become one."""
    born: str = ""
    """A time before which nobody can have written it, so that no older comment is looked at."""


@dataclass(frozen=True, kw_only=True)
class Written:
    """What became of one sticky comment."""

    comment: int
    """0 when there is none."""
    change: str
    """`created`, `edited`, `same`, `removed` or `none`."""
    collapsed: int = 0
    """Duplicates that were taken away."""


def put(
    github: Comments,
    number: int,
    mark: str,
    *,
    render: Callable[[str], str],
    since: str = "",
    former: Collection[str] = (),
) -> Written:
    """`put_all` for one topic."""
    [written] = put_all(github, number, [Topic(mark=mark, render=render)], since=since, former=former)
    return written


def put_all(
    github: Comments,
    number: int,
    topics: Sequence[Topic],
    *,
    since: str = "",
    former: Collection[str] = (),
    whole: bool = False,
) -> list[Written]:
    """Bring the comment of each topic to what it should say; all are looked for in one listing.

    `since` is a time after which somebody has probably changed the comments, which then are found at once.
    `former` are logins that the bot had before: their comments are taken over. With `whole` every page is
    read, and copies behind the one that counts are found as well. CouldNotReport when a page or write fails:
    nothing is created on an incomplete list.
    """
    with _reporting(number):
        desk = _Desk(github, number, former=frozenset(former))
        found = desk.find(topics, since=since) if since and not whole else {}
        if any(not found.get(topic.mark) for topic in topics):
            found = desk.find(topics, since=min(topic.born for topic in topics), whole=whole)
        return desk.settled_all(topics, found)


def remove(github: Comments, number: int, mark: str, *, former: Collection[str] = ()) -> int:
    """Delete the comment of a topic that ended; how many there were."""
    with _reporting(number):
        mine = _Desk(github, number, former=frozenset(former)).find([ended(mark)], whole=True)[mark]
        for comment in mine:
            github.delete_comment(comment.id)
        return len(mine)


def ended(mark: str) -> Topic:
    """A topic that says nothing any more."""
    return Topic(mark=mark, render=lambda old: "")


Found = Mapping[str, list[Comment]]
"""Mark → comments of that topic that the bot wrote, the one that counts first."""


class _Desk:
    """One pull request's conversation, as the bot sees it."""

    def __init__(self, github: Comments, number: int, *, former: Collection[str]) -> None:
        self.github, self.number, self.former = github, number, former
        self.me = github.login()
        self.created: list[Comment] = []

    def find(self, topics: Sequence[Topic], *, since: str = "", whole: bool = False) -> Found:
        """Comments that start with a topic's mark and are the bot's own: a person may have copied the mark.

        The oldest is the one that counts, so the page on which the last topic is found is the last one,
        unless `whole` is asked for.
        """
        found: dict[str, list[Comment]] = {topic.mark: [] for topic in topics}
        for place, one in enumerate(self.github.comments(self.number, since=since), 1):
            mark = next((mark for mark in found if one.body.startswith(mark)), None)
            if mark is not None and (one.author == self.me or one.author in self.former):
                found[mark].append(one)
            if not whole and place % PAGE == 0 and all(found.values()):
                break
        return {mark: sorted(mine, key=self._rank) for mark, mine in found.items()}

    def _rank(self, comment: Comment) -> tuple[bool, int]:
        """The oldest under the present login; what an earlier login wrote is only taken over."""
        return comment.author != self.me, comment.id

    def settled_all(self, topics: Sequence[Topic], found: Found) -> list[Written]:
        written = [self.settled(topic, found[topic.mark]) for topic in topics]
        if not self.created:
            return written
        # Another delivery may have created one in the same moment, so look again; both sides keep the oldest.
        again = self.find(topics, since=self._before(), whole=True)
        for place, topic in enumerate(topics):
            rivals = again[topic.mark]
            if written[place].change == "created" and len(rivals) > 1:
                written[place] = self.settled(topic, rivals)
        return written

    def _before(self) -> str:
        """A time before our first look, after which every rival came; what was there then has been seen."""
        try:
            first = min(datetime.fromisoformat(one.created_at) for one in self.created)
        except ValueError:
            return ""
        return (first - timedelta(seconds=RIVALS_S)).strftime("%Y-%m-%dT%H:%M:%SZ")

    def settled(self, topic: Topic, mine: list[Comment]) -> Written:
        """Bring the comment that counts to the wanted text, and take its copies away."""
        body = topic.render("\n".join(one.body for one in mine))
        kept = next((one for one in mine if one.author == self.me), None) if body else None
        written = self._written(topic, kept, body)
        gone = sum(self._collapsed(one) for one in mine if one is not kept)
        if not body:
            return Written(comment=0, change="removed" if gone else "none", collapsed=gone)
        return replace(written, collapsed=gone)

    def _written(self, topic: Topic, kept: Comment | None, body: str) -> Written:
        if not body:
            return Written(comment=0, change="none")
        if kept is not None and body == kept.body:
            return Written(comment=kept.id, change="same")
        # A person may have deleted it since it was listed.
        if kept is not None and self.github.edit_comment(kept.id, body) is not None:
            return Written(comment=kept.id, change="edited")
        made = self.github.create_comment(self.number, body, mark=topic.mark, login=self.me)
        self.created.append(made)
        return Written(comment=made.id, change="created")

    def _collapsed(self, comment: Comment) -> bool:
        """A rival delivery may be deleting the same one, and a leftover is collapsed next time."""
        with suppress(InfxError):
            self.github.delete_comment(comment.id)
            return True
        return False


@contextmanager
def _reporting(number: int) -> Iterator[None]:
    """A refusal or a fault of GitHub here means that nobody was told, never another decision."""
    try:
        yield
    except (Refused, CouldNotTell, CouldNotReport) as error:
        raise CouldNotReport(
            f"the comment could not be written ({error.what})",
            where=f"pull request #{number}",
            todo="the decision stands; see the step summary",
        ) from error
