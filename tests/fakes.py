"""The one GitHub in memory that tests talk to."""

from collections.abc import Iterator
from dataclasses import replace

from infx.errors import CouldNotTell, Refused
from infx.event import Comment

BOT = "github-actions[bot]"


class FakeGitHub:
    """Comments of one pull request, paged as GitHub pages them, with faults on demand."""

    PAGE = 100

    def __init__(self) -> None:
        self.stored: list[Comment] = []
        self.calls: list[str] = []
        self.broken_page: int | None = None
        """Number of the page that answers 502."""
        self.read_only = False
        """Writes answer 403."""
        self.rival: str | None = None
        """Body that another delivery posts in the moment of our next POST."""

    def say(self, author: str, body: str) -> Comment:
        """Somebody comments."""
        number = max((comment.id for comment in self.stored), default=0) + 1
        self.stored.append(Comment(id=number, body=body, author=author))
        return self.stored[-1]

    def login(self) -> str:
        return BOT

    def comments(self, number: int) -> Iterator[Comment]:
        pages = max(1, -(-len(self.stored) // self.PAGE))
        for page in range(1, pages + 1):
            self.calls.append(f"GET page {page}")
            if page == self.broken_page:
                raise CouldNotTell("502 from GitHub")
            yield from list(self.stored)[(page - 1) * self.PAGE : page * self.PAGE]

    def create_comment(self, number: int, body: str) -> Comment:
        self._write("POST")
        if self.rival is not None:
            self.say(BOT, self.rival)
            self.rival = None
        return self.say(BOT, body)

    def edit_comment(self, comment: int, body: str) -> None:
        self._write(f"PATCH {comment}")
        self.stored = [replace(one, body=body) if one.id == comment else one for one in self.stored]

    def delete_comment(self, comment: int) -> None:
        self._write(f"DELETE {comment}")
        if all(one.id != comment for one in self.stored):
            raise CouldNotTell("404 from GitHub")
        self.stored = [one for one in self.stored if one.id != comment]

    def _write(self, call: str) -> None:
        self.calls.append(call)
        if self.read_only:
            raise Refused("403 Resource not accessible by integration")

    @property
    def writes(self) -> list[str]:
        return [call for call in self.calls if not call.startswith("GET")]
