"""Bare git repositories: refs, objects and merges by plumbing; no work tree anywhere."""

import shutil
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from infx.edge.git import Git
from infx.errors import BadInput, CouldNotTell
from infx.forge import changes
from infx.forge.changes import Changed
from infx.forge.commit import FORMAT, Commit, Person, parse

ZERO = "0" * 40
"""What git and the push webhook write for "there was nothing" and "there is nothing now"."""

KINDS = {"040000": "tree", "160000": "commit"}
"""What an entry of a tree is by its mode; anything else is a blob."""
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


class Bare(Git):
    """One bare repository. Commits never change, so what is read by full SHA may be kept."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.commit = lru_cache(maxsize=4096)(self._commit)
        self.files = lru_cache(maxsize=256)(self._files)
        self.distance = lru_cache(maxsize=1024)(self._distance)
        self.contains = lru_cache(maxsize=4096)(self._contains)
        self.touched = lru_cache(maxsize=1024)(self._touched)
        self.merge_tree = lru_cache(maxsize=1024)(self._merge_tree)

    def make(self, source: str = "", *, branch: str = "main") -> None:
        """A new repository: empty, or with every branch and tag of `source` (a path or an address)."""
        self.root.parent.mkdir(parents=True, exist_ok=True)
        home = Git(self.root.parent)
        if source:
            home("clone", "--quiet", "--bare", "--no-hardlinks", "--", source, str(self.root), timeout_s=600)
            self("remote", "remove", "origin")
            # Every job fetches the whole; one pack is handed on as it is, loose objects are packed each time.
            self("repack", "-a", "-d", "--quiet", timeout_s=600)
        else:
            home("init", "--quiet", "--bare", f"--initial-branch={branch}", str(self.root))
        shutil.rmtree(self.root / "hooks", ignore_errors=True)
        for key, value in (("gc.auto", "0"), ("uploadpack.allowAnySHA1InWant", "true")):
            self("config", key, value)

    def refs(self, *under: str) -> dict[str, str]:
        """Ref → SHA below the prefixes (all when none is named)."""
        listing = self("for-each-ref", "--format=%(objectname) %(refname)", *under).decode()
        return {line[41:]: line[:40] for line in listing.splitlines()}

    def ref(self, name: str) -> str | None:
        """SHA of a full ref name, None when there is none."""
        done = self.attempt("show-ref", "--verify", "--hash", "--", name)
        return done.text.strip() if done.code == 0 else None

    def object(self, name: str) -> str | None:
        """SHA of any object by any name that git knows, such as `main^{tree}`; None when there is none."""
        done = self.attempt("rev-parse", "--verify", "--quiet", "--end-of-options", name)
        return done.text.strip() if done.code == 0 else None

    def sha(self, name: str) -> str | None:
        """Commit that a SHA, a branch, a tag or a ref names; None when nothing does."""
        try:
            return self.resolve(name)
        except BadInput:
            return None

    def set_ref(self, name: str, new: str | None, *, old: str | None = None) -> bool:
        """Move a ref, or delete it with None. False when it is no longer at `old`."""
        words = ("-d", name) if new is None else (name, new)
        return self.attempt("update-ref", *words, *([old] if old else [])).code == 0

    def _commit(self, sha: str) -> Commit:
        return parse(self("log", "-1", "-z", f"--format={FORMAT}", sha, "--"))[0]

    def log(self, *span: str, limit: int = 0, path: str = "") -> list[Commit]:
        """Commits of a range, newest first; only those that touch `path` when one is given."""
        words = [f"--max-count={limit}"] if limit else []
        return parse(self("log", "-z", f"--format={FORMAT}", *words, *span, "--", *([path] if path else [])))

    def _contains(self, old: str, new: str) -> bool:
        """True when `old` is an ancestor of `new`, or the same."""
        return self.attempt("merge-base", "--is-ancestor", old, new).code == 0

    def count(self, base: str, head: str) -> tuple[int, int]:
        """Commits of head that base lacks, and of base that head lacks."""
        left, right = self("rev-list", "--left-right", "--count", f"{head}...{base}").split()
        return int(left), int(right)

    def known(self, sha: str) -> Commit | None:
        """The commit, None when this repository does not have it."""
        try:
            return self.commit(sha)
        except CouldNotTell:
            return None

    def _distance(self, base: str, head: str) -> int:
        """Number of commits that head has and base lacks."""
        return int(self("rev-list", "--count", f"{base}..{head}"))

    def _files(self, base: str, head: str) -> tuple[Changed, ...]:
        """What head changed since it left base."""
        start = self.merge_base(base, head)
        plain = ("diff", "-M", "--no-ext-diff", "--no-textconv", "--no-color")
        forms = (("--raw", "-z", "--abbrev=40"), ("--numstat", "-z"), ("-p",))
        return changes.read(*(self(*plain, *form, start, head) for form in forms))

    def _touched(self, sha: str) -> list[tuple[str, str]]:
        """Letter and path of what one commit changed against its first parent."""
        out = self(
            "diff-tree",
            "--no-commit-id",
            "--root",
            "-m",
            "--first-parent",
            "--no-renames",
            "--name-status",
            "-r",
            "-z",
            sha,
        )
        fields = out.decode("utf-8", "surrogateescape").split("\0")
        return list(zip(fields[0::2], fields[1::2], strict=False))

    def _merge_tree(self, ours: str, theirs: str) -> str | None:
        """Tree of the merge of two commits, None on conflict."""
        done = self.attempt("merge-tree", "--write-tree", "--allow-unrelated-histories", ours, theirs)
        return done.text[:40] if done.code == 0 else None

    def write_commit(
        self, tree: str, parents: Sequence[str], message: str, *, author: Person, committer: Person
    ) -> str:
        """A commit object; no ref moves."""
        head = [f"tree {tree}", *(f"parent {parent}" for parent in parents)]
        head += [f"author {author.line}", f"committer {committer.line}"]
        text = "\n".join(head) + "\n\n" + message.rstrip("\n") + "\n"
        return self("hash-object", "-t", "commit", "-w", "--stdin", stdin=text.encode()).decode().strip()

    def pick(self, commit: Commit, onto: str) -> str | None:
        """Tree of one commit's change on top of `onto`, None on conflict."""
        # A stand-in for `onto` whose parent is the commit's own makes that parent the merge base.
        stand_in = self.write_commit(
            self.commit(onto).tree, commit.parents[:1], "", author=commit.author, committer=commit.committer
        )
        return self.merge_tree(stand_in, commit.sha)

    def fetch_from(self, other: Path, refspec: str) -> None:
        """Bring objects (and a ref) of another repository on this machine."""
        self("fetch", "--quiet", "--no-tags", "--force", str(other), refspec, timeout_s=300)

    def put_all(self, tree: str, files: Sequence[tuple[str, str | None, str]]) -> str:
        """Tree with files (path, blob or None, mode) written over it, one folder level at a time."""
        here: dict[str, tuple[str, str]] = {}
        for entry in filter(None, self("ls-tree", "-z", tree).split(b"\0")) if tree else ():
            meta, _, name = entry.decode("utf-8", "surrogateescape").partition("\t")
            here[name] = (meta.split()[0], meta.split()[2])
        below: dict[str, list[tuple[str, str | None, str]]] = {}
        for path, blob, mode in files:
            name, _, rest = path.partition("/")
            if rest:
                below.setdefault(name, []).append((rest, blob, mode))
            elif blob is None:
                here.pop(name, None)
            else:
                here[name] = (mode, blob)
        for name, inner in below.items():
            mode, old = here.get(name, ("", ""))
            new = self.put_all(old if mode == "040000" else "", inner)
            here[name] = ("040000", new)
            if new == EMPTY_TREE:
                del here[name]
        lines = [f"{mode} {KINDS.get(mode, 'blob')} {sha}\t{name}\0" for name, (mode, sha) in here.items()]
        text = "".join(lines).encode("utf-8", "surrogateescape")
        return self("mktree", "-z", stdin=text).decode().strip()

    def write_blob(self, data: bytes) -> str:
        return self("hash-object", "-w", "--stdin", stdin=data).decode().strip()
