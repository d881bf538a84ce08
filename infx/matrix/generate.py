"""The two generator commands: select configs, expand them, choose evals."""

from collections.abc import Iterable

from infx.matrix import evals, select
from infx.matrix.expand import Limits, expand
from infx.matrix.job import Job
from infx.matrix.ladder import Bounds
from infx.matrix.options import Common, FullSweep, TestConfig
from infx.recipe import Catalog, Config

__all__ = ["FullSweep", "Job", "TestConfig", "full_sweep", "of_configs", "test_config"]


def full_sweep(catalog: Catalog, options: FullSweep) -> list[Job]:
    """Jobs of every config that passes the filters. Refused when a filter or an entry cannot be met."""
    configs = select.by_filters(catalog, options)
    limits = Limits(
        scenarios=options.scenario_type,
        lengths=options.seq_lens,
        bounds=Bounds(step=options.step_size, least=options.min_conc, most=options.max_conc),
        max_tp=options.max_tp,
        max_ep=options.max_ep,
    )
    named = [
        (config, select.nodes(catalog, config, part=options.runner_node_filter, label_too=False))
        for config in configs
    ]
    return _jobs(catalog, named, limits=limits, options=options)


def test_config(catalog: Catalog, options: TestConfig) -> list[Job]:
    """Jobs of the named configs. Refused when a name matches nothing or an entry cannot be met."""
    return of_configs(catalog, select.by_pattern(catalog, options.config_keys), options)


def of_configs(catalog: Catalog, configs: Iterable[Config], options: TestConfig) -> list[Job]:
    """Jobs of configs that are chosen already."""
    listed = None if options.conc is None else frozenset(options.conc)
    limits = Limits(scenarios=options.scenario_type, lengths=options.seq_lens, bounds=Bounds(listed=listed))
    named = [
        (config, select.nodes(catalog, config, part=options.runner_node_filter, label_too=True))
        for config in configs
    ]
    return _jobs(catalog, named, limits=limits, options=options)


def _jobs(
    catalog: Catalog, named: Iterable[tuple[Config, list[str]]], *, limits: Limits, options: Common
) -> list[Job]:
    jobs = [
        Job(key=config.key, row=row)
        for config, names in named
        for name in names
        for row in expand(config, limits, runners=catalog.runners, runner=name)
    ]
    if options.no_evals:
        return jobs
    return evals.choose(jobs, only=options.evals_only, every=options.all_evals)


if __name__ == "__main__":
    from infx.cli import entry

    entry("matrix", "generate")
