import json

import pytest

from infx.errors import BadInput
from infx.read.corpus import corpus

HEAD = {"corpus": "tiny", "sub_agents": False}
TURN = {"input": 10, "output": 2}


def lines(*values: object) -> bytes:
    return "\n".join(json.dumps(value) for value in values).encode()


def test_identity_and_lengths() -> None:
    found, sessions = corpus(
        lines(HEAD, {"session": "a", "turns": [TURN, {**TURN, "delay_ms": 5}]}), where="x"
    )
    assert (found.name, found.sessions, found.token_cap, found.sub_agents) == ("tiny", 1, 24, False)
    assert [turn.delay_ms for turn in sessions[0].turns] == [0, 5]


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b"", "x:1"),
        (lines(HEAD), "x"),
        (lines(HEAD) + b"\n{", "x:2"),
        (lines(HEAD, []), "x:2"),
        (lines(HEAD, {"session": "a"}), "x:2"),
        (lines(HEAD, {"session": "a", "turns": []}), "x:2"),
        (lines(HEAD, {"session": "a", "turns": [{**TURN, "input": 0}]}), "x:2"),
        (lines(HEAD, {"session": "a", "turns": [{**TURN, "output": True}]}), "x:2"),
        (lines(HEAD, {"session": "a", "turns": [{**TURN, "input": 10**9}]}), "x:2"),
        (lines({}, {"session": "a", "turns": [TURN]}), "x"),
    ],
)
def test_mistakes_say_their_line(data: bytes, place: str) -> None:
    with pytest.raises(BadInput) as error:
        corpus(data, where="x")
    assert error.value.where == place
