"""Row → script: the one file in the repository that runs a matrix row (SPEC section 7)."""

import re
from collections.abc import Container, Mapping, Sequence
from typing import Any

from infx.errors import BadInput

PATTERNS = (
    "{scripts}/{nodes}/{kind}/{model-prefix}_{precision}_{hw}_{framework}{mtp}.sh",
    "{scripts}/{nodes}/{kind}/{model-prefix}_{precision}_{hw}{mtp}.sh",
)
"""First existing path wins. Nodes: `single_node`, `multi_node`; kind: `agentic`, `fixed_seq_len`."""

RECIPE_ROOTS = {"recipes/": "benchmarks/multi_node/srt-slurm-recipes/"}
"""Beginning of a recipe name in a row → the folder of this repository that holds it."""

RECIPE = "CONFIG_FILE="
"""Worker setting that names a recipe file, and behind a colon one of its variants."""


def resolve(
    row: Mapping[str, Any],
    patterns: Sequence[str],
    exists: Container[str],
    *,
    scripts: str = "benchmarks",
    roots: Mapping[str, str] = RECIPE_ROOTS,
) -> str:
    """Repository path of the row's script, or `path:variant` of the recipe file that it names.

    `scripts` is the layout's script folder. BadInput lists every path tried when there is none.
    """
    recipe = recipe_of(row)
    if recipe is not None:
        path, colon, variant = recipe.partition(":")
        return _first(_places(path, roots), exists, where=recipe) + colon + variant
    tried = [expand(pattern, row, scripts) for pattern in patterns]
    return _first(tried, exists, where=str(row.get("exp-name", "row")))


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


def expand(pattern: str, row: Mapping[str, Any], scripts: str) -> str:
    """Path of a pattern for a row; `{mtp}` is `_mtp` exactly when the row speculates."""
    names = {
        **{name: str(row.get(name, "")) for name in ("model-prefix", "precision", "framework")},
        "scripts": scripts,
        "nodes": "multi_node" if "prefill" in row else "single_node",
        "kind": "agentic" if agentic(row) else "fixed_seq_len",
        "hw": hardware(str(row["runner"])),
        "mtp": "_mtp" if speculates(row) else "",
    }
    return re.sub(r"\{([a-z-]+)\}", lambda match: names.get(match[1], match[0]), pattern)


def speculates(row: Mapping[str, Any]) -> bool:
    return str(row.get("spec-decoding", "none")) != "none"


def agentic(row: Mapping[str, Any]) -> bool:
    return row.get("scenario-type") == "agentic-coding"


def hardware(runner: str) -> str:
    """First part of the runner type: `cluster:h200-dgxc` is `h200`."""
    return re.split(r"[-_]", runner.removeprefix("cluster:"), maxsplit=1)[0]


def _places(name: str, roots: Mapping[str, str]) -> list[str]:
    """Where a recipe that a row calls `name` may lie in this repository."""
    return [
        folder + name.removeprefix(start) for start, folder in roots.items() if name.startswith(start)
    ] + [name]


def _first(tried: Sequence[str], exists: Container[str], *, where: str) -> str:
    found = next((path for path in tried if path in exists), None)
    if found is None:
        raise BadInput(
            f"no script or recipe; tried {', '.join(tried)}", where=where, todo="add one of these files"
        )
    return found
