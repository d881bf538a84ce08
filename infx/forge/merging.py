"""Merging: the merge button in its three forms, and "update branch"."""

from collections.abc import Sequence

from infx.forge import protection, pulls, pushes
from infx.forge.commit import Commit
from infx.forge.database import Row
from infx.forge.problem import Problem, wrong
from infx.forge.trial import web_flow
from infx.forge.visit import Visit

METHODS = ("merge", "squash", "rebase")


def merge(
    at: Visit,
    row: Row,
    *,
    method: str = "merge",
    expected: str | None = None,
    title: str | None = None,
    message: str | None = None,
) -> str:
    """Merge into the base branch; SHA of the new tip. 405 not mergeable, 409 when the head moved."""
    if method not in METHODS:
        raise wrong("PullRequest", "merge_method")
    if row["merged_at"] or row["state"] != "open" or row["draft"]:
        raise Problem(405, "Pull Request is not mergeable")
    if expected and expected != row["head_sha"]:
        raise Problem(409, "Head branch was modified. Review and try the merge again.")
    refuse_unready(at, row)
    branch = f"refs/heads/{row['base_ref']}"
    with at.site.git_lock:
        base = at.bare.ref(branch) or row["base_sha"]
        text = words(at, row, method, title=title, message=message)
        sha = {"merge": join, "squash": squash, "rebase": rebase}[method](at, row, base, text)
        if not sha:
            raise Problem(405, "Pull Request is not mergeable")
        pushes.set_ref(at, branch, sha)
    pushes.merged(at, row, sha)
    pushes.tell(at, branch, before=base, after=sha)
    return sha


def refuse_unready(at: Visit, row: Row) -> None:
    """405 while the base branch asks for a check or a review that is not there."""
    reasons = protection.against_merge(at, row, protection.binding(at, row["base_ref"]))
    if reasons:
        raise Problem(405, " ".join(reasons))


def words(at: Visit, row: Row, method: str, *, title: str | None, message: str | None) -> str:
    """Commit message: what was asked for, else GitHub's own."""
    if method == "squash":
        first, rest = f"{row['title']} (#{row['number']})", ""
    else:
        first = f"Merge pull request #{row['number']} from {at.repo['owner']}/{row['head_ref']}"
        rest = row["title"]
    rest = rest if message is None else message
    return f"{title or first}\n\n{rest}".strip()


def join(at: Visit, row: Row, base: str, text: str) -> str | None:
    bare = at.bare
    tree = bare.merge_tree(base, row["head_sha"])
    if not tree:
        return None
    author = pulls.person(at.site, at.caller.login)
    return bare.write_commit(tree, (base, row["head_sha"]), text, author=author, committer=web_flow(at.site))


def squash(at: Visit, row: Row, base: str, text: str) -> str | None:
    bare = at.bare
    tree = bare.merge_tree(base, row["head_sha"])
    if not tree:
        return None
    author = pulls.person(at.site, row["author"])
    return bare.write_commit(tree, (base,), text, author=author, committer=web_flow(at.site))


def rebase(at: Visit, row: Row, base: str, text: str) -> str | None:
    bare = at.bare
    commits = bare.log("--no-merges", f"{base}..{row['head_sha']}")[::-1]
    return replay(at, commits, base)


def replay(at: Visit, commits: Sequence[Commit], onto: str) -> str | None:
    """The commits again on top of `onto`, None on conflict."""
    bare = at.bare
    for commit in commits:
        tree = bare.pick(commit, onto)
        if not tree:
            return None
        who = web_flow(at.site)
        onto = bare.write_commit(tree, (onto,), commit.message, author=commit.author, committer=who)
    return onto


def update_branch(at: Visit, row: Row, *, expected: str | None = None) -> str:
    """Merge the base into the head branch, which is a push to it. 422 on conflict or a moved head."""
    if expected and expected != row["head_sha"]:
        raise Problem(422, "expected head sha didn't match current head ref.")
    bare, head_repo = at.bare, at.site.repo_by_id(row["head_repo"])
    base = bare.ref(f"refs/heads/{row['base_ref']}") or row["base_sha"]
    if bare.contains(base, row["head_sha"]):
        raise Problem(422, "There are no new commits on the base branch.")
    tree = bare.merge_tree(row["head_sha"], base)
    if not tree:
        raise Problem(422, "merge conflict between base and head")
    author = pulls.person(at.site, at.caller.login)
    text = f"Merge branch '{row['base_ref']}' into {row['head_ref']}"
    sha = bare.write_commit(tree, (row["head_sha"], base), text, author=author, committer=web_flow(at.site))
    if head_repo["id"] != at.repo["id"]:
        bare.set_ref(f"refs/forks/{head_repo['id']}/{row['head_ref']}", sha)
        at.site.bare(head_repo).fetch_from(bare.root, f"refs/forks/{head_repo['id']}/{row['head_ref']}")
    pushes.move(at.of(head_repo), f"refs/heads/{row['head_ref']}", sha)
    return sha
