"""Forge: the embedded GitHub as one object, for the demo and tests."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from infx.errors import BadInput
from infx.forge import (
    faults,
    forks,
    gitdoor,
    hooks,
    people,
    protection,
    server,
    settings,
    teams,
    tokens,
    workflows,
)
from infx.forge.actor import Actor
from infx.forge.app import App, Services
from infx.forge.artifacts import Artifacts
from infx.forge.budget import Budget
from infx.forge.database import Row, pack
from infx.forge.life.tape import Tape
from infx.forge.outbox import Outbox
from infx.forge.pace import Pace
from infx.forge.ports import Engine, Store
from infx.forge.site import Limits, Request, Site
from infx.forge.store import TableStore
from infx.forge.visit import Caller, Visit

EngineFactory = Callable[[Store, str], Engine]
"""Called with the store and the forge's address (`http://127.0.0.1:PORT`)."""
SETTLE_S = 60.0


class Forge:
    """Start with `Forge.start`; what people do is `forge.at("acme/infx", "alice").label(7, "…")`."""

    def __init__(self, site: Site, store: TableStore, engine: Engine, *, running: server.Server) -> None:
        self.site, self.store, self.engine, self._server = site, store, engine, running
        site.runners_changed = engine.runners_changed

    @classmethod
    def start(
        cls, folder: Path, engine_factory: EngineFactory, *, port: int = 0, limits: Limits | None = None
    ) -> "Forge":
        """Open (or make) the forge in `folder` and serve it on loopback; port 0 takes a free one."""
        sock = server.bind(port)
        site = Site(folder.resolve(), limits=limits)
        site.url = f"http://{server.HOST}:{sock.getsockname()[1]}"
        store = TableStore(site)
        engine = engine_factory(store, site.url)
        site.outbox = Outbox(engine.deliver, site.faults)
        pace = Pace(site.limits.secondary)
        services = Services(engine=engine, files=Artifacts(site), budget=Budget(site), pace=pace)
        running = server.Server(App(site, store, services), sock)
        gitdoor.open_door(site)
        return cls(site, store, engine, running=running)

    @property
    def url(self) -> str:
        return self.site.url

    @property
    def api(self) -> str:
        """Base address for clients."""
        return self.site.api

    @property
    def requests(self) -> Sequence[Request]:
        """Every API request so far, oldest first."""
        return tuple(self.site.requests)

    def close(self) -> None:
        """Stop serving, end jobs, close files."""
        self._server.close()
        self.engine.close()
        self.site.outbox.close()
        self.site.close()

    def __enter__(self) -> "Forge":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def record(self) -> Tape:
        """Record from now on; the tape's `save` writes the file that `infx forge replay` plays."""
        self.site.tape = Tape(source="forge", home=self.url, api=self.api)
        return self.site.tape

    # -- people and places

    def at(self, full_name: str, login: str) -> Actor:
        """That person at that repository."""
        return Actor(self._visit(full_name, login), self.settle)

    def _visit(self, full_name: str, login: str = "") -> Visit:
        repo = self.site.repo(full_name)
        login = self.site.user(login or repo["owner"])["login"]
        return Visit(self.site, repo, Caller(login=login, kind="user"))

    def user(self, login: str, *, kind: str = "User") -> str:
        """A new token of that user (made when new); `kind`: User, Bot or Organization."""
        self.site.add_user(login, kind=kind)
        return tokens.user_token(self.site, login)

    def create_repo(self, full_name: str, source: Path | str = "", *, public: bool = True) -> Row:
        """A repository of an organization, or of the person if the owner is known as one.

        `source` is a git repository, by path or address, whose branches and tags come along.
        """
        owner = full_name.partition("/")[0]
        if not self.site.db.row("SELECT 1 FROM users WHERE login = ?", owner):
            self.site.add_user(owner, kind="Organization")
        return forks.create(self.site, full_name, source=str(source), private=not public)

    def has(self, full_name: str) -> bool:
        return self.site.db.row("SELECT 1 FROM repos WHERE full_name = ?", full_name) is not None

    def role(self, full_name: str, login: str, role: str, *, custom: str = "") -> None:
        """`custom` is the name of a custom role that stands on `role`."""
        people.set_role(self._visit(full_name), login, role=role, custom=custom)

    def member(self, organization: str, login: str, *, role: str = "member") -> None:
        """`role`: member or admin (an owner)."""
        people.add_member(self.site, organization, login, role=role)

    def setting(self, full_name: str, kind: str, name: str, *, value: str = "") -> None:
        """`kind`: variable, secret or environment."""
        settings.put(self._visit(full_name), kind, name, value=value)

    def configure(self, full_name: str, **columns: Any) -> None:
        """`default_permissions` (read, write) and `approval` of fork pull requests."""
        self.site.db.change("repos", self.site.repo(full_name)["id"], **columns)

    def runner(
        self,
        name: str,
        labels: Sequence[str],
        *,
        repo: str = "",
        hosted: bool = False,
        env: Mapping[str, str] | None = None,
    ) -> int:
        """Register a runner, for one repository or (without `repo`) for all; its id. A name is replaced."""
        self.site.db.run("DELETE FROM runners WHERE name = ?", name)
        runner_id = self.site.db.insert(
            "runners",
            repo=self.site.repo(repo)["id"] if repo else None,
            name=name,
            labels=pack(list(labels)),
            online=True,
            hosted=hosted,
            env=pack(dict(env or {})),
        )
        self.engine.runners_changed()
        return runner_id

    def set_runner(
        self, runner_id: int, *, online: bool | None = None, labels: Sequence[str] | None = None
    ) -> None:
        """A runner goes away, comes back, or changes its labels."""
        columns: dict[str, Any] = {} if online is None else {"online": online}
        columns |= {} if labels is None else {"labels": pack(list(labels))}
        self.site.db.change("runners", runner_id, **columns)
        self.engine.runners_changed()

    def app(self, full_name: str, slug: str, **permissions: str) -> str:
        """Token of a GitHub App installed there (`pull_requests="write"`, `members="read"`)."""
        held = {name.replace("_", "-"): level for name, level in permissions.items()}
        return tokens.app_token(self._visit(full_name), slug, permissions=held)

    def team(self, organization: str, name: str, *logins: str) -> None:
        """A team and its members, who become members of the organization."""
        row = teams.add(self.site, organization, name)
        for login in logins:
            teams.join(self.site, row, login)

    def protect(self, full_name: str, branch: str, rules: protection.Rules) -> None:
        protection.put(self._visit(full_name), branch, rules)

    def fault(self, rule: str) -> faults.Rule:
        """Something goes wrong, by a rule such as `lost POST */comments times=2` (`infx.forge.faults`)."""
        return self.site.faults.add(rule)

    # -- time

    def schedule(self, full_name: str, workflow: str, *, cron: str = "") -> None:
        """The clock reaches a `schedule` of that workflow file."""
        at = self._visit(full_name)
        row = workflows.find(at, workflow)
        if not row:
            raise BadInput(
                f"{full_name} has no workflow {workflow}", todo="name a file of its default branch"
            )
        hooks.send(at, "schedule", {"schedule": cron, "workflow": row["path"]})
        self.settle()

    def advance(self, seconds: float) -> None:
        """Move the forge's clock forward."""
        self.site.shift_s += seconds
        self.engine.runners_changed()

    def settle(self, timeout_s: float = SETTLE_S) -> bool:
        """Wait until the engine took every event that was sent."""
        return self.site.outbox.drain(timeout_s)

    def wait_idle(self, timeout_s: float) -> bool:
        """Wait until events, runs and jobs have come to rest; see `Engine.wait_idle`."""
        while self.settle(timeout_s) and self.engine.wait_idle(timeout_s):
            if self.site.outbox.empty:
                return True
        return False
