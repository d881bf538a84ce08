"""A store in memory, and a bare repository to run workflows from."""

import itertools
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from infx.forge.ports import Event, Job, Repository, Run, Runner

NAME = "acme/infx"


def git(folder: Path, *words: str) -> str:
    who = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
    done = subprocess.run(["git", *who, *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


class Tree:
    """A work tree with a bare clone beside it that the engine reads."""

    def __init__(self, folder: Path) -> None:
        self.work, self.bare = folder / "tree", folder / "infx.git"
        self.work.mkdir()
        git(self.work, "init", "--quiet", "--initial-branch=main")
        git(folder, "init", "--quiet", "--bare", "--initial-branch=main", str(self.bare))

    def commit(self, files: Mapping[str, str], *, message: str = "change", branch: str = "main") -> str:
        git(self.work, "checkout", "--quiet", "-B", branch)
        for path, text in files.items():
            where = self.work / path
            where.parent.mkdir(parents=True, exist_ok=True)
            where.write_text(text)
        git(self.work, "add", "--all")
        git(self.work, "commit", "--quiet", "--allow-empty", "--message", message)
        git(self.work, "push", "--quiet", "--force", str(self.bare), f"HEAD:refs/heads/{branch}")
        return git(self.work, "rev-parse", "HEAD")


@dataclass
class Memory:
    """Implements `infx.forge.ports.Store`."""

    repo: Repository
    machines: list[Runner] = field(default_factory=list)
    runs: dict[int, Run] = field(default_factory=dict)
    jobs_: dict[int, Job] = field(default_factory=dict)
    logs: dict[int, str] = field(default_factory=dict)
    told: list[tuple[str, str, int, str]] = field(default_factory=list)
    tokens: dict[str, Mapping[str, str]] = field(default_factory=dict)
    ended: list[str] = field(default_factory=list)
    ahead: float = 0

    def __post_init__(self) -> None:
        self._ids = itertools.count(1)
        self._lock = threading.RLock()

    def repository(self, full_name: str) -> Repository:
        assert full_name == self.repo.full_name
        return self.repo

    def runners(self, full_name: str) -> Sequence[Runner]:
        return list(self.machines)

    def add_run(self, run: Run) -> Run:
        with self._lock:
            stored = replace(run, id=next(self._ids), number=len(self.runs) + 1)
            self.runs[stored.id] = stored
            return stored

    def change_run(self, run_id: int, **changes: Any) -> Run:
        with self._lock:
            self.runs[run_id] = replace(self.runs[run_id], **changes)
            return self.runs[run_id]

    def run(self, run_id: int) -> Run:
        return self.runs[run_id]

    def unfinished_runs(self, full_name: str) -> Sequence[Run]:
        return [run for run in self.runs.values() if run.status != "completed"]

    def add_job(self, job: Job) -> Job:
        with self._lock:
            stored = replace(job, id=next(self._ids))
            self.jobs_[stored.id] = stored
            return stored

    def change_job(self, job_id: int, **changes: Any) -> Job:
        with self._lock:
            self.jobs_[job_id] = replace(self.jobs_[job_id], **changes)
            return self.jobs_[job_id]

    def jobs(self, run_id: int, attempt: int) -> Sequence[Job]:
        with self._lock:
            return [job for job in self.jobs_.values() if (job.run, job.attempt) == (run_id, attempt)]

    def append_log(self, job_id: int, text: str) -> None:
        with self._lock:
            self.logs[job_id] = self.logs.get(job_id, "") + text

    def mint_token(self, full_name: str, *, run: int, job: int, permissions: Mapping[str, str]) -> str:
        token = f"ghs_{run}_{job}_secret"
        self.tokens[token] = permissions
        return token

    def end_token(self, token: str) -> None:
        self.ended.append(token)

    def tell(self, name: str, action: str, run: Run, job: Job | None = None) -> None:
        self.told.append((name, action, run.id, job.name if job else ""))

    def now(self) -> float:
        return time.time() + self.ahead

    # -- what tests ask

    def conclusions(self, run_id: int) -> dict[str, str | None]:
        """Job name → conclusion (None while it has none) of the newest attempt."""
        return {job.name: job.conclusion for job in self.jobs(run_id, self.runs[run_id].attempt)}

    def log(self, run_id: int, name: str) -> str:
        return "".join(self.logs.get(job.id, "") for job in self.job(run_id, name))

    def job(self, run_id: int, name: str) -> list[Job]:
        return [job for job in self.jobs(run_id, self.runs[run_id].attempt) if job.name == name]


def machine(number: int, *labels: str, **more: Any) -> Runner:
    return Runner(id=number, name=f"m{number}", labels=labels or ("ubuntu-latest",), **more)


def push(sha: str, **more: Any) -> Event:
    given: dict[str, Any] = {"payload": {"ref": "refs/heads/main"}, "ref": "refs/heads/main", **more}
    return Event(repository=NAME, name="push", actor="alice", sha=sha, **given)
