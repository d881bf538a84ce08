"""Sticky comments over HTTP, on the embedded GitHub: writers that overlap as jobs do."""

import threading
from collections.abc import Iterator

import pytest

from infx.edge import sticky
from infx.edge.github import GitHub
from infx.forge.forge import Forge
from infx.say import comment, welcome
from tests.forge.recorder import Recorder

pytestmark = pytest.mark.forge
NAME, TITLE = "acme/infx", {"title": "Longer prompts"}


@pytest.fixture(scope="module")
def forge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Forge]:
    with Forge.start(tmp_path_factory.mktemp("sticky"), lambda store, url: Recorder()) as made:
        made.create_repo(NAME)
        made.user("infx")
        made.role(NAME, "infx", "write")
        yield made


def write(forge: Forge, token: str, number: int, turn: int) -> None:
    own = comment.Section(name=f"part {turn}", order=(turn, 1), head="adc40a2", text=f"says {turn}")
    newest = comment.Section(name="newest", order=(turn, 1), head="adc40a2", text=f"newest {turn}")
    sticky.put_all(
        GitHub(NAME, token, forge.api, login="infx"),
        number,
        [
            sticky.Topic(mark=welcome.MARK, render=lambda old: f"{welcome.MARK}\nhello"),
            sticky.Topic(mark=comment.STATUS, render=lambda old: comment.compose(old, own, newest)),
        ],
    )


@pytest.mark.parametrize(("writers", "conversations"), [(5, 8), (50, 1)], ids=["8 x 5", "1 x 50"])
def test_C101_writers_at_once_end_with_one_comment_a_topic(
    forge: Forge, writers: int, conversations: int
) -> None:
    token = forge.user("infx")
    for _ in range(conversations):
        number = GitHub(NAME, token, forge.api).api.create(f"/repos/{NAME}/issues", TITLE, find=None)[
            "number"
        ]
        work = [
            threading.Thread(target=write, args=(forge, token, number, one)) for one in range(1, writers + 1)
        ]
        for thread in work:
            thread.start()
        for thread in work:
            thread.join()
        bodies = [one.body for one in GitHub(NAME, token, forge.api).comments(number)]
        assert sorted(body.split("\n")[0] for body in bodies) == [comment.STATUS, welcome.MARK]
        [status] = [body for body in bodies if body.startswith(comment.STATUS)]
        told = {one.name: one.text for one in comment.sections(status)}
        assert told == {
            **{f"part {one}": f"says {one}" for one in range(1, writers + 1)},
            "newest": f"newest {writers}",
        }
