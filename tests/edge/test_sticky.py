"""One comment per topic, whatever people, pages and races do."""

import threading

import pytest

from infx.edge import sticky
from infx.errors import CouldNotReport
from tests.fakes import BOT, FakeGitHub

MARK = "<!-- infx:status -->"


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
