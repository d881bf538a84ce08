"""Beside: what a run measured, compared with what stands on main in the store of record."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from infx.compared import Compared
from infx.edge.git import Git
from infx.edge.store import Store, allowed
from infx.edge.world import World
from infx.errors import InfxError
from infx.flat import Flat
from infx.ledger import Ledger
from infx.plan import Plan
from infx.results import about
from infx.results.against import against
from infx.rules import Rules
from infx.shelf import FOLDERS, Reader


@dataclass(frozen=True, kw_only=True)
class Main:
    """Published rows of this repository, read when they are asked for."""

    world: World
    rules: Rules

    def compared(self, plan: Plan, ledger: Ledger) -> Compared | None:
        """None where the run measured nothing, main has none of it, or the store could not be read."""
        rows, _ = about.rows(plan, ledger)
        if not rows:
            return None
        git = Git(self.world.cwd, env=allowed(self.world.env))
        try:
            known = published(Store(git=git, branch=self.rules.layout.results_branch), rows, self.world)
        except InfxError as problem:
            self.world.note(f"infx: not compared with main: {problem.sentence}")
            return None
        found = against(rows, known)
        return found if found.points else None


def published(store: Store, rows: Sequence[Flat], world: World) -> list[Flat]:
    """Every version of rows of the same hardware that was not withdrawn."""
    commit, blobs = store.index(*FOLDERS)
    if not commit:
        return []
    marks = {json.dumps(one.hw).encode() for one in rows}
    reader = Reader(world=world, total=len(blobs), blobs=blobs)
    found: list[Flat] = []
    gone: set[tuple[int, str]] = set()
    for source in reader.sources(_lines_with(marks, store.raw(commit, list(blobs)))):
        found += source.rows
        gone |= {(one.run, one.point) for one in source.retractions}
    return [one for one in found if not {(one.run, one.point), (one.run, "*")} & gone]


def _lines_with(marks: set[bytes], files: Iterable[tuple[str, bytes]]) -> Iterator[tuple[str, bytes]]:
    """Files without the lines that cannot be of this hardware: most are not, and reading them is the work."""
    for path, data in files:
        if path.startswith("retracted/"):
            yield path, data
        else:
            yield path, b"\n".join(one for one in data.splitlines() if any(mark in one for mark in marks))
