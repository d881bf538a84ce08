"""Pushes: a ref that moved, however it moved, becomes webhooks and moves the pull requests on it."""

from collections.abc import Sequence

from infx.forge import hooks, issues, pulls
from infx.forge.commit import Commit
from infx.forge.database import Row
from infx.forge.problem import refused
from infx.forge.repos import ZERO
from infx.forge.site import Json
from infx.forge.visit import Visit

SHOWN_COMMITS = 20
"""Commits that the push webhook lists."""
WORKFLOWS = ".github/workflows/"
WATCHED = ("refs/heads/", "refs/tags/")


def learn(at: Visit) -> None:
    """Take the refs as they are, without an event."""
    with at.db.transaction():
        for ref, sha in at.bare.refs(*WATCHED).items():
            remember(at, ref, sha)


def remember(at: Visit, ref: str, sha: str | None) -> None:
    if sha is None:
        at.db.run("DELETE FROM refs WHERE repo = ? AND ref = ?", at.repo["id"], ref)
    else:
        at.db.run("INSERT OR REPLACE INTO refs (repo, ref, sha) VALUES (?, ?, ?)", at.repo["id"], ref, sha)


def notice(at: Visit) -> list[str]:
    """Compare git with what was known and tell every difference; refs that moved."""
    with at.site.git_lock:
        old = {
            row["ref"]: row["sha"] for row in at.db.rows("SELECT * FROM refs WHERE repo = ?", at.repo["id"])
        }
        new = at.bare.refs(*WATCHED)
        moved = sorted(ref for ref in old.keys() | new.keys() if old.get(ref) != new.get(ref))
        for ref in moved:
            remember(at, ref, new.get(ref))
    for ref in moved:
        tell(at, ref, before=old.get(ref, ZERO), after=new.get(ref, ZERO))
    return moved


def refuse_workflows(at: Visit, paths: Sequence[str]) -> None:
    """403 when an App's token without `workflows` changes a workflow file; a job's never has it."""
    if not at.caller.by_app or at.caller.permissions.get("workflows") == "write":
        return
    first = next((path for path in paths if path.startswith(WORKFLOWS)), None)
    if first:
        raise refused(
            f"refusing to allow a GitHub App to create or update workflow `{first}` "
            "without `workflows` permission"
        )


def move(at: Visit, ref: str, new: str | None) -> None:
    """Move a ref from inside (merge, contents API, refs API) and tell it."""
    before = set_ref(at, ref, new)
    if before != new:
        tell(at, ref, before=before or ZERO, after=new or ZERO)


def set_ref(at: Visit, ref: str, new: str | None) -> str | None:
    """Move a ref without a word; where it was before."""
    with at.site.git_lock:
        before = at.bare.ref(ref)
        at.bare.set_ref(ref, new)
        remember(at, ref, new)
    return before


def tell(at: Visit, ref: str, *, before: str, after: str) -> None:
    """Push webhook first, then the pull requests whose head or base moved."""
    at.db.change("repos", at.repo["id"], pushed_at=at.site.stamp())
    push_event(at, ref, before=before, after=after)
    if not ref.startswith("refs/heads/") or after == ZERO:
        return
    branch = ref.removeprefix("refs/heads/")
    for row in at.db.rows(
        "SELECT * FROM issues WHERE head_repo = ? AND head_ref = ? AND state = 'open' AND pull = 1",
        at.repo["id"],
        branch,
    ):
        pulls.head_moved(at.of(at.site.repo_by_id(row["repo"])), row, row["head_sha"], after)
    for row in at.db.rows(
        "SELECT * FROM issues WHERE repo = ? AND base_ref = ? AND state = 'open' AND pull = 1",
        at.repo["id"],
        branch,
    ):
        land_or_age(at, row, after)


def land_or_age(at: Visit, row: Row, after: str) -> None:
    """A base that now holds the head has merged the pull request; any other push only ages its test merge."""
    if not at.bare.contains(row["head_sha"], after):
        pulls.base_moved(at, row, after)
        return
    merged(at, row, after)


def merged(at: Visit, row: Row, sha: str) -> Row:
    """Mark as merged by commit `sha` and tell it."""
    now = at.site.stamp()
    at.db.change(
        "issues",
        row["id"],
        state="closed",
        merged_at=now,
        merged_by=at.caller.login,
        closed_at=now,
        closed_by=at.caller.login,
        merge_sha=sha,
    )
    issues.note(at, row, "merged", commit_id=sha, commit_url=f"{at.api}/commits/{sha}")
    issues.note(at, row, "closed")
    row = issues.again(at, row)
    hooks.pull_request(at, "closed", row)
    return row


def push_event(at: Visit, ref: str, *, before: str, after: str) -> None:
    bare, gone = at.bare, after == ZERO
    commits = [] if gone else new_commits(at, before, after)
    shown = [commit_json(at, one) for one in commits[-SHOWN_COMMITS:]]
    forced = before != ZERO and not gone and not bare.contains(before, after)
    known = before if before != ZERO and not forced else at.branch
    payload: Json = {
        "ref": ref,
        "before": before,
        "after": after,
        "created": before == ZERO,
        "deleted": gone,
        "forced": forced,
        "base_ref": None,
        "compare": f"{at.page}/compare/{before[:12]}...{after[:12]}",
        "commits": shown,
        "head_commit": None if gone else commit_json(at, bare.commit(bare.resolve(after))),
        "pusher": {"name": at.caller.login, "email": at.site.user(at.caller.login)["email"]},
    }
    changed = () if gone or not bare.sha(known) else tuple(bare.changed_files(known, after))
    hooks.send(at, "push", payload, ref=ref, sha=after, changed=changed)


def new_commits(at: Visit, before: str, after: str) -> list[Commit]:
    """What a push brought, oldest first."""
    bare = at.bare
    if before != ZERO:
        return bare.log(f"{before}..{after}")[::-1]
    default = bare.ref(f"refs/heads/{at.branch}")
    span = [after] if not default or default == after else [f"{default}..{after}"]
    return bare.log(*span, limit=250)[::-1]


def commit_json(at: Visit, one: Commit) -> Json:
    """One commit, as the push webhook carries it."""
    files = at.bare.touched(one.sha)
    people = {"author": one.author, "committer": one.committer}
    return {
        "id": one.sha,
        "tree_id": one.tree,
        "distinct": True,
        "message": one.message,
        "timestamp": one.committer.date,
        "url": f"{at.page}/commit/{one.sha}",
        **{
            role: {"name": who.name, "email": who.email, "username": at.site.by_email(who.email) or who.name}
            for role, who in people.items()
        },
        **{kind: [path for letter, path in files if letter in letters] for kind, letters in KINDS.items()},
    }


KINDS = {"added": "A", "removed": "D", "modified": "MT"}
