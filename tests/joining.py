"""A repository on the embedded GitHub, somebody with a clone of it, and `infx merge`."""

import io
import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from infx.cli import main
from infx.edge.api import Api
from infx.edge.github import GitHub
from infx.edge.world import World
from infx.errors import InfxError
from infx.event import PullRequest
from infx.forge.forge import Forge
from infx.forge.ports import Event, Run
from infx.join import Asked, Joiner
from infx.rules import Rules
from tests.forge.recorder import Recorder
from tests.repo import CHANGELOG, FILES, MASTER, entry
from tests.sweeping import RULES

REPO = "o/r"
SWEEP = RULES.layout.sweep_workflow
TREE = {**FILES, SWEEP: "name: sweep\non:\n  pull_request:\njobs: {}\n"}
LOG = "perf-changelog.yaml"
M1 = "m1-fp8-h200-sglang"
LONGER = {"configs/nvidia-master.yaml": MASTER.replace("[4, 8]", "[4, 8, 16]")}


class Gates(Recorder):
    """The sweep workflow of every new head has run its gate."""

    forge: Forge

    def deliver(self, event: Event) -> Sequence[int]:
        super().deliver(event)
        if event.name == "pull_request" and event.payload["action"] in ("opened", "synchronize"):
            self.gate(event.payload["pull_request"])
        return ()

    def gate(self, pull: Any) -> None:
        head = pull["head"]
        self.forge.store.add_run(
            Run(
                id=0,
                repository=REPO,
                workflow=SWEEP,
                name="sweep",
                title="gate",
                event="pull_request",
                action="synchronize",
                payload={},
                actor="will",
                triggering_actor="will",
                head_branch=head["ref"],
                head_sha=head["sha"],
                ref=f"refs/pull/{pull['number']}/merge",
                sha=head["sha"],
                status="completed",
                conclusion="success",
            )
        )


@dataclass
class Office:
    """The forge and a clone."""

    forge: Forge
    engine: Gates
    folder: Path
    login: str = "will"
    waited: list[float] = field(default_factory=list)
    token: str = ""

    def __post_init__(self) -> None:
        self.forge.create_repo(REPO)
        for login, role in (("mia", "maintain"), ("will", "write"), ("cleo", "read")):
            self.forge.user(login)
            self.forge.role(REPO, login, role)
        self.will, self.mia = self.forge.at(REPO, "will"), self.forge.at(REPO, "mia")
        self.will.push("main", TREE, message="first")
        self.token = self.forge.user("mia")
        self.clone = self.folder / "clone"
        source = self.forge.store.repository(REPO).git_dir
        subprocess.run(["git", "clone", "-q", str(source), str(self.clone)], check=True)

    # -- what people do

    def propose(self, files: dict[str, str], *, title: str = "Words", branch: str = "change") -> int:
        self.will.push(branch, files, message=title)
        return self.will.open_pull(branch, title=title)

    def pull(self, number: int) -> PullRequest:
        return self.github().pull(number)

    def tree(self, ref: str, path: str) -> str:
        self.git("fetch", "-q", "origin")
        return self.git("show", f"{ref}:{path}")

    def git(self, *words: str) -> str:
        done = subprocess.run(
            ["git", "-C", str(self.clone), *words], capture_output=True, text=True, check=True
        )
        return done.stdout

    def ran(
        self,
        workflow: str,
        sha: str,
        *,
        event: str = "pull_request",
        branch: str = "main",
        title: str = "",
        pulls: Sequence[int] = (),
    ) -> Run:
        """A run that has ended well."""
        return self.forge.store.add_run(
            Run(
                id=0,
                repository=REPO,
                workflow=workflow,
                name=workflow,
                title=title,
                event=event,
                action="",
                payload={},
                actor="will",
                triggering_actor="will",
                head_branch=branch,
                head_sha=sha,
                ref=f"refs/heads/{branch}",
                sha=sha,
                status="completed",
                conclusion="success",
                pull_requests=tuple(pulls),
            )
        )

    def say(self, number: int, words: str) -> int:
        """A maintainer writes a command, and the comment workflow answers; its exit number."""
        self.mia.comment(number, words)
        event = next(one for one in reversed(self.engine.events) if one.name == "issue_comment")
        path = self.folder / "event.json"
        path.write_text(json.dumps(event.payload))
        self.git("fetch", "-q", "origin")
        tip = self.git("rev-parse", "origin/main").strip()
        run = self.ran(RULES.layout.comment_workflow, tip, event="issue_comment")
        world = self.world()
        env = {**world.env, "GITHUB_RUN_ID": str(run.id), "GITHUB_EVENT_PATH": str(path)}
        return main(["job", "comment"], replace(world, env=env))

    # -- infx

    def github(self) -> GitHub:
        quick = Api(self.token, self.forge.api, sleep=self.waited.append)
        return GitHub(REPO, self.token, self.forge.api, api=quick, login="")

    @property
    def env(self) -> dict[str, str]:
        known = {
            "GITHUB_REPOSITORY": REPO,
            "GITHUB_TOKEN": self.token,
            "GITHUB_API_URL": self.forge.api,
            "FORGE_ACTOR": "mia",
        }
        return {**{name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}, **known}

    def world(self) -> World:
        self.out, self.err = io.StringIO(), io.StringIO()
        return World(env=self.env, cwd=self.clone, out=self.out, err=self.err)

    def joiner(self, number: int, *, rules: Rules = RULES, **asked: Any) -> Joiner:
        order = Asked(**{"number": number, "limit_s": 3.0, "poll_s": 1.0, **asked})
        return Joiner(
            world=self.world(), github=self.github(), rules=rules, asked=order, sleep=self.waited.append
        )

    def merge(self, number: int, **asked: Any) -> str:
        """`merged`, or the sentence that says why not."""
        try:
            return str(self.joiner(number, **asked).run().kind)
        except InfxError as problem:
            return problem.sentence

    def command(self, *argv: str) -> int:
        return main(argv, self.world())

    def steps(self) -> list[str]:
        """Kinds of the steps that were told."""
        return [
            line.partition("(")[2].partition(")")[0]
            for line in self.err.getvalue().splitlines()
            if "(" in line
        ]

    def first_parents(self) -> list[str]:
        """Subjects on main, newest first."""
        self.git("fetch", "-q", "origin")
        return self.git("log", "--first-parent", "--format=%s", "origin/main").splitlines()


def office(folder: Path) -> Office:
    engine = Gates()
    forge = Forge.start(folder / "forge", lambda store, url: engine)
    engine.forge = forge
    return Office(forge, engine, folder)


__all__ = ["CHANGELOG", "LOG", "LONGER", "M1", "REPO", "RULES", "SWEEP", "Office", "entry", "office"]
