"""Pull requests: opening, test merges, pushes to head and base, closing."""

from typing import Any

from infx.forge import hooks, issues
from infx.forge.commit import Person
from infx.forge.database import Row
from infx.forge.problem import invalid, not_found
from infx.forge.site import Site
from infx.forge.tokens import Caller

WEB_FLOW = ("GitHub", "noreply@github.com")


def find(site: Site, repo: Row, number: int) -> Row:
    row = site.db.row("SELECT * FROM issues WHERE repo = ? AND number = ? AND pull = 1", repo["id"], number)
    if not row:
        raise not_found()
    return row


def refuse(message: str, **more: Any) -> Exception:
    return invalid(
        "Validation Failed", {"resource": "PullRequest", "code": "custom", "message": message, **more}
    )


def web_flow(site: Site) -> Person:
    return Person(*WEB_FLOW, int(site.now()))


def person(site: Site, login: str) -> Person:
    row = site.user(login)
    return Person(row["name"], row["email"], int(site.now()))


def open_pull(
    site: Site, caller: Caller, repo: Row, *, title: str, head: tuple[Row, str], base: str, **more: Any
) -> Row:
    """A pull request from branch `head[1]` of `head[0]`; `more`: body, draft."""
    head_repo, head_ref = head
    base_sha = site.bare(repo).ref(f"refs/heads/{base}")
    head_sha = site.bare(head_repo).ref(f"refs/heads/{head_ref}")
    for field, sha in (("base", base_sha), ("head", head_sha)):
        if not sha:
            raise invalid("Validation Failed", {"resource": "PullRequest", "field": field, "code": "invalid"})
    assert base_sha
    assert head_sha
    check_new(site, repo, head_repo, head_ref, base)
    bring_head(site, repo, head_repo, head_ref)
    if site.bare(repo).distance(base_sha, head_sha) == 0:
        raise refuse(f"No commits between {base} and {head_ref}")
    now = site.stamp()
    with site.db.transaction():
        issue_id = site.db.insert(
            "issues",
            repo=repo["id"],
            number=issues.next_number(site, repo),
            pull=1,
            title=title,
            body=more.get("body"),
            author=caller.login,
            state="open",
            draft=bool(more.get("draft")),
            base_ref=base,
            base_sha=base_sha,
            head_repo=head_repo["id"],
            head_ref=head_ref,
            head_sha=head_sha,
            told=0,
            created_at=now,
            updated_at=now,
        )
    row = test_merge(site, repo, issues.again(site, {"id": issue_id}))
    hooks.pull_request(site, repo, caller, "opened", row)
    return row


def check_new(site: Site, repo: Row, head_repo: Row, head_ref: str, base: str) -> None:
    """One open pull request for each pair of branches."""
    twin = site.db.row(
        "SELECT 1 FROM issues WHERE repo = ? AND head_repo = ? AND head_ref = ? AND base_ref = ? AND state = 'open'",
        repo["id"],
        head_repo["id"],
        head_ref,
        base,
    )
    if twin:
        raise refuse(f"A pull request already exists for {head_repo['owner']}:{head_ref}.")


def bring_head(site: Site, repo: Row, head_repo: Row, head_ref: str) -> None:
    """Objects of a fork's branch come into the base repository."""
    if head_repo["id"] != repo["id"]:
        branch = f"refs/heads/{head_ref}"
        site.bare(repo).fetch_from(
            site.bare(head_repo).root, f"{branch}:refs/forks/{head_repo['id']}/{head_ref}"
        )


def test_merge(site: Site, repo: Row, row: Row) -> Row:
    """Compute `refs/pull/N/merge` anew when head or base moved since the last time."""
    if row["mergeable"] is not None or row["state"] != "open":
        return row
    bare, base, head = site.bare(repo), row["base_sha"], row["head_sha"]
    with site.git_lock:
        bare.set_ref(f"refs/pull/{row['number']}/head", head)
        tree = bare.merge_tree(base, head)
        merge = None
        if tree:
            who = web_flow(site)
            merge = bare.write_commit(
                tree, (base, head), f"Merge {head} into {base}", author=who, committer=who
            )
        if merge or bare.ref(f"refs/pull/{row['number']}/merge"):
            bare.set_ref(f"refs/pull/{row['number']}/merge", merge)
        site.db.change(
            "issues", row["id"], mergeable=int(tree is not None), merge_sha=merge or row["merge_sha"]
        )
    return issues.again(site, row)


def head_moved(site: Site, caller: Caller, row: Row, before: str, after: str) -> None:
    """A push to the head branch of an open pull request."""
    repo = site.repo_by_id(row["repo"])
    bring_head(site, repo, site.repo_by_id(row["head_repo"]), row["head_ref"])
    base_sha = site.bare(repo).ref(f"refs/heads/{row['base_ref']}") or row["base_sha"]
    site.db.change(
        "issues",
        row["id"],
        head_sha=after,
        base_sha=base_sha,
        mergeable=None,
        told=0,
        updated_at=site.stamp(),
    )
    row = test_merge(site, repo, issues.again(site, row))
    if not site.bare(repo).contains(before, after):
        issues.note(site, row, caller, "head_ref_force_pushed", commit_id=after)
    hooks.pull_request(site, repo, caller, "synchronize", row, before=before, after=after)


def base_moved(site: Site, row: Row, after: str) -> None:
    """A push to the base branch: the test merge is out of date; GitHub sends no event."""
    site.db.change("issues", row["id"], base_sha=after, mergeable=None, told=0)


def edit(site: Site, caller: Caller, repo: Row, row: Row, wanted: dict[str, Any]) -> Row:
    """Title, body and base; `edited` says what they were."""
    changes: dict[str, Any] = {}
    for field in ("title", "body"):
        if field in wanted and wanted[field] != row[field]:
            changes[field] = {"from": row[field] or ""}
            site.db.change("issues", row["id"], **{field: wanted[field]})
    if "title" in changes:
        issues.note(site, row, caller, "renamed", rename={"from": row["title"], "to": wanted["title"]})
    if wanted.get("base", row["base_ref"]) != row["base_ref"]:
        changes["base"] = {"ref": {"from": row["base_ref"]}, "sha": {"from": row["base_sha"]}}
        change_base(site, caller, repo, row, wanted["base"])
    if not changes:
        return row
    site.db.change("issues", row["id"], updated_at=site.stamp())
    row = issues.again(site, row)
    row = test_merge(site, repo, row) if row["pull"] else row
    hooks.of_issue(site, repo, caller, "edited", row, changes=changes)
    return row


def change_base(site: Site, caller: Caller, repo: Row, row: Row, base: str) -> None:
    sha = site.bare(repo).ref(f"refs/heads/{base}")
    if not sha:
        raise invalid("Validation Failed", {"resource": "PullRequest", "field": "base", "code": "invalid"})
    site.db.change("issues", row["id"], base_ref=base, base_sha=sha, mergeable=None, told=0)
    issues.note(site, row, caller, "base_ref_changed")


def set_draft(site: Site, caller: Caller, repo: Row, row: Row, draft: bool) -> Row:
    """Ready for review, or back to draft (GitHub offers this through GraphQL only)."""
    if bool(row["draft"]) == draft:
        return row
    site.db.change("issues", row["id"], draft=draft)
    event = "converted_to_draft" if draft else "ready_for_review"
    issues.note(site, row, caller, "convert_to_draft" if draft else event)
    row = issues.again(site, row)
    hooks.pull_request(site, repo, caller, event, row)
    return row


def set_state(site: Site, caller: Caller, repo: Row, row: Row, state: str) -> Row:
    """Close or reopen a pull request; a merged one stays closed."""
    if state == "open" and row["state"] == "closed":
        if row["merged_at"]:
            raise refuse("state cannot be changed. The pull request cannot be reopened.", field="state")
        site.db.change("issues", row["id"], mergeable=None, told=0)
        with_open = {**issues.again(site, row), "state": "open"}
        test_merge(site, repo, with_open)
    return issues.set_state(site, caller, repo, issues.again(site, row), state)
