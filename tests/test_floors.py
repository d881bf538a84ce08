"""The floors of docs/design.md, read from the imports: nobody looks upward, and I/O stays at the edge."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "infx"
FLOOR = {
    "read": 1,
    "policy": 2,
    "checks": 2,
    "matrix": 2,
    "results": 2,
    "say": 2,
    "edge": 3,
    "launch": 3,
    "bench": 3,
    "draft": 4,
    "commands": 4,
    "sources": 4,
    "decider": 4,
    "control": 4,
    "watch": 4,
    "conversation": 4,
    "blocked": 4,
    "outlook": 4,
    "recount": 4,
    "redraw": 4,
    "spent": 4,
    "strategy": 4,
    "tend": 4,
    "staging": 4,
    "sweeps": 4,
    "desk": 4,
    "rerun": 4,
    "status": 4,
    "shelf": 4,
    "beside": 4,
    "press": 4,
    "cells": 4,
    "rendered": 4,
    "collected": 4,
    "pinned": 4,
    "publish": 4,
    "audit": 4,
    "recover": 4,
    "join": 4,
    "scope": 4,
    "evidence": 4,
    "signing": 4,
    "jobs": 4,
    "forge": 4,
    "simulator": 4,
    "cli": 5,
    "__main__": 5,
}
SEES = {0: {0}, 1: {0, 1}, 2: {0, 2}, 3: {0, 1, 3}, 4: {0, 1, 2, 3}, 5: {0, 1, 2, 3, 4, 5}}
SAME_ROOM = {"read", "checks", "matrix", "results", "say", "edge", "launch", "bench", "forge"} | {
    "simulator",
    "commands",
}
"""Folders whose modules may import their own neighbours; policies and jobs may not."""
ALLOWED = {
    ("jobs", "decider"),
    ("jobs", "tend"),
    ("decider", "tend"),
    ("jobs", "control"),
    ("jobs", "blocked"),
    ("jobs", "outlook"),
    ("jobs", "recount"),
    ("sweeps", "recount"),
    ("outlook", "blocked"),
    ("outlook", "status"),
    ("outlook", "sweeps"),
    ("jobs", "watch"),
    ("watch", "control"),
    ("control", "decider"),
    ("control", "conversation"),
    ("control", "draft"),
    ("control", "status"),
    ("control", "scope"),
    ("conversation", "scope"),
    ("jobs", "redraw"),
    ("decider", "spent"),
    ("spent", "sweeps"),
    ("jobs", "strategy"),
    ("jobs", "staging"),
    ("commands", "staging"),
    ("staging", "desk"),
    ("staging", "status"),
    ("staging", "sweeps"),
    ("redraw", "commands"),
    ("redraw", "draft"),
    ("decider", "desk"),
    ("decider", "draft"),
    ("decider", "status"),
    ("decider", "sweeps"),
    ("jobs", "draft"),
    ("jobs", "sources"),
    ("jobs", "sweeps"),
    ("sources", "draft"),
    ("sources", "sweeps"),
    ("jobs", "desk"),
    ("jobs", "commands"),
    ("jobs", "status"),
    ("jobs", "shelf"),
    ("jobs", "beside"),
    ("beside", "shelf"),
    ("jobs", "press"),
    ("jobs", "rerun"),
    ("jobs", "cells"),
    ("jobs", "rendered"),
    ("cells", "rendered"),
    ("jobs", "collected"),
    ("collected", "press"),
    ("draft", "pinned"),
    ("jobs", "pinned"),
    ("status", "desk"),
    ("jobs", "signing"),
    ("jobs", "scope"),
    ("signing", "scope"),
    ("signing", "evidence"),
    ("signing", "desk"),
    ("signing", "status"),
    ("evidence", "desk"),
    ("evidence", "pinned"),
    ("desk", "sources"),
    ("desk", "sweeps"),
    ("jobs", "publish"),
    ("jobs", "audit"),
    ("jobs", "recover"),
    ("audit", "publish"),
    ("recover", "publish"),
    ("publish", "status"),
    ("publish", "desk"),
    ("jobs", "join"),
    ("join", "draft"),
    ("join", "desk"),
    ("join", "status"),
    ("commands", "desk"),
    ("commands", "sweeps"),
    ("launch", "edge"),
    ("bench", "edge"),
    ("bench", "launch"),
    ("say", "matrix"),
    ("checks", "results"),
    ("checks", "policy"),
}
"""Sideways imports between rooms of one floor that docs/design.md explains."""
DOORS = {"edge", "launch", "bench", "forge", "simulator"}
ONLY_AT_THE_EDGE = {
    "subprocess",
    "urllib",
    "socket",
    "httpx",
    "requests",
    "github",
    "sqlite3",
    "duckdb",
    "tempfile",
}
GUARDED = {"matrix/generate.py", "matrix/plan.py", "matrix/changed.py"}
"""Their `__main__` guards hand argv to the command line under the community's names."""

MODULES = sorted(path for path in ROOT.rglob("*.py"))


def room(parts: tuple[str, ...]) -> str:
    return parts[0].removesuffix(".py") if parts else ""


def imports(path: Path) -> list[str]:
    tree = ast.parse(path.read_text())
    guard = [
        node
        for node in tree.body
        if isinstance(node, ast.If) and ast.unparse(node.test).startswith("__name__ ==")
    ]
    skipped = {id(inner) for node in guard for inner in ast.walk(node)}
    found = []
    for node in ast.walk(tree):
        if id(node) in skipped and str(path.relative_to(ROOT)) in GUARDED:
            continue
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found += [f"{node.module}.{alias.name}" for alias in node.names]
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_module_keeps_to_its_floor(path: Path) -> None:
    mine = room(path.relative_to(ROOT).parts)
    floor = FLOOR.get(mine, 0)
    for name in imports(path):
        if not name.startswith("infx.") or name == "infx.__version__":
            continue
        other = name.split(".")[1]
        if other == mine:
            assert mine in SAME_ROOM or floor == 0 or path.name == "__init__.py", (
                f"{mine} imports its neighbour {name}"
            )
        elif (mine, other) not in ALLOWED:
            assert FLOOR.get(other, 0) in SEES[floor], f"floor {floor} imports {name}"
            assert floor == 0 or FLOOR.get(other, 0) < floor or floor == 5, f"{name} is sideways"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_only_the_edge_touches_the_world(path: Path) -> None:
    if room(path.relative_to(ROOT).parts) in DOORS:
        return
    for name in imports(path):
        assert name.split(".")[0] not in ONLY_AT_THE_EDGE, f"{name} outside the edge"
    if room(path.relative_to(ROOT).parts) == "cli":
        return
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            assert f"{node.value.id}.{node.attr}" not in {
                "os.environ",
                "os.getenv",
                "sys.stdout",
                "sys.stderr",
                "sys.exit",
            }
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in {"open", "print"}, f"{node.func.id}() outside the edge"
