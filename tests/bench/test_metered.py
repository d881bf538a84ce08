"""Power beside a cell: the sampler sees the whole load, and ends before the driver takes what is marked."""

import os
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from infx.bench import cell, sampler
from infx.cluster import Limits
from infx.launch.base import Launch
from infx.launch.brake import Brake
from infx.launch.leftovers import MARK
from infx.launch.local import Local
from infx.power import Trace
from infx.reason import Stopped
from tests.launch import engines

pytestmark = pytest.mark.process
SAMPLER = """
import os, signal, sys
path = sys.argv[1]
def end(*_):
    open(path, "a").write("1.0,2.0,GPU-a,500,7,1,0\\n")
    sys.exit()
signal.signal(signal.SIGTERM, end)
open(path, "w").write('{"boot": "b"}\\nnames\\n')
print(os.environ["TMPDIR"], flush=True)
while True:
    signal.pause()
"""
"""Its last sample is written when it is asked to end, and not when it is killed."""
SEEN = "until [ -s out/power.log ]; do sleep 0.02; done\n"
"""The engine goes on once the sampler has begun."""


@dataclass(frozen=True)
class Load:
    power: Trace | None = None
    boot: str = ""


def measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> tuple[Path, Any]:
    """The scratch folder of the sampler, and what `measure` gave or raised."""
    out = tmp_path / "out"
    out.mkdir()
    (tmp_path / "engine.sh").write_text(script)
    (tmp_path / "sampler.py").write_text(SAMPLER)
    monkeypatch.setattr(sampler, "__file__", str(tmp_path / "sampler.py"))
    launch = Launch(
        root=tmp_path,
        script="engine.sh",
        machine={**os.environ, MARK: str(out)},
        env={},
        out=out,
        port=0,
        limits=Limits(),
    )
    driver = Local(launch, Brake(), lambda line: None)
    monkeypatch.setattr(cell, "client", lambda *_: None)
    monkeypatch.setattr(cell, "ready", lambda _: None)
    monkeypatch.setattr(cell, "launch", lambda _: launch)
    monkeypatch.setattr(cell, "made", lambda *_: driver)
    monkeypatch.setattr(cell, "drive", lambda *_: [Load()])
    one: Any = SimpleNamespace(
        point=SimpleNamespace(mode="throughput", concurrencies=(4,)),
        cluster=SimpleNamespace(power=True),
        env={**os.environ},
        root=tmp_path,
        out=out,
        model="m",
        note=lambda line: None,
    )
    found: Any
    try:
        found = cell.measure(one, driver.brake)
    except Stopped as stop:
        found = stop
    return Path((out / "power.log").read_text().split("\n")[0]), found


def test_the_sampler_ends_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch, [load] = measured(tmp_path, monkeypatch, engines.engine(before=SEEN))
    assert [one.watts for one in load.power.gpus["GPU-a"]] == [500]
    assert not scratch.exists()


def test_a_cell_without_load_leaves_no_sampler(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scratch, stop = measured(tmp_path, monkeypatch, SEEN + "exit 3\n")
    assert "exit 3" in str(stop)
    assert not scratch.exists()
