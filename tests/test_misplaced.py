"""A command where none can stand gets one reply, and does nothing."""

import pytest

from infx.commands.misplaced import tell
from infx.errors import CouldNotReport
from tests.fakes import FakeGitHub


@pytest.mark.parametrize("body", ["/use 500", "Looks good\n\n/sweep resume\n"])
def test_one_reply_says_where_to_write(body: str) -> None:
    github = FakeGitHub()
    assert [tell(github, 7, 31, body), tell(github, 7, 31, body)] == [True, True]
    (reply,) = github.stored
    assert "does nothing. Write it as a comment of its own here." in reply.body
    assert body.split("\n")[-2 if body.endswith("\n") else 0] in reply.body
    assert tell(github, 7, 32, body)
    assert len(github.stored) == 2


@pytest.mark.parametrize("body", ["", "nice", "> /use 500", "`/use 500`", "/use"])
def test_what_is_no_command_gets_none(body: str) -> None:
    github = FakeGitHub()
    assert (tell(github, 7, 31, body), github.stored) == (False, [])


def test_what_cannot_be_written_is_no_decision() -> None:
    github = FakeGitHub()
    github.read_only = True
    with pytest.raises(CouldNotReport):
        tell(github, 7, 31, "/use 500")
