"""What changed files are to the repository."""

from typing import Any

import pytest

from infx.edge import settings
from infx.event import FileChange
from infx.policy import touched
from infx.touched import Changed

RULES = settings.parse("guarded-paths: ['configs/golden-al/*', '.github/workflows/*']")


def changed(*files: Any, capped: bool = False) -> Changed:
    made = (one if isinstance(one, FileChange) else FileChange(path=one, status="modified") for one in files)
    return Changed(files=tuple(made), capped=capped)


def moved(path: str, previous: str, added: int = 1, removed: int = 2) -> FileChange:
    return FileChange(path=path, status="renamed", previous=previous, additions=added, deletions=removed)


def test_both_sides_of_a_rename_are_touched() -> None:
    assert changed(moved("a", "b"), "b").paths == ("a", "b")


@pytest.mark.parametrize(
    ("path", "recipe"),
    [
        ("configs/nvidia-master.yaml", True),
        ("perf-changelog.yaml", True),
        ("benchmarks/single_node/agentic/x.sh", True),
        ("configs/golden-al/x_mtp.yaml", True),
        ("configs/policy.yaml", False),
        ("benchmarks.md", False),
        ("infx/cli.py", False),
    ],
)
def test_recipe_paths(path: str, recipe: bool) -> None:
    assert touched.recipes(changed(path), RULES) == ((path,) if recipe else ())


def test_the_package_counts_files_that_were_moved_in_and_out() -> None:
    size = touched.package(
        changed(moved("infx/a.py", "b.py"), moved("c.py", "infx/d.py"), moved("e", "f", 9, 9), capped=True),
        RULES.layout,
    )
    assert (size.added, size.removed, size.at_least, size.zero) == (2, 4, True, False)
    assert touched.package(changed("infxes/a.py", "README.md"), RULES.layout).zero


def test_guarded_paths() -> None:
    found = touched.guarded(changed("configs/golden-al/q.yaml", "README.md"), RULES.guarded_paths)
    assert found == ("configs/golden-al/q.yaml",)


def test_who_to_ask() -> None:
    owners = {"a": ("@core",), "b": ("@nv", "@core"), "c": ("@nv",), "d": ()}
    assert touched.ask("abcd", owners.__getitem__, core=["core"]) == {"@nv": 2}
    assert touched.ask("a", owners.__getitem__, core=["core"]) == {"@core": 1}
    assert touched.ask("d", owners.__getitem__, core=[]) == {}
