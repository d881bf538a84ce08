"""A container engine of the tests' own: state, socket and settings in one folder, gone afterwards."""

import contextlib
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from infx.launch.guard import descendants
from tests import packages

PROGRAMS = {"dockerd": "docker.io", "docker": "docker.io", "docker-registry": "docker-registry"}
START_S = 60.0


def absent() -> str:
    """Why no engine can be started here; empty when one can."""
    return packages.rooted() or packages.missing(PROGRAMS)


def storage() -> str:
    """How layers are kept: by the kernel, or where it cannot, by copies."""
    return "overlay2" if "overlay" in Path("/proc/filesystems").read_text() else "vfs"


class Dockerd:
    """One `dockerd` without bridge and firewall rules; containers use the machine's own network."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env = {
            "PATH": packages.PLACES,
            "DOCKER_HOST": f"unix://{folder}/socket",
            "DOCKER_CONFIG": str(folder / "client"),
            "HOME": str(folder),
        }
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        (self.folder / "daemon.json").write_text("{}")
        words = [
            *("--iptables=false", "--ip6tables=false", "--bridge=none", f"--storage-driver={storage()}"),
            *(f"--data-root={self.folder}/data", f"--exec-root={self.folder}/exec"),
            *(f"--pidfile={self.folder}/pid", f"--host=unix://{self.folder}/socket"),
            f"--config-file={self.folder}/daemon.json",
        ]
        with (self.folder / "log").open("ab") as log:
            argv = [packages.program("dockerd"), *words]
            self.process = subprocess.Popen(
                argv, env={**self.env}, stdout=log, stderr=log, start_new_session=True
            )
        until(lambda: self.ask("version").returncode == 0, START_S, lambda: (self.folder / "log").read_text())

    def stop(self) -> None:
        if self.process:
            self.process.terminate()
            self.process.wait(timeout=30)
            self.process = None

    def crash(self) -> None:
        """As when power is lost: daemons, shims and containers are gone at once."""
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None
        self.end_orphans()
        # Nobody may have waited for the dead yet, so their numbers would still seem alive.
        for name in ("pid", "exec/containerd/containerd.pid"):
            (self.folder / name).unlink()

    def end_orphans(self) -> None:
        """Daemons and shims name this folder; containers are below them."""
        for place in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                if str(self.folder).encode() in place.read_bytes():
                    pid = int(place.parent.name)
                    for one in (pid, *descendants(pid)):
                        os.kill(one, signal.SIGKILL)

    def ask(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            ["docker", *words], env=self.env, capture_output=True, text=True, check=False, timeout=120
        )

    def tell(self, *words: str) -> str:
        done = self.ask(*words)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    @property
    def containers(self) -> list[str]:
        return self.tell("ps", "--all", "--format={{.Names}}").split()


def until(done: Callable[[], bool], limit_s: float, why: Callable[[], str] = lambda: "") -> None:
    end = time.monotonic() + limit_s
    while not done():
        assert time.monotonic() < end, f"it did not come to that in time: {why()[-2000:]}"
        time.sleep(0.05)


def unmount(folder: Path) -> None:
    """Name spaces and data stay mounted below an engine's folder."""
    mounts = [line.split()[1] for line in Path("/proc/mounts").read_text().splitlines()]
    for mount in mounts:
        if mount.startswith(f"{folder}/"):
            subprocess.run(["umount", "--lazy", mount], check=True)


@contextmanager
def running() -> Iterator[Dockerd]:
    """A socket's path may have 107 characters, so the folder is not pytest's."""
    folder = Path(tempfile.mkdtemp(prefix="infx-docker-"))
    folder.chmod(0o711)
    engine = Dockerd(folder)
    try:
        engine.start()
        yield engine
    finally:
        for name in engine.ask("ps", "--all", "--format={{.Names}}").stdout.split():
            engine.ask("rm", "--force", name)
        engine.stop()
        engine.end_orphans()
        unmount(folder)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def registry(folder: Path, port: int) -> Iterator[str]:
    """A registry at 127.0.0.1, which engines trust without certificates; its address."""
    settings = folder / "registry.yml"
    settings.write_text(
        f"version: 0.1\nstorage: {{filesystem: {{rootdirectory: {folder}/registry}}}}\n"
        f"http: {{addr: 127.0.0.1:{port}}}\nlog: {{level: error}}\n"
    )
    with (folder / "registry.log").open("wb") as log:
        process = subprocess.Popen(
            ["docker-registry", "serve", str(settings)],
            stdout=log,
            stderr=log,
            env={**os.environ, "OTEL_TRACES_EXPORTER": "none"},
        )
    try:
        yield f"127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait()
