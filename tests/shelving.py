"""Shelving: a small store of record on real git, with published rows."""

import subprocess
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

from infx.cli import main
from infx.edge.git import Git
from infx.edge.store import Store, published
from infx.edge.world import World
from infx.publication import Publication
from tests import builders as build

MERGES = tuple(f"{number:x}" * 40 for number in range(1, 10))
NOW = 1_790_000_000.0


def publication(conc: int = 4, merge: int = 0, **fields: Any) -> Publication:
    """A point as the merge of that number published it, a day after the one before."""
    point = build.point(conc)
    prints = point.fingerprint.as_json()
    known: dict[str, Any] = {
        "point": point.id,
        "key": point.key,
        "title": point.title,
        "mode": "throughput",
        "task": None,
        "pr": 7 + merge,
        "merge": MERGES[merge],
        "merged_at": datetime.fromtimestamp(NOW + 86400.0 * merge, UTC).isoformat(),
        "run": 500 + merge,
        "attempt": 1,
        "node": "h200-dgxc_03",
        "sha": build.HEAD,
        "fingerprint": prints,
        "planned": prints,
        "match": "equal",
        "accepted_changed": False,
        "authorisation": {"comment": 9, "by": "mia", "at": "2026-09-21T00:00:00Z"},
    }
    return Publication(row=build.published_row(conc, **fields.pop("row", {})), **{**known, **fields})


class Shelf:
    """A clone whose origin has the store."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "clone"
        for words in (["init", "-q", "--bare", "origin.git"], ["clone", "-q", "origin.git", "clone"]):
            subprocess.run(["git", *words], cwd=folder, check=True, capture_output=True)
        self.store = Store(git=Git(self.folder), branch="infx-results", now=lambda: NOW)
        self.err = StringIO()

    def publish(self, *ones: Publication) -> None:
        files: dict[str, dict[str, Any]] = {}
        for one in ones:
            files.setdefault(published(one.merge), {})[one.point] = one.as_json()
        self.store.put(files, why="publish")

    def __call__(self, *argv: str, code: int = 0) -> str:
        """Standard output of an `infx` command that ends with that exit number."""
        out = StringIO()
        self.err = StringIO()
        world = World(env={}, cwd=self.folder, out=out, err=self.err, now=lambda: NOW + 5 * 86400)
        assert main(list(argv), world) == code, self.err.getvalue()
        return out.getvalue()
