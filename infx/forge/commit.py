"""Commit: one commit as git tells it."""

from dataclasses import dataclass
from datetime import UTC, datetime

FORMAT = "%H%x1f%T%x1f%P%x1f%an%x1f%ae%x1f%at%x1f%cn%x1f%ce%x1f%ct%x1f%B"


@dataclass(frozen=True)
class Person:
    """Who wrote or committed, and when (Unix seconds)."""

    name: str
    email: str
    at: int

    @property
    def date(self) -> str:
        return datetime.fromtimestamp(self.at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    @property
    def line(self) -> str:
        """As it stands in a commit object."""
        return f"{clean(self.name)} <{clean(self.email)}> {self.at} +0000"


@dataclass(frozen=True)
class Commit:
    sha: str
    tree: str
    parents: tuple[str, ...]
    author: Person
    committer: Person
    message: str


def clean(text: str) -> str:
    """Git has no escape for these in a name."""
    return "".join(letter for letter in text if letter not in "<>\n\0").strip()


def parse(log: bytes) -> list[Commit]:
    """Commits of `git log -z --format=FORMAT`."""
    return [one(entry) for entry in log.decode("utf-8", "replace").split("\0") if entry.strip("\n")]


def one(entry: str) -> Commit:
    sha, tree, parents, an, ae, at, cn, ce, ct, message = entry.split("\x1f", 9)
    return Commit(
        sha=sha.strip(),
        tree=tree,
        parents=tuple(parents.split()),
        author=Person(an, ae, int(at)),
        committer=Person(cn, ce, int(ct)),
        message=message.rstrip("\n"),
    )
