"""Drivers: from a job's start to its engine's start, and from its clients' end until nothing is left."""

import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from infx.bench.ready import probe
from infx.cluster import Cluster, Driver, Limits, Slurm
from infx.launch import preflight
from infx.launch.base import Launch
from infx.launch.brake import Brake
from infx.launch.leftovers import MARK
from infx.launch.registry import DRIVERS
from infx.launch.stages import serving
from tests.launch import cluster, dockerd, engines, image

ROUNDS = 5
STARTED = 'printf "%s" "$EPOCHREALTIME" > "$INFX_CELL/started"\n'
LIMITS_S: dict[Driver, tuple[float, float]] = {"local": (1.0, 2.0), "docker": (3.0, 4.0), "slurm": (3.0, 4.0)}
"""Driver → most seconds until the engine's script runs, and until all is gone."""


def bench() -> None:
    """Print the medians and the worst of each driver that can be started here, beside their limits."""
    for name, (start, gone) in LIMITS_S.items():
        with GROUND[name]() as env:
            if env is None:
                continue
            taken = [once(name, env) for _ in range(ROUNDS)]
        for what, limit, seconds in zip(
            ("start", "clean-up"), (start, gone), zip(*taken, strict=True), strict=True
        ):
            middle, worst = statistics.median(seconds), max(seconds)
            verdict = "ok" if middle < limit else "MISSED"
            print(f"{name} {what}: {middle:.2f} s, worst {worst:.2f} s, limit {limit:g} s: {verdict}")


def once(name: Driver, env: dict[str, str]) -> tuple[float, float]:
    """Seconds until the engine's script runs, and from its clients' end until nothing is left."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        out = root / "out" / "bmk_x"
        out.mkdir(parents=True)
        (root / "engine.sh").write_text(engines.engine(load=0, before=STARTED))
        launch = Launch(
            root=root,
            script="engine.sh",
            machine={**env, MARK: str(out)},
            env={},
            out=out,
            port=0,
            limits=Limits(ready=60),
            image=image.NAME,
            slurm=Slurm(options=["--mem=400"]),
        )
        driver = DRIVERS[name](launch, Brake(), lambda _: None)
        begin = time.time()
        preflight.check(root, Cluster(driver=name, min_free_gib=0), env=env, out=out.parent)
        with serving(driver, lambda url: probe(url, "m")):
            end = time.monotonic()
        gone = time.monotonic() - end
        return float((out / "started").read_text()) - begin, gone


@contextmanager
def machine() -> Iterator[dict[str, str] | None]:
    yield {"PATH": os.environ["PATH"]}


@contextmanager
def container_engine() -> Iterator[dict[str, str] | None]:
    if why := dockerd.absent():
        print(f"docker: left out, {why}")
        yield None
        return
    with dockerd.running() as engine:
        packed = image.pack(engine.folder / "image.tar")
        engine.tell("import", "--change=ENV PATH=/usr/bin", str(packed), image.NAME)
        packed.unlink()
        yield engine.env


@contextmanager
def nodes() -> Iterator[dict[str, str] | None]:
    if why := cluster.absent():
        print(f"slurm: left out, {why}")
        yield None
        return
    with cluster.running() as started:
        yield started.env


GROUND = {"local": machine, "docker": container_engine, "slurm": nodes}
