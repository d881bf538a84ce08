"""The protocol of drivers: prepare, start, wait ready, run client, stop, collect, clean up.

Each stage has a time limit (`Limits`) and writes to a log beside the results. What all drivers share is here;
a driver says how the engine is started, looked at and ended. `stages.serving` calls them in their order.
"""

import contextlib
import os
import shutil
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from infx.cluster import Container, Limits, Slurm
from infx.edge import files
from infx.launch import sockets
from infx.launch.brake import Brake
from infx.launch.member import Member, nodes, on_node
from infx.launch.process import Guarded, tail
from infx.reason import Reason, Stopped

Note = Callable[[str], None]
PROGRESS_S = 5.0
"""Seconds between two progress lines while a client runs."""
LOG_LIMIT = 16 * 1024 * 1024
"""Bytes of one log that go into an artifact."""
FULL, FULL_BYTES = "No space left on device", 1 << 20
"""Words of whoever met a full disk, and the free bytes below which a disk is full."""
KILLED = 137
"""Exit code of a program that the kernel, or somebody, killed."""
JUMP_S = 0.5
"""Seconds by which the clock may be set while a client measures."""


@dataclass(frozen=True, kw_only=True)
class Launch:
    """What a driver starts."""

    root: Path
    """Checkout; working folder of the engine script."""
    script: str
    """Path of the script inside the checkout."""
    machine: Mapping[str, str]
    """The runner's own environment, with the mark of the cell."""
    env: Mapping[str, str]
    """What the contract of scripts adds to it, PORT and LISTEN left out."""
    out: Path
    """Folder of the point's results and logs."""
    port: int
    """Wanted port; 0 takes a free one."""
    limits: Limits
    image: str = ""
    """Container image, as it is known on the nodes."""
    gpus: int = 1
    """GPUs that the point holds, on all nodes together."""
    runs: int = 1
    """Clients that run one after the other."""
    model_path: str = ""
    """Staged checkpoint; empty when the engine fetches it itself."""
    member: str = ""
    """Name of what is started, when it is one of several; its log is named so, else `engine.log`."""
    members: Sequence[Member] = ()
    """Engines and frontend of a point that needs several processes, in place of `script`."""
    container: Container = field(default_factory=Container)
    slurm: Slurm = field(default_factory=Slurm)

    @property
    def nodes(self) -> int:
        """Whole nodes that the point's GPUs need on a cluster."""
        if self.members:
            return nodes(self.members, self.slurm.gpus_per_node)
        return max(1, -(-self.gpus // self.slurm.gpus_per_node))

    @property
    def gpus_on_node(self) -> int:
        """GPUs to ask for on each of them."""
        if self.members:
            return on_node(self.members, self.slurm.gpus_per_node)
        return -(-self.gpus // self.nodes)


class Driver(ABC):
    """One engine, from nothing to nothing. `stop` and `clean_up` may be called at any stage, and twice."""

    def __init__(self, launch: Launch, brake: Brake, note: Note) -> None:
        self.launch, self.brake, self.note = launch, brake, note
        self.log = launch.out / f"{launch.member or 'engine'}.log"
        self.faces: dict[str, frozenset[str]] = {}

    @property
    @abstractmethod
    def port(self) -> int:
        """Port on which the engine serves, once it is known."""

    @property
    def ports(self) -> dict[str, int]:
        """What people call each port on which something of the point listens → the port."""
        return {f"port {self.port}": self.port}

    @abstractmethod
    def prepare(self) -> None:
        """Check what the engine needs. Stopped with the reason when something is missing."""

    @abstractmethod
    def start(self) -> None:
        """Start the engine; returns at once."""

    def wait_started(self) -> None:
        """Until the engine has a place to run. Stopped when it gets none; only a queue can say so."""
        return

    @property
    @abstractmethod
    def url(self) -> str:
        """Address of the engine's HTTP interface."""

    @abstractmethod
    def exit_code(self) -> int | None:
        """Exit code of the engine, None while it runs."""

    def pending(self) -> str:
        """Members that are not ready yet, when there are several; empty when all are."""
        return ""

    @abstractmethod
    def last_words(self) -> str:
        """Last line that the engine wrote."""

    @abstractmethod
    def stop(self) -> None:
        """End the engine and everything it started."""

    def tables(self) -> str:
        """The socket tables (`sockets.TABLES`) of the machine on which the engine listens."""
        found = []
        for name in sockets.TABLES:
            with contextlib.suppress(OSError):
                found.append(Path(name).read_text())
        return "".join(found)

    def doors(self) -> dict[str, frozenset[str]]:
        """Who listens on each port; empty when nobody can tell."""
        tables = self.tables()
        return {name: sockets.listeners(tables, port) for name, port in self.ports.items()} if tables else {}

    def death(self, code: int, *, loading: bool) -> Stopped:
        """Why the engine is gone."""
        reason = Reason.ENGINE_DIED_LOADING if loading else Reason.ENGINE_DIED
        words = self.last_words()
        detail = f"exit {code} {'before it was ready' if loading else 'while serving'}"
        detail += " (killed; was memory short?)" if code == KILLED else ""
        detail += f": {words}" if words else ""
        return Stopped(Reason.DISK_FULL if self.full(self.log) else reason, detail)

    def full(self, log: Path) -> bool:
        """Whether the disk of the results is full, or who wrote `log` met a full one."""
        return shutil.disk_usage(self.launch.out).free < FULL_BYTES or FULL in tail(log)

    def silence(self) -> Stopped | None:
        """After a client failed or hung: why the engine cannot be reached, when the driver knows."""
        return None

    def say(self, text: str) -> None:
        """One line into the driver's log. A full disk does not stop clean-up."""
        who = f"{self.launch.member}: " if self.launch.member else ""
        with contextlib.suppress(OSError), (self.launch.out / "driver.log").open("a") as file:
            file.write(f"{time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime())} {who}{text}\n")

    def collect(self) -> None:
        """Bring logs into the results folder, bounded: of a longer one the end is kept."""
        for log in self.launch.out.glob("*.log"):
            if log.stat().st_size > LOG_LIMIT:
                with log.open("rb") as file:
                    file.seek(-LOG_LIMIT, os.SEEK_END)
                    files.write_bytes(log, file.read())

    @abstractmethod
    def clean_up(self) -> None:
        """Leave nothing behind on the machine."""

    def wait_ready(self, probe: Callable[[], bool]) -> None:
        """Until `probe` saw a real token. Stopped when the engine ends first or the limit is over."""
        begin = time.monotonic()

        def settled() -> bool:
            return self.exit_code() is not None or (not self.pending() and probe())

        if not self.brake.wait(settled, limit_s=self.launch.limits.ready):
            waiting = f" ({waiting} not ready)" if (waiting := self.pending()) else ""
            raise Stopped(Reason.ENGINE_NOT_READY, f"no token within {self.launch.limits.ready:g} s{waiting}")
        if (code := self.exit_code()) is not None:
            raise self.death(code, loading=True)
        self.faces = self.doors()
        self.note(f"engine ready after {time.monotonic() - begin:.1f} s")

    def run_client(
        self, argv: Sequence[str], *, env: Mapping[str, str], log: Path, progress: Callable[[], str]
    ) -> None:
        """Run a client to its end. Stopped when it fails, the engine ends, or the limit is over."""
        client = Guarded(argv, cwd=self.launch.out, env=env, log=log, grace_s=self.launch.limits.grace)
        said, begin, clock = time.monotonic(), time.monotonic(), offset()

        def settled() -> bool:
            nonlocal said
            if time.monotonic() - said >= PROGRESS_S:
                said = time.monotonic()
                self.note(f"{progress()} after {said - begin:.0f} s")
            return client.code() is not None or self.exit_code() is not None

        try:
            in_time = self.brake.wait(settled, limit_s=self.launch.limits.client)
            dead = self.exit_code()
        finally:
            code = client.stop()
        if dead is not None:
            raise self.death(dead, loading=False)
        if not in_time:
            limit = f"the client took longer than {self.launch.limits.client:g} s"
            raise self.silence() or Stopped(Reason.TIME_LIMIT, limit)
        self.check_steady(clock)
        if code != 0:
            lost = self.silence()
            reason = Reason.DISK_FULL if self.full(log) else Reason.CLIENT_FAILED
            raise lost or Stopped(reason, f"exit {code}: {client.last_line()}")

    def check_steady(self, clock: float) -> None:
        """Stopped when since `clock` (an `offset`) the engine restarted or the clock was set."""
        now = self.doors() if self.faces else {}
        if now and (changed := [port for port, faces in self.faces.items() if faces - now[port]]):
            raise Stopped(Reason.ENGINE_RESTARTED, f"another server listens on {changed[0]} than before")
        jump = offset() - clock
        if abs(jump) > JUMP_S:
            raise Stopped(Reason.CLOCK_JUMPED, f"the clock was set by {jump:+.1f} s during the measurement")


def offset() -> float:
    """Seconds from the clock that nobody can set to the one that shows the time."""
    return time.time() - time.monotonic()
