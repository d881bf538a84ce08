"""Small engines for tests of drivers, and the ways in which a cell can end: the same ones for each driver."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from infx.bench.ready import probe
from infx.launch import claim
from infx.launch.base import Driver
from infx.launch.leftovers import marked as marked
from infx.launch.stages import serving
from infx.reason import Reason, Stopped

SERVER = """
import http.server, json, os, sys, threading, time
begin, load, life = time.monotonic(), float(sys.argv[2]), float(sys.argv[3])
class Face(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def do_POST(self):
        ready = time.monotonic() - begin > load
        answer = {"model": "m", "choices": [{"text": ""}], "usage": {"completion_tokens": int(ready)}}
        data = json.dumps(answer).encode()
        self.send_response(200); self.send_header("content-length", str(len(data))); self.end_headers()
        self.wfile.write(data)
if life:
    threading.Timer(life, os._exit, [9]).start()
class Server(http.server.ThreadingHTTPServer):
    allow_reuse_address = True
Server((os.environ["LISTEN"], int(sys.argv[1])), Face).serve_forever()
"""


def engine(*, load: float = 0.3, life: float = 0, again: bool = False, before: str = "") -> str:
    """A script: answers 200 at once and tokens after `load` s, dies after `life` s, and is restarted or not.

    Beside it runs a child that detached itself.
    """
    serve = f'python3 - "$PORT" {load} {life} <<"END"\n{SERVER}\nEND\n'
    detached = "setsid sleep 300 > /dev/null 2>&1 &\n"
    return before + detached + (f"while :; do\n{serve}done\n" if again else f"{serve}exit $?\n")


@dataclass(frozen=True, kw_only=True)
class End:
    """One way in which a cell ends without a result."""

    engine: str
    client: str = "exit 0"
    reason: Reason
    detail: str
    pull_at: str = ""
    """Stage in which the job is cancelled: `loading` or `serving`."""


ENDS = {
    "dies-loading": End(
        engine="echo no memory left >&2; exit 3",
        reason=Reason.ENGINE_DIED_LOADING,
        detail="exit 3 before it was ready: no memory left",
    ),
    "never-ready": End(engine=engine(load=300), reason=Reason.ENGINE_NOT_READY, detail="no token within"),
    "dies-serving": End(
        engine=engine(life=3),
        client="sleep 60",
        reason=Reason.ENGINE_DIED,
        detail="exit 9 while serving",
    ),
    "client-hangs": End(
        engine=engine(), client="sleep 60", reason=Reason.TIME_LIMIT, detail="the client took longer than"
    ),
    "client-fails": End(
        engine=engine(), client="echo oh >&2; exit 5", reason=Reason.CLIENT_FAILED, detail="exit 5: oh"
    ),
    "engine-disk-full": End(
        engine="echo weights > /dev/full || exit 4",
        reason=Reason.DISK_FULL,
        detail="No space left on device",
    ),
    "client-disk-full": End(
        engine=engine(),
        client="echo results > /dev/full",
        reason=Reason.DISK_FULL,
        detail="No space left on device",
    ),
    "server-restarts": End(
        engine=engine(load=0, life=2.5, again=True),
        client="sleep 4",
        reason=Reason.ENGINE_RESTARTED,
        detail="another server listens on port",
    ),
    "cancelled-loading": End(
        engine=engine(load=300), pull_at="loading", reason=Reason.CANCELLED, detail="SIGTERM"
    ),
    "cancelled-serving": End(
        engine=engine(), client="sleep 60", pull_at="serving", reason=Reason.CANCELLED, detail="SIGTERM"
    ),
}


def run(driver: Driver, end: End, *, env: Mapping[str, str]) -> Stopped:
    """A whole cell, from prepare to clean-up, that must end as `end` says."""

    def asked(url: str) -> bool:
        if end.pull_at == "loading":
            driver.brake.pull("SIGTERM")
        return probe(url, "m")

    def pull() -> None:
        if end.pull_at == "serving":
            driver.brake.pull("SIGTERM")

    return stopped(driver, pull, end.client, env=env, asked=asked)


def stopped(
    driver: Driver,
    act: Callable[[], object],
    script: str,
    *,
    env: Mapping[str, str],
    asked: Callable[[str], bool] = lambda url: probe(url, "m"),
) -> Stopped:
    """How a cell ends in which `act` happens while the engine serves, before the client `script` runs."""
    try:
        with serving(driver, asked):
            act()
            client(driver, script, env)
    except Stopped as stop:
        return stop
    pytest.fail("the cell had success")


def client(driver: Driver, script: str, env: Mapping[str, str]) -> None:
    log = driver.launch.out / "client.log"
    driver.run_client(["bash", "-c", script], env=env, log=log, progress=lambda: "running")


def check(stop: Stopped, end: End) -> None:
    assert stop.reason == end.reason, stop
    assert end.detail in stop.detail


def check_gone(out: Path) -> None:
    """No process, no claim; the logs are there."""
    assert marked(out) == []
    assert not (out / claim.FILE).exists()
    assert "clean up: done" in (out / "driver.log").read_text()


@contextmanager
def ready(driver: Driver) -> Iterator[None]:
    with serving(driver, lambda url: probe(url, "m")):
        yield


Make = Callable[..., Driver]
"""Makes a driver of an engine's script."""
