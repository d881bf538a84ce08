"""Trace corpus → sessions. The format is documented in benchmarks/corpus/README.md."""

import json
from collections.abc import Mapping, Sequence
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


def agents(traces: Mapping[str, bytes], *, where: str) -> Corpus:
    """Identity of recorded agents, file name → trace as aiperf's `weka_trace` has it: requests with `in` and
    `out` tokens, between them entries of sub-agents with requests of their own. BadInput otherwise."""
    whole, cap, subs = sha256(), 0, False
    for name, data in traces.items():
        whole.update(f"{name}\0{len(data)}\0".encode() + data)
        requests = parsed(data.decode("utf-8", "replace"), f"{where}/{name}").get("requests")
        flat, nested = _requests(requests, f"{where}/{name}")
        cap, subs = max(cap, *flat), subs or nested
    if not traces:
        raise BadInput("no trace: a folder of `*.json` is needed", where=where, todo="see its README")
    return Corpus(
        name=where.rstrip("/").rsplit("/", 1)[-1],
        sha256=whole.hexdigest(),
        sessions=len(traces),
        token_cap=cap,
        sub_agents=subs,
    )


def _requests(value: Any, where: str) -> tuple[list[int], bool]:
    """Tokens of every request, and whether some belong to a sub-agent."""
    sizes: list[int] = []
    nested = False
    try:
        for one in value:
            if one["type"] == "subagent":
                sizes += _requests(one["requests"], where)[0]
                nested = True
            else:
                sizes.append(int(one["in"]) + int(one["out"]))
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput("this is no trace of an agent", where=where, todo="see its README") from error
    if not sizes:
        raise BadInput("a trace without a request", where=where, todo="leave it out")
    return sizes, nested


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
