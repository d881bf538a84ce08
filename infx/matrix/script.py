"""Row → script: the one file in the repository that runs a matrix row."""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from infx.errors import BadInput
from infx.recipe import AGENTIC

RECIPE = "CONFIG_FILE="
"""Worker setting that names a recipe file, and behind a colon one of its variants."""

SPECULATION = "[_mtp]"


def resolve(
    row: Mapping[str, Any],
    patterns: Sequence[str],
    exists: Container[str],
    *,
    roots: Mapping[str, str],
) -> str:
    """Repository path of the row's script, or `path:variant` of the recipe file that it names.

    `patterns` and `roots` are the policy's `script-patterns` and `recipe-roots`. Of one pattern's forms the
    first existing path counts. BadInput lists every path tried when none exists, or files of two patterns.
    """
    recipe = recipe_of(row)
    if recipe is not None:
        path, colon, variant = recipe.partition(":")
        return _only([[place] for place in _places(path, roots)], exists, where=recipe) + colon + variant
    tried = [list(expansions(pattern, row)) for pattern in patterns]
    return _only(tried, exists, where=str(row.get("exp-name", "row")))


def recipe_of(row: Mapping[str, Any]) -> str | None:
    """Recipe that the row's workers name, as written; None when they name none."""
    for pool in ("prefill", "decode"):
        for setting in (row.get(pool) or {}).get("additional-settings") or ():
            if setting.startswith(RECIPE):
                return str(setting.removeprefix(RECIPE))
    return None


def path_of(script: str) -> str:
    """The file of a resolved script: `a/b.yaml:variant` is `a/b.yaml`."""
    return script.partition(":")[0]


def expansions(pattern: str, row: Mapping[str, Any]) -> Iterator[str]:
    """Paths of a pattern for a row, fullest form first; `[_mtp]` is there exactly when the row speculates."""
    names = {
        **{name: str(row.get(name, "")) for name in ("model-prefix", "precision", "framework")},
        "nodes": "multi_node" if "prefill" in row else "single_node",
        "scenario": "agentic" if agentic(row) else "fixed_seq_len",
        "hw": hardware(str(row["runner"])),
    }
    for form in _forms(pattern.replace(SPECULATION, "_mtp" if speculates(row) else "")):
        yield re.sub(r"\{([a-z-]+)\}", lambda match: names.get(match[1], match[0]), form)


def speculates(row: Mapping[str, Any]) -> bool:
    return str(row.get("spec-decoding", "none")) != "none"


def agentic(row: Mapping[str, Any]) -> bool:
    return row.get("scenario-type") == AGENTIC


def hardware(runner: str) -> str:
    """First part of the runner type: `cluster:h200-dgxc` is `h200`."""
    return re.split(r"[-_]", runner.removeprefix("cluster:"), maxsplit=1)[0]


def _forms(pattern: str) -> Iterator[str]:
    """The pattern with each bracketed part, then without it."""
    match = re.search(r"\[([^\]]*)\]", pattern)
    if not match:
        yield pattern
        return
    for part in (match[1], ""):
        yield from _forms(pattern[: match.start()] + part + pattern[match.end() :])


def _places(name: str, roots: Mapping[str, str]) -> list[str]:
    """Where a recipe that a row calls `name` may lie in this repository."""
    places = [folder + name.removeprefix(start) for start, folder in roots.items() if name.startswith(start)]
    return list(dict.fromkeys([*places, name]))


def _only(tried: Sequence[Sequence[str]], exists: Container[str], *, where: str) -> str:
    """The one path that exists, taking the first of each inner list."""
    firsts = (next((path for path in forms if path in exists), None) for forms in tried)
    found = list(dict.fromkeys(path for path in firsts if path is not None))
    if len(found) == 1:
        return found[0]
    told = ", ".join(dict.fromkeys(path for forms in tried for path in forms))
    if found:
        raise BadInput(
            f"two scripts or recipes: {', '.join(found)}; tried {told}", where=where, todo="keep one of them"
        )
    raise BadInput(f"no script or recipe; tried {told}", where=where, todo="add one of these files")
