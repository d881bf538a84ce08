"""Pushes: a ref that moved, however it moved, becomes webhooks and moves the pull requests on it."""

from infx.forge import hooks, issues, pulls
from infx.forge.commit import Commit
from infx.forge.database import Row
from infx.forge.repos import ZERO
from infx.forge.shapes.repo import api_of, html_of
from infx.forge.site import Json, Site
from infx.forge.tokens import Caller

SHOWN_COMMITS = 20
"""Commits that the push webhook lists."""
WATCHED = ("refs/heads/", "refs/tags/")


def learn(site: Site, repo: Row) -> None:
    """Take the refs as they are, without an event."""
    with site.db.transaction():
        for ref, sha in site.bare(repo).refs(*WATCHED).items():
            remember(site, repo, ref, sha)


def remember(site: Site, repo: Row, ref: str, sha: str | None) -> None:
    if sha is None:
        site.db.run("DELETE FROM refs WHERE repo = ? AND ref = ?", repo["id"], ref)
    else:
        site.db.run("INSERT OR REPLACE INTO refs (repo, ref, sha) VALUES (?, ?, ?)", repo["id"], ref, sha)


def notice(site: Site, repo: Row, caller: Caller) -> list[str]:
    """Compare git with what was known and tell every difference; refs that moved."""
    with site.git_lock:
        old = {
            row["ref"]: row["sha"] for row in site.db.rows("SELECT * FROM refs WHERE repo = ?", repo["id"])
        }
        new = site.bare(repo).refs(*WATCHED)
        moved = sorted(ref for ref in old.keys() | new.keys() if old.get(ref) != new.get(ref))
        for ref in moved:
            remember(site, repo, ref, new.get(ref))
    for ref in moved:
        tell(site, repo, caller, ref, before=old.get(ref, ZERO), after=new.get(ref, ZERO))
    return moved


def move(site: Site, repo: Row, caller: Caller, ref: str, new: str | None) -> None:
    """Move a ref from inside (merge, contents API, refs API) and tell it."""
    before = set_ref(site, repo, ref, new)
    if before != new:
        tell(site, repo, caller, ref, before=before or ZERO, after=new or ZERO)


def set_ref(site: Site, repo: Row, ref: str, new: str | None) -> str | None:
    """Move a ref without a word; where it was before."""
    with site.git_lock:
        before = site.bare(repo).ref(ref)
        site.bare(repo).set_ref(ref, new)
        remember(site, repo, ref, new)
    return before


def tell(site: Site, repo: Row, caller: Caller, ref: str, *, before: str, after: str) -> None:
    """Push webhook first, then the pull requests whose head or base moved."""
    site.db.change("repos", repo["id"], pushed_at=site.stamp())
    push_event(site, repo, caller, ref, before=before, after=after)
    if not ref.startswith("refs/heads/") or after == ZERO:
        return
    branch = ref.removeprefix("refs/heads/")
    for row in site.db.rows(
        "SELECT * FROM issues WHERE head_repo = ? AND head_ref = ? AND state = 'open' AND pull = 1",
        repo["id"],
        branch,
    ):
        pulls.head_moved(site, caller, row, row["head_sha"], after)
    for row in site.db.rows(
        "SELECT * FROM issues WHERE repo = ? AND base_ref = ? AND state = 'open' AND pull = 1",
        repo["id"],
        branch,
    ):
        land_or_age(site, repo, caller, row, after)


def land_or_age(site: Site, repo: Row, caller: Caller, row: Row, after: str) -> None:
    """A base that now holds the head has merged the pull request; any other push only ages its test merge."""
    if not site.bare(repo).contains(row["head_sha"], after):
        pulls.base_moved(site, row, after)
        return
    merged(site, repo, caller, row, after)


def merged(site: Site, repo: Row, caller: Caller, row: Row, sha: str) -> Row:
    """Mark as merged by commit `sha` and tell it."""
    now = site.stamp()
    site.db.change(
        "issues",
        row["id"],
        state="closed",
        merged_at=now,
        merged_by=caller.login,
        closed_at=now,
        closed_by=caller.login,
        merge_sha=sha,
    )
    issues.note(site, row, caller, "merged", commit_id=sha, commit_url=f"{api_of(site, repo)}/commits/{sha}")
    issues.note(site, row, caller, "closed")
    row = issues.again(site, row)
    hooks.pull_request(site, repo, caller, "closed", row)
    return row


def push_event(site: Site, repo: Row, caller: Caller, ref: str, *, before: str, after: str) -> None:
    bare, gone = site.bare(repo), after == ZERO
    commits = [] if gone else new_commits(site, repo, before, after)
    shown = [commit_json(site, repo, one) for one in commits[-SHOWN_COMMITS:]]
    forced = before != ZERO and not gone and not bare.contains(before, after)
    known = before if before != ZERO and not forced else repo["default_branch"]
    payload: Json = {
        "ref": ref,
        "before": before,
        "after": after,
        "created": before == ZERO,
        "deleted": gone,
        "forced": forced,
        "base_ref": None,
        "compare": f"{html_of(site, repo)}/compare/{before[:12]}...{after[:12]}",
        "commits": shown,
        "head_commit": None if gone else commit_json(site, repo, bare.commit(bare.resolve(after))),
        "pusher": {"name": caller.login, "email": site.user(caller.login)["email"]},
    }
    changed = () if gone or not bare.sha(known) else tuple(bare.changed_files(known, after))
    hooks.send(site, repo, caller, "push", payload, ref=ref, sha=after, changed=changed)


def new_commits(site: Site, repo: Row, before: str, after: str) -> list[Commit]:
    """What a push brought, oldest first."""
    bare = site.bare(repo)
    if before != ZERO:
        return bare.log(f"{before}..{after}")[::-1]
    default = bare.ref(f"refs/heads/{repo['default_branch']}")
    span = [after] if not default or default == after else [f"{default}..{after}"]
    return bare.log(*span, limit=250)[::-1]


def commit_json(site: Site, repo: Row, one: Commit) -> Json:
    """One commit, as the push webhook carries it."""
    files = site.bare(repo).touched(one.sha)
    people = {"author": one.author, "committer": one.committer}
    return {
        "id": one.sha,
        "tree_id": one.tree,
        "distinct": True,
        "message": one.message,
        "timestamp": one.committer.date,
        "url": f"{html_of(site, repo)}/commit/{one.sha}",
        **{
            role: {"name": who.name, "email": who.email, "username": site.by_email(who.email) or who.name}
            for role, who in people.items()
        },
        **{kind: [path for letter, path in files if letter in letters] for kind, letters in KINDS.items()},
    }


KINDS = {"added": "A", "removed": "D", "modified": "MT"}
