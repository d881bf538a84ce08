from collections.abc import Callable

import pytest

from infx.edge.registry import MOST, Look, Registry
from tests.edge.server import Asked, Reply, Server

PATH = "HEAD /v2/acme/engine/manifests/1"


def look(server: Server, text: str = "reg.test/acme/engine:1") -> Look:
    return Registry(addresses={"reg.test": server.url}).look([text])[text]


def guarded(server: Server, status: int) -> Callable[[Asked], Reply]:
    def answer(asked: Asked) -> Reply:
        if asked.headers.get("authorization") == "Bearer t":
            return Reply(status)
        return Reply(
            401, None, {"WWW-Authenticate": f'Bearer realm="{server.url}/token",service="s",scope="x"'}
        )

    return answer


@pytest.mark.parametrize(
    ("status", "answer"), [(200, "there"), (404, "missing"), (403, "unknown"), (500, "unknown")]
)
def test_three_answers(server: Server, status: int, answer: str) -> None:
    server.routes[PATH] = Reply(status)
    assert look(server).answer == answer
    server.routes[PATH] = guarded(server, status)
    server.routes["GET /token"] = Reply(200, {"token": "t"})
    assert look(server).answer == answer
    assert next(one.query for one in server.asked if one.path == "/token") == {"service": "s", "scope": "x"}


def test_a_refused_token_is_no_proof_that_the_image_is_missing(server: Server) -> None:
    server.routes[PATH] = guarded(server, 200)
    found = look(server)
    assert (found.answer, "private" in found.why) == ("unknown", True)


@pytest.mark.parametrize("text", ["evil.test/acme/engine:1", "not an image"])
def test_hosts_that_policy_does_not_list_are_never_asked(server: Server, text: str) -> None:
    assert look(server, text).answer == "unknown"
    assert server.asked == []


def test_a_silent_host_is_asked_once_and_never_an_error() -> None:
    registry = Registry(addresses={"reg.test": "http://127.0.0.1:1"})
    names = [f"reg.test/a:{number}" for number in range(MOST + 1)]
    found = registry.look(names)
    assert {one.answer for one in found.values()} == {"unknown"}
    assert "did not answer" in found[names[1]].why
    assert found[names[MOST]].why == f"more than {MOST} images"
