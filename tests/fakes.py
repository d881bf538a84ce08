"""The one GitHub in memory that tests talk to."""

import io
import json
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from infx.errors import CouldNotTell, Refused
from infx.event import Artifact, Comment, JobView, PullRequest

BOT = "github-actions[bot]"
EPOCH = datetime(2026, 7, 1)
"""A comment or an edit a second from here on."""


class FakeGitHub:
    """Comments of one pull request, paged as GitHub pages them, and one run; with faults on demand."""

    PAGE = 100

    def __init__(self) -> None:
        self.stored: list[Comment] = []
        self.lock, self.count, self.seconds = threading.Lock(), 0, 0
        self.calls: list[str] = []
        self.broken_page: int | None = None
        """Number of the page that answers 502."""
        self.read_only = False
        """Writes answer 403."""
        self.pulls: dict[int, PullRequest] = {}
        self.job_lists: list[list[JobView]] = [[]]
        self.files: list[tuple[str, str, bytes]] = []
        """Artifact name, file in it, bytes."""
        self.rival: str | None = None
        """Body that another delivery posts in the moment of our next POST."""

    def say(self, author: str, body: str) -> Comment:
        """Somebody comments."""
        with self.lock:
            self.count, self.seconds = self.count + 1, self.seconds + 1
            at = self._now()
            made = Comment(id=self.count, body=body, author=author, created_at=at, updated_at=at)
            self.stored.append(made)
        return made

    def _now(self) -> str:
        return (EPOCH + timedelta(seconds=self.seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")

    def login(self) -> str:
        return BOT

    def comments(self, number: int, *, since: str = "") -> Iterator[Comment]:
        stored = [one for one in self.stored if one.updated_at >= since]
        pages = max(1, -(-len(stored) // self.PAGE))
        for page in range(1, pages + 1):
            self.calls.append(f"GET page {page}")
            if page == self.broken_page:
                raise CouldNotTell("502 from GitHub")
            yield from stored[(page - 1) * self.PAGE : page * self.PAGE]

    def create_comment(self, number: int, body: str, *, mark: str, login: str) -> Comment:
        self._write("POST")
        if self.rival is not None:
            self.say(BOT, self.rival)
            self.rival = None
        return self.say(BOT, body)

    def edit_comment(self, comment_id: int, body: str) -> Comment | None:
        self._write(f"PATCH {comment_id}")
        with self.lock:
            self.seconds += 1
            at = self._now()
            self.stored = [
                replace(one, body=body, updated_at=at) if one.id == comment_id else one for one in self.stored
            ]
            return next((one for one in self.stored if one.id == comment_id), None)

    def delete_comment(self, comment_id: int) -> None:
        self._write(f"DELETE {comment_id}")
        with self.lock:
            self.stored = [one for one in self.stored if one.id != comment_id]

    def pull(self, number: int) -> PullRequest:
        self.calls.append(f"GET pull {number}")
        return self.pulls[number]

    def jobs(self, run_id: int) -> list[JobView]:
        """Each call shows the next of `job_lists`, and the last one for ever."""
        self.calls.append(f"GET jobs {run_id}")
        return self.job_lists.pop(0) if len(self.job_lists) > 1 else self.job_lists[0]

    def artifacts(self, run_id: int, *, name: str = "") -> list[Artifact]:
        self.calls.append(f"GET artifacts {run_id}")
        return [Artifact(id=at, name=name, size=1) for at, (name, _, _) in enumerate(self.files)]

    def download(self, artifact: Artifact, *, limit: int) -> bytes:
        self.calls.append(f"GET {artifact.name}")
        _, file, data = self.files[artifact.id]
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(file, data)
        return buffer.getvalue()

    def upload(self, name: str, file: str, document: object) -> None:
        """An artifact of the run with one JSON file in it."""
        self.files.append((name, file, json.dumps(document).encode()))

    def _write(self, call: str) -> None:
        self.calls.append(call)
        if self.read_only:
            raise Refused("403 Resource not accessible by integration")

    @property
    def writes(self) -> list[str]:
        return [call for call in self.calls if not call.startswith("GET")]
