"""The two generator commands: select configs, expand them, choose evals (FORMAT.md section 4)."""

from collections.abc import Iterable
from dataclasses import dataclass

from infx.errors import BadInput
from infx.matrix import evals, select
from infx.matrix.expand import Limits, expand
from infx.matrix.job import Job
from infx.matrix.ladder import Bounds
from infx.recipe import SCENARIOS, Catalog, Config

__all__ = ["Common", "FullSweep", "Job", "TestConfig", "full_sweep", "test_config"]


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


def full_sweep(catalog: Catalog, options: FullSweep) -> list[Job]:
    """Jobs of every config that passes the filters. Refused when a filter or an entry cannot be met."""
    configs = select.by_fields(
        catalog,
        precision=options.precision,
        framework=options.framework,
        runner_type=options.runner_type,
        model_prefix=options.model_prefix,
        single_node=options.single_node,
        multi_node=options.multi_node,
    )
    limits = Limits(
        scenarios=options.scenario_type,
        lengths=options.seq_lens,
        bounds=Bounds(step=options.step_size, least=options.min_conc, most=options.max_conc),
        max_tp=options.max_tp,
        max_ep=options.max_ep,
    )
    named = [
        (config, select.nodes(catalog, config, options.runner_node_filter, label_too=False))
        for config in configs
    ]
    return _jobs(catalog, named, limits, options)


def test_config(catalog: Catalog, options: TestConfig) -> list[Job]:
    """Jobs of the named configs. Refused when a name matches nothing or an entry cannot be met."""
    return of_configs(catalog, select.by_pattern(catalog, options.config_keys), options)


def of_configs(catalog: Catalog, configs: Iterable[Config], options: TestConfig) -> list[Job]:
    """Jobs of configs that are chosen already."""
    listed = None if options.conc is None else frozenset(options.conc)
    limits = Limits(scenarios=options.scenario_type, lengths=options.seq_lens, bounds=Bounds(listed=listed))
    named = [
        (config, select.nodes(catalog, config, options.runner_node_filter, label_too=True))
        for config in configs
    ]
    return _jobs(catalog, named, limits, options)


def _jobs(
    catalog: Catalog, named: Iterable[tuple[Config, list[str]]], limits: Limits, options: Common
) -> list[Job]:
    jobs = [
        Job(key=config.key, row=row)
        for config, names in named
        for name in names
        for row in expand(config, catalog.runners, limits, runner=name)
    ]
    if options.no_evals:
        return jobs
    return evals.choose(jobs, only=options.evals_only, every=options.all_evals)


if __name__ == "__main__":
    from infx.cli import entry

    entry("matrix", "generate")
