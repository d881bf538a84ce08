"""Where random lives happen: one forge, and a repository with branches for each of them."""

import http.client
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from infx.forge import pushes
from infx.forge.forge import Forge
from infx.forge.site import Limits
from tests.forge.bench import Bench
from tests.forge.client import REPO

OTHER = "acme/other"
COMMITS = 6


class Place:
    """One forge for many lives: each has its own base and head branch, all of the same commits."""

    def __init__(self, forge: Forge, bench: Bench) -> None:
        self.forge, self.bench = forge, bench
        for name in (REPO, OTHER):
            forge.create_repo(name)
        self._token, self._line = forge.user("will"), http.client.HTTPConnection(forge.url.partition("//")[2])
        for login in ("will", "mia"):
            forge.role(REPO, login, "write")
        self.will, self.mia = forge.at(REPO, "will"), forge.at(REPO, "mia")
        self.root = self.will.push("main", {"a": "0"}, message="root")
        self.commits = [self.will.push("pool", {"b": str(n)}, message=f"b {n}") for n in range(COMMITS)]
        self.foreign = forge.at(OTHER, "acme").push("main", {"z": "0"}, message="foreign")

    def prepare(self, seeds: Iterable[int]) -> None:
        """Branches for these lives."""
        lines = [
            f"update refs/heads/{side}-{seed} {sha}\n"
            for seed in seeds
            for side, sha in (("base", self.root), ("head", self.commits[0]))
        ]
        self.will.at.bare("update-ref", "--stdin", stdin="".join(lines).encode())
        pushes.learn(self.will.at)

    def anew(self) -> None:
        """Another connection, after one that broke."""
        self._line.close()

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """One request of will on a connection that stays open: status and answer."""
        data = None if body is None else json.dumps(body)
        headers = {"Authorization": f"Bearer {self._token}"}
        self._line.request(method, f"/api/v3/repos/{REPO}/{path}", data, headers)
        with self._line.getresponse() as answer:
            return answer.status, json.loads(answer.read() or b"null")

    def close(self) -> None:
        self._line.close()
        self.forge.close()

    def newest(self, table: str) -> int:
        return int(self.forge.site.db.value(f"SELECT max(id) FROM {table}") or 0)


def make(folder: Path) -> Place:
    made: list[Bench] = []

    def engine(store: Any, url: str) -> Bench:
        made.append(Bench(store))
        return made[0]

    return Place(Forge.start(folder, engine, limits=Limits(user=10**9)), made[0])
