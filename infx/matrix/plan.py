"""From changelog entries to the sweep they ask for."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from infx.canon import digest
from infx.entry import Entry
from infx.errors import Refused
from infx.matrix import append, select
from infx.matrix.expand import length_name
from infx.matrix.generate import TestConfig, of_configs
from infx.matrix.job import Job
from infx.recipe import SCENARIOS, Catalog, Scenario


@dataclass(frozen=True, kw_only=True)
class Flags:
    """Modifiers of a whole sweep."""

    all_evals: bool = False
    evals_only: bool = False
    trim_conc: bool = False


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """What one change measures."""

    throughput: tuple[Job, ...]
    evals: tuple[Job, ...]
    metadata: Mapping[str, Any]
    """`base_ref`, `head_ref` and the entries."""

    def as_json(self) -> dict[str, Any]:
        """The community's output object."""
        evals: dict[str, list[Any]] = {
            name: [] for name in ("evals", "agentic_evals", "multinode_evals", "multinode_agentic_evals")
        }
        for job in self.evals:
            evals[f"{'multinode_' if job.multinode else ''}{'agentic_' if job.agentic else ''}evals"].append(
                job.row
            )
        return {
            "single_node": _by_length(job for job in self.throughput if not job.multinode),
            "multi_node": _by_length(job for job in self.throughput if job.multinode),
            **evals,
            "changelog_metadata": dict(self.metadata),
        }


def sweep(
    entries: Sequence[Entry],
    head: Catalog,
    *,
    refs: tuple[str, str],
    flags: Flags = Flags(),
    base: Callable[[], Catalog],
) -> Sweep:
    """Jobs that the added `entries` ask for. `refs` are base and head as the caller named them.

    `base` is called only when the entries are append-only. Refused when they cannot be met.
    """
    if not entries:
        raise Refused("the change adds no changelog entry", todo="add one: infx changelog new")
    _check(entries, flags)
    ordered = sorted(entries, key=lambda entry: not entry.all_evals)
    if entries[0].append_only:
        throughput, evals = _appended(entries, head, base=base()), []
    else:
        throughput, evals = _throughput(ordered, head, flags=flags), _evals(ordered, head, flags=flags)
    if flags.trim_conc:
        throughput = _trimmed(throughput)
    return Sweep(
        throughput=tuple(_finished(job, fingerprint=True) for job in throughput),
        evals=tuple(_finished(job, fingerprint=False) for job in evals),
        metadata={
            "base_ref": refs[0],
            "head_ref": refs[1],
            "entries": [entry.as_json() for entry in entries],
        },
    )


def _check(entries: Sequence[Entry], flags: Flags) -> None:
    """Selectors that contradict each other across entries and flags."""
    modifier = "--all-evals" if flags.all_evals else "--evals-only" if flags.evals_only else ""
    if any(entry.append_only for entry in entries):
        if not all(entry.append_only for entry in entries):
            raise Refused("append-only and ordinary entries in one change", todo="make two changes of it")
        if modifier:
            raise Refused(
                f"append-only entries measure no evals, so {modifier} is out of place", todo="drop it"
            )
    if modifier and any(entry.no_evals for entry in entries):
        raise Refused(f"an entry says `no-evals`, so {modifier} contradicts it", todo="drop one of them")


@dataclass(frozen=True, kw_only=True)
class _Call:
    """One run of the generator: configs of an entry that have the same scenarios left."""

    entry: Entry
    keys: tuple[str, ...]
    scenarios: tuple[Scenario, ...]

    def jobs(self, catalog: Catalog, *, all_evals: bool = False, no_evals: bool = False) -> list[Job]:
        options = TestConfig(
            scenario_type=self.scenarios, no_evals=no_evals, evals_only=not no_evals, all_evals=all_evals
        )
        return of_configs(catalog, [catalog.configs[key] for key in self.keys], options)


def _calls(entries: Iterable[Entry], head: Catalog) -> Iterator[_Call]:
    """Generator calls for what no earlier entry has covered."""
    covered: set[tuple[str, Scenario]] = set()
    for entry in entries:
        groups: dict[tuple[Scenario, ...], list[str]] = {}
        for config in select.by_wildcard(head, entry.config_keys):
            left = tuple(
                one for one in SCENARIOS if one in entry.scenarios and (config.key, one) not in covered
            )
            covered |= {(config.key, one) for one in left}
            if left:
                groups.setdefault(left, []).append(config.key)
        for scenarios, keys in groups.items():
            yield _Call(entry=entry, keys=tuple(keys), scenarios=scenarios)


def _throughput(entries: Sequence[Entry], head: Catalog, *, flags: Flags) -> list[Job]:
    chosen = [one for one in entries if not (flags.evals_only or one.evals_only or one.all_evals)]
    return [job for call in _calls(chosen, head) for job in call.jobs(head, no_evals=True)]


def _evals(entries: Sequence[Entry], head: Catalog, *, flags: Flags) -> list[Job]:
    jobs: list[Job] = []
    for call in _calls((one for one in entries if not one.no_evals), head):
        least = call.entry.eval_min_prefill_ep or 0
        found = call.jobs(head, all_evals=flags.all_evals or call.entry.all_evals)
        jobs += [job for job in found if not job.multinode or job.row["prefill"]["ep"] >= least]
    return jobs


def _appended(entries: Sequence[Entry], head: Catalog, *, base: Catalog) -> list[Job]:
    append.check_configs(entries, base=base, head=head)
    jobs: list[Job] = []
    for call in _calls(entries, head):
        jobs += append.new_jobs(call.jobs(base, no_evals=True), call.jobs(head, no_evals=True))
    return jobs


def _trimmed(jobs: Iterable[Job]) -> list[Job]:
    """Single-node: the lowest concurrency of each recipe. Multi-node: the lowest of each row's list."""
    kept: dict[object, Job] = {}
    for at, job in enumerate(jobs):
        if job.multinode:
            kept[at] = Job(key=job.key, row={**job.row, "conc": [min(job.row["conc"])]})
            continue
        mark = append.recipe(job.row)
        if mark not in kept or job.row["conc"] < kept[mark].row["conc"]:
            kept[mark] = job
    return list(kept.values())


def _finished(job: Job, *, fingerprint: bool) -> Job:
    """With the fingerprint of the row as generated, and with the defaults that consumers expect."""
    row = {name: value for name, value in job.row.items() if value is not None}
    if fingerprint:
        row["recipe-fingerprint"] = digest({k: v for k, v in row.items() if k not in ("conc", "exp-name")})
    if not job.agentic:
        row.setdefault("eval-only", False)
        if job.multinode:
            row.setdefault("eval-all-concs", False)
    for pool in ("prefill", "decode"):
        if pool in row:
            row[pool] = {"additional-settings": [], **row[pool]}
    return Job(key=job.key, row=row)


def _by_length(jobs: Iterable[Job]) -> dict[str, list[Any]]:
    groups: dict[str, list[Any]] = {}
    for job in jobs:
        name = "agentic" if job.agentic else length_name(job.row["isl"], job.row["osl"])
        groups.setdefault(name, []).append(job.row)
    return groups


if __name__ == "__main__":
    from infx.cli import entry

    entry("matrix", "plan")
