"""One comment per topic, whatever people, pages and races do."""

import random
import threading
import time
from collections.abc import Iterator

import pytest

from infx.edge import sticky
from infx.errors import CouldNotReport, Refused
from infx.event import Comment
from tests.fakes import BOT, FakeGitHub

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
    """Every request takes a time of its own, so deliveries overtake each other."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.dice = random.Random(seed)

    def pause(self) -> None:
        time.sleep(self.dice.random() / 2000)

    def comments(self, number: int, *, since: str = "") -> Iterator[Comment]:
        self.pause()
        yield from super().comments(number, since=since)

    def _write(self, call: str) -> None:
        self.pause()
        super()._write(call)


def test_copies_on_later_pages_are_found_when_the_whole_is_read() -> None:
    github = FakeGitHub()
    for turn in range(235):
        github.say(BOT if turn in (20, 230) else "ann", f"{MARK}\nold" if turn in (20, 230) else "hello")
    [topic] = [sticky.Topic(mark=MARK, render=lambda old: f"{MARK}\nnew")]
    assert sticky.put_all(github, 7, [topic])[0].collapsed == 0
    [written] = sticky.put_all(github, 7, [topic], whole=True)
    assert (written.comment, written.collapsed) == (21, 1)


def topics(text: str) -> list[sticky.Topic]:
    return [
        sticky.Topic(mark=mark, render=lambda old, mark=mark: f"{mark}\n{text}") for mark in (OTHER, MARK)
    ]


@pytest.mark.parametrize("seed", range(20))
def test_C101_fifty_deliveries_at_once_end_with_one_comment_a_topic(seed: int) -> None:
    github = Slow(seed)
    work = [
        threading.Thread(target=sticky.put_all, args=(github, 7, topics(f"delivery {turn}")))
        for turn in range(50)
    ]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    assert sorted(comment.body.split("\n")[0] for comment in github.stored) == [MARK, OTHER]


def test_several_topics_cost_one_listing() -> None:
    github = FakeGitHub()
    sticky.put_all(github, 7, topics("first"))
    assert github.calls == ["GET page 1", "POST", "POST", "GET page 1"]
    github.calls.clear()
    assert [one.change for one in sticky.put_all(github, 7, topics("second"))] == ["edited", "edited"]
    assert github.calls == ["GET page 1", "PATCH 1", "PATCH 2"]


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

    with pytest.raises(CouldNotReport, match="issue is locked.*decision stands"):
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
    assert github.calls == ["GET page 1", f"PATCH {github.stored[3].id}"]


def test_what_copies_say_is_given_together() -> None:
    github = FakeGitHub()
    github.say(BOT, f"{MARK}\nplan")
    github.say(BOT, f"{MARK}\nresults")
    sticky.put(github, 7, MARK, render=lambda old: f"{MARK}\n" + old.replace(MARK, "").replace("\n", " "))
    assert bodies(github) == [f"{MARK}\n plan  results"]
