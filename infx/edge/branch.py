"""Branch: the target merged into a head branch, made of git objects and never in the work tree."""

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from infx.edge.git import Git
from infx.errors import CouldNotTell
from infx.merge import Joined

WORKFLOWS = ".github/workflows/"
NOBODY = {"NAME": "infx", "EMAIL": "infx@users.noreply.github.com"}
"""Who commits where git knows nobody."""


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """The changelog as it has to be; None where git's own merge of it is right."""

    path: str
    right: bytes | None
    tail: str = ""


def join(git: Git, *, target: str, head: str, changelog: Wanted) -> Joined:
    """What the head would be with the target in it and the changelog right. Nothing is pushed."""
    behind = git.attempt("merge-base", "--is-ancestor", target, head).code != 0
    tree, conflicts = _merged(git, head, target) if behind else (f"{head}^{{tree}}", [])
    others = [path for path in conflicts if path != changelog.path or changelog.right is None]
    if others:
        return Joined(target=target, behind=behind, conflicts=tuple(others), tail=changelog.tail)
    present = git.show(tree, changelog.path) or b""
    repaired = changelog.right is not None and (bool(conflicts) or changelog.right != present)
    if repaired and changelog.right is not None:
        tree = _with(git, tree, changelog.path, changelog.right)
    return Joined(
        target=target,
        behind=behind,
        repaired=repaired,
        carries=tuple(workflows(git, head, tree)),
        tree=tree,
        tail=changelog.tail,
    )


def workflows(git: Git, old: str, new: str) -> list[str]:
    """Workflow files in which two trees differ."""
    return [path for path in git.changed_files(old, new) if path.startswith(WORKFLOWS)]


def commit(git: Git, joined: Joined, *, head: str, message: str) -> str:
    """The commit of a joined tree on top of `head`, with the target as second parent where it was behind."""
    parents = ["-p", head, *(["-p", joined.target] if joined.behind else [])]
    tree = git("rev-parse", joined.tree).decode().strip()
    made = Git(git.root, env=_who(git))("commit-tree", tree, *parents, stdin=message.encode())
    return made.decode().strip()


def push(git: Git, made: str, *, branch: str, head: str, remote: str = "origin") -> str:
    """Move the branch from `head` to `made`; git's complaint when it was not there any more, or may not."""
    ref = f"refs/heads/{branch}"
    address = git("remote", "get-url", "--push", remote).decode().strip()
    lease = f"--force-with-lease={ref}:{head}"
    done = git.attempt("push", "--quiet", lease, address, f"{made}:{ref}", timeout_s=300)
    return done.complaint if done.code != 0 else ""


def _merged(git: Git, head: str, target: str) -> tuple[str, list[str]]:
    """Tree of the merge, with markers where it conflicts, and the paths that do."""
    done = git.attempt("merge-tree", "--write-tree", "--name-only", "-z", head, target)
    if done.code not in (0, 1):
        raise CouldNotTell(f"git merge-tree: {done.complaint}", where=str(git.root), todo="needs git 2.38")
    tree, *rest = done.out.split(b"\0")
    paths = rest[: rest.index(b"")] if b"" in rest else []
    return tree.decode(), [path.decode("utf-8", "surrogateescape") for path in paths if done.code == 1]


def _with(git: Git, tree: str, path: str, data: bytes) -> str:
    """Id of the tree with other bytes in one file; its mode stays that of a plain file."""
    blob = git("hash-object", "-w", "--stdin", stdin=data).decode().strip()
    with tempfile.TemporaryDirectory() as folder:
        index = Git(git.root, env={**_env(git), "GIT_INDEX_FILE": str(Path(folder) / "index")})
        index("read-tree", tree)
        index("update-index", "--add", "--cacheinfo", f"100644,{blob},{path}")
        return index("write-tree").decode().strip()


def _env(git: Git) -> Mapping[str, str]:
    return os.environ if git.env is None else git.env


def _who(git: Git) -> dict[str, str]:
    """An environment in which git can commit: as the person whom it knows, else as nobody in particular."""
    env = dict(_env(git))
    known = git.attempt("config", "user.email").code == 0
    for name in () if known else NOBODY:
        for role in ("AUTHOR", "COMMITTER"):
            env.setdefault(f"GIT_{role}_{name}", NOBODY[name])
    return env
