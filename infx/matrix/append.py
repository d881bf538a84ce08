"""Append-only changes: only new points of recipes that the base already has."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from infx.canon import canonical
from infx.entry import Entry
from infx.errors import Refused
from infx.matrix import select
from infx.matrix.job import Job
from infx.recipe import Catalog, Config

_CURVE = ("model", "model-prefix", "precision", "framework", "runner", "disagg")
_FIXED_CURVE = ("isl", "osl", "spec-decoding")


def recipe(row: Mapping[str, Any]) -> str:
    """All of a row but its concurrency and name."""
    return canonical({name: value for name, value in row.items() if name not in ("conc", "exp-name")})


def check_configs(entries: Iterable[Entry], *, base: Catalog, head: Catalog) -> None:
    """Refused when a config changed beyond the scenarios that the entries are about."""
    scenarios: dict[str, set[str]] = defaultdict(set)
    for entry in entries:
        for config in select.by_wildcard(head, entry.config_keys):
            scenarios[config.key] |= set(entry.scenarios)
    for key in base.configs.keys() | head.configs.keys():
        before, after = base.configs.get(key), head.configs.get(key)
        if key not in scenarios:
            if before is None or after is None or before.source != after.source:
                raise _refused(
                    key, "changed, but no append-only entry names it", todo="undo the change or name it"
                )
        elif before is None or after is None:
            raise _refused(key, "is new, so there is nothing to append to", todo="use an ordinary entry")
        else:
            _check_config(before, after, scenarios=scenarios[key])


def _check_config(before: Config, after: Config, *, scenarios: set[str]) -> None:
    was, now = before.source["scenarios"], after.source["scenarios"]
    if was.keys() != now.keys():
        raise _refused(after.key, "gained or lost a scenario", todo="use an ordinary entry")
    outside = now.keys() - scenarios
    if any(was[name] != now[name] for name in outside):
        raise _refused(
            after.key, "a scenario outside the entry changed", todo="name it under `scenario-type`"
        )
    if outside and _top(before) != _top(after):
        raise _refused(
            after.key,
            "fields of the whole config changed, and a scenario lies outside the entry",
            todo="use an ordinary entry",
        )


def _top(config: Config) -> dict[str, Any]:
    return {name: value for name, value in config.source.items() if name != "scenarios"}


def new_jobs(base: Sequence[Job], head: Sequence[Job]) -> list[Job]:
    """Head jobs reduced to what the base lacks. Refused when a base point is gone or nothing is new."""
    known = _points(base)
    _check_kept(base, known=known, now=_points(head))
    images: dict[str, set[str]] = defaultdict(set)
    for job in base:
        images[_curve(job.row)].add(job.row["image"])
    fresh = list(_fresh(head, known))
    for job in fresh:
        if images.get(_curve(job.row)) != {job.row["image"]}:
            raise _refused(
                job.key,
                f"{job.row['exp-name']} joins no existing curve with this image alone",
                todo="use an ordinary entry",
            )
    if not fresh:
        raise Refused("an append-only entry adds no point", todo="add concurrencies or drop the entry")
    return fresh


def _points(jobs: Iterable[Job]) -> dict[str, set[int]]:
    """Recipe → its concurrencies."""
    found: dict[str, set[int]] = defaultdict(set)
    for job in jobs:
        found[recipe(job.row)].update(_concs(job.row))
    return found


def _concs(row: Mapping[str, Any]) -> list[int]:
    conc = row["conc"]
    return conc if isinstance(conc, list) else [conc]


def _check_kept(base: Sequence[Job], *, known: Mapping[str, set[int]], now: Mapping[str, set[int]]) -> None:
    if not base:
        raise Refused(
            "an append-only entry names configs without a point on the base", todo="use an ordinary entry"
        )
    for job in base:
        mark = recipe(job.row)
        if mark not in now:
            raise _refused(
                job.key,
                f"the recipe of {job.row['exp-name']} changed or is gone",
                todo="use an ordinary entry",
            )
        if gone := known[mark] - now[mark]:
            raise _refused(
                job.key, f"concurrencies {sorted(gone)} are gone", todo="keep them or use an ordinary entry"
            )


def _fresh(head: Iterable[Job], known: Mapping[str, set[int]]) -> Iterable[Job]:
    seen: dict[str, set[int]] = defaultdict(set)
    for job in head:
        mark = recipe(job.row)
        fresh = [
            one
            for one in dict.fromkeys(_concs(job.row))
            if one not in known.get(mark, ()) and one not in seen[mark]
        ]
        if fresh:
            seen[mark].update(fresh)
            yield Job(key=job.key, row={**job.row, "conc": fresh if job.multinode else fresh[0]})


def _curve(row: Mapping[str, Any]) -> str:
    """Points of one curve on a chart."""
    agentic = "scenario-type" in row
    return canonical(
        [
            *(row.get(name) for name in _CURVE),
            agentic,
            row.get("kv-offloading", "none") != "none",
            *(row.get(pool, {}).get("hardware") for pool in ("prefill", "decode")),
            *(() if agentic else (row[name] for name in _FIXED_CURVE)),
        ]
    )


def _refused(key: str, what: str, *, todo: str) -> Refused:
    return Refused(f"append-only: {what}", where=key, todo=todo)
