"""Workflow runs, their attempts, jobs and logs, and what can be done to them."""

from infx.forge import workflows
from infx.forge.database import Row
from infx.forge.problem import Problem, not_found
from infx.forge.rest.route import Call, R, Reply, created, redirect, route
from infx.forge.shapes import run as shapes
from infx.forge.store import JOB, RUN

RUNS, ONE = f"{R}/actions/runs", f"{R}/actions/runs/{{id}}"
STATUSES = ("queued", "waiting", "in_progress", "completed", "requested", "pending")
MOST_ATTEMPTS = 51
"""A run may be re-run 50 times (docs: Re-running workflows and jobs)."""
RERUN_DAYS = 30
"""Days after its first start in which a run may be re-run (same page)."""


def listing(call: Call, where: list[str], values: list[object]) -> Reply:
    """Runs, newest first, with GitHub's filters."""
    query = call.query
    for field, column in (
        ("event", "event"),
        ("head_sha", "head_sha"),
        ("branch", "head_branch"),
        ("actor", "actor"),
    ):
        if field in query:
            where, values = [*where, f"runs.{column} = ?"], [*values, query[field]]
    if "status" in query:
        column = "status" if query["status"] in STATUSES else "conclusion"
        where, values = [*where, f"runs.{column} = ?"], [*values, query["status"]]
    if "created" in query:
        where, values = created_filter(query["created"], where, values)
    sql = f"{RUN} WHERE {' AND '.join(where)} ORDER BY runs.id DESC"
    return call.rows(sql, *values, shape=lambda row: shapes.run(call.at, row), envelope="workflow_runs")


def created_filter(text: str, where: list[str], values: list[object]) -> tuple[list[str], list[object]]:
    """`>=2026-01-01`, `2026-01-01..2026-02-01`, `2026-01-01`."""
    first, dots, last = text.partition("..")
    if dots:
        bounds = [(">=", first)] * (first != "*") + [("<=", day_end(last))] * (last != "*")
    else:
        sign = next((sign for sign in (">=", "<=", ">", "<") if text.startswith(sign)), "")
        day = text.removeprefix(sign)
        bounds = (
            [(sign, day if sign in (">=", "<") else day_end(day))]
            if sign
            else [(">=", day), ("<=", day_end(day))]
        )
    return [*where, *(f"runs.created_at {sign} ?" for sign, _ in bounds)], [
        *values,
        *(day for _, day in bounds),
    ]


def day_end(text: str) -> str:
    return f"{text}T23:59:59Z" if len(text) == len("2026-01-01") else text


@route("GET", RUNS, "actions:read")
def of_repository(call: Call) -> Reply:
    return listing(call, ["runs.repo = ?"], [call.repo["id"]])


@route("GET", f"{R}/actions/workflows/{{workflow}}/runs", "actions:read")
def of_workflow(call: Call) -> Reply:
    row = workflows.find(call.at, call.params["workflow"])
    if not row:
        raise not_found()
    return listing(call, ["runs.repo = ?", "runs.workflow = ?"], [call.repo["id"], row["path"]])


def find(call: Call, attempt: int | None = None) -> Row:
    """The run of the path, in this repository."""
    try:
        row = call.store.run_row(call.number("id"), attempt)
    except KeyError:
        raise not_found() from None
    if row["repo"] != call.repo["id"]:
        raise not_found()
    return row


@route("GET", ONE, "actions:read")
def get(call: Call) -> Reply:
    return Reply(shapes.run(call.at, find(call)))


@route("GET", f"{ONE}/attempts/{{attempt}}", "actions:read")
def get_attempt(call: Call) -> Reply:
    return Reply(shapes.run(call.at, find(call, call.number("attempt"))))


def jobs(call: Call, where: str, *values: object) -> Reply:
    return call.rows(
        f"{JOB} WHERE {where} ORDER BY jobs.id",
        *values,
        shape=lambda row: shapes.job(call.at, row),
        envelope="jobs",
    )


@route("GET", f"{ONE}/jobs", "actions:read")
def jobs_of_run(call: Call) -> Reply:
    """`filter`: jobs of the latest attempt, or `all`."""
    row = find(call)
    if call.query.get("filter") == "all":
        return jobs(call, "jobs.run = ?", row["id"])
    return jobs(call, "jobs.run = ? AND jobs.attempt = ?", row["id"], row["attempt"])


@route("GET", f"{ONE}/attempts/{{attempt}}/jobs", "actions:read")
def jobs_of_attempt(call: Call) -> Reply:
    row = find(call, call.number("attempt"))
    return jobs(call, "jobs.run = ? AND jobs.attempt = ?", row["id"], row["attempt"])


def find_job(call: Call) -> Row:
    row = call.at.db.row(f"{JOB} WHERE jobs.repo = ? AND jobs.id = ?", call.repo["id"], call.number("job"))
    if not row:
        raise not_found()
    return row


@route("GET", f"{R}/actions/jobs/{{job}}", "actions:read")
def get_job(call: Call) -> Reply:
    return Reply(shapes.job(call.at, find_job(call)))


@route("GET", f"{R}/actions/jobs/{{job}}/logs", "actions:read")
def job_log(call: Call) -> Reply:
    row = find_job(call)
    if not call.store.log_path(row["id"]).exists():
        raise not_found()
    return redirect(call.services.files.link(row["id"], "log"))


@route("GET", f"{ONE}/logs", "actions:read")
def run_logs(call: Call) -> Reply:
    return redirect(call.services.files.link(find(call)["id"], "logs"))


def accepted(status: int = 202) -> Reply:
    return Reply({}, status)


@route("POST", f"{ONE}/cancel", "actions:write")
def cancel(call: Call) -> Reply:
    row = find(call)
    if row["status"] == "completed":
        raise Problem(409, "Cannot cancel a workflow run that is completed.")
    call.services.engine.cancel(row["id"])
    return accepted()


@route("POST", f"{ONE}/force-cancel", "actions:write")
def force_cancel(call: Call) -> Reply:
    return cancel(call)


def rerun(call: Call, row: Row, *, failed_only: bool, job_id: int | None = None) -> Reply:
    if row["status"] != "completed":
        raise Problem(403, "This workflow is already running")
    if row["attempt"] >= MOST_ATTEMPTS:
        raise Problem(403, "Unable to retry this workflow run because it has reached the limit of re-runs")
    if row["created_at"] < call.site.stamp(-RERUN_DAYS * 86400.0):
        raise Problem(403, "Unable to retry this workflow run because it was created over a month ago")
    call.services.engine.rerun(row["id"], failed_only=failed_only, job_id=job_id, actor=call.caller.login)
    return created({})


@route("POST", f"{ONE}/rerun", "actions:write")
def rerun_all(call: Call) -> Reply:
    return rerun(call, find(call), failed_only=False)


@route("POST", f"{ONE}/rerun-failed-jobs", "actions:write")
def rerun_failed(call: Call) -> Reply:
    return rerun(call, find(call), failed_only=True)


@route("POST", f"{R}/actions/jobs/{{job}}/rerun", "actions:write")
def rerun_job(call: Call) -> Reply:
    job = find_job(call)
    return rerun(call, call.store.run_row(job["run"]), failed_only=False, job_id=job["id"])


@route("POST", f"{ONE}/approve", "actions:write")
def approve(call: Call) -> Reply:
    row = find(call)
    if row["conclusion"] != "action_required":
        raise Problem(403, "This run is not from a fork pull request or does not need approval")
    call.services.engine.approve(row["id"])
    return created({})
