"""`/use` on a busy pull request of the embedded GitHub: its requests, and the decision alone."""

import io
import json
import subprocess
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.self.forge import Idle, opened
from infx.desk import Desk
from infx.edge import settings
from infx.edge.github import GitHub
from infx.edge.world import World
from infx.event import Comment, Title
from infx.forge.actor import Actor
from infx.forge.database import pack
from infx.forge.forge import Forge
from infx.jobs.comment import Clerk
from infx.ledger import Entry, Ledger, State
from infx.plan import Plan
from infx.policy import source
from infx.read import rest, title
from infx.read.place import At
from infx.status import desk_of

NAME = "acme/bench"
COLD, WARM, DECISION_S = 40, 8, 0.05
KEY = "m1-fp8-h200-sglang"
MASTER = f"""{KEY}:
  image: repo/engine:1
  model: org/m1
  model-prefix: m1
  runner: cluster:h200
  precision: fp8
  framework: sglang
  multinode: false
  scenarios:
    fixed-seq-len:
    - isl: 1024
      osl: 1024
      search-space:
      - {{ tp: 8, conc-list: CONCS }}
"""
LINK = "  pr-link: https://github.com/acme/bench/pull/1\n"
ENTRY = f"- config-keys:\n    - {KEY}\n  description:\n    - WHY\n{LINK}"
BASE = {
    ".github/workflows/sweep.yml": "name: sweep\non: push\njobs: {}\n",
    ".github/workflows/comment.yml": "name: comment\non: push\njobs: {}\n",
    "configs/nvidia-master.yaml": MASTER.replace("CONCS", "[1]"),
    "configs/amd-master.yaml": "{}\n",
    "configs/runners.yaml": "labels:\n  cluster:h200: [h200_0]\nhardware: {}\n",
    "perf-changelog.yaml": ENTRY.replace("WHY", "first"),
    "requirements-clients.lock": "aiperf==1\n",
    "benchmarks/single_node/fixed_seq_len/m1_fp8_h200.sh": "exec engine\n",
}


@dataclass(frozen=True, kw_only=True)
class Size:
    """How busy a pull request is."""

    comments: int = 300
    commits: int = 60
    runs: int = 40
    full: int = 12
    """Runs that left artifacts, `points` of them."""
    points: int = 300

    @property
    def change(self) -> dict[str, str]:
        return {
            "configs/nvidia-master.yaml": MASTER.replace("CONCS", str(list(range(1, self.points + 1)))),
            "perf-changelog.yaml": BASE["perf-changelog.yaml"] + "\n" + ENTRY.replace("WHY", "more points"),
        }


def bench() -> None:
    """Print each number beside what it may be."""
    size = Size()
    with busy(size) as place:
        cold = place.use("/use {0}")
        print(f"/use, cold: {cold} requests (at most {COLD})")
        place.use("/use {0} {1}")
        warm = place.use("/use {1}")
        print(f"/use, warm in the same process: {warm} answers other than 304 (at most {WARM})")
        what = f"decision of {size.runs} runs and {size.points} points"
        print(f"{what}: {place.decided():.4f} s (at most {DECISION_S})")


class Place:
    """A clone of the repository, and one client that every command uses."""

    def __init__(self, forge: Forge, folder: Path, token: str) -> None:
        self.forge, self.token, self.folder = forge, token, folder
        self.runs: list[int] = []
        self.number, self.answering = 0, 0
        self.github = GitHub(NAME, token, forge.api)
        self.known: dict[Any, Any] = {}
        self.rules = settings.parse("")

    @property
    def world(self) -> World:
        env = {"GITHUB_TOKEN": self.token, "GITHUB_RUN_ID": str(self.answering), "PATH": "/usr/bin:/bin"}
        quiet = io.StringIO()
        return World(env={**env, "GITHUB_SERVER_URL": self.forge.url}, cwd=self.folder, out=quiet, err=quiet)

    @property
    def desk(self) -> Desk:
        made = desk_of(self.github, self.rules, self.world, self.number, default_branch="main")
        return replace(made, known=self.known)

    def say(self, words: str) -> Comment:
        """A command of somebody who may; `{0}` is the first run."""
        said = self.forge.at(NAME, "mia").comment(self.number, words.format(*self.runs))
        place = f"/repos/{NAME}/issues/comments/{said}"
        return rest.comment(At(self.github.api.get(place), place))

    def wake(self, event: Comment) -> int:
        """One run of the comment workflow; its exit number."""
        return Clerk(world=self.world, desk=self.desk, event=event, editor="").work()

    def use(self, words: str) -> int:
        """Answers that cost something, from the start of the job to its end."""
        event = self.say(words)
        before = self.github.api.requests - self.github.api.unchanged
        code = self.wake(event)
        cost = self.github.api.requests - self.github.api.unchanged - before
        [record] = [one for one in self.desk.records if one.comment == event.id]
        if code or not record.go:
            raise RuntimeError(f"{words} was answered {record.kind}: {record.reason}")
        return cost

    def decided(self) -> float:
        """Seconds of the decision alone, everything looked up."""
        desk = self.desk
        facts = desk.sources.facts(desk.asked, everything=True)
        taken = []
        for _ in range(5):
            start = time.process_time()
            source.decide(facts, self.rules)
            taken.append(time.process_time() - start)
        return min(taken)


@contextmanager
def busy(size: Size) -> Iterator[Place]:
    """The pull request: its commits, comments, runs and artifacts."""
    with tempfile.TemporaryDirectory() as name, opened(Path(name) / "forge", Idle()) as forge:
        forge.create_repo(NAME)
        token = forge.user("mia")
        forge.role(NAME, "mia", "maintain")
        mia = forge.at(NAME, "mia")
        mia.push("main", BASE, message="first")
        clone = Path(name) / "clone"
        place = Place(forge, clone, token)
        for turn in range(size.commits - 1):
            mia.push("topic", {"docs.md": f"{turn}\n"}, message=f"turn {turn}")
        mia.push("topic", size.change, message="more points")
        place.number = mia.open_pull("topic", title="More points")
        subprocess.run(["git", "clone", "-q", str(mia.at.bare.root), str(clone)], check=True)
        for turn in range(size.comments):
            mia.comment(place.number, f"remark {turn}")
        fill(place, mia, size)
        yield place


def fill(place: Place, mia: Actor, size: Size) -> None:
    """Runs and artifacts, straight into the tables."""
    desk, at = place.desk, mia.at
    plan = desk.sources.wanted
    now = at.site.stamp()
    pull = mia.pull(place.number)
    base: dict[str, Any] = {"repo": at.repo["id"], "repository": NAME, "attempt": 1, "fork": 0, "action": ""}
    base |= {"status": "completed", "conclusion": "success", "actor": "mia", "triggering_actor": "mia"}
    base |= {"created_at": now, "updated_at": now, "started_at": now, "ref": "", "pull_requests": pack([])}
    meant = Title(pr=place.number, action="synchronize", head_sha=plan.head_sha, base_sha=pull["base"]["sha"])
    sweep = {"workflow": ".github/workflows/sweep.yml", "name": "sweep", "title": title.write(meant)}
    sweep |= {
        "event": "pull_request",
        "head_branch": "topic",
        "head_sha": plan.head_sha,
        "sha": plan.head_sha,
    }
    for number in range(size.runs):
        run = at.db.insert("runs", number=number, **base, **sweep)
        if number < size.full:
            place.runs.append(run)
            artifacts(mia, run, plan, now=now)
    answer = {"workflow": ".github/workflows/comment.yml", "name": "comment", "title": "x"}
    answer |= {"event": "issue_comment", "head_branch": "main", "head_sha": pull["base"]["sha"], "sha": ""}
    place.answering = at.db.insert("runs", number=size.runs, **base, **answer)


def artifacts(mia: Actor, run: int, plan: Plan, *, now: str) -> None:
    """As many artifacts as points; the ledger is one that can be read."""
    site = mia.at.site
    common: dict[str, Any] = {"repo": mia.at.repo["id"], "run": run, "attempt": 1, "final": 1, "size": 1}
    common |= {
        "created_at": now,
        "updated_at": now,
        "expires_at": site.stamp(80 * 86400.0),
        "digest": "0" * 64,
    }
    for number in range(len(plan.points) - 1):
        site.db.insert("artifacts", name=f"bmk_{number}", **common)
    made = site.db.insert("artifacts", name="ledger", **common)
    (site.folder / "artifacts").mkdir(exist_ok=True)
    with zipfile.ZipFile(site.folder / "artifacts" / f"{made}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("ledger.json", json.dumps(ledger(run, plan).as_json()))
        archive.writestr("plan.json", json.dumps(plan.as_json()))


def ledger(run: int, plan: Plan) -> Ledger:
    entries = tuple(
        Entry(
            point=point.id,
            key=point.key,
            title=point.title,
            mode=point.mode,
            state=State.VALID,
            attempt=1,
            node="h200_0",
            sha=plan.head_sha,
            result={"conc": point.row["conc"], "isl": 1024, "osl": 1024, "tput_per_gpu": 1.0, "hw": "h200"},
        )
        for point in plan.points
    )
    return Ledger(run_id=run, attempt=1, head_sha=plan.head_sha, plan_digest=plan.digest, entries=entries)
