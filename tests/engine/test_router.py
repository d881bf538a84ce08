"""The demo engine in two halves behind its router: real processes that talk HTTP."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from infx.launch.health import healthy
from infx.launch.local import take_port
from infx.simulator import router
from tests.launch.dockerd import until

pytestmark = pytest.mark.process
ROOT = Path(__file__).parents[2]
ASK = {"model": "m", "prompt": "0123456789", "max_tokens": 5, "ignore_eos": True}


@contextmanager
def started(*words: str) -> Iterator[tuple[str, "subprocess.Popen[bytes]"]]:
    port = take_port(0)
    argv = [sys.executable, "-m", *words, "--port", str(port)]
    process = subprocess.Popen(argv, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)})
    try:
        yield f"http://127.0.0.1:{port}", process
    finally:
        process.kill()
        process.wait()


@contextmanager
def halves(*more: str) -> Iterator[dict[str, Any]]:
    """A router, one worker of each kind, and their processes."""
    engine = ("infx.simulator", "--model", "m", "--speedup", "20", "--load-seconds", "0.1")
    with (
        started(*engine, "--role", "prefill") as (prefill, _),
        started(*engine, "--role", "decode", *more) as (decode, worker),
        started(
            "infx.simulator.router", "--pd-disaggregation", "--prefill", prefill, "1", "--decode", decode
        ) as (front, _),
    ):
        until(lambda: healthy(front), 20)
        yield {"prefill": prefill, "decode": decode, "front": front, "worker": worker}


def ask(url: str, **changes: Any) -> tuple[int, str]:
    with closing(HTTPConnection(url.removeprefix("http://"), timeout=20)) as connection:
        connection.request("POST", "/v1/completions", json.dumps({**ASK, **changes}))
        answer = connection.getresponse()
        return answer.status, answer.read().decode()


def test_neither_half_does_the_others_work() -> None:
    with halves() as place:
        assert ask(place["front"])[0] == 200
        for half, why in (("prefill", "makes one token"), ("decode", "computed elsewhere")):
            status, said = ask(place[half])
            assert (status, why in said) == (400, True)
        assert ask(place["prefill"], max_tokens=1)[0] == 200


def test_a_stream_comes_through_token_by_token_with_its_usage() -> None:
    with halves() as place:
        _, text = ask(place["front"], stream=True, stream_options={"include_usage": True})
        events = [line.removeprefix("data: ") for line in text.splitlines() if line]
        assert events[-1] == "[DONE]"
        chunks = [json.loads(one) for one in events[:-1]]
        assert sum(bool(one["choices"]) for one in chunks) == 5
        usage = chunks[-1]["usage"]
        assert (usage["prompt_tokens"], usage["completion_tokens"]) == (10, 5)
        # A prompt that came from the other half was not found in a cache.
        assert usage["prompt_tokens_details"] == {"cached_tokens": 0}


def test_refusals_and_deaths_of_workers_are_told() -> None:
    with halves() as place:
        assert ask(place["front"], model="other")[0] == 404
        place["worker"].kill()
        place["worker"].wait()
        status, said = ask(place["front"])
        assert (status, f"{place['decode']} does not answer" in said) == (502, True)
        assert not healthy(place["front"])


def test_a_client_that_goes_away_ends_the_work_for_it(tmp_path: Path) -> None:
    stamps = tmp_path / "stamps"
    with halves("--stamps", str(stamps), "--speedup", "1") as place:
        with closing(HTTPConnection(place["front"].removeprefix("http://"), timeout=20)) as connection:
            long = {**ASK, "max_tokens": 4000, "stream": True}
            connection.request("POST", "/v1/completions", json.dumps(long))
            with connection.getresponse() as answer:
                assert answer.read(20)
        begin = time.monotonic()
        until(lambda: stamps.exists() and stamps.read_text().count("\n") == 1, 10)
        assert time.monotonic() - begin < 10
        assert json.loads(stamps.read_text())["tokens"] < 4000


def test_whole_engines_take_turns() -> None:
    front = router.Router(prefill=[], decode=["a", "b"])
    assert [next(front.decode) for _ in range(3)] == ["a", "b", "a"]


@pytest.mark.parametrize(
    "words", [[], ["--pd-disaggregation", "--decode", "x"], ["--prefill", "x", "--decode", "y"]]
)
def test_a_router_without_workers_is_refused(words: list[str]) -> None:
    with pytest.raises(SystemExit):
        router.parse(["--port", "1", *words])
