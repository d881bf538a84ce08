"""Preflight: is this runner fit for a cell? What an earlier job left is mended, or reported."""

import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from infx.cluster import Cluster
from infx.launch import claim, clock, docker, gpus, leftovers, owner, scheduler, scratch, slurm
from infx.reason import Reason, Stopped

GRACE_S = 5.0
GIB = 1 << 30
POISON = (Reason.RUNNER_UNCLEAN, Reason.DISK_FULL, Reason.GPU_MISSING, Reason.CLOCK_OFF)
"""Not a scheduler that does not answer: that is no fault of one machine."""
CLOCK_S = 0.5
"""How far a clock may be off: results are put in order by it, and energy needs as much."""
SHOWN = 3
"""Paths that one trouble names."""


class Kind(StrEnum):
    """What was found."""

    PROCESSES = "processes"
    CONTAINERS = "containers"
    JOBS = "jobs"
    OWNERS = "owners"
    SCRATCH = "scratch"
    DISK = "disk"
    GPUS = "gpus"
    LAUNCHER = "launcher"
    CLOCK = "clock"


@dataclass(frozen=True, kw_only=True)
class Trouble:
    """One thing that was not as it should be, mended or not."""

    kind: Kind
    what: str
    reason: Reason | None = None
    """Why no cell may start here; None when it was mended, or does not matter to a cell."""


def check(
    root: Path,
    cluster: Cluster,
    *,
    env: Mapping[str, str],
    out: Path | None = None,
    before_checkout: bool = False,
) -> list[Trouble]:
    """Look at the checkout `root` and the machine, and mend. `out` holds results of earlier cells. Files of
    other users matter before a checkout, which has to remove them."""
    limit_s = cluster.limits.clean_up
    found = list(release(out or root, env=env, limit_s=limit_s))
    try:
        found += _stale(root, cluster.driver, env, limit_s)
    except Stopped as stop:
        found.append(Trouble(kind=Kind.LAUNCHER, what=stop.detail, reason=stop.reason))
    found += _owners(root, Reason.RUNNER_UNCLEAN if before_checkout else None)
    found += _scratch()
    found += _disk(root, cluster.min_free_gib)
    found += _gpus(cluster.gpus)
    found += _clock(clock.read())
    return found


def fit(troubles: list[Trouble]) -> None:
    """Stopped with the first trouble that could not be mended. What the machine itself is or has poisons the
    runner: every later cell would find the same."""
    for one in troubles:
        if one.reason in POISON:
            raise Stopped(Reason.RUNNER_POISONED, f"{one.reason}: {one.what}")
        if one.reason:
            raise Stopped(one.reason, one.what)


def release(folder: Path, *, env: Mapping[str, str], limit_s: float) -> Iterator[Trouble]:
    """End processes, containers and jobs of the cells whose results lie in `folder`, and own their files."""
    if ended := leftovers.end(folder, grace_s=GRACE_S):
        yield Trouble(kind=Kind.PROCESSES, what=f"ended {ended} of an earlier cell")
    for out, held in claim.below(folder):
        yield _reclaim(out, held, env, limit_s)
        if held.driver == "docker" and owner.foreign([out], os.getuid()):
            docker.hand_over([out], held.image, env=env, limit_s=limit_s)
        yield from _owners(out, Reason.RUNNER_UNCLEAN)


def _reclaim(out: Path, held: claim.Claim, env: Mapping[str, str], limit_s: float) -> Trouble:
    kind, end = (
        (Kind.JOBS, scheduler.reclaim) if held.driver == "slurm" else (Kind.CONTAINERS, docker.reclaim)
    )
    try:
        wrong = end(held.name, env=env, limit_s=limit_s)
    except Stopped as stop:
        wrong = stop.detail
    if wrong:
        return Trouble(kind=kind, what=f"cannot end {held.name}: {wrong}", reason=Reason.RUNNER_UNCLEAN)
    shutil.rmtree(out / slurm.FOLDER, ignore_errors=True)
    claim.drop(out, held)
    return Trouble(kind=kind, what=f"ended {held.name} of an earlier cell")


def _stale(root: Path, driver: str, env: Mapping[str, str], limit_s: float) -> Iterator[Trouble]:
    """Containers and jobs whose claim is lost, such as when the workspace was emptied."""
    look = {"docker": docker, "slurm": scheduler}.get(driver)
    for name in look.stale(root, env=env, limit_s=limit_s) if look else ():
        yield _reclaim(root, claim.Claim(driver=driver, name=name), env, limit_s)


def _owners(folder: Path, reason: Reason | None) -> Iterator[Trouble]:
    """Only in a folder of the runner's own: elsewhere it is a guest. `reason`: why foreign files matter."""
    uid = os.getuid()
    if folder.stat().st_uid != uid:
        return
    if not (found := owner.foreign([folder], uid)):
        return
    left = owner.take(found, uid, os.getgid())
    if left:
        names = ", ".join(str(path) for path in left[:SHOWN])
        what = f"{len(left)} files of other users in the workspace, such as {names}"
        yield Trouble(kind=Kind.OWNERS, what=what, reason=reason)
    else:
        yield Trouble(kind=Kind.OWNERS, what=f"took over {len(found)} files of other users")


def _scratch() -> Iterator[Trouble]:
    """What guards that were killed have left."""
    for guard in scratch.left():
        for path in scratch.remove(guard):
            yield Trouble(kind=Kind.SCRATCH, what=f"removed {path}")


def _disk(root: Path, least_gib: float) -> Iterator[Trouble]:
    free = shutil.disk_usage(root).free / GIB
    if free < least_gib:
        what = f"{free:.1f} GiB free at {root}, {least_gib:g} GiB are needed"
        yield Trouble(kind=Kind.DISK, what=what, reason=Reason.DISK_FULL)


def _gpus(wanted: int) -> Iterator[Trouble]:
    """Nothing is asked where the record names no GPUs."""
    if not wanted:
        return
    seen = gpus.programs()
    if len(seen) < wanted:
        what = f"{len(seen)} of {wanted} GPUs are visible"
        yield Trouble(kind=Kind.GPUS, what=what, reason=Reason.GPU_MISSING)
    if busy := {place: pids for place, pids in enumerate(seen) if pids}:
        pids = ", ".join(f"GPU {place}: {' '.join(map(str, one))}" for place, one in busy.items())
        yield Trouble(kind=Kind.GPUS, what=f"other programs compute ({pids})", reason=Reason.RUNNER_UNCLEAN)


def _clock(seen: clock.Clock | None) -> Iterator[Trouble]:
    """A clock that nobody keeps right may be right all the same: that is told, and stops nothing."""
    if seen is None:
        return
    if not seen.synchronised:
        yield Trouble(
            kind=Kind.CLOCK, what="nothing keeps the clock synchronised, as far as the kernel knows"
        )
    elif abs(seen.offset_s) > CLOCK_S:
        what = f"the clock is {abs(seen.offset_s):.1f} s off, {CLOCK_S:g} s may be"
        yield Trouble(kind=Kind.CLOCK, what=what, reason=Reason.CLOCK_OFF)
