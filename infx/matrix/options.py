"""Options of the generator commands."""

from dataclasses import dataclass

from infx.errors import BadInput
from infx.recipe import SCENARIOS


@dataclass(frozen=True, kw_only=True)
class Common:
    """Options of both commands."""

    no_evals: bool = False
    evals_only: bool = False
    all_evals: bool = False
    scenario_type: tuple[str, ...] = SCENARIOS
    seq_lens: tuple[str, ...] = ()
    runner_node_filter: str | None = None

    def __post_init__(self) -> None:
        if self.no_evals and (self.evals_only or self.all_evals):
            raise BadInput("--no-evals excludes --evals-only and --all-evals", todo="drop one")


@dataclass(frozen=True, kw_only=True)
class FullSweep(Common):
    """Options of full-sweep; empty filters let everything through."""

    precision: tuple[str, ...] = ()
    framework: tuple[str, ...] = ()
    runner_type: tuple[str, ...] = ()
    model_prefix: tuple[str, ...] = ()
    single_node: bool = False
    multi_node: bool = False
    step_size: int = 2
    min_conc: int | None = None
    max_conc: int | None = None
    max_tp: int | None = None
    max_ep: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.step_size <= 1:
            raise BadInput("--step-size must be above 1", todo="give 2 or more")
        if self.min_conc is not None and self.max_conc is not None and self.min_conc > self.max_conc:
            raise BadInput("--min-conc is above --max-conc", todo="swap them")


@dataclass(frozen=True, kw_only=True)
class TestConfig(Common):
    """Options of test-config."""

    config_keys: tuple[str, ...] = ()
    conc: tuple[int, ...] | None = None
