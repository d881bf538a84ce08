"""Life: this project's own repository on the embedded GitHub, with people, runners and real workflow runs."""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from infx.edge import archive
from infx.edge.github import GitHub
from infx.event import Comment
from infx.forge.actions.engine import Engine
from infx.forge.actions.parser import Parser
from infx.forge.actor import Actor
from infx.forge.forge import Forge
from infx.forge.ports import Job, Run
from infx.forge.site import Request
from infx.forge.store import TableStore
from infx.launch import leftovers
from infx.ledger import Ledger
from infx.plan import Plan
from infx.say import comment
from tests.lives.project import CHANGELOG, ROOT, Tree, project

NAME = "infx-dev/infx"
DEMO = "configs/demo-master.yaml"
CLUSTERS = "configs/clusters.yaml"
POLICY = "configs/policy.yaml"
SCRIPT = "benchmarks/single_node/fixed_seq_len/demo_bf16_local.sh"
KEY = "demo-bf16-local-sim"
FAST = "full-sweep-fail-fast"
ENABLED = "full-sweep-enabled"
BARE = "non-canary-full-sweep-enabled"
PATIENCE_S = 400.0
ZIP_LIMIT = 1 << 24
Files = Mapping[str, str | bytes | None]


def base() -> Tree:
    """The project, without the workflow that would run the project's own tests."""
    return project()


def config(key: str, concs: Sequence[int], *, isl: int) -> str:
    """A config of the demo's engine that is measured in seconds."""
    return (
        f"{key}:\n  image: infx/simulator:1\n  model: infx/demo-bytes\n  model-prefix: demo\n"
        "  runner: cluster:local\n  precision: bf16\n  framework: sim\n  multinode: false\n"
        f"  scenarios:\n    fixed-seq-len:\n    - isl: {isl}\n      osl: 4\n"
        f"      search-space:\n      - {{ tp: 1, conc-list: {list(concs)} }}\n"
    )


def small(keys: Mapping[str, Sequence[int]], *, policy: str = "") -> Tree:
    """The project with these config keys alone in the demo's master config, and little load."""
    tree = base()
    clusters = tree[CLUSTERS].decode().replace("ready: 30.0", "ready: 600.0")
    clusters = clusters.replace("waves: 3", "waves: 1").replace("requests: 10", "requests: 2")
    return {
        **tree,
        DEMO: "\n".join(config(key, keys[key], isl=32 + at) for at, key in enumerate(keys)).encode(),
        CLUSTERS: clusters.encode(),
        POLICY: tree[POLICY] + policy.encode(),
    }


def change(tree: Tree, *keys: str, isl: int = 64) -> dict[str, str | bytes | None]:
    """What a pull request changes: other prompt lengths, and the changelog entry for them."""
    lines = "".join(f"    - {key}\n" for key in keys)
    entry = (
        f"\n- config-keys:\n{lines}  description:\n    - Longer prompts\n"
        "  pr-link: https://github.com/infx-dev/infx/pull/XXX\n"
    )
    master = tree[DEMO].decode()
    for at, _ in enumerate(keys):
        master = master.replace(f"isl: {32 + at}\n", f"isl: {isl + at}\n")
    return {DEMO: master, CHANGELOG: tree[CHANGELOG] + entry.encode()}


def faulty(tree: Tree, faults: Mapping[str, str]) -> dict[str, str | bytes | None]:
    """The engine script with a fault of the simulator for some `ISL-CONC`."""
    cases = "".join(f"  {which}) export SIM_FAULT={fault} ;;\n" for which, fault in faults.items())
    before, exec_, after = tree[SCRIPT].decode().partition("exec ")
    return {SCRIPT: f'{before}case "$ISL-$CONC" in\n{cases}esac\n{exec_}{after}'}


def repository(folder: Path, tree: Tree) -> Path:
    """A git repository with one commit of this tree."""
    for path, data in tree.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)
        file.chmod((ROOT / path).stat().st_mode & 0o777 if (ROOT / path).exists() else 0o644)
    person = ("-c", "user.name=infx", "-c", "user.email=infx@example.org")
    for words in (("init", "-q", "-b", "main"), ("add", "-A"), (*person, "commit", "-q", "-m", "first")):
        subprocess.run(["git", "-C", str(folder), *words], check=True)
    return folder


class Life:
    """One repository and what becomes of it. Everything waits with a limit."""

    def __init__(
        self,
        folder: Path,
        parser: Parser,
        tree: Tree,
        *,
        jobs: Path | None = None,
        clusters: int = 2,
        env: Mapping[str, str] | None = None,
    ) -> None:
        """`clusters` runners with the demo's label, beside two hosted ones; `env` is theirs. Jobs work in
        the folder `jobs`."""
        self.tree = tree
        self.problems: list[str] = []
        self.jobs_folder = jobs or folder / "jobs"

        def engine(store: Any, url: str) -> Engine:
            where = {"api_url": f"{url}/api/v3", "results_url": f"{url}/"}
            self.engine = Engine(
                store, folder=self.jobs_folder, log=self.problems.append, parser=parser, **where
            )
            return self.engine

        self.forge = Forge.start(folder / "forge", engine)
        self.forge.create_repo(NAME, repository(folder / "source", tree))
        self.token = self.forge.user("mia")
        self.forge.role(NAME, "mia", "maintain")
        self.env = {"INFX_PYTHON": sys.executable, "INFX_CLIENTS": str(ROOT / ".venv-clients"), **(env or {})}
        for number in range(2):
            self.forge.runner(f"hosted-{number}", ["ubuntu-latest"], hosted=True, env=self.env)
        for number in range(clusters):
            self.forge.runner(f"local_{number}", ["cluster:local"], env=self.env)
        self.mia = self.at("mia")
        self.github = GitHub(NAME, self.token, self.forge.api)

    def at(self, login: str) -> Actor:
        return self.forge.at(NAME, login)

    @property
    def store(self) -> TableStore:
        return self.forge.store

    # -- what people do

    def propose(self, files: Files, *labels: str, branch: str = "change", message: str = "Change") -> int:
        """A pull request with these labels; its number."""
        self.mia.push(branch, files, message=message)
        number = self.mia.open_pull(branch, title="Longer prompts")
        for label in labels:
            self.mia.label(number, label)
        return number

    # -- what became of it

    def runs(self, workflow: str = "sweep") -> list[Run]:
        """Oldest first."""
        rows = self.forge.site.db.rows("SELECT id FROM runs WHERE name = ? ORDER BY id", workflow)
        return [self.store.run(row["id"]) for row in rows]

    def sweeps(self) -> list[Run]:
        """Runs of the sweep workflow that came to cells, oldest first."""
        return [run for run in self.runs() if self.cells(run.id)]

    def jobs(self, run: int) -> Sequence[Job]:
        return self.store.jobs(run, self.store.run(run).attempt)

    def cells(self, run: int) -> dict[str, str | None]:
        """Name → conclusion of the jobs that need a GPU; a job that was skipped as a whole has no cells."""
        jobs = [job for job in self.jobs(run) if job.labels and "ubuntu-latest" not in job.labels]
        return {job.name: job.conclusion for job in jobs}

    def job(self, run: int, name: str) -> Job:
        return next(job for job in self.jobs(run) if job.name == name)

    def log(self, job: Job) -> str:
        path = self.store.log_path(job.id)
        return path.read_text() if path.exists() else ""

    def comments(self, number: int) -> list[Comment]:
        """Those of the bot."""
        return [one for one in self.github.comments(number) if one.author == "github-actions[bot]"]

    def status(self, number: int) -> str:
        """The one status comment."""
        [found] = [one for one in self.comments(number) if one.body.startswith(comment.STATUS)]
        return found.body

    def files(self, run: int, artifact: str) -> dict[str, bytes]:
        """Files of an artifact of a run."""
        [found] = [one for one in self.github.artifacts(run) if one.name == artifact]
        return archive.unpack(self.github.download(found, limit=ZIP_LIMIT), where=artifact, total=ZIP_LIMIT)

    def artifacts(self, run: int) -> set[str]:
        return {one.name for one in self.github.artifacts(run)}

    def json(self, run: int, artifact: str, file: str) -> Any:
        return json.loads(self.files(run, artifact)[file])

    def plan(self, run: int) -> Plan:
        return Plan.from_json(self.json(run, "plan", "plan.json"))

    def ledger(self, run: int) -> Ledger:
        return Ledger.from_json(self.json(run, "ledger", "ledger.json"))

    def states(self, run: int) -> dict[str, str]:
        """`C1` (with several keys: `key C1`) → state in the ledger."""
        entries = self.ledger(run).entries
        several = len({entry.key for entry in entries}) > 1
        return {f"{one.key} {one.title}" if several else one.title: one.text for one in entries}

    def requests(self, *, since: int = 0) -> list[Request]:
        """What jobs asked of the API, artifact service and storage left out."""
        return [one for one in self.forge.requests[since:] if one.job and "twirp" not in one.path]

    # -- time

    def until(self, done: Callable[[], object], *, limit_s: float = PATIENCE_S) -> None:
        end = time.monotonic() + limit_s
        while not done():
            assert time.monotonic() < end, f"it did not come to that: {self.told()}"
            time.sleep(0.05)

    def rest(self, *, limit_s: float = PATIENCE_S) -> None:
        """Wait until nothing goes on; nothing is left of any job."""
        assert self.forge.wait_idle(limit_s), self.told()
        assert self.problems == []
        assert self.left() == []

    def cell(self, run: int, title: str) -> Job | None:
        """The job of a point, such as `C2`, once there is one."""
        return next((job for job in self.jobs(run) if title in job.name.split() and job.labels), None)

    def measuring(self, run: int, title: str) -> bool:
        """The engine of that point has been started."""
        job = self.cell(run, title)
        return job is not None and "engine started" in self.log(job)

    def kill(self, run: int, title: str) -> None:
        """The machine that measures the point dies."""
        job = self.cell(run, title)
        assert job is not None
        self.engine.kill_runner(job.runner)

    def told(self) -> str:
        """Every job, for a person who reads a failed test."""
        lines = []
        for workflow in ("control", "sweep", "report"):
            for run in self.runs(workflow):
                lines += [f"{workflow} {run.id} {run.title} {run.status} {run.conclusion}"]
                lines += [f"  {job.name}: {job.status} {job.conclusion}" for job in self.jobs(run.id)]
        return "\n".join(lines)

    def left(self) -> list[int]:
        """Processes that cells of this forge have left."""
        return leftovers.marked(self.jobs_folder)

    def close(self) -> None:
        self.forge.close()
