"""A pull request in a real git repository, and the runs of its sweeps on a GitHub in memory."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from infx.desk import Desk
from infx.edge import settings
from infx.edge.api import Denied, reporting
from infx.edge.git import Git
from infx.edge.store import Store
from infx.errors import CouldNotTell
from infx.event import Artifact, Comment, LabelChange, PullRequest, Run
from infx.facts import Role
from infx.plan import Plan
from infx.point import Point
from infx.record import Outcome
from infx.results.tally import Facts, ledger
from infx.sources import Sources
from infx.sweeps import Sweeps
from tests.builders import FULL, REPO, record
from tests.fakes import FakeGitHub
from tests.repo import CHANGELOG, MASTER, Repo, entry

RULES = settings.parse("")
SWEEP = RULES.layout.sweep_workflow
COMMENT = RULES.layout.comment_workflow
ANSWERING = 9
"""The run of the comment workflow."""
M1 = "m1-fp8-h200-sglang"
NINE = MASTER.replace("[4, 8]", "[1, 2, 4, 8, 16, 32, 64, 128, 256]")
TOPIC = {"configs/nvidia-master.yaml": NINE, "perf-changelog.yaml": CHANGELOG + entry(M1)}


@dataclass
class Hub(FakeGitHub):
    """Runs, artifacts by run, roles, reactions and statuses."""

    repository: str = REPO
    known: dict[int, Run] = field(default_factory=dict)
    roles: dict[str, str] = field(default_factory=dict)
    down: set[str] = field(default_factory=set)
    """Artifact names that answer 502."""
    hidden: set[int] = field(default_factory=set)
    """Comments that somebody minimised."""
    editors: dict[int, str] = field(default_factory=dict)
    """Comment → who changed it last."""
    labelled: list[LabelChange] = field(default_factory=list)
    ends: str = ""
    """When artifacts end."""
    reactions: list[tuple[int, str]] = field(default_factory=list)
    cancelled: list[int] = field(default_factory=list)
    dispatched: list[dict[str, str]] = field(default_factory=list)
    shown: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    """SHA and context → state and description."""

    def __post_init__(self) -> None:
        super().__init__()
        self.owners: list[int] = []
        self.known[ANSWERING] = Run(id=ANSWERING, path=COMMENT, event="issue_comment", head_branch="main")

    def say(self, author: str, body: str, **fields: Any) -> Comment:
        said = super().say(author, body)
        time = f"2026-07-01T00:{said.id:02}:00Z"
        known = {"created_at": time, "updated_at": time, "node": f"IC_{said.id}"}
        dated = replace(said, **{**known, **fields})
        self.stored[-1] = dated
        return dated

    def create_comment(self, number: int, body: str, *, mark: str, login: str) -> Comment:
        with reporting():
            return super().create_comment(number, body, mark=mark, login=login)

    def edit_comment(self, comment_id: int, body: str) -> Comment | None:
        with reporting():
            return super().edit_comment(comment_id, body)

    def edit(self, comment: Comment, body: str, editor: str = "") -> Comment:
        """Somebody changes the words of a comment."""
        self.editors[comment.id] = editor or comment.author
        edited = replace(comment, body=body, updated_at="2026-07-01T01:00:00Z")
        self.stored = [edited if one.id == comment.id else one for one in self.stored]
        return edited

    def runs(
        self, workflow_path: str, *, active: bool = False, newest: int | None = None, **filters: str
    ) -> list[Run]:
        self.calls.append(f"GET runs {filters.get('event')}")
        mine = [run for run in self.known.values() if run.path == workflow_path]
        return [run for run in mine if run.event == filters.get("event", run.event)]

    def run(self, run_id: int) -> Run:
        self.calls.append(f"GET run {run_id}")
        if run_id not in self.known:
            raise Denied(404, "Not Found", where=str(run_id))
        return self.known[run_id]

    def artifacts_named(self, name: str, *, newest: int) -> list[Artifact]:
        self.calls.append(f"GET artifacts named {name}")
        return [one for one in self._all() if one.name == name][:newest]

    def artifacts(self, run_id: int, *, name: str = "") -> list[Artifact]:
        self.calls.append(f"GET artifacts {run_id}")
        return [one for one in self._all() if one.run_id == run_id and name in ("", one.name)]

    def label_changes(self, number: int) -> list[LabelChange]:
        self.calls.append(f"GET label changes {number}")
        return self.labelled

    def visible(self, nodes: Sequence[str]) -> dict[str, str]:
        self.calls.append("GET visible")
        return {one.node: one.body for one in self.stored if one.node in nodes and one.id not in self.hidden}

    def written(self, nodes: Sequence[str]) -> dict[str, tuple[str, str]]:
        self.calls.append("GET written")
        return {
            one.node: (one.body, self.editors.get(one.id, "")) for one in self.stored if one.node in nodes
        }

    def _all(self) -> list[Artifact]:
        return [
            Artifact(id=number, name=name, size=1, run_id=owner, expires_at=self.ends)
            for number, ((name, _, _), owner) in enumerate(zip(self.files, self.owners, strict=True))
        ]

    def download(self, artifact: Artifact, *, limit: int) -> bytes:
        if artifact.name in self.down:
            raise CouldNotTell("GitHub answers 502")
        return super().download(artifact, limit=limit)

    def keep(self, run_id: int, name: str, document: object) -> None:
        self.upload(name, f"{name}.json", document)
        self.owners.append(run_id)

    def pull(self, number: int) -> PullRequest:
        if number not in self.pulls:
            raise Denied(404, "Not Found", where=str(number))
        return super().pull(number)

    def role(self, login: str) -> Role:
        self.calls.append(f"GET role {login}")
        held = self.roles.get(login, "none")
        return Role(
            login=login, permission=None if held == "?" else held, role_name=held.replace("?", "") or None
        )

    def head(self, number: int) -> str:
        self.calls.append(f"GET head {number}")
        return self.pulls[number].head_sha

    def default_branch(self) -> str:
        return "main"

    def react(self, comment_id: int, content: str) -> None:
        with reporting():
            self._write(f"POST reaction {content}")
        self.reactions.append((comment_id, content))

    def unreact(self, comment_id: int, content: str, login: str) -> None:
        self.reactions = [one for one in self.reactions if one != (comment_id, content)]

    def cancel(self, run_id: int) -> bool:
        self._write(f"POST cancel {run_id}")
        self.cancelled.append(run_id)
        return True

    def dispatch(self, workflow_path: str, ref: str, *, inputs: Mapping[str, str], find: Any = None) -> None:
        self._write(f"POST dispatch {workflow_path}")
        self.dispatched.append(dict(inputs))

    def statuses(self, sha: str) -> dict[str, tuple[str, str]]:
        return {context: shown for (at, context), shown in self.shown.items() if at == sha}

    def set_status(self, sha: str, context: str, *, state: str, description: str, url: str = "") -> None:
        with reporting():
            self._write(f"POST status {sha[:7]}")
        self.shown[sha, context] = (state, description)


@dataclass
class Life:
    """One pull request on the branch `topic` of `repo`."""

    repo: Repo
    hub: Hub = field(default_factory=Hub)

    def push(self, files: dict[str, str] = TOPIC) -> str:
        return self.repo.commit(files)

    @property
    def pull(self) -> PullRequest:
        return PullRequest(
            number=7,
            open=True,
            labels=(FULL,),
            head_sha=self.repo.git("rev-parse", "topic"),
            head_ref="topic",
            head_repo=REPO,
            base_sha=self.repo.git("rev-parse", "main"),
            base_ref="main",
            base_repo=REPO,
        )

    @property
    def store(self) -> Store:
        """The store, at a remote of its own."""
        origin = self.repo.root / ".git" / "origin"
        if not origin.exists():
            self.repo.git("init", "-q", "--bare", str(origin))
            self.repo.git("remote", "add", "origin", str(origin))
        return Store(git=Git(self.repo.root), branch="infx-results", pause=lambda seconds: None)

    @property
    def desk(self) -> Desk:
        self.hub.pulls[7] = self.pull
        return Desk(
            github=self.hub,
            git=Git(self.repo.root),
            store=self.store,
            rules=RULES,
            pull=self.pull,
        )

    @property
    def sources(self) -> Sources:
        return Sources(
            git=Git(self.repo.root),
            rules=RULES,
            sweeps=Sweeps(self.hub, SWEEP),
            pull=self.pull,
            default_branch="main",
        )

    @property
    def plan(self) -> Plan:
        return self.sources.wanted

    def sweep(
        self, number: int, valid: Iterable[Point], failed: Sequence[Point] = (), *, plan: Plan | None = None
    ) -> Run:
        """A run of the head: some points succeed, some fail, and the rest never starts."""
        made = plan or self.plan
        records = [record(one, sha=made.head_sha, run_id=number) for one in valid]
        records += [
            record(one, Outcome.FAILURE, reason="engine-died", sha=made.head_sha, run_id=number)
            for one in failed
        ]
        done = ledger(made, records, Facts(run_id=number, attempt=1))
        run = Run(
            id=number,
            path=SWEEP,
            conclusion="success" if done.complete else "failure",
            head_sha=made.head_sha,
            head_branch="topic",
            head_repo=REPO,
            pr=7,
        )
        self.hub.known[number] = run
        self.hub.keep(number, "plan", made.as_json())
        self.hub.keep(number, "ledger", done.as_json())
        return run
