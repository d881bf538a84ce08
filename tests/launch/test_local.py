import os
import socket
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest

from infx import cluster
from infx.bench.ready import probe
from infx.cluster import Cluster, Limits
from infx.launch.base import Launch
from infx.launch.brake import Brake
from infx.launch.leftovers import MARK
from infx.launch.local import Local
from infx.launch.registry import DRIVERS, driver_of
from infx.reason import Reason, Stopped
from infx.record import Outcome
from tests.launch import engines

ENGINE = """exec python3 - "$PORT" <<'END'
import http.server, json, sys, time
begin = time.monotonic()
class Face(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def do_POST(self):
        ready = time.monotonic() - begin > 0.3
        answer = {"model": "m", "choices": [{"text": ""}], "usage": {"completion_tokens": int(ready)}}
        data = json.dumps(answer).encode()
        self.send_response(200); self.send_header("content-length", str(len(data))); self.end_headers()
        self.wfile.write(data)
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Face).serve_forever()
END
"""
"""Answers 200 at once, and tokens only 0.3 s later."""


@pytest.fixture
def driver(tmp_path: Path) -> Callable[..., Local]:
    def make(engine: str, *, port: int = 0, ready: float = 5.0, brake: Brake | None = None) -> Local:
        (tmp_path / "engine.sh").write_text(engine)
        launch = Launch(
            root=tmp_path,
            script="engine.sh",
            machine={"PATH": os.environ["PATH"]},
            env={},
            out=tmp_path,
            port=port,
            limits=Limits(ready=ready, client=0.6, grace=0.2),
        )
        return Local(launch, brake or Brake(), lambda _: None)

    return make


def stopped(driver: Local, act: Callable[[], object]) -> Stopped:
    with pytest.raises(Stopped) as stop:
        act()
    driver.stop()
    driver.stop()
    driver.clean_up()
    return stop.value


def begin(driver: Local) -> None:
    driver.prepare()
    driver.start()
    driver.wait_ready(lambda: probe(driver.url, "m"))


def test_200_without_a_token_is_not_ready(driver: Callable[..., Local]) -> None:
    engine, start = driver(ENGINE), time.monotonic()
    begin(engine)
    assert time.monotonic() - start > 0.3
    engine.stop()
    assert engine.exit_code() is not None


@pytest.mark.parametrize(
    ("script", "reason", "detail"),
    [
        (
            "echo no memory left >&2; exit 3",
            Reason.ENGINE_DIED_LOADING,
            "exit 3 before it was ready: no memory left",
        ),
        ("sleep 60", Reason.ENGINE_NOT_READY, "no token within 0.3 s"),
    ],
)
def test_an_engine_that_never_serves(
    driver: Callable[..., Local], script: str, reason: Reason, detail: str
) -> None:
    engine = driver(script, ready=0.3 if "sleep" in script else 5.0)
    stop = stopped(engine, lambda: begin(engine))
    assert (stop.reason, stop.detail) == (reason, detail)


def test_a_missing_script_is_named(driver: Callable[..., Local]) -> None:
    engine = driver("")
    (engine.launch.root / "engine.sh").unlink()
    assert stopped(engine, engine.prepare).reason == Reason.SCRIPT_MISSING


def test_a_taken_port_is_named(driver: Callable[..., Local]) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        engine = driver("", port=other.getsockname()[1])
        assert stopped(engine, engine.prepare).reason == Reason.PORT_TAKEN


@pytest.mark.parametrize(
    ("engine", "client", "reason"),
    [
        ("sleep 60", "exit 5", Reason.CLIENT_FAILED),
        ("sleep 60", "sleep 60", Reason.TIME_LIMIT),
        ("sleep 0.1; exit 9", "sleep 60", Reason.ENGINE_DIED),
    ],
)
def test_how_a_client_run_can_end(
    driver: Callable[..., Local], engine: str, client: str, reason: Reason
) -> None:
    one = driver(engine)
    one.prepare()
    one.start()
    env, log = {"PATH": os.environ["PATH"]}, one.launch.out / "client.log"
    stop = stopped(
        one, lambda: one.run_client(["bash", "-c", client], env=env, log=log, progress=lambda: "running")
    )
    assert stop.reason == reason


def test_a_pulled_brake_ends_client_and_engine(driver: Callable[..., Local]) -> None:
    brake = Brake()
    one = driver("sleep 60", brake=brake)
    one.prepare()
    one.start()
    brake.pull("SIGTERM")
    env = {"PATH": os.environ["PATH"]}
    stop = stopped(
        one,
        lambda: one.run_client(["sleep", "60"], env=env, log=one.launch.out / "c.log", progress=lambda: ""),
    )
    assert stop.reason == Reason.CANCELLED
    assert one.exit_code() is not None


@pytest.mark.parametrize("name", get_args(cluster.Driver))
def test_every_driver_that_a_record_may_name_is_built(name: cluster.Driver) -> None:
    assert driver_of(Cluster(driver=name)) is DRIVERS[name]


@pytest.mark.parametrize("name", engines.ENDS)
def test_how_a_cell_can_end(driver: Callable[..., Local], name: str) -> None:
    end, env = engines.ENDS[name], {"PATH": os.environ["PATH"]}
    one = driver(end.engine, ready=1.0 if name == "never-ready" else 10.0)
    one.launch = replace(one.launch, machine={**env, MARK: str(one.launch.out)})
    one.launch = replace(
        one.launch, limits=replace(one.launch.limits, client=1.0 if name == "client-hangs" else 20)
    )
    engines.check(engines.run(one, end, env=env), end)
    engines.check_gone(one.launch.out)


@pytest.mark.parametrize("seconds", [-3600.0, 0.6])
def test_a_clock_that_is_set_spoils_the_measurement(
    driver: Callable[..., Local], monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    one, real, env = driver(engines.engine(load=0)), time.time, {"PATH": os.environ["PATH"]}
    one.launch = replace(one.launch, limits=Limits(client=20))

    def set_clock() -> None:
        begin = real()
        monkeypatch.setattr(time, "time", lambda: real() + (seconds if real() > begin + 0.2 else 0))

    stop = engines.stopped(one, set_clock, "sleep 0.5", env=env)
    assert (stop.reason, stop.outcome) == (Reason.CLOCK_JUMPED, Outcome.INVALID)
    assert f"{seconds:+.1f} s" in stop.detail


def test_clean_up_that_fails_hides_nothing(
    driver: Callable[..., Local], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, env = driver(engines.engine(load=0)), {"PATH": os.environ["PATH"]}
    said: list[str] = []
    one.note = said.append

    def fail() -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr(one, "collect", fail)
    stop = engines.stopped(one, lambda: None, "exit 5", env=env)
    assert stop.reason == Reason.CLIENT_FAILED
    assert "collect: [Errno 30] Read-only file system" in said
    engines.check_gone(one.launch.out)


def test_a_long_log_keeps_its_end(driver: Callable[..., Local], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("infx.launch.base.LOG_LIMIT", 10)
    engine = driver("")
    engine.log.write_text("0123456789 the end.")
    engine.collect()
    assert engine.log.read_text() == " the end."[-10:].rjust(10, "9")
