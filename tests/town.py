"""Town: a served forge with code owners, the H200 recipe's pull request, and planted results of its sweep.

Steps of workflows are called one by one, with the events that the forge sent; `tests/lives` has the same on
real workflow files.
"""

import io
import json
import subprocess
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from infx.cli import main
from infx.decision import Decision
from infx.edge import settings
from infx.edge.git import Git
from infx.edge.github import GitHub
from infx.edge.world import World
from infx.event import Comment, Title
from infx.forge.actor import Actor
from infx.forge.artifacts import SERVICE, runtime_token
from infx.forge.forge import Forge
from infx.forge.ports import Job, Run
from infx.plan import Plan
from infx.point import EVAL, Point
from infx.read import title
from infx.results.tally import Facts, ledger
from infx.scope import announce
from infx.signing import artifact, decide, office
from infx.status import desk_of
from tests.builders import FULL, record
from tests.forge.client import Client
from tests.forge.recorder import Recorder
from tests.lives.project import Tree, before_h200, h200_as_first_proposed

NAME = "infx-dev/infx"
UPSTREAM = "sgl-project/sgl-cookbook"
SERVER = "https://github.com"
"""What jobs on the embedded GitHub take it for."""
SWEEP, SIGNOFF, COMMENT = (f".github/workflows/{name}.yml" for name in ("sweep", "signoff", "comment"))
BOT = "github-actions[bot]"
SAID = ("issue_comment", "pull_request_review", "pull_request")
OWNERS = """\
* @infx-dev/core
/configs/nvidia-master.yaml @owner-nv
/benchmarks/single_node/ @owner-nv
/configs/amd-master.yaml @owner-amd
"""
DESCRIPTION = """\
Qwen3.5 FP8 on H200, agentic coding with the MTP head: 9 points.

Upstream recipe: {recipe}
"""
Files = Mapping[str, str | bytes | None]


def signed(template: str, login: str, *, without: Sequence[str] = (), unticked: Sequence[str] = ()) -> str:
    """The checklist as an owner posts it."""
    lines = (
        template.partition("\n---\n")[2].strip().replace("- [ ]", "- [x]").replace("@your-login", f"@{login}")
    )
    kept = [line for line in lines.splitlines() if not any(f"] {name}:" in line for name in without)]
    return "\n".join(
        line.replace("[x]", "[ ]") if any(f"] {name}:" in line for name in unticked) else line
        for line in kept
    )


def with_owners(tree: Tree, *, owners: str = OWNERS, policy: str = "") -> Tree:
    """The project with code owners and a core team."""
    rules = tree["configs/policy.yaml"].decode() + f"core-team: [infx-dev/core]\n{policy}"
    return {
        **tree,
        ".github/CODEOWNERS": owners.encode(),
        "configs/policy.yaml": rules.encode(),
    }


def repository(folder: Path, tree: Mapping[str, bytes]) -> Path:
    """A git repository with one commit of this tree."""
    for path, data in tree.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    person = ("-c", "user.name=infx", "-c", "user.email=infx@example.org")
    for words in (("init", "-q", "-b", "main"), ("add", "-A"), (*person, "commit", "-q", "-m", "first")):
        subprocess.run(["git", "-C", str(folder), *words], check=True)
    return folder


def zipped(files: Mapping[str, str]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as made:
        for name, text in files.items():
            made.writestr(name, text)
    return target.getvalue()


def plant(forge: Forge, run: Run, name: str, files: Mapping[str, str]) -> None:
    """An artifact of a run, as upload-artifact would leave it."""
    client = Client(forge.url, runtime_token(run.id, 1))
    about = {"workflow_run_backend_id": str(run.id), "workflow_job_run_backend_id": "1", "name": name}
    url = client("POST", f"{SERVICE}CreateArtifact", {**about, "version": 4}).json["signedUploadUrl"]
    assert Client("")("PUT", url, zipped(files)).status == 201
    assert client("POST", f"{SERVICE}FinalizeArtifact", about).status == 200


def plant_sweep(
    forge: Forge, name: str, plan: Plan, *, score: float = 0.9757, lost: Sequence[str] = ()
) -> Run:
    """PLANTED: a complete sweep of `plan` with made-up numbers, in place of an H200. `lost` are titles."""
    at = forge.at(name, "mia")
    head = at.pull(plan.pr or 0)["head"]
    about = Title(
        pr=plan.pr or 0,
        action="labeled",
        head_sha=plan.head_sha,
        base_sha=plan.merge_base,
        label=FULL,
        labels=frozenset({FULL}),
    )
    run = forge.store.add_run(
        Run(
            id=0,
            repository=name,
            workflow=SWEEP,
            name="sweep",
            title=title.write(about),
            event="pull_request",
            action="labeled",
            payload={},
            actor="mia",
            triggering_actor="mia",
            head_branch=head["ref"],
            head_sha=plan.head_sha,
            ref=f"refs/pull/{plan.pr}/merge",
            sha=plan.head_sha,
            status="completed",
            conclusion="success",
            pull_requests=(plan.pr or 0,),
        )
    )
    kept = [point for point in plan.points if point.title not in lost]
    records = [
        record(one, sha=plan.head_sha, run_id=run.id, result=row(one, score), node="planted_00")
        for one in kept
    ]
    done = ledger(plan, records, Facts(run_id=run.id, attempt=1))
    plan_text = json.dumps(plan.as_json())
    plant(forge, run, "plan", {"plan.json": plan_text})
    plant(forge, run, "ledger", {"ledger.json": json.dumps(done.as_json()), "plan.json": plan_text})
    return run


def row(point: Point, score: float) -> dict[str, Any]:
    """Planted numbers that rise with concurrency."""
    load = point.concurrencies[-1]
    about = {"hw": "h200-dgxc", "image": point.row["image"], "framework": "sglang", "precision": "fp8"}
    if point.mode == EVAL:
        return {**about, "task": point.task, "score": score, "threshold": 0.9}
    return {
        **about,
        "conc": load,
        "infmax_model_prefix": "qwen3.5",
        "tput_per_gpu": 100.0 * load,
        "median_e2el": 2.0 + load,
        "median_intvty": 100.0 / load,
        "result_time": 1_790_000_000 + load,
    }


class Town:
    """The pull request, and what people and workflows do about it."""

    def __init__(self, folder: Path, tree: Tree, *, owners: str = OWNERS, policy: str = "") -> None:
        self.folder = folder
        self.recorder = Recorder()
        self.forge = Forge.start(folder / "forge", lambda store, url: self.recorder)
        whole = with_owners(before_h200(tree), owners=owners, policy=policy)
        self.tree = with_owners(tree, owners=owners, policy=policy)
        self.forge.create_repo(NAME, repository(folder / "source", whole))
        self.token = self.forge.user("mia")
        for login, role in (
            ("mia", "maintain"),
            ("owner-nv", "write"),
            ("owner-amd", "write"),
            ("eva", "read"),
        ):
            self.forge.user(login)
            self.forge.role(NAME, login, role)
        self.mia = self.at("mia")
        self.clone = folder / "clone"
        subprocess.run(["git", "clone", "-q", str(self.mia.at.bare.root), str(self.clone)], check=True)

    def close(self) -> None:
        self.forge.close()

    def at(self, login: str) -> Actor:
        return self.forge.at(NAME, login)

    @property
    def template(self) -> str:
        return self.tree["PR_REVIEW_CHECKLIST.md"].decode()

    # -- what people do

    def upstream(self, *, merged: bool = True) -> str:
        """A recipe at the engine's project; its address."""
        self.forge.create_repo(UPSTREAM, repository(self.folder / "upstream", {"README.md": b"cookbook\n"}))
        self.forge.user("sgl")
        self.forge.role(UPSTREAM, "sgl", "admin")
        there = self.forge.at(UPSTREAM, "sgl")
        there.push("recipe", {"qwen3.5.md": "H200\n"}, message="Recipe")
        number = there.open_pull("recipe", title="Qwen3.5 on H200")
        if merged:
            there.merge(number)
        return f"{SERVER}/{UPSTREAM}/pull/{number}"

    def propose(
        self, more: Files | None = None, *, recipe: str = "", body: str = "", draft: bool = False
    ) -> int:
        """The H200 recipe's pull request."""
        files: dict[str, str | bytes | None] = {**h200_as_first_proposed(self.tree), **(more or {})}
        self.mia.push("topic", files, message="H200 recipe")
        text = body or DESCRIPTION.format(recipe=recipe or self.upstream())
        number = self.mia.open_pull("topic", title="H200 recipe", body=text, draft=draft)
        self.announce(number)
        return number

    def push(self, number: int, files: Files, message: str = "more") -> str:
        sha = self.mia.push_to_pull(number, files, message=message)
        self.announce(number)
        return sha

    def merge_main(self, number: int, files: Files) -> str:
        """Somebody merges the target, which others changed, into the branch."""
        self.mia.push("main", files, message="elsewhere")
        self.git("fetch", "-q", "origin", "main", f"refs/pull/{number}/head:topic")
        self.git("worktree", "add", "-q", "-f", "../merge", "topic")
        merge = ["git", "-C", str(self.folder / "merge"), "-c", "user.name=m", "-c", "user.email=m@x"]
        subprocess.run([*merge, "merge", "-q", "--no-edit", "origin/main"], check=True)
        subprocess.run([*merge, "push", "-q", "origin", "HEAD:refs/heads/topic"], check=True)
        self.announce(number)
        return str(self.mia.pull(number)["head"]["sha"])

    def sign(
        self, number: int, login: str = "owner-nv", body: str = "", *, code: int = 0, **changes: Any
    ) -> int:
        """Somebody posts the checklist; id of the comment, whose event the workflow takes."""
        made = self.at(login).comment(number, body or signed(self.template, login, **changes))
        self.signoff(number, code=code)
        return made

    # -- what the workflows do

    def git(self, *words: str) -> None:
        subprocess.run(["git", "-C", str(self.clone), *words], check=True)

    @property
    def github(self) -> GitHub:
        return GitHub(NAME, self.job_token(), self.forge.api, login=BOT)

    def job_token(self, run: Run | None = None, **held: str) -> str:
        """Of a running job, by whose run git knows it too."""
        scopes = {"contents": "read", "pull-requests": "write", "statuses": "write", **held}
        run = run or self.planted(SIGNOFF)
        about: dict[str, Any] = {"name": "verify", "labels": ("ubuntu-latest",), "status": "in_progress"}
        job = self.forge.store.add_job(Job(id=0, run=run.id, attempt=1, runner="node-1", **about))
        return self.forge.store.mint_token(NAME, run=run.id, job=job.id, permissions=scopes)

    def planted(self, workflow: str, event: str = "issue_comment", **changes: Any) -> Run:
        """A run of a workflow on the default branch."""
        tip = self.mia.at.bare.ref("refs/heads/main")
        about: dict[str, Any] = {
            "id": 0,
            "repository": NAME,
            "workflow": workflow,
            "name": workflow,
            "title": "",
            "event": event,
            "action": "created",
            "payload": {},
            "actor": "mia",
            "triggering_actor": "mia",
            "head_branch": "main",
            "head_sha": tip,
            "ref": "refs/heads/main",
            "sha": tip,
        }
        return self.forge.store.add_run(Run(**{**about, **changes}))

    def announce(self, number: int, *, opened: bool = False) -> None:
        """The control workflow, as far as sign-offs go."""
        github = GitHub(NAME, self.job_token(actions="write"), self.forge.api, login=BOT)
        self.git("fetch", "-q", "origin", "main", f"refs/pull/{number}/head")
        announce(github, Git(self.clone), settings.load(self.clone), github.pull(number), opened=opened)

    def signoff(
        self, number: int, event: Mapping[str, Any] | None = None, *, name: str = "", code: int | None = 0
    ) -> str:
        """One run of the sign-off workflow, by default for the newest event; what it said."""
        last = next(one for one in reversed(self.recorder.events) if one.name in SAID and one.actor != BOT)
        self.run = self.planted(SIGNOFF)
        env = {
            "GITHUB_EVENT_NAME": name or last.name,
            "INFX_PR": str(number),
        }
        left = self.clone / "infx-out" / artifact(number) / "signoff.json"
        left.unlink(missing_ok=True)
        said = self.step(
            ["job", "signoff", "--apply"],
            event if event is not None else last.payload,
            env,
            run=self.run,
            code=code,
        )
        if left.exists():
            plant(self.forge, self.run, artifact(number), {"signoff.json": left.read_text()})
        return said

    def found(self, event: Mapping[str, Any], name: str) -> list[int]:
        """Numbers that the first job of the workflow finds."""
        out = self.folder / "outputs"
        out.unlink(missing_ok=True)
        self.step(["job", "signoff"], event, {"GITHUB_EVENT_NAME": name, "GITHUB_OUTPUT": str(out)})
        numbers: list[int] = json.loads(out.read_text().split("\n")[1])
        return numbers

    def use(self, number: int, run: Run, login: str = "mia") -> None:
        """`/use` is written and answered by the comment workflow."""
        self.at(login).comment(number, f"/use {run.id}")
        event = next(one for one in reversed(self.recorder.events) if one.name == "issue_comment")
        answering = self.planted(COMMENT, pull_requests=(number,))
        env = {"GITHUB_EVENT_NAME": "issue_comment"}
        self.step(["job", "comment"], event.payload, env, run=answering, contents="write", actions="write")

    def step(
        self,
        words: Sequence[str],
        event: Mapping[str, Any],
        env: Mapping[str, str],
        *,
        run: Run | None = None,
        code: int | None = 0,
        **held: str,
    ) -> str:
        path = self.folder / "event.json"
        path.write_text(json.dumps(event))
        err, run = io.StringIO(), run or self.planted(SIGNOFF)
        whole = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(self.folder),
            "GITHUB_ACTIONS": "true",
            "GITHUB_REPOSITORY": NAME,
            "GITHUB_TOKEN": self.job_token(run, **held),
            "GITHUB_RUN_ID": str(run.id),
            "RUNNER_NAME": "node-1",
            "GITHUB_API_URL": self.forge.api,
            "GITHUB_SERVER_URL": SERVER,
            "GITHUB_EVENT_PATH": str(path),
            **env,
        }
        self.git("fetch", "-q", "origin", "main")
        self.git("reset", "-q", "--hard", "origin/main")
        world = World(env=whole, cwd=self.clone, out=io.StringIO(), err=err, now=self.forge.site.now)
        found = main(words, world)
        assert code is None or found == code, err.getvalue()
        return err.getvalue()

    def plan(self, number: int) -> Plan:
        """What the pull request has to measure."""
        made: Plan = self.desk(number).sources.wanted
        return made

    def desk(self, number: int) -> Any:
        world = World(
            env={"GITHUB_TOKEN": self.token, "GITHUB_SERVER_URL": SERVER, "PATH": "/usr/bin:/bin"},
            cwd=self.clone,
            out=io.StringIO(),
            err=io.StringIO(),
        )
        return desk_of(self.github, settings.load(self.clone), world, number)

    def measured(self, number: int, **changes: Any) -> Run:
        """A planted sweep that somebody authorised."""
        run = plant_sweep(self.forge, NAME, self.plan(number), **changes)
        self.use(number, run)
        return run

    # -- what became of it

    def decision(self, number: int) -> Decision:
        env = {
            "GITHUB_TOKEN": self.token,
            "GITHUB_SERVER_URL": SERVER,
            "PATH": "/usr/bin:/bin",
            "GITHUB_API_URL": self.forge.api,
            "GITHUB_REPOSITORY": NAME,
        }
        world = World(env=env, cwd=self.clone, out=io.StringIO(), err=io.StringIO())
        rules = settings.load(self.clone)
        return decide(office(self.github, rules, world, number).whole, rules)

    def status(self, number: int) -> tuple[str, str]:
        sha = self.mia.pull(number)["head"]["sha"]
        return self.github.statuses(sha).get("infx/signoff", ("", ""))

    def comments(self, number: int) -> list[Comment]:
        """Verdicts."""
        said = [one for one in self.github.comments(number) if one.author == BOT]
        return [one for one in said if one.body.startswith("<!-- infx:signoff")]

    def verdict(self, number: int) -> str:
        """The only verdict comment."""
        [one] = self.comments(number)
        return one.body
