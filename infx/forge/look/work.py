"""Work: runs, jobs, checks and artifacts as pages show them."""

from infx.forge.artifacts import ARTIFACT
from infx.forge.database import Row, unpack
from infx.forge.problem import not_found
from infx.forge.rest.checks import CHECKS
from infx.forge.site import Json
from infx.forge.store import JOB, RUN, TableStore
from infx.forge.visit import Visit

OF_PULL = "EXISTS (SELECT 1 FROM json_each(runs.pull_requests) WHERE value = ?)"
NEWEST = "SELECT max(id) FROM statuses WHERE repo = ? AND sha = ? GROUP BY context"
MANY = 100
"""Runs that one page shows."""


def runs_of_pull(at: Visit, number: int) -> list[Row]:
    """Newest first."""
    sql = f"{RUN} WHERE runs.repo = ? AND {OF_PULL} ORDER BY runs.id DESC LIMIT {MANY}"
    return at.db.rows(sql, at.repo["id"], number)


def runs_of(at: Visit) -> list[Row]:
    return at.db.rows(f"{RUN} WHERE runs.repo = ? ORDER BY runs.id DESC LIMIT {MANY}", at.repo["id"])


def run(at: Visit, store: TableStore, run_id: int, attempt: int | None = None) -> Row:
    """One attempt of a run of this repository, the newest unless one is asked for."""
    try:
        row = store.run_row(run_id, attempt)
    except KeyError:
        raise not_found() from None
    if row["repo"] != at.repo["id"]:
        raise not_found()
    return row


def jobs(at: Visit, row: Row) -> list[Json]:
    """Jobs of that attempt, with their steps."""
    sql = f"{JOB} WHERE jobs.run = ? AND jobs.attempt = ? ORDER BY jobs.id"
    found = at.db.rows(sql, row["id"], row["attempt"])
    return [{**one, "steps": unpack(one["steps"]), "labels": unpack(one["labels"])} for one in found]


def job(at: Visit, run_id: int, job_id: int) -> Json:
    sql = f"{JOB} WHERE jobs.repo = ? AND jobs.run = ? AND jobs.id = ?"
    row = at.db.row(sql, at.repo["id"], run_id, job_id)
    if not row:
        raise not_found()
    return {**row, "steps": unpack(row["steps"]), "labels": unpack(row["labels"])}


def artifacts(at: Visit, run_id: int) -> list[Row]:
    sql = f"{ARTIFACT} WHERE artifacts.repo = ? AND artifacts.run = ? AND final = 1 ORDER BY artifacts.name"
    return at.db.rows(sql, at.repo["id"], run_id)


def checks(at: Visit, sha: str) -> list[Json]:
    """Statuses and check runs of a commit under one shape: `name`, `conclusion`, `status`, `note`, `link`."""
    found: list[Json] = []
    for one in at.db.rows(f"SELECT * FROM statuses WHERE id IN ({NEWEST}) ORDER BY id", at.repo["id"], sha):
        state = one["state"]
        shown = {"conclusion": None if state == "pending" else state, "status": state}
        link = one["target_url"]
        found.append({"name": one["context"], **shown, "note": one["description"] or "", "link": link})
    names = "SELECT id, name FROM runs WHERE repo = ? AND head_sha = ?"
    of = {row["id"]: row["name"] for row in at.db.rows(names, at.repo["id"], sha)}
    for one in at.db.rows(f"{CHECKS} WHERE repo = ? AND sha = ? ORDER BY id", at.repo["id"], sha):
        link = f"{at.page}/actions/runs/{one['run']}/job/{one['id']}" if one["run"] else one["details_url"]
        shown = {name: one[name] for name in ("name", "conclusion", "status")}
        found.append({**shown, "note": of.get(one["run"], ""), "link": link})
    return found


def going(rows: list[Row]) -> bool:
    """True while one of these runs is not at its end."""
    return any(row["status"] != "completed" for row in rows)
