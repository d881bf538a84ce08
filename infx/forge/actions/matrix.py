"""A job's matrix: its combinations in GitHub's order, and the names of the jobs they make."""

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any

from infx.errors import BadInput

LIMIT = 256
"""Most jobs that one matrix may make (GitHub docs: Actions limits)."""
PRODUCT_LIMIT = 10_000
"""Combinations before `exclude`, so that no file can fill the memory."""
NAME_LIMIT = 100
"""Longest generated job name that GitHub shows."""

GUARD = "guard the job by `if`"

Combination = dict[str, Any]


def expand(matrix: Mapping[str, Any]) -> list[Combination]:
    """Product of the vectors, minus `exclude`, then `include`. BadInput when there is nothing or too much."""
    vectors = {name: values for name, values in matrix.items() if name not in ("include", "exclude")}
    for name, values in vectors.items():
        if not isinstance(values, list) or not values:
            raise BadInput(f"matrix vector '{name}' does not contain any values", todo=GUARD)
    if math.prod(len(values) for values in vectors.values()) > PRODUCT_LIMIT:
        raise BadInput("the matrix is far too large", todo=f"stay within {LIMIT} jobs")
    plain = [dict(zip(vectors, chosen, strict=True)) for chosen in itertools.product(*vectors.values())]
    kept = [
        one for one in plain if vectors and not any(_within(out, one) for out in _list(matrix, "exclude"))
    ]
    combinations = _include(kept, _list(matrix, "include"), frozenset(vectors))
    if not combinations:
        raise BadInput("the matrix makes no job", todo=GUARD)
    if len(combinations) > LIMIT:
        raise BadInput(f"the matrix makes {len(combinations)} jobs", todo=f"stay within {LIMIT}")
    return combinations


def _list(matrix: Mapping[str, Any], name: str) -> list[Combination]:
    value = matrix.get(name) or []
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise BadInput(f"matrix {name} is not a list of mappings", todo="correct the workflow file")
    return value


def _within(part: Mapping[str, Any], whole: Mapping[str, Any]) -> bool:
    return all(name in whole and whole[name] == value for name, value in part.items())


def _include(
    combinations: list[Combination], extra: list[Combination], vectors: frozenset[str]
) -> list[Combination]:
    """An entry joins every combination whose vector values it leaves alone, else it is one of its own."""
    joined = [dict(one) for one in combinations]
    alone = []
    for entry in extra:
        own = {name: value for name, value in entry.items() if name in vectors}
        hit = [index for index, one in enumerate(combinations) if _within(own, one)]
        for index in hit:
            joined[index].update(entry)
        if not hit:
            alone.append(dict(entry))
    return joined + alone


def title(name: str, combination: Mapping[str, Any]) -> str:
    """`bench (abc, 4)`: the name GitHub makes for a job whose own name does not use the matrix."""
    values = ", ".join(_leaves(combination))
    full = f"{name} ({values})" if values else name
    return full if len(full) <= NAME_LIMIT else full[: NAME_LIMIT - 3] + "..."


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _leaves(item)
    elif isinstance(value, bool):
        yield str(value).lower()
    elif value is not None:
        yield str(value)
