"""Sticky comments: one comment a topic, found by hidden mark and own login, written on change only.

GitHub has no conditional write, so a rival that looked before a write may undo it. A writer therefore looks
once more at what it wrote, and writes again what a rival took away.
"""

import random
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Protocol

from infx.edge.api import PAGE
from infx.errors import CouldNotReport, CouldNotTell, InfxError, Refused
from infx.event import Comment

CLOCK_S = 5
"""Seconds by which GitHub's clock may differ from its own while one writer looks and writes."""


SLOWER, GROWTH = 3, 1.5
"""How many times slower than itself a writer takes a rival to be; how much slower still after each look."""
LONGEST_S = 10.0
"""Longest pause before a look."""


@dataclass(frozen=True, kw_only=True)
class Patience:
    """When a writer looks whether what it wrote still stands. A look is one request."""

    looks: int = 8
    """Most looks; the first that finds everything in place is the last. With 0 only what was created is
    looked for, since a rival may have created it as well."""
    draw: Callable[[], float] = random.random
    """Jitter from 0 to 1: rivals that met once should not meet again."""
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic
    """Seconds."""

    def pause(self, turn: int, window_s: float) -> float:
        """Seconds before look `turn`: by then a rival that looked before the write has written as well. It is
        judged by `window_s`, the time that this writer took from its own look to the end of its write."""
        return float(min(LONGEST_S, window_s * SLOWER * GROWTH**turn * (1 + self.draw())))


ONCE = Patience(looks=0)
"""For what is soon written again, where requests are few."""


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
    patience: Patience = Patience()


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
        began = topics[0].patience.clock() if topics else 0.0
        found = desk.find(topics, since=since) if since and not whole else {}
        if any(not found.get(topic.mark) for topic in topics):
            found = desk.find(topics, since=min(topic.born for topic in topics), whole=whole)
        return desk.settled_all(topics, found, began=began)


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
        self.left: dict[str, Comment] = {}
        """Mark → the comment as this writer wrote or saw it last."""
        self.wrote = 0.0
        """When it had written last."""

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

    def settled_all(self, topics: Sequence[Topic], found: Found, *, began: float) -> list[Written]:
        """Write each topic, and look after those that were written. `began` is when the first look did."""
        written = self.settled(topics, found)
        open_ = [topic for topic in topics if self._watched(topic, written[topic.mark])]
        window, turn = 0.0, 0
        while open_:
            patience = open_[0].patience
            window = max(window, self.wrote - began)
            patience.sleep(patience.pause(turn, window))
            began, turn = patience.clock(), turn + 1
            # What was written stands in any case, and whatever a look misses is mended by the next writer.
            again: Found = {}
            with suppress(InfxError):
                again = self.find(open_, since=self._before(window), whole=True)
            # A list without it is older than the write, or somebody has deleted it: neither is to be undone.
            open_ = [topic for topic in open_ if again.get(topic.mark) and not self._quiet(topic, again)]
            for mark, mended in self.settled(open_, again).items():
                written[mark] = self._both(written[mark], mended)
            open_ = [topic for topic in open_ if topic.mark in self.left and turn < topic.patience.looks]
        return [written[topic.mark] for topic in topics]

    def _watched(self, topic: Topic, written: Written) -> bool:
        changed = written.change == "edited" or written.collapsed
        return written.change == "created" or bool(
            changed and topic.mark in self.left and topic.patience.looks
        )

    def _both(self, before: Written, mended: Written) -> Written:
        return replace(mended, change=before.change, collapsed=before.collapsed + mended.collapsed)

    def _quiet(self, topic: Topic, found: Found) -> bool:
        """Nobody wrote since the last look, and who looked before it has written by now."""
        mine, left = found[topic.mark], self.left[topic.mark]
        return len(mine) == 1 and (mine[0].id, mine[0].body) == (left.id, left.body)

    def _before(self, window_s: float) -> str:
        """A time before our first look, after which every rival came; what was there then has been seen."""
        try:
            first = min(datetime.fromisoformat(one.updated_at) for one in self.left.values())
        except ValueError:
            return ""
        return (first - timedelta(seconds=window_s + CLOCK_S)).strftime("%Y-%m-%dT%H:%M:%SZ")

    def settled(self, topics: Sequence[Topic], found: Found) -> dict[str, Written]:
        """Bring the comments that count to the wanted text, and then take copies away: that may take long,
        and what was read grows old meanwhile."""
        written: dict[str, Written] = {}
        copies: dict[str, list[Comment]] = {}
        for topic in topics:
            mine = found[topic.mark]
            body = topic.render("\n".join(one.body for one in mine))
            kept = next((one for one in mine if one.author == self.me), None) if body else None
            copies[topic.mark] = [one for one in mine if one is not kept]
            written[topic.mark] = self._written(topic, kept, body)
        if topics:
            self.wrote = topics[0].patience.clock()
        for mark, extra in copies.items():
            gone = sum(self._collapsed(one) for one in extra)
            change = "removed" if gone and written[mark].change == "none" else written[mark].change
            written[mark] = replace(written[mark], change=change, collapsed=gone)
        return written

    def _written(self, topic: Topic, kept: Comment | None, body: str) -> Written:
        self.left.pop(topic.mark, None)
        if not body:
            return Written(comment=0, change="none")
        if kept is not None and body == kept.body:
            self.left[topic.mark] = kept
            return Written(comment=kept.id, change="same")
        # A person may have deleted it since it was listed.
        edited = self.github.edit_comment(kept.id, body) if kept is not None else None
        made = edited or self.github.create_comment(self.number, body, mark=topic.mark, login=self.me)
        self.left[topic.mark] = made
        return Written(comment=made.id, change="edited" if edited else "created")

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
