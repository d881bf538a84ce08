"""Which configs, and under which runner names: pure predicates over names, nothing about points."""

import re
from collections.abc import Iterable
from fnmatch import fnmatchcase

from infx.errors import Refused
from infx.matrix.options import FullSweep
from infx.recipe import Catalog, Config
from infx.spell import near


def by_pattern(catalog: Catalog, patterns: Iterable[str]) -> list[Config]:
    """Configs by key or shell-style pattern (`*`, `?`), in that order, each once. Refused on no match."""
    found: dict[str, Config] = {}
    for pattern in patterns:
        if "*" in pattern or "?" in pattern:
            keys = [key for key in catalog.configs if fnmatchcase(key, pattern)]
        else:
            keys = [key for key in catalog.configs if key == pattern]
        found |= {key: catalog.configs[key] for key in _some(keys, pattern, catalog=catalog)}
    return list(found.values())


def by_wildcard(catalog: Catalog, names: Iterable[str]) -> list[Config]:
    """Configs that a changelog entry names; `*` is any run of characters. Refused on no match."""
    found: dict[str, Config] = {}
    for name in names:
        if "*" in name:
            whole = re.compile(".*".join(map(re.escape, name.split("*"))), re.DOTALL)
            keys = [key for key in catalog.configs if whole.fullmatch(key)]
        else:
            keys = [name] if name in catalog.configs else []
        found |= {key: catalog.configs[key] for key in _some(keys, name, catalog=catalog)}
    return list(found.values())


def by_filters(catalog: Catalog, wanted: FullSweep) -> list[Config]:
    """Configs that pass every filter; an empty filter passes all. Refused on an unknown runner label."""
    for label in wanted.runner_type:
        if label not in catalog.runners.labels:
            raise Refused(f"no runner label `{label}`", todo=near(label, catalog.runners.labels))
    return [config for config in catalog.configs.values() if _passes(config, wanted)]


def _passes(config: Config, wanted: FullSweep) -> bool:
    any_shape = wanted.single_node == wanted.multi_node
    return (
        (not wanted.precision or config.precision in wanted.precision)
        and (not wanted.framework or config.framework in wanted.framework)
        and (not wanted.runner_type or config.runner in wanted.runner_type)
        and (not wanted.model_prefix or config.key.startswith(wanted.model_prefix))
        and (any_shape or config.multinode == wanted.multi_node)
    )


def nodes(catalog: Catalog, config: Config, *, part: str | None, label_too: bool) -> list[str]:
    """Runner names for the rows: the config's label, or those of its nodes that contain `part`."""
    if part is None:
        return [config.runner]
    names = [*catalog.runners.labels.get(config.runner, ())]
    if label_too:
        names.append(config.runner)
    return [name for name in names if part in name]


def _some(keys: list[str], pattern: str, *, catalog: Catalog) -> list[str]:
    if not keys:
        raise Refused(f"`{pattern}` names no config", todo=near(pattern, catalog.configs))
    return keys
