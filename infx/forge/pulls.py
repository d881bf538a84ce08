"""Pull requests: opening, test merges, pushes to head and base, closing."""

from typing import Any

from infx.forge import hooks, issues, trial
from infx.forge.commit import Person
from infx.forge.database import Row
from infx.forge.problem import invalid, not_found
from infx.forge.site import Site
from infx.forge.visit import Visit


def find(at: Visit, number: int) -> Row:
    row = at.db.row("SELECT * FROM issues WHERE repo = ? AND number = ? AND pull = 1", at.repo["id"], number)
    if not row:
        raise not_found()
    return row


def refuse(message: str, **more: Any) -> Exception:
    return invalid(
        "Validation Failed", {"resource": "PullRequest", "code": "custom", "message": message, **more}
    )


def person(site: Site, login: str) -> Person:
    row = site.user(login)
    return Person(row["name"], row["email"], int(site.now()))


def open_pull(at: Visit, *, title: str, head: tuple[Row, str], base: str, **more: Any) -> Row:
    """A pull request from branch `head[1]` of `head[0]`; `more`: body, draft, labels.

    Labels are on it already in `opened`, and told one by one after that, as on GitHub.
    """
    head_repo, head_ref = head
    base_sha = at.bare.ref(f"refs/heads/{base}")
    head_sha = at.site.bare(head_repo).ref(f"refs/heads/{head_ref}")
    for field, sha in (("base", base_sha), ("head", head_sha)):
        if not sha:
            raise invalid("Validation Failed", {"resource": "PullRequest", "field": field, "code": "invalid"})
    assert base_sha
    assert head_sha
    check_new(at, head_repo, head_ref, base)
    bring_head(at, head_repo, head_ref)
    if at.bare.distance(base_sha, head_sha) == 0:
        raise refuse(f"No commits between {base} and {head_ref}")
    now = at.site.stamp()
    with at.db.transaction():
        issue_id = at.db.insert(
            "issues",
            repo=at.repo["id"],
            number=issues.next_number(at),
            pull=1,
            title=title,
            body=more.get("body"),
            author=at.caller.login,
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
    row = trial.fresh(at, issues.again(at, {"id": issue_id}))
    labels = issues.attach_labels(at, row, more.get("labels") or ())
    hooks.pull_request(at, "opened", row)
    for label in labels:
        issues.tell_label(at, row, label, "labeled")
    return row


def check_new(at: Visit, head_repo: Row, head_ref: str, base: str) -> None:
    """One open pull request for each pair of branches."""
    twin = at.db.row(
        "SELECT 1 FROM issues "
        "WHERE state = 'open' AND repo = ? AND head_repo = ? AND head_ref = ? AND base_ref = ?",
        *(at.repo["id"], head_repo["id"], head_ref, base),
    )
    if twin:
        raise refuse(f"A pull request already exists for {head_repo['owner']}:{head_ref}.")


def bring_head(at: Visit, head_repo: Row, head_ref: str) -> None:
    """Objects of a fork's branch come into the base repository."""
    if head_repo["id"] != at.repo["id"]:
        branch = f"refs/heads/{head_ref}"
        at.bare.fetch_from(at.site.bare(head_repo).root, f"{branch}:refs/forks/{head_repo['id']}/{head_ref}")


def head_moved(at: Visit, row: Row, before: str, after: str) -> None:
    """A push to the head branch of an open pull request of the repository `at`."""
    bring_head(at, at.site.repo_by_id(row["head_repo"]), row["head_ref"])
    base_sha = at.bare.ref(f"refs/heads/{row['base_ref']}") or row["base_sha"]
    at.db.change("issues", row["id"], head_sha=after, base_sha=base_sha, mergeable=None, told=0)
    if not at.bare.contains(before, after):
        issues.note(at, row, "head_ref_force_pushed", commit_id=after)
    hooks.pull_request(at, "synchronize", issues.again(at, row), before=before, after=after)


def base_moved(at: Visit, row: Row, after: str) -> None:
    """A push to the base branch: the test merge is out of date; GitHub sends no event."""
    at.db.change("issues", row["id"], base_sha=after, mergeable=None, told=0)


def edit(at: Visit, row: Row, wanted: dict[str, Any]) -> Row:
    """Title, body and base; `edited` says what they were."""
    changes: dict[str, Any] = {}
    for field in ("title", "body"):
        if field in wanted and wanted[field] != row[field]:
            changes[field] = {"from": row[field] or ""}
            at.db.change("issues", row["id"], **{field: wanted[field]})
    if "title" in changes:
        issues.note(at, row, "renamed", rename={"from": row["title"], "to": wanted["title"]})
    if wanted.get("base", row["base_ref"]) != row["base_ref"]:
        changes["base"] = {"ref": {"from": row["base_ref"]}, "sha": {"from": row["base_sha"]}}
        change_base(at, row, wanted["base"])
    if not changes:
        return row
    now = at.site.stamp()
    if "body" in changes:
        at.db.change("issues", row["id"], editor=at.caller.login, edited_at=now)
    at.db.change("issues", row["id"], updated_at=now)
    row = issues.again(at, row)
    hooks.of_issue(at, "edited", row, changes=changes)
    return row


def change_base(at: Visit, row: Row, base: str) -> None:
    sha = at.bare.ref(f"refs/heads/{base}")
    if not sha:
        raise invalid("Validation Failed", {"resource": "PullRequest", "field": "base", "code": "invalid"})
    at.db.change("issues", row["id"], base_ref=base, base_sha=sha, mergeable=None, told=0)
    issues.note(at, row, "base_ref_changed")


def set_draft(at: Visit, row: Row, draft: bool) -> Row:
    """Ready for review, or back to draft (GitHub offers this through GraphQL only)."""
    if bool(row["draft"]) == draft:
        return row
    at.db.change("issues", row["id"], draft=draft)
    event = "converted_to_draft" if draft else "ready_for_review"
    issues.note(at, row, "convert_to_draft" if draft else event)
    row = issues.again(at, row)
    hooks.pull_request(at, event, row)
    return row


def set_state(at: Visit, row: Row, state: str) -> Row:
    """Close or reopen a pull request; a merged one stays closed."""
    if state == "open" and row["state"] == "closed":
        if row["merged_at"]:
            raise refuse("state cannot be changed. The pull request cannot be reopened.", field="state")
        base_sha = at.bare.ref(f"refs/heads/{row['base_ref']}") or row["base_sha"]
        moved = {"head_sha": grown(at, row), "base_sha": base_sha}
        at.db.change("issues", row["id"], **moved, mergeable=None, told=0)
    return issues.set_state(at, issues.again(at, row), state)


def grown(at: Visit, row: Row) -> str:
    """Head of a pull request that is opened again: its branch may have grown, but not changed its past."""
    name, head_repo = row["head_ref"], at.site.repo_by_id(row["head_repo"])
    sha = at.site.bare(head_repo).ref(f"refs/heads/{name}")
    if not sha:
        raise refuse(f"state cannot be changed. The {name} branch has been deleted.", field="state")
    bring_head(at, head_repo, name)
    if not at.bare.contains(row["head_sha"], sha):
        raise refuse(
            f"state cannot be changed. The {name} branch was force-pushed or recreated.", field="state"
        )
    return sha
