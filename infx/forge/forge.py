"""Forge: the embedded GitHub as one object, for the demo and tests. Whatever it does, REST can do too."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from infx.errors import BadInput
from infx.forge import forks, hooks, issues, merging, people, pulls, pushes, server, tokens, workflows
from infx.forge.app import App, Services
from infx.forge.artifacts import Artifacts
from infx.forge.budget import Budget
from infx.forge.database import Row, pack
from infx.forge.outbox import Outbox
from infx.forge.ports import Engine, Store
from infx.forge.shapes import pull as pull_shapes
from infx.forge.site import Json, Limits, Request, Site
from infx.forge.store import TableStore
from infx.forge.tokens import Caller

EngineFactory = Callable[[Store, str], Engine]
"""Called with the store and the forge's address (`http://127.0.0.1:PORT`)."""
SETTLE_S = 60.0


class Forge:
    """Start with `Forge.start`. Methods that change something return once the engine took the events."""

    def __init__(self, site: Site, store: TableStore, engine: Engine, running: server.Server) -> None:
        self.site, self.store, self.engine, self._server = site, store, engine, running

    @classmethod
    def start(
        cls, folder: Path, engine_factory: EngineFactory, *, port: int = 0, limits: Limits | None = None
    ) -> "Forge":
        """Open (or make) the forge in `folder` and serve it."""
        folder.mkdir(parents=True, exist_ok=True)
        site = Site(folder.resolve(), limits=limits)
        sock = server.bind(port)
        site.url = f"http://{server.HOST}:{sock.getsockname()[1]}"
        store = TableStore(site)
        engine = engine_factory(store, site.url)
        site.outbox = Outbox(engine.deliver)
        services = Services(engine=engine, files=Artifacts(site), budget=Budget(site))
        return cls(site, store, engine, server.Server(App(site, store, services), sock))

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

    # -- people and places

    def user(self, login: str, *, kind: str = "User") -> str:
        """A token of that user (made when new); `kind` User, Bot or Organization."""
        self.site.add_user(login, kind=kind)
        return tokens.user_token(self.site, login)

    def create_repo(
        self, full_name: str, source: Path | str = "", *, public: bool = True, organization: bool = True
    ) -> Row:
        """A repository; `source` is a git repository whose branches and tags come along."""
        if organization:
            self.site.add_user(full_name.partition("/")[0], kind="Organization")
        return forks.create(self.site, full_name, source=str(source), private=not public)

    def fork(self, full_name: str, login: str) -> Row:
        return forks.fork(self.site, self.site.repo(full_name), login)

    def role(self, full_name: str, login: str, role: str, *, custom: str = "") -> None:
        people.set_role(self.site, self.site.repo(full_name), login, role=role, custom=custom)

    def member(self, organization: str, login: str) -> None:
        login = self.site.user(login)["login"]
        self.site.db.run("INSERT OR IGNORE INTO members (org, login) VALUES (?, ?)", organization, login)

    def setting(self, full_name: str, kind: str, name: str, value: str = "") -> None:
        """`kind`: variable, secret or environment."""
        now = self.site.stamp()
        self.site.db.run(
            "INSERT OR REPLACE INTO settings (repo, kind, name, value, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)",
            *(self.site.repo(full_name)["id"], kind, name, value, now, now),
        )

    def runner(
        self,
        name: str,
        labels: Sequence[str],
        *,
        repo: str = "",
        hosted: bool = False,
        online: bool = True,
        env: Mapping[str, str] | None = None,
    ) -> int:
        """Register a runner, for one repository or (without `repo`) for all."""
        runner_id = self.site.db.insert(
            "runners",
            repo=self.site.repo(repo)["id"] if repo else None,
            name=name,
            labels=pack(list(labels)),
            online=online,
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
        if columns:
            self.site.db.change("runners", runner_id, **columns)
        self.engine.runners_changed()

    # -- what people do

    def caller(self, login: str) -> Caller:
        return Caller(login=self.site.user(login)["login"], kind="user")

    def push(
        self,
        full_name: str,
        branch: str,
        files: Mapping[str, str | bytes | None],
        *,
        message: str,
        actor: str,
    ) -> str:
        """One commit on top of a branch (made from the default branch when new); SHA of the commit.

        A value of None removes the file.
        """
        repo = self.site.repo(full_name)
        bare, ref = self.site.bare(repo), f"refs/heads/{branch}"
        tip = bare.ref(ref) or bare.ref(f"refs/heads/{repo['default_branch']}")
        blobs = {
            path: None if data is None else bare.write_blob(as_bytes(data)) for path, data in files.items()
        }
        tree = bare.put_all(
            bare.commit(tip).tree if tip else "", [(path, blob, "100644") for path, blob in blobs.items()]
        )
        who = pulls.person(self.site, actor)
        sha = bare.write_commit(tree, (tip,) if tip else (), message, author=who, committer=who)
        pushes.move(self.site, repo, self.caller(actor), ref, sha)
        self.settle()
        return sha

    def pushed(self, full_name: str, actor: str) -> list[str]:
        """Look for refs that plain git moved, and tell them; their names."""
        moved = pushes.notice(self.site, self.site.repo(full_name), self.caller(actor))
        self.settle()
        return moved

    def open_pull(
        self,
        full_name: str,
        head: str,
        *,
        title: str,
        actor: str,
        base: str = "",
        body: str = "",
        draft: bool = False,
    ) -> int:
        """Number of the new pull request. `head` is `branch`, or `owner:branch` of a fork."""
        repo = self.site.repo(full_name)
        owner, _, ref = head.rpartition(":")
        head_repo = self.site.repo(f"{owner}/{repo['name']}") if owner else repo
        row = pulls.open_pull(
            self.site,
            self.caller(actor),
            repo,
            title=title,
            head=(head_repo, ref),
            base=base or repo["default_branch"],
            body=body,
            draft=draft,
        )
        self.settle()
        return int(row["number"])

    def pull(self, full_name: str, number: int) -> Json:
        """The pull request, as REST shows it."""
        repo = self.site.repo(full_name)
        return pull_shapes.full(self.site, repo, pulls.find(self.site, repo, number))

    def label(self, full_name: str, number: int, *names: str, actor: str) -> None:
        repo, row = self._issue(full_name, number)
        issues.add_labels(self.site, self.caller(actor), repo, row, names)
        self.settle()

    def unlabel(self, full_name: str, number: int, name: str, *, actor: str) -> None:
        repo, row = self._issue(full_name, number)
        issues.remove_label(self.site, self.caller(actor), repo, row, name)
        self.settle()

    def comment(self, full_name: str, number: int, body: str, *, actor: str) -> int:
        """Id of the new comment."""
        repo, row = self._issue(full_name, number)
        made = issues.comment(self.site, self.caller(actor), repo, row, body)
        self.settle()
        return int(made["id"])

    def push_to_pull(
        self,
        full_name: str,
        number: int,
        files: Mapping[str, str | bytes | None],
        *,
        message: str,
        actor: str,
    ) -> str:
        """One more commit on the head branch of a pull request."""
        row = pulls.find(self.site, self.site.repo(full_name), number)
        head = self.site.repo_by_id(row["head_repo"])
        return self.push(head["full_name"], row["head_ref"], files, message=message, actor=actor)

    def set_draft(self, full_name: str, number: int, draft: bool, *, actor: str) -> None:
        repo = self.site.repo(full_name)
        pulls.set_draft(self.site, self.caller(actor), repo, pulls.find(self.site, repo, number), draft)
        self.settle()

    def close_pull(self, full_name: str, number: int, *, actor: str) -> None:
        self._set_state(full_name, number, "closed", actor)

    def reopen_pull(self, full_name: str, number: int, *, actor: str) -> None:
        self._set_state(full_name, number, "open", actor)

    def _set_state(self, full_name: str, number: int, state: str, actor: str) -> None:
        repo = self.site.repo(full_name)
        pulls.set_state(self.site, self.caller(actor), repo, pulls.find(self.site, repo, number), state)
        self.settle()

    def merge(self, full_name: str, number: int, *, actor: str, method: str = "merge") -> str:
        """SHA of the new tip of the base branch."""
        repo = self.site.repo(full_name)
        sha = merging.merge(
            self.site, self.caller(actor), repo, pulls.find(self.site, repo, number), method=method
        )
        self.settle()
        return sha

    def _issue(self, full_name: str, number: int) -> tuple[Row, Row]:
        repo = self.site.repo(full_name)
        return repo, issues.find(self.site, repo, number)

    # -- time

    def schedule(self, full_name: str, workflow: str, cron: str = "") -> None:
        """The clock reaches a `schedule` of that workflow file."""
        repo = self.site.repo(full_name)
        row = workflows.find(self.site, repo, workflow)
        if not row:
            raise BadInput(
                f"{full_name} has no workflow {workflow}", todo="name a file of its default branch"
            )
        payload = {"schedule": cron, "workflow": row["path"]}
        hooks.send(self.site, repo, self.caller(repo["owner"]), "schedule", payload)
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


def as_bytes(data: str | bytes) -> bytes:
    return data if isinstance(data, bytes) else data.encode()
