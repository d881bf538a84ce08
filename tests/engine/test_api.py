import asyncio
import json
from typing import Any

import pytest

from infx.simulator.__main__ import faults
from infx.simulator.api import App
from infx.simulator.engine import Engine, Faults
from infx.simulator.prefix import Prefixes


async def ask(app: App, path: str, body: Any) -> tuple[int, str]:
    """Status and text of one request, straight through the ASGI interface."""
    sent: list[dict[str, Any]] = []
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    messages = [{"type": "http.request", "body": data}]

    async def receive() -> dict[str, Any]:
        if messages:
            return messages.pop()
        await asyncio.Event().wait()
        return {}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await app({"type": "http", "path": path}, receive, send)
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent).decode()


def talk(*asks: tuple[str, Any], prefixes: Prefixes | None = None, **options: Any) -> list[tuple[int, str]]:
    async def run() -> list[tuple[int, str]]:
        engine = Engine(speedup=1000, faults=Faults(**options))
        app = App(engine, model="m", accuracy=1.0, max_model_len=500, load_s=0, prefixes=prefixes)
        task = asyncio.create_task(engine.run())
        answers = [await ask(app, path, body) for path, body in asks]
        task.cancel()
        return answers

    return asyncio.run(run())


def events(text: str) -> list[str]:
    return [line.removeprefix("data: ") for line in text.splitlines() if line]


def prompt(**more: Any) -> tuple[str, Any]:
    return "/v1/completions", {"model": "m", "prompt": "hello", "max_tokens": 4, **more}


def test_whole_answer_counts_bytes_as_tokens() -> None:
    [(status, text)] = talk(prompt())
    answer = json.loads(text)
    assert (status, answer["choices"][0]["text"], answer["choices"][0]["finish_reason"]) == (
        200,
        "the ",
        "length",
    )
    assert (answer["usage"]["prompt_tokens"], answer["usage"]["completion_tokens"]) == (5, 4)


def test_stream_has_one_event_a_token_then_usage_then_done() -> None:
    [(_, text)] = talk(prompt(stream=True, stream_options={"include_usage": True}))
    *tokens, usage, done = events(text)
    assert [json.loads(token)["choices"][0]["text"] for token in tokens] == list("the ")
    assert (json.loads(usage)["usage"]["completion_tokens"], done) == (4, "[DONE]")


def test_a_conversation_finds_its_own_prefix() -> None:
    first = [{"role": "user", "content": "a" * 100}]
    second = [*first, {"role": "assistant", "content": "the "}, {"role": "user", "content": "b"}]
    chat = [("/v1/chat/completions", {"messages": one, "max_tokens": 4}) for one in (first, second)]
    answers = [json.loads(text)["usage"] for _, text in talk(*chat, prefixes=Prefixes())]
    cached = [usage["prompt_tokens_details"]["cached_tokens"] for usage in answers]
    assert cached == [0, 96]


def test_a_question_is_answered_and_stop_is_obeyed() -> None:
    asked = {
        "prompt": "Question: Jo has 5 cups. She buys 2 more.\nAnswer:",
        "max_tokens": 90,
        "stop": ["####"],
    }
    [(_, text)] = talk(("/v1/completions", asked))
    choice = json.loads(text)["choices"][0]
    assert (choice["text"], choice["finish_reason"]) == (" Going step by step, the result is 7.\n", "stop")


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("/health", {}, 200),
        ("/v1/models", {}, 200),
        ("/nothing", {}, 404),
        ("/v1/completions", b"{", 400),
        ("/v1/completions", b"[]", 400),
        ("/v1/completions", {"prompt": ""}, 400),
        ("/v1/completions", {"prompt": "x", "max_tokens": 500}, 400),
        ("/v1/completions", {"prompt": "x", "model": "other"}, 404),
    ],
)
def test_statuses(path: str, body: Any, status: int) -> None:
    assert talk((path, body))[0][0] == status


def test_faults_do_what_they_say() -> None:
    [(_, broken)] = talk(prompt(stream=True), malformed=True)
    with pytest.raises(json.JSONDecodeError):
        json.loads(events(broken)[2])
    [(_, empty)] = talk(prompt(stream=True), zero_tokens=True)
    assert events(empty) == ["[DONE]"]
    with pytest.raises(TimeoutError):
        asyncio.run(asyncio.wait_for(hanging(), 0.1))


async def hanging() -> None:
    engine = Engine(faults=Faults(hang_at=1))
    app = App(engine, model="m", accuracy=1.0, max_model_len=500, load_s=0, prefixes=None)
    task = asyncio.create_task(engine.run())
    try:
        await ask(app, *prompt())
    finally:
        task.cancel()


def test_faults_are_read_from_one_word() -> None:
    assert faults("hang-at=4,malformed") == Faults(hang_at=4, malformed=True)
    assert faults("") == Faults()
    with pytest.raises(TypeError):
        faults("catches-fire")
