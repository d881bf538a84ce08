"""Landed: what arrived on the target branch, read along its first-parent line."""

from collections.abc import Container, Iterator

from infx import block
from infx.edge.git import Git
from infx.errors import BadInput
from infx.landing import Landing, Push
from infx.read.changelog import read_entries
from infx.rules import Layout
from infx.versions import Versions, difference

NOTHING = "0" * 40
"""What a push names as the tip of a branch that did not exist."""


def landings(
    git: Git, changelog: str, *, since: str, until: str, only: Container[bytes] | None = None
) -> list[Landing]:
    """Entries that came with the commits after `since` (`""`: from the root on), oldest first. Entries that
    stood in `since` already, such as after a rewritten history, did not come. `only`: of these entries, links
    apart."""
    known = {_name(one) for one in _blocks(git, since, changelog)}
    found: list[Landing] = []
    for commit, at, parent in _line(git, since, until, changelog):
        before, after = (git.show(one, changelog) or b"" if one else b"" for one in (parent, commit))
        for new in difference(Versions(merge_base=before, target=before, head=after)).new:
            if _name(new) not in known and (only is None or _unlinked(new) in only):
                found.append(_landing(commit, at, new, changelog))
    return found


def audited(git: Git, changelog: str, *, after: str, until: str) -> list[Landing]:
    """Landings of the entries that stand at `until` behind the last one that links to `after` (`""`: of all),
    in the order of the file. BadInput when no entry links there."""
    standing = _blocks(git, until, changelog)
    places = [
        number for number, one in enumerate(standing) if block.link(one).decode("utf-8", "replace") == after
    ]
    if after and not places:
        todo = "write the pr-link of an entry there"
        raise BadInput(
            f"audit-from is {after!r:.120}, which is no entry's pr-link", where=changelog, todo=todo
        )
    wanted = {_unlinked(one) for one in standing[places[-1] + 1 if after else 0 :]}
    if not wanted:
        return []
    since = ""
    for commit in reversed(commits(git, changelog, since="", until=until)):
        if not wanted & {_unlinked(one) for one in _blocks(git, commit, changelog)}:
            since = commit
            break
    return landings(git, changelog, since=since, until=until, only=wanted)


def commits(git: Git, *paths: str, since: str, until: str) -> list[str]:
    """Commits of the first-parent line after `since` that touch `paths`, oldest first."""
    return [commit for commit, _, _ in _line(git, since, until, *paths)]


def measured(layout: Layout) -> list[str]:
    """Files and folders whose change may ask for new results: configs, what they name, and the changelog."""
    names = [layout.changelog, *layout.masters, layout.runners, layout.golden, layout.scripts]
    return [layout.path(name) for name in names]


def start(git: Git, push: Push) -> str:
    """Commit after which the push begins: where the branch was, or the parent when it was nowhere."""
    if push.before and push.before != NOTHING and contains(git, push.before, push.before):
        return push.before
    return parent(git, push.after)


def parent(git: Git, commit: str) -> str:
    """First parent; `""` for a root."""
    done = git.attempt("rev-parse", "--verify", "--quiet", f"{commit}^1")
    return done.text.strip() if done.code == 0 else ""


def line(git: Git, *, since: str, until: str) -> list[str]:
    """Every commit of the first-parent line after `since` (`""`: from the root on), oldest first."""
    span = f"{since}..{until}" if since else until
    return git("rev-list", "--first-parent", "--reverse", span, timeout_s=300).decode().split()


def contains(git: Git, commit: str, tip: str) -> bool:
    """Whether `commit` is there and `tip` holds it."""
    return git.attempt("merge-base", "--is-ancestor", commit, tip).code == 0


def _line(git: Git, since: str, until: str, *paths: str) -> Iterator[tuple[str, str, str]]:
    """Commit, time and first parent (`""` for the root) of each."""
    span = f"{since}..{until}" if since else until
    words = ("--first-parent", "--reverse", "--format=%H %cI %P", span, "--", *paths)
    for line in git("log", *words, timeout_s=300).decode().splitlines():
        commit, at, *parents = line.split()
        yield commit, at, parents[0] if parents else ""


def _landing(commit: str, at: str, new: bytes, changelog: str) -> Landing:
    link = block.link(new).decode("utf-8", "replace")
    where = f"{changelog} at {commit[:12]}"
    try:
        [entry] = read_entries(new.decode("utf-8") + "\n", where=where)
        return Landing(commit=commit, at=at, link=link, entry=entry)
    except BadInput as problem:
        return Landing(commit=commit, at=at, link=link, entry=None, fault=problem.sentence)
    except ValueError as problem:
        return Landing(commit=commit, at=at, link=link, entry=None, fault=f"{where}: {problem}")


def _blocks(git: Git, commit: str, changelog: str) -> list[bytes]:
    data = (git.show(commit, changelog) if commit else None) or b""
    return block.blocks(block.clean(data))


def _name(one: bytes) -> bytes:
    """A block whatever its whitespace."""
    return b" ".join(one.split())


def _unlinked(one: bytes) -> bytes:
    """The block wherever it links: links may be corrected afterwards."""
    return _name(block.linked(one, b"-"))
