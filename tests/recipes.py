"""`python -m tests.recipes` writes what H200 and multi-node keys start into tests/jobs/recipes, as text."""

import sys
from pathlib import Path

from infx.edge import settings
from infx.edge.tree import Documents
from infx.jobs.recipe import Shower, text
from infx.matrix import oneoff
from infx.read import tables
from infx.read.config import read_catalog
from infx.state import State

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "tests" / "jobs" / "recipes"


def state(root: Path = ROOT) -> State:
    """The work tree as planning sees a commit, without git."""
    layout = settings.load(root).layout
    named = [(name, (root / name).read_bytes()) for name in (*layout.masters, layout.runners)]
    files = {
        str(path.relative_to(root)): path.read_bytes()
        for path in (root / layout.scripts).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    golden = {
        path.stem: tables.curve(path.read_bytes(), where=str(path))
        for path in (root / layout.golden).glob("*.yaml")
    }
    return State(
        commit="0" * 40,
        catalog=read_catalog(named[:-1], named[-1]),
        files=files,
        documents=Documents(files),
        golden=golden,
        clusters=tables.records((root / layout.clusters).read_bytes(), where=layout.clusters),
    )


def keys() -> list[str]:
    """Config keys that run on an H200, or that need several engines."""
    configs = state().catalog.configs.items()
    return [key for key, config in configs if "h200" in config.runner or config.multinode]


def shown(key: str, root: Path = ROOT) -> str:
    """Every point of the key, evals too."""
    rules = settings.load(root)
    plan = oneoff.plan(oneoff.OneOff(keys=(key,), evals=True), state(root), rules)
    shower = Shower(state(root), rules, root)
    return "\n\n".join(text(shower.show(point)) for point in plan.points) + "\n"


if __name__ == "__main__":
    for old in FOLDER.glob("*.txt"):
        old.unlink()
    FOLDER.mkdir(exist_ok=True)
    for name in keys():
        (FOLDER / f"{name}.txt").write_text(shown(name))
    sys.stderr.write(f"wrote {len(keys())} files into {FOLDER}\n")
