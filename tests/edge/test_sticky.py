"""One comment per topic, whatever people, pages and races do."""

import random
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from infx.edge import sticky
from infx.errors import CouldNotReport, Refused
from infx.event import Comment
from infx.say import comment
from tests.edge.virtual import Virtual
from tests.fakes import BOT, EPOCH, FakeGitHub

MARK, OTHER = "<!-- infx:status -->", "<!-- infx:welcome -->"


def put(github: FakeGitHub, body: str = "final") -> sticky.Written:
    return sticky.put(github, 7, MARK, render=lambda old: f"{MARK}\n{body}")


def bodies(github: FakeGitHub) -> list[str]:
    return [comment.body for comment in github.stored if comment.body.startswith(MARK)]


def test_created_once_then_edited_then_left_alone() -> None:
    github = FakeGitHub()
    assert put(github, "one").change == "created"
    assert put(github, "two").change == "edited"
    assert put(github, "two").change == "same"
    assert github.writes == ["POST", "PATCH 1"]
    assert bodies(github) == [f"{MARK}\ntwo"]


def test_C100_a_comment_on_a_later_page_is_found() -> None:
    github = FakeGitHub()
    for turn in range(135):
        github.say(BOT if turn == 100 else "ann", f"{MARK}\nold" if turn == 100 else "hello")
    assert put(github).comment == 101
    assert github.writes == ["PATCH 101"]


def test_C100_pages_behind_the_oldest_are_not_asked_for() -> None:
    github = FakeGitHub()
    for turn in range(335):
        github.say(BOT if turn in (120, 130) else "ann", f"{MARK}\nold" if turn in (120, 130) else "hello")
    assert put(github) == sticky.Written(comment=121, change="edited", collapsed=1)
    assert github.calls[:2] == ["GET page 1", "GET page 2"]
    assert "GET page 3" not in github.calls


def test_C100_a_failing_page_creates_nothing() -> None:
    github = FakeGitHub()
    for _ in range(135):
        github.say("ann", "hello")
    github.broken_page = 2
    with pytest.raises(CouldNotReport, match=r"pull request #7: .*502"):
        put(github)
    assert github.writes == []


def test_C101_duplicates_collapse_into_the_oldest() -> None:
    github = FakeGitHub()
    github.say(BOT, f"{MARK}\nfinal")
    github.say(BOT, f"{MARK}\nrunning")
    assert put(github, "done") == sticky.Written(comment=1, change="edited", collapsed=1)
    assert bodies(github) == [f"{MARK}\ndone"]


def test_C101_a_rival_of_the_same_moment_is_collapsed_after_creating() -> None:
    github = FakeGitHub()
    github.rival = f"{MARK}\nrunning"
    assert put(github, "done").comment == 1
    assert bodies(github) == [f"{MARK}\ndone"]


def test_C101_concurrent_deliveries_end_with_one_comment() -> None:
    github = FakeGitHub()
    threads = [threading.Thread(target=put, args=(github, "same")) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    put(github, "same")
    assert bodies(github) == [f"{MARK}\nsame"]


def test_a_copied_mark_is_not_adopted() -> None:
    github = FakeGitHub()
    github.say("mallory", f"{MARK}\nfake")
    assert put(github).change == "created"
    assert github.stored[0].body == f"{MARK}\nfake"


def test_a_quoted_mark_is_not_a_sticky() -> None:
    github = FakeGitHub()
    github.say(BOT, f"> {MARK}\nsomebody quoted it")
    assert put(github).change == "created"


def test_403_is_could_not_report() -> None:
    github = FakeGitHub()
    github.read_only = True
    with pytest.raises(CouldNotReport, match="decision stands"):
        put(github)


def test_the_old_body_reaches_the_writer() -> None:
    github = FakeGitHub()
    put(github, "old")
    written = sticky.put(github, 7, MARK, render=lambda old: f"{old}+")
    assert written.change == "edited"
    assert bodies(github) == [f"{MARK}\nold+"]


def test_an_ended_topic_is_taken_away() -> None:
    github = FakeGitHub()
    put(github)
    assert sticky.remove(github, 7, MARK) == 1
    assert sticky.remove(github, 7, MARK) == 0
    assert bodies(github) == []


class Slow(FakeGitHub):
    """Every request takes a time of its own, so deliveries overtake each other; some machines stall."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.dice, self.time = random.Random(seed), Virtual()

    def _now(self) -> str:
        return (EPOCH + timedelta(seconds=self.time.now)).strftime("%Y-%m-%dT%H:%M:%SZ")

    def pause(self) -> None:
        stalled = 1.0 if self.dice.random() < 0.02 else 0.0
        self.time.sleep(stalled + 0.05 + self.dice.random() / 4)

    def comments(self, number: int, *, since: str = "") -> Iterator[Comment]:
        self.pause()
        found = list(super().comments(number, since=since))
        self.pause()
        yield from found

    def _write(self, call: str) -> None:
        self.pause()
        super()._write(call)

    def patience(self) -> sticky.Patience:
        return sticky.Patience(draw=self.dice.random, sleep=self.time.sleep, clock=self.time.clock)


def test_copies_on_later_pages_are_found_when_the_whole_is_read() -> None:
    github = FakeGitHub()
    for turn in range(235):
        github.say(BOT if turn in (20, 210) else "ann", f"{MARK}\nold" if turn in (20, 210) else "hello")
    [topic] = [sticky.Topic(mark=MARK, render=lambda old: f"{MARK}\nnew")]
    assert sticky.put_all(github, 7, [topic])[0].collapsed == 0
    [written] = sticky.put_all(github, 7, [topic], whole=True)
    assert (written.comment, written.collapsed) == (21, 1)


def topics(text: str) -> list[sticky.Topic]:
    def topic(mark: str) -> sticky.Topic:
        return sticky.Topic(mark=mark, render=lambda old: f"{mark}\n{text}")

    return [topic(OTHER), topic(MARK)]


def section(name: str, turn: int) -> comment.Section:
    return comment.Section(name=name, order=(turn, 1), head="adc40a2", text=f"{name} {turn}")


def said(*parts: comment.Section, **patience: Any) -> sticky.Topic:
    """The status comment with these sections in it."""
    return sticky.Topic(
        mark=comment.STATUS,
        render=lambda old: comment.compose(old, *parts),
        patience=sticky.Patience(**patience),
    )


def shown(github: FakeGitHub) -> dict[str, str]:
    """Name → text of the sections of the one status comment."""
    [body] = bodies(github)
    return {one.name: one.text for one in comment.sections(body)}


def at_once(*work: Callable[[], object]) -> None:
    threads = [threading.Thread(target=one) for one in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.seeds
@pytest.mark.parametrize("seed", range(20))
def test_C101_fifty_deliveries_at_once_end_with_one_comment_a_topic(seed: int) -> None:
    github = Slow(seed)

    def deliver(turn: int) -> None:
        greeting = sticky.Topic(mark=OTHER, render=lambda old: f"{OTHER}\nhello")
        own = said(section(f"part {turn}", turn), section("newest", turn))
        sticky.put_all(github, 7, [replace(one, patience=github.patience()) for one in (greeting, own)])

    github.time.run(*(partial(deliver, turn) for turn in range(50)))
    assert sorted(one.body.split("\n")[0] for one in github.stored) == [MARK, OTHER]
    parts = {f"part {turn}": f"part {turn} {turn}" for turn in range(50)}
    assert shown(github) == {**parts, "newest": "newest 49"}


class Meeting(FakeGitHub):
    """The first looks of two writers end together, so neither sees what the other is about to write."""

    def __init__(self) -> None:
        super().__init__()
        self.doors, self.passed = threading.Barrier(2), threading.local()

    def comments(self, number: int, *, since: str = "") -> Iterator[Comment]:
        found = list(super().comments(number, since=since))
        if not getattr(self.passed, "yes", False):
            self.passed.yes = True
            self.doors.wait(timeout=10)
        yield from found


@pytest.mark.parametrize("there", [False, True], ids=["both create", "both edit"])
def test_C101_two_writers_that_saw_the_same_lose_nothing(there: bool) -> None:
    github = Meeting()
    if there:
        github.say(BOT, comment.compose("", section("before", 1)))
    first, second = (said(section(name, 2)) for name in ("one", "two"))
    at_once(*(partial(sticky.put_all, github, 7, [one]) for one in (first, second)))
    assert shown(github) == {**({"before": "before 1"} if there else {}), "one": "one 2", "two": "two 2"}


class Undone(FakeGitHub):
    """A rival that looked before our write writes after it, so many times."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times, self.pauses = times, list[float]()

    def edit_comment(self, comment_id: int, body: str) -> Comment | None:
        before = next(one.body for one in self.stored if one.id == comment_id)
        made = super().edit_comment(comment_id, body)
        if self.times:
            self.times -= 1
            super().edit_comment(comment_id, comment.compose(before, section("rival", 9)))
        return made

    def put(self) -> sticky.Written:
        own = said(section("own", 5), draw=lambda: 0.5, sleep=self.pauses.append, clock=lambda: self.clock())
        [written] = sticky.put_all(self, 7, [own])
        return written

    def clock(self) -> float:
        """Each question costs a second."""
        return float(len(self.calls))


@pytest.mark.parametrize(("times", "looks"), [(0, 1), (1, 2), (3, 4)])
def test_what_a_rival_undid_is_written_again(times: int, looks: int) -> None:
    github = Undone(times)
    github.say(BOT, comment.compose("", section("before", 1)))
    assert github.put().change == "edited"
    told = {"before": "before 1", "own": "own 5"}
    assert shown(github) == (told | {"rival": "rival 9"} if times else told)
    assert len(github.pauses) == looks
    assert github.calls.count("GET page 1") == 1 + looks


def test_a_rival_that_never_stops_is_left_to_the_next_writer() -> None:
    github = Undone(1000)
    github.say(BOT, comment.compose("", section("before", 1)))
    assert github.put().change == "edited"
    assert shown(github) == {"before": "before 1", "rival": "rival 9"}
    assert len(github.pauses) == sticky.Patience().looks
    assert github.pauses == sorted(github.pauses)
    assert max(github.pauses) == sticky.LONGEST_S


def test_a_look_that_fails_leaves_what_was_written() -> None:
    github = FakeGitHub()
    put(github, "one")

    def broken(old: str) -> str:
        github.broken_page = 1
        return f"{MARK}\ntwo"

    assert sticky.put(github, 7, MARK, render=broken).change == "edited"
    assert bodies(github) == [f"{MARK}\ntwo"]


def test_a_list_that_lags_behind_makes_no_second_comment() -> None:
    class Lagging(FakeGitHub):
        def comments(self, number: int, *, since: str = "") -> Iterator[Comment]:
            self.calls.append("GET page 1")
            return iter(())

    github = Lagging()
    assert put(github).change == "created"
    assert bodies(github) == [f"{MARK}\nfinal"]


def test_a_comment_that_a_rival_collapsed_meanwhile_is_written_into_the_older_one() -> None:
    github = FakeGitHub()
    github.say(BOT, comment.compose("", section("before", 1)))
    copy = github.say(BOT, comment.compose("", section("copy", 1)))
    gone: list[str] = []

    class Found(FakeGitHub):
        """Only the copy was changed lately; it is collapsed right after our write."""

        def comments(self, number: int, *, since: str = "") -> Iterator[Comment]:
            return iter([one for one in github.stored if one.id == copy.id and not gone] or github.stored)

        def edit_comment(self, comment_id: int, body: str) -> Comment | None:
            made = github.edit_comment(comment_id, body)
            if not gone:
                gone.append("copy")
                github.delete_comment(copy.id)
            return made

    sticky.put_all(Found(), 7, [said(section("own", 5))], since="2026-07-01T00:02:00Z")
    assert shown(github) == {"before": "before 1", "own": "own 5"}


def test_what_is_soon_written_again_is_not_looked_for() -> None:
    github = FakeGitHub()
    put(github)
    github.calls.clear()
    topic = sticky.Topic(mark=MARK, render=lambda old: f"{MARK}\nmore", patience=sticky.ONCE)
    sticky.put_all(github, 7, [topic])
    assert github.calls == ["GET page 1", "PATCH 1"]


def test_several_topics_cost_one_listing() -> None:
    github = FakeGitHub()
    sticky.put_all(github, 7, topics("first"))
    assert github.calls == ["GET page 1", "POST", "POST", "GET page 1"]
    github.calls.clear()
    assert [one.change for one in sticky.put_all(github, 7, topics("second"))] == ["edited", "edited"]
    assert github.calls == ["GET page 1", "PATCH 1", "PATCH 2", "GET page 1"]


def test_a_topic_that_has_nothing_to_say_is_not_created_and_ends() -> None:
    github = FakeGitHub()
    silent = sticky.ended(MARK)
    assert sticky.put_all(github, 7, [silent])[0].change == "none"
    put(github)
    assert sticky.put_all(github, 7, [silent])[0].change == "removed"
    assert github.stored == []


def test_a_comment_that_is_deleted_between_look_and_edit_is_written_again() -> None:
    github = FakeGitHub()
    put(github, "one")

    def meanwhile(old: str) -> str:
        github.stored.clear()
        return f"{MARK}\ntwo"

    assert sticky.put(github, 7, MARK, render=meanwhile).change == "created"
    assert bodies(github) == [f"{MARK}\ntwo"]


def test_a_locked_conversation_is_could_not_report() -> None:
    class Locked(FakeGitHub):
        def create_comment(self, number: int, body: str, *, mark: str, login: str) -> Comment:
            raise Refused("403 Unable to create comment because issue is locked.")

    with pytest.raises(CouldNotReport, match=r"issue is locked.*decision stands"):
        put(Locked())


def test_comments_of_an_earlier_login_are_taken_over() -> None:
    github = FakeGitHub()
    github.say("old-app[bot]", f"{MARK}\nfrom before")
    written = sticky.put(
        github, 7, MARK, render=lambda old: f"{MARK}\n{old.splitlines()[1]}+", former=["old-app[bot]"]
    )
    assert (written.change, written.collapsed) == ("created", 1)
    assert bodies(github) == [f"{MARK}\nfrom before+"]
    assert [one.author for one in github.stored] == [BOT]


def test_ten_thousand_comments_cost_one_listing_and_one_page() -> None:
    github = FakeGitHub()
    for _ in range(10_000):
        github.say("ann", "hello")
    put(github)
    assert len([call for call in github.calls if call.startswith("GET")]) == 100 + 1
    github.calls.clear()
    github.stored.insert(3, github.stored.pop())
    assert put(github, "more").change == "edited"
    assert github.calls == ["GET page 1", f"PATCH {github.stored[3].id}", "GET page 1"]


def test_what_copies_say_is_given_together() -> None:
    github = FakeGitHub()
    github.say(BOT, f"{MARK}\nplan")
    github.say(BOT, f"{MARK}\nresults")
    sticky.put(github, 7, MARK, render=lambda old: f"{MARK}\n" + old.replace(MARK, "").replace("\n", " "))
    assert bodies(github) == [f"{MARK}\n plan  results"]
