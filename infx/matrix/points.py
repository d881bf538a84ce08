"""Jobs become points: script, fingerprint, expected duration, and the reason each point is there."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from infx.errors import BadInput
from infx.matrix.script import agentic
from infx.plan import KeyPlan, Plan
from infx.point import EVAL, NAME_LIMIT, THROUGHPUT, Fingerprint, Mode, Point
from infx.rules import Durations

TASK = "gsm8k"


class Job(Protocol):
    """A matrix row and the config key it comes from."""

    @property
    def key(self) -> str: ...
    @property
    def row(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True, kw_only=True)
class Maker:
    """What turns a job into a point; the same for every point of a plan."""

    script: Callable[[Mapping[str, Any]], str]
    """Row → script; BadInput when there is not exactly one."""
    fingerprint: Callable[[Mapping[str, Any], str], Fingerprint]
    """Row and script → fingerprint."""
    durations: Durations
    fast: bool = False
    """Shortened agentic profile."""
    task: Callable[[str], str] = lambda prefix: TASK
    """Model prefix → accuracy task of its eval points."""
    reasons: Mapping[str, str] = field(default_factory=dict)
    """Config key → why it is swept."""

    def points(self, jobs: Iterable[Job], mode: Mode) -> tuple[Point, ...]:
        """Points of `jobs` in order. BadInput from `script` names the row."""
        return tuple(self._point(job, mode) for job in jobs)

    def _point(self, job: Job, mode: Mode) -> Point:
        try:
            script = self.script(job.row)
        except BadInput as fault:
            raise BadInput(fault.what, where=f"{job.key}: {fault.where}", todo=fault.todo) from fault
        draft = Point(
            key=job.key,
            mode=mode,
            task=self.task(str(job.row.get("model-prefix"))) if mode == EVAL else None,
            row=job.row,
            fingerprint=self.fingerprint(job.row, script),
            script=script,
            reason=_reason(self.reasons.get(job.key, "its config key changed"), job.row, mode),
            duration_s=0,
        )
        return replace(draft, duration_s=expected(draft, self.durations, fast=self.fast))


def recorded(point: Point, seconds: Mapping[str, int]) -> int | None:
    """Seconds that a point took before, looked up as `key C4 hicache`, then as `key`."""
    return seconds.get(f"{point.key} {point.title}", seconds.get(point.key))


def expected(point: Point, durations: Durations, *, fast: bool) -> int:
    """Seconds on the runner: recorded where known, else the stated default for the kind of row."""
    known = recorded(point, durations.recorded)
    if known is not None:
        return known
    if point.mode == EVAL:
        return durations.eval
    if not agentic(point.row):
        return durations.fixed
    return durations.agentic_extra + (durations.fast_profile if fast else int(point.row["duration"]))


@dataclass(frozen=True, kw_only=True)
class Origin:
    """Where a plan comes from."""

    repository: str
    pr: int | None
    head_sha: str
    merge_base: str


@dataclass(frozen=True, kw_only=True)
class Labels:
    """What the labels of the pull request mean for a plan."""

    primary: str
    modifiers: tuple[str, ...] = ()
    canary: bool = True
    fail_fast: bool = False
    reusable: bool = True
    fast: bool = False


def build(
    points: Sequence[Point],
    keys: Sequence[KeyPlan],
    *,
    origin: Origin,
    labels: Labels,
    metadata: Mapping[str, Any],
) -> Plan:
    """The plan. BadInput when two points share a name or one name is too long for GitHub."""
    check_names(points)
    return Plan(
        repository=origin.repository,
        pr=origin.pr,
        head_sha=origin.head_sha,
        merge_base=origin.merge_base,
        primary=labels.primary,
        modifiers=labels.modifiers,
        fail_fast=labels.fail_fast,
        reusable=labels.reusable,
        fast=labels.fast,
        points=tuple(points),
        keys=tuple(keys),
        changelog_metadata=metadata,
    )


def kind(point: Point) -> str:
    """Artifact kind of a point: `bmk` or `eval`."""
    return "eval" if point.mode == EVAL else "bmk"


def check_names(points: Sequence[Point]) -> None:
    """Every artifact name occurs once and fits GitHub; BadInput names the points (cases C44, C46)."""
    names = Counter(point.artifact(kind(point)) for point in points)
    for point in points:
        name = point.artifact(kind(point))
        if names[name] > 1:
            raise BadInput(
                f"{names[name]} points are the same: {point.title} ({point.mode}), artifact {name}",
                where=point.key,
                todo="remove the repeated concurrency or search-space entry",
            )
        if len(name) > NAME_LIMIT:
            raise BadInput(
                f"artifact name of {len(name)} characters", where=point.key, todo="shorten the config key"
            )


def _reason(why: str, row: Mapping[str, Any], mode: Mode) -> str:
    if mode == THROUGHPUT:
        return why
    if row.get("eval-all-concs"):
        return f"{why}; eval of every concurrency of its group"
    if agentic(row):
        return f"{why}; eval: highest concurrency of its model, runner, framework and precision"
    return f"{why}; eval: highest or middle concurrency of its 8k1k group"
