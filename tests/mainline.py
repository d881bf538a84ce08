"""The target branch of a `tests.sweeping.Life`: pull requests land there, and the ingest workflow looks."""

import io
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from infx.edge import store
from infx.edge.world import World
from infx.errors import InfxError
from infx.event import PullRequest
from infx.jobs.ingest import Ingest
from infx.publish import Outcome, Publisher, publisher
from infx.read.place import At
from infx.rules import Rules
from tests.builders import REPO
from tests.sweeping import RULES, Life

INGEST = RULES.layout.ingest_workflow
PULLS = "https://github.com/o/r/pull"


@dataclass
class Api:
    """Lists of GitHub that only publishing asks for, by path below the repository's."""

    lists: dict[str, list[Any]] = field(default_factory=dict)
    sent: list[tuple[str, Any]] = field(default_factory=list)

    def listed(self, path: str, key: str = "", **parameters: Any) -> Iterator[At]:
        return (At(item, path) for item in self.lists.get(path, []))


@dataclass
class Mainline:
    """`main` of the repository of `life`."""

    life: Life
    rules: Rules = field(default_factory=lambda: replace(RULES, audit_from=f"{PULLS}/1"))
    env: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.life.hub.api = self.api = Api()  # type: ignore[attr-defined]
        self.life.hub.listed = self.api.listed  # type: ignore[attr-defined]
        assert self.life.store.remote == "origin"

    def git(self, *words: str) -> str:
        return self.life.repo.git(*words)

    @property
    def tip(self) -> str:
        return self.git("rev-parse", "main")

    def squash(self, *, message: str = "Longer ladder (#7)", pull: bool = True) -> str:
        """Merge the pull request with the button; the commit on main."""
        self.git("checkout", "-q", "main")
        self.git("merge", "-q", "--squash", "topic")
        self.git("commit", "-q", "-m", message)
        if pull:
            self.merged()
        return self.tip

    def join(self) -> str:
        self.git("checkout", "-q", "main")
        self.git("merge", "-q", "--no-ff", "topic", "-m", "merge")
        self.merged()
        return self.tip

    def rebase(self) -> str:
        """As GitHub rebases: other commits, the same changes."""
        self.git("checkout", "-q", "main")
        self.git("commit", "-q", "--allow-empty", "-m", "something else")
        for commit in self.git("rev-list", "--reverse", "main~1..topic").split():
            self.git("cherry-pick", commit)
        self.merged()
        return self.tip

    def merged(self, **changes: Any) -> None:
        """GitHub shows the pull request as merged."""
        there = replace(self.life.pull, open=False, merged=True, **changes)
        self.life.hub.pulls[7] = there

    @property
    def pull(self) -> PullRequest:
        return self.life.hub.pulls[7]

    def world(self, env: Mapping[str, str]) -> World:
        root = self.life.repo.root
        self.out, self.err = io.StringIO(), io.StringIO()
        every = {"GITHUB_REPOSITORY": "o/r", "GITHUB_RUN_ID": "77", **self.env, **env}
        return World(env=every, cwd=root, out=self.out, err=self.err)

    def publisher(self, env: Mapping[str, str] | None = None) -> Publisher:
        world = self.world(env or {})
        made = publisher(self.life.hub, self.rules, world)  # type: ignore[arg-type]
        return replace(made, store=self.life.store)

    def event(self, payload: Mapping[str, Any]) -> str:
        path = self.life.repo.root / ".git" / "event.json"
        path.write_text(json.dumps(payload))
        return str(path)

    def place(self, event: str, **more: str) -> dict[str, str]:
        """Environment of a run of the ingest workflow."""
        base = {
            "GITHUB_WORKFLOW_REF": f"{REPO}/{INGEST}@refs/heads/main",
            "GITHUB_EVENT_NAME": event,
            "GITHUB_REF": "refs/heads/main",
            "GITHUB_ACTOR": "mia",
        }
        return {**base, **more}

    def push(self, before: str, *, after: str = "", **env: str) -> list[Outcome]:
        """The run of one push."""
        told = self.event({"before": before, "after": after or self.tip})
        return self.run(self.place("push", GITHUB_EVENT_PATH=told, **env))

    def recover(self, commit: str = "", **env: str) -> list[Outcome]:
        """The run of one dispatch."""
        told = self.event({"inputs": {"commit": commit}})
        return self.run(self.place("workflow_dispatch", GITHUB_EVENT_PATH=told, **env))

    def run(self, env: Mapping[str, str]) -> list[Outcome]:
        at = self.publisher(env)
        return Ingest(at.world, at).published()

    def rows(self, commit: str) -> dict[str, Any]:
        return dict(self.life.store.read(store.published(commit)))

    def history(self, commit: str) -> list[Any]:
        return self.life.store.history(store.published(commit))


def refusal(call: Callable[[], object]) -> str:
    """The sentence that a call ends with."""
    try:
        call()
    except InfxError as problem:
        return problem.sentence
    raise AssertionError("nothing was refused")
