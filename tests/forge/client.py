"""Clients for tests: PyGithub for what people do, a bare one for headers, statuses and signed addresses."""

import json
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any

from github import Auth, Github

from infx.forge.actor import Actor
from infx.forge.forge import Forge
from infx.forge.ports import Job, Run
from tests.forge.recorder import Recorder

REPO = "acme/infx"


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    data: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.data) if self.data else None


class Client:
    """Sends one request and shows the answer as it came."""

    def __init__(self, api: str, token: str = "") -> None:
        self.api, self.token = api, token

    def __call__(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        url = path if path.startswith("http") else self.api + path
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        sent = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        request = urllib.request.Request(url, data, {**sent, **headers}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return Answer(answer.status, {k.lower(): v for k, v in answer.headers.items()}, answer.read())
        except urllib.error.HTTPError as answer:
            with answer:
                return Answer(answer.code, {k.lower(): v for k, v in answer.headers.items()}, answer.read())


@dataclass(frozen=True)
class World:
    """The forge of one test, and who is there."""

    forge: Forge
    recorder: Recorder
    tokens: dict[str, str]

    def at(self, login: str) -> Actor:
        return self.forge.at(REPO, login)

    def client(self, login: str) -> Client:
        return Client(self.forge.api, self.tokens[login])

    def pygithub(self, login: str, *, token: str = "") -> Any:
        auth = Auth.Token(token or self.tokens[login])
        quick: dict[str, Any] = {
            "seconds_between_requests": None,
            "seconds_between_writes": None,
            "retry": None,
        }
        return Github(base_url=self.forge.api, auth=auth, **quick).get_repo(REPO)

    def run(self, number: int = 0, **changes: Any) -> Run:
        """A stored run of the sweep workflow, for the head of a pull request or of the default branch."""
        bare = self.at("will").at.bare
        head = (
            self.at("will").pull(number)["head"]
            if number
            else {"ref": "main", "sha": bare.ref("refs/heads/main")}
        )
        facts: dict[str, Any] = {
            "id": 0,
            "repository": REPO,
            "workflow": ".github/workflows/sweep.yml",
            "name": "Sweep",
            "title": "Change a",
            "event": "pull_request" if number else "push",
            "action": "labeled",
            "payload": {"number": number},
            "actor": "will",
            "triggering_actor": "will",
            "head_branch": head["ref"],
            "head_sha": head["sha"],
            "ref": "refs/heads/main",
            "sha": head["sha"],
            "pull_requests": (number,) if number else (),
        }
        return self.forge.store.add_run(Run(**{**facts, **changes}))

    def job(self, run: Run, name: str = "plan", **changes: Any) -> Job:
        facts: dict[str, Any] = {
            "id": 0,
            "run": run.id,
            "attempt": run.attempt,
            "name": name,
            "labels": ("ubuntu-latest",),
        }
        return self.forge.store.add_job(Job(**{**facts, **changes}))

    def job_env(self, contents: str) -> dict[str, str]:
        """What the steps of a running job see, by which git knows it; its token may do `contents`."""
        run = self.run()
        job = self.job(run, runner="node-1", status="in_progress")
        self.forge.store.mint_token(REPO, run=run.id, job=job.id, permissions={"contents": contents})
        return {"GITHUB_ACTIONS": "true", "GITHUB_RUN_ID": str(run.id), "RUNNER_NAME": "node-1"}

    def job_client(self, **permissions: str) -> Client:
        """A client with the token of a job that holds these permissions (`pull_requests="write"`)."""
        run = self.run()
        held = {name.replace("_", "-"): level for name, level in permissions.items()}
        token = self.forge.store.mint_token(REPO, run=run.id, job=self.job(run).id, permissions=held)
        return Client(self.forge.api, token)
