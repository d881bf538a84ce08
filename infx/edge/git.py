"""git: objects are read, never checked out over the work tree."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from infx.edge import proc
from infx.errors import BadInput, CouldNotTell


class Git:
    """One repository, by the path of its work tree or its bare folder. `env` replaces the environment."""

    def __init__(self, root: Path, *, env: Mapping[str, str] | None = None) -> None:
        self.root, self.env = root, env

    def __call__(self, *words: str, stdin: bytes = b"", timeout_s: float = 60) -> bytes:
        """Standard output of one git command. CouldNotTell with git's own words when it fails."""
        done = self.attempt(*words, stdin=stdin, timeout_s=timeout_s)
        if done.code != 0:
            self._known()
            self._named(words)
            while words[0] == "-c":
                words = words[2:]
            raise CouldNotTell(
                f"git {words[0]}: {done.complaint}", where=str(self.root), todo="check the repository"
            )
        return done.out

    def _known(self) -> None:
        """BadInput when there is no repository at all."""
        if self.attempt("rev-parse", "--git-dir").code != 0:
            raise BadInput("not a git repository", where=str(self.root), todo="run this inside a clone")

    def _named(self, words: Sequence[str]) -> None:
        """BadInput when the command asks for a remote that the repository does not have."""
        asks = words[0] in ("fetch", "ls-remote") and "origin" in words
        if asks and self.attempt("remote", "get-url", "origin").code != 0:
            todo = "run this inside a clone, or: git remote add origin ADDRESS"
            raise BadInput("the repository has no remote origin", where=str(self.root), todo=todo)

    def work_tree(self) -> None:
        """BadInput where there are no files to work on: outside a repository, or in a bare one."""
        if self("rev-parse", "--is-inside-work-tree").strip() != b"true":
            what = "a bare repository has no files to work on"
            raise BadInput(what, where=str(self.root), todo="run this inside a clone")

    def attempt(self, *words: str, stdin: bytes = b"", timeout_s: float = 60) -> proc.Done:
        """One git command, whatever its exit code. Paths are never quoted, and no pager or prompt appears."""
        argv = ["git", "-C", str(self.root), "-c", "core.quotePath=false", "--no-pager", *words]
        return proc.run(argv, env=self.env, stdin=stdin, timeout_s=timeout_s)

    def resolve(self, ref: str) -> str:
        """Commit of `ref`. BadInput when there is none, with the way to fetch it."""
        if ref.startswith("-"):
            raise BadInput(f"{ref!r} is not a ref", todo="give a branch, tag or commit")
        done = self.attempt("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}")
        if done.code == 0:
            return done.text.strip()
        self._known()
        deepen = "git fetch --unshallow origin" if self.shallow() else "git fetch origin"
        raise BadInput(f"there is no commit {ref!r} here", where=str(self.root), todo=f"fetch it: {deepen}")

    def shallow(self) -> bool:
        return self("rev-parse", "--is-shallow-repository").strip() == b"true"

    def merge_base(self, one: str, other: str) -> str:
        """Best common ancestor. BadInput when a shallow clone hides it or there is none."""
        done = self.attempt("merge-base", self.resolve(one), self.resolve(other))
        if done.code == 0:
            return done.text.strip()
        if self.shallow():
            raise BadInput(
                f"this shallow clone does not reach the merge base of {one} and {other}",
                where=str(self.root),
                todo="deepen it: git fetch --unshallow",
            )
        raise BadInput(
            f"{one} and {other} have no common commit", where=str(self.root), todo="check both refs"
        )

    def show(self, commit: str, path: str) -> bytes | None:
        """Bytes of `path` at `commit`; None when the commit has no such file."""
        entry = self("ls-tree", "-z", commit, "--", path).split(b"\0")[0]
        match = re.match(rb"\d+ blob ([0-9a-f]+)\t", entry)
        return self("cat-file", "blob", match[1].decode()) if match else None

    def blobs(self, wanted: Sequence[tuple[str, str]]) -> list[bytes | None]:
        """Bytes of each (commit, path), in one process; None where the commit has no such file."""
        asked = "".join(f"{commit}:{path}\n" for commit, path in wanted)
        if asked.count("\n") != len(wanted):
            raise BadInput("a path holds a line break", todo="rename the file")
        answer, at, found = self("cat-file", "--batch", stdin=asked.encode()), 0, []
        for _ in wanted:
            end = answer.index(b"\n", at)
            words, at = answer[at:end].rsplit(b" ", 2), end + 1
            size = int(words[2]) if words[-1].isdigit() else None
            is_blob = size is not None and words[1] == b"blob"
            found.append(answer[at : at + size] if size is not None and is_blob else None)
            at += 0 if size is None else size + 1
        return found

    def tree(self, commit: str, *under: str) -> dict[str, str]:
        """Path → object id of every file of `commit` below the folders `under` (all when none is named)."""
        listing = self("ls-tree", "-r", "-z", commit, "--", *under).split(b"\0")
        found = {}
        for entry in filter(None, listing):
            meta, _, path = entry.partition(b"\t")
            found[path.decode("utf-8", "surrogateescape")] = meta.split()[2].decode()
        return found

    def diff(self, base: str, head: str, path: str) -> str:
        """Plain unified diff of one path between two commits."""
        return self("diff", "--no-ext-diff", "--no-textconv", "--no-color", base, head, "--", path).decode(
            "utf-8", "replace"
        )

    def changed_files(self, base: str, head: str) -> list[str]:
        """Paths that differ between two commits, both sides of a rename."""
        out = self("diff", "--no-renames", "--name-only", "-z", base, head)
        return [path.decode("utf-8", "surrogateescape") for path in out.split(b"\0") if path]

    def uncommitted(self, *under: str) -> list[str]:
        """Paths below `under` that HEAD does not hold as the work tree does; none in a bare folder."""
        words = ("status", "--porcelain", "--no-renames", "--untracked-files=all", "-z")
        done = self.attempt("--no-optional-locks", *words, "--", *under)
        entries = done.out.split(b"\0") if done.code == 0 else []
        return [entry[3:].decode("utf-8", "surrogateescape") for entry in entries if entry]

    def message(self, commit: str) -> str:
        """Full commit message."""
        return self("log", "-1", "--format=%B", commit).decode("utf-8", "replace")

    def merges(self, one: str, other: str) -> bool:
        """Whether two commits merge without a conflict. CouldNotTell when they cannot be compared."""
        return bool(self.merged(one, other))

    def merged(self, one: str, other: str) -> str:
        """Tree of two commits merged; `""` when they conflict. CouldNotTell when they cannot be compared."""
        words = ("merge-tree", "--write-tree", "--name-only", self.resolve(one), self.resolve(other))
        done = self.attempt(*words)
        if done.code not in (0, 1):
            raise CouldNotTell(
                f"git merge-tree: {done.complaint}", where=str(self.root), todo="needs git 2.38"
            )
        return done.text.split("\n", 1)[0].strip() if done.code == 0 else ""

    def fetch(self, *refspecs: str, remote: str = "origin") -> None:
        """Fetch refs; a network fault is CouldNotTell."""
        self("fetch", "--no-tags", "--quiet", "--end-of-options", remote, *refspecs, timeout_s=300)

    def has(self, commit: str) -> bool:
        """Whether the commit's objects are here."""
        return self.attempt("cat-file", "-e", f"{commit}^{{commit}}").code == 0

    def bring(self, commit: str, ref: str = "", *, remote: str = "origin") -> None:
        """Fetch `ref`, or the commit by itself, unless the commit is here."""
        if not self.has(commit):
            self.fetch(ref or commit, remote=remote)

    def tip(self, branch: str, *, remote: str = "origin") -> str:
        """Commit of a branch of the remote now, with its objects here; `""` when there is no such branch."""
        ref = f"refs/heads/{branch}"
        # git also lists what only ends like it: `refs/heads/x/refs/heads/main`, which anybody may push.
        listed = self("ls-remote", "--", remote, ref, timeout_s=120).decode("utf-8", "replace").splitlines()
        sha = next((line.partition("\t")[0] for line in listed if line.partition("\t")[2] == ref), "")
        if sha:
            self.bring(sha, ref, remote=remote)
        return sha
