"""Workflows, runs, jobs, check runs, artifacts, runners."""

from urllib.parse import quote

from infx.forge import apps, groups
from infx.forge.database import Row, unpack
from infx.forge.shapes.commit import head
from infx.forge.shapes.pull import brief
from infx.forge.shapes.repo import minimal
from infx.forge.shapes.user import user
from infx.forge.site import Json, Site
from infx.forge.visit import Visit

SYSTEMS = {"Linux": "linux", "macOS": "macos", "Windows": "windows"}
READ_ONLY = {"self-hosted", *SYSTEMS, "X64", "ARM", "ARM64"}
"""Labels that GitHub gives to a runner itself."""
APP_PERMISSIONS = {"actions": "write", "checks": "write", "contents": "write", "metadata": "read"}


def workflow(at: Visit, row: Row) -> Json:
    page, path = at.page, quote(row["path"])
    return {
        "id": row["id"],
        "node_id": f"W_{row['id']}",
        "name": row["name"],
        "path": row["path"],
        "state": row["state"],
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "url": f"{at.api}/actions/workflows/{row['id']}",
        "html_url": f"{page}/blob/{at.repo['default_branch']}/{path}",
        "badge_url": f"{page}/workflows/{quote(row['name'])}/badge.svg",
    }


def run(at: Visit, row: Row) -> Json:
    """One attempt; `row` is a row of `runs` with `workflow_id`."""
    here = f"{at.api}/actions/runs/{row['id']}"
    suite = row["id"] + 1_000_000_000
    before = f"{here}/attempts/{row['attempt'] - 1}" if row["attempt"] > 1 else None
    commit = at.bare.known(row["head_sha"])
    return {
        "id": row["id"],
        "name": row["name"],
        "node_id": f"WFR_{row['id']}",
        "check_suite_id": suite,
        "check_suite_node_id": f"CS_{suite}",
        "head_branch": row["head_branch"],
        "head_sha": row["head_sha"],
        "path": row["workflow"],
        "run_number": row["number"],
        "run_attempt": row["attempt"],
        "referenced_workflows": [],
        "event": row["event"],
        "display_title": row["title"],
        "status": row["status"],
        "conclusion": row["conclusion"],
        "workflow_id": row["workflow_id"],
        "url": here,
        "html_url": f"{at.page}/actions/runs/{row['id']}",
        "pull_requests": pulls_of(at, row),
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "run_started_at": row["started_at"],
        "actor": user(at.site, row["actor"]),
        "triggering_actor": user(at.site, row["triggering_actor"]),
        "jobs_url": f"{here}/jobs",
        "logs_url": f"{here}/logs",
        "check_suite_url": f"{at.api}/check-suites/{suite}",
        "artifacts_url": f"{here}/artifacts",
        "cancel_url": f"{here}/cancel",
        "rerun_url": f"{here}/rerun",
        "previous_attempt_url": before,
        "workflow_url": f"{at.api}/actions/workflows/{row['workflow_id']}",
        "head_commit": head(commit) if commit else None,
        "repository": minimal(at),
        "head_repository": minimal(at.of(head_repository(at, row))),
    }


def head_repository(at: Visit, row: Row) -> Row:
    """The fork that a run's head commit comes from, else the repository itself."""
    numbers = unpack(row["pull_requests"]) or []
    if not row["fork"] or not numbers:
        return at.repo
    fork = "SELECT repos.* FROM issues JOIN repos ON repos.id = head_repo WHERE repo = ? AND number = ?"
    return at.db.row(fork, at.repo["id"], numbers[0]) or at.repo


def pulls_of(at: Visit, row: Row) -> list[Json]:
    """`pull_requests` of a run; GitHub leaves it empty for pull requests from forks."""
    if row["fork"]:
        return []
    rows = [
        at.db.row("SELECT * FROM issues WHERE repo = ? AND number = ?", at.repo["id"], number)
        for number in unpack(row["pull_requests"]) or []
    ]
    return [brief(at, pull) for pull in rows if pull]


def job(at: Visit, row: Row) -> Json:
    """`row` is a row of `jobs` with `workflow_name`, `head_branch` and `head_sha` of its run."""
    here = f"{at.api}/actions/jobs/{row['id']}"
    runner = at.db.row(
        "SELECT * FROM runners WHERE name = ? AND (repo = ? OR repo IS NULL)", row["runner"], at.repo["id"]
    )
    group = groups.of_runner(at.site, at.repo["owner"], runner["id"]) if runner else (None, None)
    return {
        "id": row["id"],
        "run_id": row["run"],
        "workflow_name": row["workflow_name"],
        "head_branch": row["head_branch"],
        "run_url": f"{at.api}/actions/runs/{row['run']}",
        "run_attempt": row["attempt"],
        "node_id": f"CR_{row['id']}",
        "head_sha": row["sha"],
        "url": here,
        "html_url": f"{at.page}/actions/runs/{row['run']}/job/{row['id']}",
        "status": row["status"],
        "conclusion": row["conclusion"],
        "created_at": row["created_at"],
        "started_at": row["started_at"] or row["created_at"],
        "completed_at": row["completed_at"],
        "name": row["name"],
        "steps": unpack(row["steps"]) or [],
        "check_run_url": f"{at.api}/check-runs/{row['id']}",
        "labels": unpack(row["labels"]),
        "runner_id": runner["id"] if runner else None,
        "runner_name": row["runner"] or None,
        "runner_group_id": group[0],
        "runner_group_name": group[1],
    }


def check_run(at: Visit, row: Row) -> Json:
    """A check run: of a job, or made by API."""
    here = f"{at.api}/check-runs/{row['id']}"
    page = row["details_url"] or f"{at.page}/runs/{row['id']}"
    kept = unpack(row["data"]) or {}
    output = {name: kept.get(name) for name in ("title", "summary", "text")}
    count = len(kept.get("annotations") or ())
    return {
        "id": row["id"],
        "name": row["name"],
        "node_id": f"CR_{row['id']}",
        "head_sha": row["sha"],
        "external_id": row["external_id"] or "",
        "url": here,
        "html_url": page,
        "details_url": page,
        "status": "queued" if row["status"] == "waiting" else row["status"],
        "conclusion": row["conclusion"],
        "started_at": row["started_at"],
        "completed_at": row["completed_at"],
        "output": {**output, "annotations_count": count, "annotations_url": f"{here}/annotations"},
        "check_suite": {"id": row["suite"]},
        "app": app(at.site, row["app"]),
        "pull_requests": [],
    }


def check_suite(at: Visit, check: Json) -> Json:
    """The suite of one check run, as its webhook carries it; a check made by API is alone in its suite."""
    suite = check["check_suite"]["id"]
    ended = check["completed_at"] or check["started_at"]
    return {
        "id": suite,
        "node_id": f"CS_{suite}",
        "head_branch": None,
        "head_sha": check["head_sha"],
        "status": check["status"],
        "conclusion": check["conclusion"],
        "url": f"{at.api}/check-suites/{suite}",
        "before": None,
        "after": None,
        "pull_requests": [],
        "app": check["app"],
        "created_at": check["started_at"],
        "updated_at": ended,
    }


def app(site: Site, slug: str) -> Json:
    return {
        "id": apps.id_of(site, slug),
        "client_id": "Iv1.infx",
        "slug": slug,
        "node_id": f"A_{apps.id_of(site, slug)}",
        "owner": user(site, "github"),
        "name": "GitHub Actions" if slug == "github-actions" else slug,
        "description": "",
        "external_url": site.url,
        "html_url": f"{site.url}/apps/{slug}",
        "created_at": "2018-07-30T09:30:17Z",
        "updated_at": "2018-07-30T09:30:17Z",
        "permissions": APP_PERMISSIONS,
        "events": ["workflow_dispatch"],
    }


def artifact(at: Visit, row: Row) -> Json:
    """`row` is a row of `artifacts` with `head_branch`, `head_sha` and `head_repo` of its run."""
    here = f"{at.api}/actions/artifacts/{row['id']}"
    return {
        "id": row["id"],
        "node_id": f"MDg6_{row['id']}",
        "name": row["name"],
        "size_in_bytes": row["size"],
        "url": here,
        "archive_download_url": f"{here}/zip",
        "expired": row["expires_at"] <= at.site.stamp(),
        "digest": f"sha256:{row['digest']}",
        "created_at": row["created_at"],
        "updated_at": row["updated_at"],
        "expires_at": row["expires_at"],
        "workflow_run": {
            "id": row["run"],
            "repository_id": at.repo["id"],
            "head_repository_id": at.repo["id"],
            "head_branch": row["head_branch"],
            "head_sha": row["head_sha"],
        },
    }


def runner(site: Site, row: Row, *, org: str) -> Json:
    """`org` is the organization in whose groups the runner is looked for."""
    busy = site.db.row("SELECT 1 FROM jobs WHERE status = 'in_progress' AND runner = ?", row["name"])
    labels = unpack(row["labels"])
    return {
        "id": row["id"],
        "runner_group_id": groups.of_runner(site, org, row["id"])[0],
        "name": row["name"],
        "os": SYSTEMS.get(next((name for name in labels if name in SYSTEMS), ""), "linux"),
        "status": "online" if row["online"] else "offline",
        "busy": busy is not None,
        "ephemeral": False,
        "labels": [
            {"id": place, "name": name, "type": "read-only" if name in READ_ONLY else "custom"}
            for place, name in enumerate(labels, 1)
        ],
    }
