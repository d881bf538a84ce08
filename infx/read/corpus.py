"""Trace corpus → sessions. The format is documented in benchmarks/corpus/README.md."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from infx.errors import BadInput
from infx.row import Corpus

TURN_LIMIT = 1_000_000
"""Tokens of one turn; more is a mistake in the file."""


@dataclass(frozen=True, kw_only=True)
class Turn:
    """One request of a conversation."""

    input: int
    """New prompt tokens; the conversation so far comes on top."""
    output: int
    """Tokens to generate."""
    delay_ms: int
    """Pause before the request, after the previous answer."""


@dataclass(frozen=True, kw_only=True)
class Session:
    """One conversation."""

    name: str
    turns: tuple[Turn, ...]


def corpus(data: bytes, *, where: str) -> tuple[Corpus, Sequence[Session]]:
    """Identity and sessions. BadInput with the line that is wrong."""
    lines = data.decode("utf-8", "replace").splitlines()
    head = parsed(lines[0] if lines else "", f"{where}:1")
    sessions = [
        session(parsed(line, f"{where}:{number}"), f"{where}:{number}")
        for number, line in enumerate(lines[1:], 2)
        if line.strip()
    ]
    if not sessions or not isinstance(head.get("corpus"), str):
        raise BadInput("no corpus: a head line and sessions are needed", where=where, todo="see its README")
    identity = Corpus(
        name=head["corpus"],
        sha256=sha256(data).hexdigest(),
        sessions=len(sessions),
        token_cap=max(sum(turn.input + turn.output for turn in one.turns) for one in sessions),
        sub_agents=bool(head.get("sub_agents", False)),
    )
    return identity, sessions


def parsed(line: str, where: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise BadInput("a line is not JSON", where=where, todo="one JSON object a line") from error
    if not isinstance(value, dict):
        raise BadInput("a line is not an object", where=where, todo="one JSON object a line")
    return value


def session(value: dict[str, Any], where: str) -> Session:
    try:
        turns = tuple(
            Turn(input=turn["input"], output=turn["output"], delay_ms=turn.get("delay_ms", 0))
            for turn in value["turns"]
        )
        whole = all(type(n) is int and 0 <= n <= TURN_LIMIT for turn in turns for n in vars(turn).values())
        good = turns and whole and all(turn.input and turn.output for turn in turns)
        if good:
            return Session(name=str(value["session"]), turns=turns)
    except (KeyError, TypeError, AttributeError) as error:
        raise BadInput("a session needs `session` and `turns`", where=where, todo="see its README") from error
    raise BadInput("`input`, `output` and `delay_ms` are whole numbers", where=where, todo="see its README")
