"""Webhooks: every change tells the engine what GitHub would tell, in the official shape."""

from typing import Any

from infx.forge.database import Row, pack
from infx.forge.outbox import Started
from infx.forge.people import outsider
from infx.forge.ports import Event
from infx.forge.shapes import issue as issues
from infx.forge.shapes import pull as pulls
from infx.forge.shapes.repo import owner, repository
from infx.forge.shapes.user import user
from infx.forge.site import Json, Site
from infx.forge.tokens import Caller


def send(site: Site, repo: Row, caller: Caller, name: str, payload: Json, **facts: Any) -> Started:
    """Complete the payload with repository and sender, keep it, and hand the event to the outbox.

    Without `ref` and `sha` among the facts the event belongs to the default branch.
    """
    login = caller.login or repo["owner"]
    body = {
        **payload,
        "repository": repository(site, repo),
        **owner(site, repo),
        "sender": user(site, login),
    }
    where = {"ref": f"refs/heads/{repo['default_branch']}", **facts}
    if "sha" not in where:
        where["sha"] = site.bare(repo).ref(where["ref"]) or ""
    event = Event(
        repository=repo["full_name"],
        name=name,
        payload=body,
        actor=login,
        by_job_token=caller.by_job,
        **where,
    )
    site.db.insert(
        "deliveries",
        repository=event.repository,
        name=name,
        action=body.get("action", ""),
        actor=login,
        by_job=caller.by_job,
        at=site.stamp(),
        data=pack(body),
    )
    return site.outbox.send(event)


def about_pull(site: Site, repo: Row, caller: Caller, name: str, payload: Json, row: Row) -> Started:
    """An event that belongs to a pull request: its ref is the test merge."""
    fork = row["head_repo"] != repo["id"]
    changed = [
        path for file in site.bare(repo).files(row["base_sha"], row["head_sha"]) for path in paths(file)
    ]
    return send(
        site,
        repo,
        caller,
        name,
        payload,
        ref=f"refs/pull/{row['number']}/merge",
        sha=row["merge_sha"] or row["head_sha"],
        conflict=row["mergeable"] == 0,
        fork=fork,
        needs_approval=fork and outsider(site, repo, row["author"]),
        changed=tuple(changed),
    )


def paths(file: Any) -> tuple[str, ...]:
    """Both sides of a rename."""
    return (file.old_path, file.path) if file.old_path else (file.path,)


def pull_request(site: Site, repo: Row, caller: Caller, action: str, row: Row, **more: Any) -> Started:
    shape = pulls.full(site, repo, row)
    payload = {"action": action, "number": row["number"], "pull_request": shape, **more}
    return about_pull(site, repo, caller, "pull_request", payload, row)


def issue(site: Site, repo: Row, caller: Caller, action: str, row: Row, **more: Any) -> Started:
    payload = {"action": action, "issue": issues.issue(site, repo, row), **more}
    return send(site, repo, caller, "issues", payload)


def of_issue(site: Site, repo: Row, caller: Caller, action: str, row: Row, **more: Any) -> Started:
    """`pull_request` or `issues`, whichever the row is."""
    tell = pull_request if row["pull"] else issue
    return tell(site, repo, caller, action, row, **more)
