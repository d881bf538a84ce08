"""Site: what every part of the embedded GitHub shares: tables, git folders, clock, address, outbox."""

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from infx.forge.database import Database, Row
from infx.forge.faults import Faults
from infx.forge.life.tape import Tape
from infx.forge.outbox import Outbox
from infx.forge.problem import not_found
from infx.forge.repos import Bare

KEPT_REQUESTS = 100_000


@dataclass(frozen=True, kw_only=True)
class Request:
    """One answered API request, for tests and for people who look."""

    method: str
    path: str
    query: str
    status: int
    login: str
    run: int
    job: int
    ms: float


@dataclass(frozen=True, kw_only=True)
class Secondary:
    """Limits of speed (docs: Rate limits for the REST API, about secondary rate limits)."""

    concurrent: int = 100
    """Requests at the same moment."""
    points: int = 900
    """A minute; reading costs 1, changing 5."""
    creations: int = 80
    """Pieces of content a minute."""
    hourly: int = 500
    """Pieces of content an hour."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Requests an hour (docs: Rate limits for the REST API)."""

    user: int = 5000
    job: int = 1000
    """GITHUB_TOKEN: one budget for the whole repository."""
    anonymous: int = 60
    secondary: Secondary | None = None
    """Kept only where somebody asks for it: tests are faster than people."""


class Site:
    """One folder on disk with everything in it. `url` is set once the port is known."""

    def __init__(self, folder: Path, *, limits: Limits | None = None) -> None:
        self.folder = folder
        for name in ("git", "logs", "artifacts"):
            (folder / name).mkdir(parents=True, exist_ok=True)
        self.db = Database(folder / "forge.db")
        self.limits = limits or Limits()
        self.url = ""
        self.shift_s = 0.0
        self.hook_key = ""
        """What git hooks must show (`gitdoor`)."""
        self.requests: deque[Request] = deque(maxlen=KEPT_REQUESTS)
        self.gaps: set[str] = set()
        """`METHOD path` of endpoints that were asked for and are not offered."""
        self.git_lock = threading.RLock()
        """Held while refs and the rows that mirror them change together."""
        self.faults = Faults()
        self.outbox = Outbox(lambda event: ())
        """Replaced once there is an engine."""
        self.runners_changed: Callable[[], None] = lambda: None
        """Likewise: waiting jobs look for a runner again."""
        self.tape: Tape | None = None
        """Where requests and events are recorded, if anybody wants them."""
        self._users: dict[str, Row] = {}
        self._bares: dict[str, Bare] = {}

    @property
    def api(self) -> str:
        return f"{self.url}/api/v3"

    def now(self) -> float:
        """Unix seconds on the forge's own clock."""
        return time.time() + self.shift_s

    def stamp(self, offset_s: float = 0.0) -> str:
        """Now, as the REST API writes it."""
        return datetime.fromtimestamp(self.now() + offset_s, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def repo(self, full_name: str) -> Row:
        found = self.db.row("SELECT * FROM repos WHERE full_name = ?", full_name)
        if not found:
            raise not_found()
        return found

    def repo_by_id(self, repo_id: int) -> Row:
        found = self.db.row("SELECT * FROM repos WHERE id = ?", repo_id)
        if not found:
            raise not_found()
        return found

    def bare(self, repo: Row) -> Bare:
        """The git folder of a repository."""
        name = repo["full_name"]
        if name not in self._bares:
            self._bares[name] = Bare(self.folder / "git" / f"{name}.git")
        return self._bares[name]

    def user(self, login: str) -> Row:
        """The user, made on first mention: nobody can act under a name that does not exist."""
        found = self._users.get(login.lower())
        if not found:
            found = self.db.row("SELECT * FROM users WHERE login = ?", login) or self._new_user(login)
            self._users[login.lower()] = found
        return found

    def _new_user(self, login: str) -> Row:
        kind = "Bot" if login.endswith("[bot]") else "User"
        return self.add_user(login, kind=kind)

    def add_user(self, login: str, *, kind: str = "User", email: str = "", name: str = "") -> Row:
        """A person, bot or organization; the row that is there when the login is taken."""
        self.db.run(
            "INSERT INTO users (login, name, email, type, created_at) VALUES (?, ?, ?, ?, ?) "
            "ON CONFLICT (login) DO UPDATE "
            "SET type = excluded.type, email = excluded.email, name = excluded.name",
            login,
            name or login,
            email or f"{login}@users.noreply.example",
            kind,
            self.stamp(),
        )
        self._users.pop(login.lower(), None)
        found = self.db.row("SELECT * FROM users WHERE login = ?", login)
        assert found
        return found

    def by_email(self, email: str) -> str | None:
        """Login of the user with this address."""
        found: str | None = self.db.value("SELECT login FROM users WHERE email = ?", email)
        return found

    def close(self) -> None:
        self.db.close()


Json = dict[str, Any]
