"""Store: runs, jobs, logs and tokens, as the Actions half writes them (`ports.Store`)."""

from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from infx.forge import environments, hooks, settings, tokens, workflows
from infx.forge.database import Row, pack, unpack
from infx.forge.ports import Job, Repository, Run, Runner
from infx.forge.shapes import run as shapes
from infx.forge.site import Json, Site
from infx.forge.visit import Caller, Visit

RUN_COLUMNS = tuple(field.name for field in fields(Run) if field.name not in ("id", "payload"))
JOB_COLUMNS = tuple(field.name for field in fields(Job) if field.name != "id")
RUN = (
    "SELECT runs.*, workflows.id AS workflow_id FROM runs "
    "JOIN workflows ON workflows.repo = runs.repo AND workflows.path = runs.workflow "
)
JOB = (
    "SELECT jobs.*, runs.name AS workflow_name, runs.head_branch AS head_branch FROM jobs "
    "JOIN runs ON runs.id = jobs.run "
)


class TableStore:
    """`ports.Store` over the site's tables."""

    def __init__(self, site: Site) -> None:
        self._site = site

    @property
    def url(self) -> str:
        """Address of the forge, without a slash at the end."""
        return self._site.url

    def now(self) -> float:
        return self._site.now()

    def repository(self, full_name: str) -> Repository:
        repo = self._site.repo(full_name)
        return Repository(
            full_name=repo["full_name"],
            git_dir=self._site.bare(repo).root,
            default_branch=repo["default_branch"],
            owner=repo["owner"],
            private=bool(repo["private"]),
            variables=self._settings(repo, "variable"),
            secrets=self._settings(repo, "secret"),
            default_permissions=repo["default_permissions"],
            environments=environments.restricted(Visit(self._site, repo)),
            environment_secrets=self._in_environments(repo, "secret"),
            environment_variables=self._in_environments(repo, "variable"),
        )

    def _settings(self, repo: Row, kind: str) -> dict[str, str]:
        rows = self._site.db.rows(
            "SELECT name, value FROM settings WHERE repo = ? AND kind = ?", repo["id"], kind
        )
        return {row["name"]: row["value"] for row in rows}

    def _in_environments(self, repo: Row, kind: str) -> dict[str, dict[str, str]]:
        names = [row["name"].lower() for row in settings.every(Visit(self._site, repo), "environment")]
        return {name: self._settings(repo, environments.kind_of(name, kind)) for name in names}

    def runners(self, full_name: str) -> Sequence[Runner]:
        repo = self._site.repo(full_name)
        rows = self._site.db.rows(
            "SELECT * FROM runners WHERE repo = ? OR repo IS NULL ORDER BY id", repo["id"]
        )
        return [
            Runner(
                id=row["id"],
                name=row["name"],
                labels=tuple(unpack(row["labels"])),
                online=bool(row["online"]),
                hosted=bool(row["hosted"]),
                env=unpack(row["env"]),
            )
            for row in rows
        ]

    def add_run(self, run: Run) -> Run:
        site, repo = self._site, self._site.repo(run.repository)
        now = site.stamp()
        with site.db.transaction():
            workflows.known(Visit(site, repo), run.workflow, name=run.name)
            last = site.db.value(
                "SELECT max(number) FROM runs WHERE repo = ? AND workflow = ?", repo["id"], run.workflow
            )
            columns = {name: getattr(run, name) for name in RUN_COLUMNS}
            columns |= {"number": (last or 0) + 1, "pull_requests": pack(list(run.pull_requests))}
            times = {"created_at": now, "updated_at": now, "started_at": now}
            run_id = site.db.insert("runs", repo=repo["id"], **columns, **times)
            site.db.insert("payloads", run=run_id, data=pack(dict(run.payload)))
        return self.run(run_id)

    def change_run(self, run_id: int, **changes: Any) -> Run:
        unknown = set(changes) - set(RUN_COLUMNS)
        if unknown:
            raise ValueError(f"a run has no {', '.join(sorted(unknown))}")
        site = self._site
        with site.db.transaction():
            row = self.run_row(run_id)
            if changes.get("attempt", row["attempt"]) != row["attempt"]:
                self._keep_attempt(row)
                changes["started_at"] = site.stamp()
            if "pull_requests" in changes:
                changes["pull_requests"] = pack(list(changes["pull_requests"]))
            site.db.change("runs", run_id, **changes, updated_at=site.stamp())
        return self.run(run_id)

    def _keep_attempt(self, row: Row) -> None:
        """An older attempt stays readable as it ended."""
        self._site.db.insert("attempts", run=row["id"], attempt=row["attempt"], data=pack(row))

    def run_row(self, run_id: int, attempt: int | None = None) -> Row:
        """The row of `runs` with `workflow_id`; that of an older attempt when one is asked for."""
        row = self._site.db.row(f"{RUN} WHERE runs.id = ?", run_id)
        if not row:
            raise KeyError(run_id)
        if attempt is None or attempt == row["attempt"]:
            return row
        old = self._site.db.value("SELECT data FROM attempts WHERE run = ? AND attempt = ?", run_id, attempt)
        if not old:
            raise KeyError(run_id)
        kept: Row = unpack(old)
        return kept

    def run(self, run_id: int) -> Run:
        return self._as_run(self.run_row(run_id))

    def _as_run(self, row: Row) -> Run:
        payload = self._site.db.value("SELECT data FROM payloads WHERE run = ?", row["id"])
        columns = {name: row[name] for name in RUN_COLUMNS}
        columns |= {
            "pull_requests": tuple(unpack(row["pull_requests"])),
            "fork": bool(row["fork"]),
            "cancel_in_progress": bool(row["cancel_in_progress"]),
        }
        return Run(id=row["id"], payload=unpack(payload), **columns)

    def unfinished_runs(self, full_name: str) -> Sequence[Run]:
        rows = self._site.db.rows(
            "SELECT * FROM runs WHERE repository = ? AND status != 'completed' ORDER BY id", full_name
        )
        return [self._as_run(row) for row in rows]

    def add_job(self, job: Job) -> Job:
        run = self.run_row(job.run)
        columns = {name: getattr(job, name) for name in JOB_COLUMNS}
        columns |= {"labels": pack(list(job.labels)), "steps": pack(list(job.steps))}
        job_id = self._site.db.insert(
            "jobs", repo=run["repo"], sha=run["head_sha"], created_at=self._site.stamp(), **columns
        )
        return self._as_job(self.job_row(job_id))

    def change_job(self, job_id: int, **changes: Any) -> Job:
        unknown = set(changes) - set(JOB_COLUMNS)
        if unknown:
            raise ValueError(f"a job has no {', '.join(sorted(unknown))}")
        for name in ("labels", "steps"):
            if name in changes:
                changes[name] = pack([*changes[name]])
        self._site.db.change("jobs", job_id, **changes)
        return self._as_job(self.job_row(job_id))

    def job_row(self, job_id: int) -> Row:
        """The row of `jobs` with what its run adds to it."""
        row = self._site.db.row(f"{JOB} WHERE jobs.id = ?", job_id)
        if not row:
            raise KeyError(job_id)
        return row

    def _as_job(self, row: Row) -> Job:
        columns = {name: row[name] for name in JOB_COLUMNS}
        columns |= {"labels": tuple(unpack(row["labels"])), "steps": tuple(unpack(row["steps"]))}
        return Job(id=row["id"], **columns)

    def jobs(self, run_id: int, attempt: int) -> Sequence[Job]:
        rows = self._site.db.rows(
            "SELECT * FROM jobs WHERE run = ? AND attempt = ? ORDER BY id", run_id, attempt
        )
        return [self._as_job(row) for row in rows]

    def log_path(self, job_id: int) -> Path:
        return self._site.folder / "logs" / f"{job_id}.txt"

    def append_log(self, job_id: int, text: str) -> None:
        with self.log_path(job_id).open("a", encoding="utf-8", errors="replace") as file:
            file.write(text)

    def mint_token(self, full_name: str, *, run: int, job: int, permissions: Mapping[str, str]) -> str:
        at = Visit(self._site, self._site.repo(full_name))
        return tokens.job_token(at, run=run, job=job, permissions=permissions)

    def end_token(self, token: str) -> None:
        self._site.db.run("UPDATE tokens SET ended = 1 WHERE token = ?", token)

    def tell(self, name: str, action: str, run: Run, job: Job | None = None) -> None:
        at = Visit(
            self._site, self._site.repo(run.repository), Caller(login=run.triggering_actor, kind="user")
        )
        row = self.run_row(run.id)
        payload: Json = {"action": action}
        if job:
            payload["workflow_job"] = shapes.job(at, self.job_row(job.id))
        else:
            workflow = shapes.workflow(at, workflows.known(at, run.workflow))
            payload |= {"workflow_run": shapes.run(at, row), "workflow": workflow}
        hooks.send(at, name, payload)
