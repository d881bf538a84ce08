"""Rules: the policy of a repository as frozen values. Meanings and defaults: infx/defaults/policy.yaml."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from infx.labels import LabelBook


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Paths from the repository's root, and addresses."""

    root: str
    changelog: str
    masters: tuple[str, ...]
    runners: str
    clusters: str
    models: str
    features: str
    thresholds: str
    failures: str
    teams: str
    ci_priority: str
    golden: str
    scripts: str
    lock: str
    waivers: str
    checklist: str
    package: str
    sweep_workflow: str
    signoff_workflow: str
    intake_workflow: str
    comment_workflow: str
    results_branch: str
    performance: str
    accuracy: str
    contact: str

    def path(self, inside: str) -> str:
        """`inside` below the layout's root folder."""
        return f"{self.root.strip('/')}/{inside}" if self.root.strip("/") else inside


@dataclass(frozen=True, kw_only=True)
class GpuHours:
    """Most expected GPU-hours without a grant; None for no limit."""

    plan: float | None
    pull: float | None

    def excess(self, hours: float, before: float) -> str:
        """Which limit a plan of `hours` exceeds after `before` GPU-hours of earlier sweeps; `""` if none."""
        if self.plan is not None and hours > self.plan:
            return f"the plan takes {hours:.0f} GPU-hours, max-gpu-hours allows {self.plan:.0f} a plan"
        if self.pull is not None and hours + before > self.pull:
            text = f"with this plan the pull request takes {hours + before:.0f} GPU-hours"
            return f"{text}, max-gpu-hours allows {self.pull:.0f}"
        return ""


@dataclass(frozen=True, kw_only=True)
class Durations:
    """Seconds on the runner."""

    fixed: int
    agentic_extra: int
    fast_profile: int
    eval: int
    recorded: Mapping[str, int]


@dataclass(frozen=True, kw_only=True)
class Canary:
    """Deadline of a canary: minutes without a recorded duration, else `factor` times it."""

    deadline_min: float
    factor: float


@dataclass(frozen=True, kw_only=True)
class GridRule:
    """Advice about concurrencies; empty text and empty tuple match everything."""

    scenario: str = ""
    spec_decoding: str = ""
    hardware: tuple[str, ...] = ()
    min_step: int | None = None
    max_conc: int | None = None
    reason: str


@dataclass(frozen=True, kw_only=True)
class Agentic:
    """Shares of issued requests."""

    max_error_share: float
    max_drain_share: float


@dataclass(frozen=True, kw_only=True)
class Power:
    """Seconds and shares within which energy is believed, and where a point is worth nothing without."""

    clock_s: float
    max_gap_s: float
    counter_share: float
    required: tuple[str, ...]
    """Globs of config keys."""


@dataclass(frozen=True, kw_only=True)
class Checks:
    """How checks of a merge commit are read."""

    passing: frozenset[str]
    """Conclusions that count as passed."""
    may_skip: tuple[str, ...]
    """Globs of `workflow / job` that may be skipped."""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """Everything a repository may set."""

    layout: Layout
    labels: LabelBook
    label_authority: str
    grant_authority: str
    reuse_authority: Literal["role", "association"]
    command_authority: str
    custom_roles: Mapping[str, str]
    paused: str
    max_gpu_hours: GpuHours
    auto_rerun: int
    base_drift: Literal["warn", "refuse"]
    harness_version: int
    excluded_node: Literal["warn", "refuse"]
    max_entries: int
    script_patterns: tuple[str, ...]
    recipe_roots: Mapping[str, str]
    registries: Mapping[str, str]
    durations: Durations
    canary: Canary
    queue_hours: float
    queue_alert: float
    eval_tasks: Mapping[str, str]
    grid_rules: tuple[GridRule, ...]
    agentic: Agentic
    power: Power
    checks: Checks
    advice: frozenset[str]
    """Rules about descriptions that are switched on."""
    former_bots: frozenset[str]
    review_bots: tuple[str, ...]
    core_team: tuple[str, ...]
    guarded_paths: tuple[str, ...]
    signoff: Literal["advisory", "required"]
    quiet: bool
    audit_from: str
    digest_issue: int

    def eval_task(self, model_prefix: str) -> str:
        return self.eval_tasks.get(model_prefix, self.eval_tasks["default"])
