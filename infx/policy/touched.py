"""Touched: what the changed files of a pull request are: recipes, the package, guarded paths, documents."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from fnmatch import fnmatchcase

from infx.rules import Layout, Rules
from infx.touched import Changed, Size

DOCUMENT = re.compile(r"(^|/)docs/|\.(md|rst)$")


def recipes(changed: Changed, rules: Rules) -> tuple[str, ...]:
    """Paths that decide what is measured: master configs, scripts, recipe files and the changelog."""
    layout = rules.layout
    exact = {layout.path(one) for one in (*layout.masters, layout.changelog)}
    folders = [layout.path(one) for one in (layout.scripts, layout.golden, *rules.recipe_roots.values())]
    return tuple(path for path in changed.paths if path in exact or any(inside(path, one) for one in folders))


def package(changed: Changed, layout: Layout, *, fork: bool = False) -> Size:
    """What changes in the package folder; a file that was moved in or out counts as well."""
    folder = layout.path(layout.package)
    own = [one for one in changed.files if inside(one.path, folder) or inside(one.previous, folder)]
    return Size(
        folder=folder,
        added=sum(one.additions for one in own),
        removed=sum(one.deletions for one in own),
        at_least=changed.capped,
        fork=fork,
    )


def guarded(changed: Changed, globs: Sequence[str]) -> tuple[str, ...]:
    """Paths that the repository wants to be told of."""
    return tuple(path for path in changed.paths if any(fnmatchcase(path, glob) for glob in globs))


def documents(changed: Changed) -> tuple[str, ...]:
    return tuple(path for path in changed.paths if DOCUMENT.search(path))


def inside(path: str, folder: str) -> bool:
    return path.startswith(f"{folder.rstrip('/')}/")


def ask(
    paths: Iterable[str], owners: Callable[[str], Sequence[str]], *, core: Sequence[str]
) -> Mapping[str, int]:
    """Owner → how many of `paths` are theirs, those of most paths first. Core maintainers are left out as
    long as anybody else owns a path: one owner is enough, and theirs is the scarcest time."""
    counts: dict[str, int] = {}
    for path in paths:
        for owner in owners(path):
            counts[owner] = counts.get(owner, 0) + 1
    others = {owner: count for owner, count in counts.items() if owner.lstrip("@") not in core}
    return dict(sorted((others or counts).items(), key=lambda one: (-one[1], one[0])))
