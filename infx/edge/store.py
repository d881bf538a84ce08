"""Store of record: append-only files on a branch of their own, written exactly once whoever writes at once.

A file has one JSON object a line, `{"key": …, "value": …}`; of one key the last line counts. Lines are never
changed or removed, so that every state of a record can be read again.
"""

import base64
import json
import os
import random
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from infx.canon import canonical
from infx.edge.git import Git
from infx.errors import BadInput, CouldNotTell

Value = Mapping[str, Any]
Records = Mapping[str, Value]
"""Natural key → value."""

TRIES = 10
"""Pushes before giving up: each lost race means that another writer got through."""
BATCH = 500
"""Files read by one process; each has the rows of one merge."""
WHO = "infx <infx@users.noreply.github.com>"


def authorisations(pr: int) -> str:
    """File of the commands of one pull request; keyed by comment and digest of its text."""
    return f"authorisations/{pr:d}.jsonl"


def published(merge_sha: str) -> str:
    """File of the rows that one merge published; keyed by point."""
    if not (merge_sha.isalnum() and merge_sha.isascii()):
        raise BadInput(f"{merge_sha!r:.60} is no commit", todo="give the SHA of the merge commit")
    return f"published/{merge_sha}.jsonl"


def preview(run: int) -> str:
    """File of the rows of one run on the preview page, apart from what is published; keyed by point."""
    return f"preview/{run:d}.jsonl"


def staging(pr: int) -> str:
    """File of what was asked of the other preview page for one pull request; keyed by comment."""
    return f"staging/{pr:d}.jsonl"


def held(run: int) -> str:
    """File of the results that an authorisation took over from artifacts, which end; keyed by point."""
    return f"held/{run:d}.jsonl"


def accepted(pr: int) -> str:
    """File of what a resumed sweep of one pull request leaves out; keyed by head."""
    return f"accepted/{pr:d}.jsonl"


def retracted(run: int) -> str:
    """File of what was withdrawn of one run after it was published; keyed by point, `*` for all of them."""
    return f"retracted/{run:d}.jsonl"


PUSHES = "pushes.jsonl"
"""Pushes to the default branch that were looked at; keyed by the commit that each left there."""
POISONED = "poisoned.jsonl"
"""Runners that were not fit for a cell, and those that are again; keyed by node."""
SENT = "sent.jsonl"
"""Merges whose rows another repository was told of; keyed by target and merge."""


@dataclass(frozen=True, kw_only=True)
class Written:
    """What became of one call of `Store.put`."""

    commit: str
    """Head of the branch that holds every record; empty while nothing was ever written."""
    added: int
    """Lines that this call appended."""
    same: int
    """Records that were there already."""


@dataclass(frozen=True, kw_only=True)
class Store:
    """The branch `branch` of `remote`, through the objects of a clone."""

    git: Git
    branch: str
    remote: str = "origin"
    pause: Callable[[float], None] = time.sleep
    """Waits so many seconds after a lost race."""
    now: Callable[[], float] = time.time

    def read(self, file: str) -> dict[str, Value]:
        """Natural key → newest value; empty when nothing was ever written there."""
        return self.view()(file)

    def view(self) -> Callable[[str], dict[str, Value]]:
        """`read` of one moment: the remote is asked now, and not again for any file."""
        head = self._head()
        return lambda file: dict(lines(self._content(head, file), where=file)) if head else {}

    def history(self, file: str) -> list[tuple[str, Value]]:
        """Every line that was ever written, oldest first."""
        head = self._head()
        return list(lines(self._content(head, file), where=file)) if head else []

    def index(self, *under: str) -> tuple[str, dict[str, str]]:
        """Commit that every record is read from now, and path → object id of the files below `under`."""
        head = self._head()
        return head, self.git.tree(head, *under) if head else {}

    def raw(self, commit: str, paths: Sequence[str]) -> Iterator[tuple[str, bytes]]:
        """Path → bytes of the files, a few hundred at a time."""
        for start in range(0, len(paths), BATCH):
            some = paths[start : start + BATCH]
            for path, data in zip(some, self.git.blobs([(commit, path) for path in some]), strict=True):
                yield path, data or b""

    def put(self, files: Mapping[str, Records], *, why: str, once: bool = False) -> Written:
        """Append what is not there yet, all files in one commit. Safe to repeat after a crash. `once`: a key
        that is there already keeps its value.

        CouldNotTell when the branch cannot be read or written.
        """
        complaint = ""
        for attempt in range(TRIES):
            head = self._head()
            appended, added, same = self._appended(head, files, once=once)
            if not added:
                return Written(commit=head, added=0, same=same)
            commit = self._commit(head, appended, why=why)
            complaint = self._push(head, commit)
            if not complaint:
                return Written(commit=commit, added=added, same=same)
            if attempt + 1 < TRIES:
                self.pause(random.uniform(0, 0.1 * 2**attempt))
        raise CouldNotTell(f"could not write the store: {complaint}", where=self.branch, todo="try again")

    def _head(self) -> str:
        """Commit of the branch at the remote, with its objects here; `""` when there is no branch yet."""
        return self.git.tip(self.branch, remote=self.remote)

    def _content(self, head: str, file: str) -> bytes:
        return (self.git.show(head, file) if head else None) or b""

    def _appended(
        self, head: str, files: Mapping[str, Records], *, once: bool
    ) -> tuple[dict[str, bytes], int, int]:
        """Path → whole new content of files that grow; how many lines are new, and how many were there."""
        grown: dict[str, bytes] = {}
        added = same = 0
        for file, records in files.items():
            old = self._content(head, file)
            known = dict(lines(old, where=file))
            new = {
                key: value
                for key, value in records.items()
                if not (once and key in known) and not _equal(known.get(key), value)
            }
            added, same = added + len(new), same + len(records) - len(new)
            if new:
                text = "".join(canonical({"key": key, "value": value}) + "\n" for key, value in new.items())
                grown[file] = old + text.encode()
        return grown, added, same

    def _commit(self, head: str, files: Mapping[str, bytes], *, why: str) -> str:
        """A commit on `head` that replaces `files`. It hangs on no ref: until the push nobody sees it."""
        scratch = f"refs/infx/store-{os.urandom(8).hex()}"
        opening = f"commit {scratch}\ncommitter {WHO} {int(self.now())} +0000\n".encode()
        origin = f"from {head}\n" if head else ""
        changes = [f"M 100644 inline {file}\n".encode() + _data(data) for file, data in files.items()]
        stream = [opening, _data(why.encode()), origin.encode(), *changes]
        self.git("fast-import", "--quiet", stdin=b"".join(stream))
        commit = self.git.resolve(scratch)
        self.git("update-ref", "-d", scratch)
        return commit

    def _push(self, head: str, commit: str) -> str:
        """Move the branch from `head` to `commit`, if it is still there; git's complaint when not."""
        ref = f"refs/heads/{self.branch}"
        lease = f"--force-with-lease={ref}:{head}"
        # By its address: a checkout that keeps no credentials may have no address to push to.
        address = self.git("remote", "get-url", self.remote).decode().strip()
        done = self.git.attempt("push", "--quiet", lease, address, f"{commit}:{ref}", timeout_s=300)
        return done.complaint if done.code != 0 else ""


def _data(data: bytes) -> bytes:
    """Bytes as `git fast-import` reads them."""
    return f"data {len(data)}\n".encode() + data + b"\n"


def lines(data: bytes, *, where: str) -> Iterator[tuple[str, Value]]:
    """Key and value of every line. BadInput names the line that is none."""
    for number, line in enumerate(data.splitlines(), start=1):
        try:
            record = json.loads(line)
            yield str(record["key"]), dict(record["value"])
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise BadInput(
                "not a record of the store", where=f"{where}:{number}", todo="restore the line from history"
            ) from error


def _equal(old: Value | None, new: Value) -> bool:
    return old is not None and canonical(old) == canonical(new)


def access(token: str, server: str) -> dict[str, str]:
    """Environment in which git may push to `server` with a job's token, which no command line shows."""
    word = base64.b64encode(f"x-access-token:{token}".encode()).decode()
    return {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"http.{server.rstrip('/')}/.extraheader",
        "GIT_CONFIG_VALUE_0": f"AUTHORIZATION: basic {word}",
    }


def allowed(env: Mapping[str, str]) -> dict[str, str]:
    """`env` with `access` for the token and the server that it names: a private repository shows its heads
    and its store to nobody else."""
    token, server = env.get("GITHUB_TOKEN"), env.get("GITHUB_SERVER_URL") or "https://github.com"
    return {**env, **(access(token, server) if token else {})}
