"""Webhooks: every change tells the engine what GitHub would tell, in the official shape."""

from typing import Any

from infx.forge import documents, trial
from infx.forge.database import Row, pack
from infx.forge.outbox import Started, nothing
from infx.forge.people import outsider
from infx.forge.ports import Event
from infx.forge.shapes import issue as issues
from infx.forge.shapes import pull as pulls
from infx.forge.shapes.repo import owner, repository
from infx.forge.shapes.user import user
from infx.forge.site import Json
from infx.forge.visit import Visit


def send(at: Visit, name: str, payload: Json, **facts: Any) -> Started:
    """Complete the payload with repository and sender, keep it, and hand the event to the outbox.

    Without `ref` and `sha` among the facts the event belongs to the default branch.
    """
    login = at.caller.login or at.repo["owner"]
    body = {
        **payload,
        "repository": repository(at),
        **owner(at),
        "sender": user(at.site, login),
    }
    where = {"ref": f"refs/heads/{at.branch}", **facts}
    if "sha" not in where:
        where["sha"] = at.tip(where["ref"])
    event = Event(
        repository=at.repo["full_name"],
        name=name,
        payload=body,
        actor=login,
        by_job_token=at.caller.by_job,
        **where,
    )
    at.db.insert(
        "deliveries",
        repository=event.repository,
        name=name,
        action=body.get("action", ""),
        actor=login,
        by_job=at.caller.by_job,
        at=at.site.stamp(),
        data=pack(body),
    )
    if at.site.tape:
        at.site.tape.event(name, body, at=at.site.stamp())
    if not documents.read(at.site, documents.of_repo(at), "permissions").get("enabled", True):
        return nothing()  # Actions are off: no workflow hears of it
    return at.site.outbox.send(event)


def about_pull(at: Visit, name: str, payload: Json, row: Row) -> Started:
    """An event that belongs to a pull request: its ref is the test merge."""
    row = trial.fresh(at, row)
    fork = row["head_repo"] != at.repo["id"]
    files = at.bare.files(row["base_sha"], row["head_sha"])
    return send(
        at,
        name,
        payload,
        ref=f"refs/pull/{row['number']}/merge",
        sha=row["merge_sha"] or row["head_sha"],
        conflict=row["mergeable"] == 0,
        fork=fork,
        needs_approval=fork and outsider(at, row["author"]),
        changed=tuple(path for file in files for path in file.paths),
    )


def pull_request(at: Visit, action: str, row: Row, **more: Any) -> Started:
    row = trial.fresh(at, row)
    shape = pulls.full(at, row)
    payload = {"action": action, "number": row["number"], "pull_request": shape, **more}
    return about_pull(at, "pull_request", payload, row)


def issue(at: Visit, action: str, row: Row, **more: Any) -> Started:
    payload = {"action": action, "issue": issues.issue(at, row), **more}
    return send(at, "issues", payload)


def of_issue(at: Visit, action: str, row: Row, **more: Any) -> Started:
    """`pull_request` or `issues`, whichever the row is."""
    tell = pull_request if row["pull"] else issue
    return tell(at, action, row, **more)
