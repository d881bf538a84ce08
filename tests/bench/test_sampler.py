"""The sampler without a GPU: a driver in memory stands in for NVML, processes are real."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from infx.bench import sampler
from infx.bench.power import Sampler
from infx.launch.leftovers import MARK
from infx.read.power import trace

pytestmark = pytest.mark.process


class Nvml:
    """One H200 under load."""

    class NVMLError(Exception):
        pass

    def __init__(self) -> None:
        self.pids: list[int] = []
        self.silent = False

    def nvmlDeviceGetHandleByIndex(self, index: int) -> int:
        return index

    def nvmlDeviceGetUUID(self, handle: int) -> str:
        return "GPU-a"

    def nvmlDeviceGetComputeRunningProcesses(self, handle: int) -> list[Any]:
        return [SimpleNamespace(pid=pid) for pid in self.pids]

    def nvmlDeviceGetFieldValues(self, handle: int, wanted: list[int]) -> list[Any]:
        if self.silent:
            raise self.NVMLError
        assert wanted == [186]
        return [SimpleNamespace(nvmlReturn=0, value=SimpleNamespace(uiVal=671_250))]

    def nvmlDeviceGetTotalEnergyConsumption(self, handle: int) -> int:
        if self.silent:
            raise self.NVMLError
        return 12_345


@pytest.fixture
def running() -> Iterator[Any]:
    """Starts a shell that sleeps in a child, with the given mark; the child's process id."""
    started: list[subprocess.Popen[str]] = []

    def start(mark: str) -> int:
        argv = ["env", "-u", MARK, "sh", "-c", "env -i sleep 60 & echo $!; wait"]
        argv = argv if not mark else ["env", f"{MARK}={mark}", *argv[3:]]
        started.append(subprocess.Popen(argv, stdout=subprocess.PIPE, text=True))
        out = started[-1].stdout
        assert out is not None
        return int(out.readline())

    yield start
    for process in started:
        subprocess.run(["pkill", "-P", str(process.pid)], check=False)
        process.kill()
        process.communicate()


def line(gpu: sampler.Gpu) -> list[str]:
    return gpu.line().strip().split(",")


def test_a_line_has_watts_joules_and_whose_processes_run(running: Any) -> None:
    nvml = Nvml()
    gpu = sampler.Gpu(nvml, 0, f"{MARK}=/cell".encode())
    nvml.pids = [running("/cell"), running("/other"), running("")]
    assert line(gpu)[2:] == ["GPU-a", "671.250", "12.345", "1", "2"]


def test_who_was_there_before_is_foreign(running: Any) -> None:
    nvml = Nvml()
    nvml.pids = [running("/cell")]
    gpu = sampler.Gpu(nvml, 0, f"{MARK}=/cell".encode())
    assert line(gpu)[-2:] == ["0", "1"]


def test_a_silent_driver_says_so() -> None:
    nvml = Nvml()
    gpu = sampler.Gpu(nvml, 0, b"")
    nvml.silent = True
    assert line(gpu)[3:5] == ["N/A", "N/A"]


def test_a_machine_without_a_driver_leaves_a_trace_that_says_why(tmp_path: Path) -> None:
    """The real program under the real guard: on a machine without a GPU it ends by itself."""
    seen = Sampler(tmp_path, {**os.environ, MARK: str(tmp_path)}).stop()
    if seen.gpus:
        pytest.skip("this machine has a GPU")
    assert seen.problem
    assert seen.boot == sampler.BOOT.read_text().strip()


def test_what_a_killed_sampler_wrote_can_be_read(tmp_path: Path) -> None:
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]);"
        "from tests.bench.test_sampler import Nvml; from infx.bench import sampler;"
        "sampler.begin = lambda out, mark: "
        "(out.write('{}\\n' + sampler.NAMES), [sampler.Gpu(Nvml(), 0, mark)])[1];"
        "sampler.main([sys.argv[2], '0.01', 'x'])"
    )
    root, out = Path(__file__).parents[2], tmp_path / "power.csv"
    process = subprocess.Popen([sys.executable, "-c", code, str(root), str(out)])
    try:
        while not out.exists() or out.read_text().count("\n") < 10:
            assert process.poll() is None
    finally:
        process.kill()
        process.wait()
    assert len(trace(out.read_text()).gpus["GPU-a"]) >= 7
