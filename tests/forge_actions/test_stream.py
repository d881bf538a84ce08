"""act's lines become steps and a log."""

import json
from typing import Any

import pytest

from infx.forge.actions.stream import Stream

STEPS = [{"name": "one", "id": "x"}, {"uses": "actions/checkout@v4"}, {"run": "echo a\necho b"}]
AT = "2026-01-01T00:00:00Z"


def line(message: str, *path: str, **more: Any) -> str:
    return json.dumps({"level": "info", "msg": message, "stage": "Main", "stepID": list(path), **more})


def read(*lines: str, cancelled: bool = False) -> tuple[Stream, str]:
    stream = Stream(STEPS)
    stream.begin(AT)
    stream.cancelled = cancelled
    text = "".join(stream.feed(one, AT)[0] for one in lines)
    stream.end(AT)
    return stream, text


def conclusions(stream: Stream) -> list[str]:
    return [step["conclusion"] for step in stream.steps[1:-1]]


def test_names_and_numbers() -> None:
    stream, _ = read()
    names = ["Set up job", "one", "Run actions/checkout@v4", "Run echo a", "Complete job"]
    assert [(step["number"], step["name"]) for step in stream.steps] == list(enumerate(names, 1))


@pytest.mark.parametrize(
    ("lines", "cancelled", "expected"),
    [
        ([], False, ["skipped", "skipped", "skipped"]),
        ([line("done", "x", stepResult="success")], False, ["success", "skipped", "skipped"]),
        ([line("done", "1", "0", stepResult="success")], False, ["skipped", "skipped", "skipped"]),
        ([line("⭐ Run Main one", "x")], False, ["failure", "skipped", "skipped"]),
        ([line("⭐ Run Main one", "x")], True, ["cancelled", "skipped", "skipped"]),
        ([line("done", "x", stepResult="failure")], True, ["cancelled", "skipped", "skipped"]),
        (
            [line("Failed but continue next step", "x"), line("", "x", stepResult="failure")],
            False,
            ["success", "skipped", "skipped"],
        ),
        ([line("done", "1", stage="Post", stepResult="failure")], False, ["skipped", "skipped", "skipped"]),
    ],
)
def test_conclusions(lines: list[str], cancelled: bool, expected: list[str]) -> None:
    assert conclusions(read(*lines, cancelled=cancelled)[0]) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (line("a\nb\n", "x", raw_output=True), f"{AT} a\n{AT} b\n"),
        (line("x", "x", command="error", arg="broken"), f"{AT} ##[error]broken\n"),
        (line("⭐ Run Main one", "x"), f"{AT} ##[group]Run one\n{AT} ##[endgroup]\n"),
        (line("⭐ Run Main Set job outputs", "9"), ""),
        (line("x", "x", command="set-output"), ""),
        (line("path/x not located inside a git repository", level="error"), ""),
        (line("no such action", level="error"), f"{AT} ##[error]no such action\n"),
        ("plain words", f"{AT} plain words\n"),
        ("Error: Job 'a' failed", ""),
        ("[1]", ""),
    ],
)
def test_log(text: str, expected: str) -> None:
    assert read(text)[1] == expected
