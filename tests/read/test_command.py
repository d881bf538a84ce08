"""Commands in comments: alone on a line of plain text, or not at all."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.command import Commands
from infx.commands import FORMS
from infx.event import BODY_LIMIT, Comment
from infx.read.command import read, read_text


def said(body: str) -> list[tuple[str, tuple[int, ...]]]:
    return [(command.words, command.runs) for command in read_text(body, FORMS).effective]


def mistakes(body: str) -> list[str]:
    return [mistake.what for mistake in read_text(body, FORMS).mistakes]


@pytest.mark.parametrize(
    ("body", "commands"),
    [
        ("/use 500", [("/use", (500,))]),
        ("/use 500 501 500", [("/use", (500, 501))]),
        ("/USE None", [("/use none", ())]),
        ("  /reuse-sweep-run  \r\nthanks", [("/reuse-sweep-run", ())]),
        ("thanks\n/stage-results 7\nbye", [("/stage-results", (7,))]),
        ("/sweep cancel\n/sweep resume", [("/sweep cancel", ()), ("/sweep resume", ())]),
        ("/use 1\n/reuse-sweep-run 2", [("/reuse-sweep-run", (2,))]),
        ("/use 1\n\n/use none", [("/use none", ())]),
        ("<details>\n\n/infx help\n\n</details>", [("/infx help", ())]),
        ("one<br>two\n/sweep status", [("/sweep status", ())]),
        ("<blockquote>\n\nx\n\n</blockquote>\n\n/use 3", [("/use", (3,))]),
        ("hidden <!-- /use 1\n/use 2\n--> end\n/use 3", [("/use", (3,))]),
    ],
)
def test_a_line_of_its_own_is_a_command(body: str, commands: list[tuple[str, tuple[int, ...]]]) -> None:
    assert said(body) == commands
    assert mistakes(body) == []


@pytest.mark.parametrize(
    "body",
    [
        "> /use 1",
        "> quoted\n/use 1",
        "```\n/use 1\n```",
        "```\n/use 1",
        "~~~ text\n/use 1\n~~~",
        "    /use 1",
        "\t/use 1",
        "`/use 1`",
        "`a\n/use 1\nb`",
        "<!--\n/use 1\n-->",
        "<!-- open\n/use 1",
        "[\n/use 1\n](http://x)",
        "[/use 1](http://x)",
        "[a]: /use",
        "- /use 1",
        "1. x\n   /use 1",
        "# /use 1",
        "/use 1\n---",
        "**/use 1**",
        "*a\n/use 1\nb*",
        "~~a\n/use 1\nb~~",
        "| a |\n|---|\n/use 1",
        "<pre>\n/use 1\n\n/use 2\n</pre>",
        "<blockquote>\n\n/use 1\n\n</blockquote>",
        "<code>\n\n/use 1",
        "x <kbd>\n/use 1\n</kbd>",
        "\\/use 1",
        "&#47;use 1",
        "please /use 1",
        "you could use /reuse-sweep-run 200 here",
        "/used 1",
        "/lgtm",
        "/path/to/use 1",
        "/",
        "",
    ],
)
def test_what_is_shown_or_said_in_passing_is_none(body: str) -> None:
    assert read_text(body, FORMS) == Commands()


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("/use", "/use needs at least 1 run id"),
        ("/use 500 please", '"please" is no run id, which is the number in the run\'s address'),
        ("/use -5", '"-5" is no run id'),
        ("/use 0", '"0" is no run id'),
        ("/use ５００", '"５００" is no run id'),
        ("/use " + "9" * 30, "is no run id"),
        ("/use 9223372036854775808", "is no run id"),
        ("/use 5 --accept", 'there is no flag --accept (did you mean "--accept-changed"?)'),
        ("/reuse-sweep-run 1 --accept-changed", "there is no flag --accept-changed"),
        ("/reuse-sweep-run 1 2", "2 run ids are given, at most 1 can be"),
        ("/use none 5", "/use none takes no run id"),
        ("/sweep status now", '"now" is too much: /sweep status stands alone'),
        ("/sweep", "/sweep alone is no command"),
        ("/sweep canel", '/sweep canel is no command (did you mean "cancel"?)'),
    ],
)
def test_a_line_that_nearly_is_one_says_what_would_be_right(body: str, what: str) -> None:
    (mistake,) = read_text(body, FORMS).mistakes
    assert what in mistake.what
    assert mistake.usage.startswith(body.split()[0])
    assert said(body) == []


def test_of_one_topic_the_last_counts_and_the_others_are_told() -> None:
    asked = read_text("/use 500\n\nthanks\n\n/use 501 --accept-changed", FORMS)
    assert [(one.runs, one.line, one.flags) for one in asked.effective] == [
        ((501,), 5, frozenset({"--accept-changed"}))
    ]
    assert [(one.runs, one.line) for one in asked.superseded] == [((500,), 1)]


@pytest.mark.parametrize(
    ("body", "pinned"),
    [
        ("/reuse-sweep-run 100", [(100,)]),
        ("you could use /reuse-sweep-run 200 here", []),
        ("> /reuse-sweep-run 300", []),
        ("```\n/reuse-sweep-run 400\n```", []),
        ("/reuse-sweep-run 500\n\nthanks\n\n/reuse-sweep-run 501", [(501,)]),
    ],
)
def test_C79_which_line_counts(body: str, pinned: list[tuple[int, ...]]) -> None:
    assert [runs for _, runs in said(body)] == pinned


@pytest.mark.parametrize(("author", "kind"), [("ada", "Bot"), ("review[bot]", "User")])
def test_a_bot_says_nothing(author: str, kind: str) -> None:
    assert read(Comment(id=1, body="/use 5", author=author, author_type=kind), FORMS).empty
    assert not read(Comment(id=1, body="/use 5", author="ada"), FORMS).empty


WRAPS = ("> {}", "```\n{}\n```", "    {}", "`{}`", "<!-- {} -->", "[{}](http://x)", "<pre>{}</pre>", "- {}")
WORDS = st.sampled_from(["/use 1", "/use none", "/sweep cancel", "/use x", "hello", "1 < 2", "*", "_a"])
BLOCKS = st.tuples(st.sampled_from(WRAPS), WORDS).map(lambda pair: pair[0].format(pair[1]))


@given(st.lists(BLOCKS))
def test_a_shown_command_never_fires(blocks: list[str]) -> None:
    # An indented line goes on a paragraph, and a list goes on over an empty line; a rule ends both.
    assert read_text("\n\n---\n\n".join(blocks), FORMS) == Commands()


@given(st.text(alphabet="/use 1\n>`<!-&*[]()#|~\\\t", max_size=60))
def test_any_text_is_read(body: str) -> None:
    asked = read_text(body, FORMS)
    lines = [line.strip() for line in body.splitlines()]
    assert all(lines[one.line - 1].lower().startswith(one.words) for one in asked.effective)


@pytest.mark.parametrize("bomb", ["[", "![l", "<", "*a ", "`a``", "> ", "<!--", "/use 1\n"])
def test_the_longest_comment_is_read_in_time(bomb: str) -> None:
    body = "/use 1\n" + bomb * ((BODY_LIMIT - 10) // len(bomb))
    started = time.process_time()
    read_text(body, FORMS)
    assert time.process_time() - started < 5
