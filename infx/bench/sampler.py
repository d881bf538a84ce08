"""The power sampler: `python sampler.py OUT.csv PERIOD_S MARK` writes lines until it is ended.

First line: JSON with the boot id, the driver and, when there is nothing to sample, the problem. Second line:
names of the fields; then one line a GPU and period. `own` and `foreign` count processes on the GPU with and
without MARK in their environment, or in that of a process above them; those that were there before the first
sample are foreign. Each line is written at once: ending this program loses nothing.
"""

import json
import signal
import sys
import time
from pathlib import Path
from types import FrameType
from typing import Any, TextIO

BOOT = Path("/proc/sys/kernel/random/boot_id")
NAMES = "unix_s,steady_s,gpu,power_w,energy_j,own,foreign\n"
INSTANT = 186
"""NVML's field of the instant power, in milliwatts; `nvmlDeviceGetPowerUsage` may be a mean of a second."""
LOOK_S = 1.0
"""Seconds between two looks at the processes; they come and go slowly."""


class Gpu:
    """One device."""

    def __init__(self, nvml: Any, index: int, mark: bytes) -> None:
        self.nvml, self.mark = nvml, mark
        self.handle = nvml.nvmlDeviceGetHandleByIndex(index)
        self.name = str(nvml.nvmlDeviceGetUUID(self.handle))
        self.before = self.running()
        self.own = self.foreign = 0
        self.looked = -LOOK_S

    def running(self) -> set[int]:
        try:
            return {int(one.pid) for one in self.nvml.nvmlDeviceGetComputeRunningProcesses(self.handle)}
        except self.nvml.NVMLError:
            return set()

    def look(self, now: float) -> None:
        """Count processes, at most once a second."""
        if now - self.looked < LOOK_S:
            return
        self.looked, alive = now, self.running()
        others = {pid for pid in alive if pid in self.before or not marked(pid, self.mark)}
        self.own, self.foreign = len(alive) - len(others), len(others)

    def watts(self) -> str:
        try:
            (field,) = self.nvml.nvmlDeviceGetFieldValues(self.handle, [INSTANT])
            if field.nvmlReturn == 0:
                return f"{field.value.uiVal / 1e3:.3f}"
            return f"{self.nvml.nvmlDeviceGetPowerUsage(self.handle) / 1e3:.3f}"
        except self.nvml.NVMLError:
            return "N/A"

    def joules(self) -> str:
        try:
            return f"{self.nvml.nvmlDeviceGetTotalEnergyConsumption(self.handle) / 1e3:.3f}"
        except self.nvml.NVMLError:
            return "N/A"

    def line(self) -> str:
        at, steady = time.time(), time.monotonic()
        self.look(steady)
        values = f"{self.watts()},{self.joules()},{self.own},{self.foreign}"
        return f"{at:.6f},{steady:.6f},{self.name},{values}\n"


def marked(pid: int, mark: bytes) -> bool:
    """Whether a process or one above it carries the mark: engines write titles over their own environment.
    One that nobody may look into is given the benefit."""
    while pid > 1:
        folder = Path("/proc") / str(pid)
        try:
            if mark in (folder / "environ").read_bytes().split(b"\0"):
                return True
            pid = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            return True
    return False


def begin(out: TextIO, mark: bytes) -> list[Gpu]:
    """Write the head; the devices, none when there is no driver."""
    head: dict[str, str] = {"boot": BOOT.read_text().strip() if BOOT.exists() else ""}
    gpus: list[Gpu] = []
    try:
        import pynvml as nvml  # type: ignore[import-untyped]

        nvml.nvmlInit()
        head["driver"] = str(nvml.nvmlSystemGetDriverVersion())
        gpus = [Gpu(nvml, index, mark) for index in range(nvml.nvmlDeviceGetCount())]
    except ImportError:
        head["problem"] = "the library nvidia-ml-py is not installed"
    except nvml.NVMLError as error:
        head["problem"] = str(error)
    out.write(json.dumps(head) + "\n" + NAMES)
    return gpus


def stop(_: int, __: FrameType | None) -> None:
    sys.exit(0)


def main(argv: list[str]) -> None:
    signal.signal(signal.SIGTERM, stop)
    period = float(argv[1])
    with Path(argv[0]).open("w", buffering=1) as out:
        gpus = begin(out, argv[2].encode())
        due = time.monotonic()
        while gpus:
            for gpu in gpus:
                out.write(gpu.line())
            due = max(due + period, time.monotonic())
            time.sleep(max(0.0, due - time.monotonic()))


if __name__ == "__main__":
    main(sys.argv[1:])
