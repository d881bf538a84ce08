"""The folder of one job: every file that act reads, and the stand-in actions."""

import base64
import json
import os
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infx.edge import files
from infx.edge.git import Git
from infx.forge.actions import jobfile
from infx.forge.actions.act import Call
from infx.forge.actions.parser import Parser
from infx.forge.ports import Job, Repository, Run, Runner

OUTPUTS = "outputs"
"""Folder where the job's last step leaves one file an output."""


@dataclass(frozen=True, kw_only=True)
class Order:
    """One job instance to run. Everything in it is a copy: the work is done in a thread of its own."""

    run: Run
    job: Job
    runner: Runner
    repository: Repository
    job_id: str
    """In the workflow file."""
    environment: str = ""
    """Its name in lower case."""
    document: Mapping[str, Any]
    """Generated workflow file, expressions as written."""
    contexts: Mapping[str, Any]
    permissions: Mapping[str, str]
    folder: Path

    @property
    def secrets(self) -> Mapping[str, str]:
        """A stranger's code gets none."""
        own = self.repository.environment_secrets.get(self.environment, {})
        return {} if self.run.fork else {**self.repository.secrets, **own}


@dataclass(frozen=True, kw_only=True)
class Place:
    """Where jobs live, and whom they talk to."""

    folder: Path
    api_url: str
    results_url: str

    @property
    def home(self) -> Path:
        """HOME of every job, so that nothing of the forge's own user shows."""
        return self.folder / "home"


def call(order: Order, place: Place, parser: Parser, *, token: str) -> Call:
    """Write the folder; how act is called on it."""
    folder = order.folder
    place.home.mkdir(parents=True, exist_ok=True)
    for name in ("work", OUTPUTS):
        (folder / name).mkdir(parents=True)
    folder.chmod(0o700)
    document = parser.bind(order.document, order.contexts)
    # JSON is YAML: no value can end its own quoting.
    written = {
        "work/job.yml": document,
        "event.json": order.run.payload,
        "variables.yml": _variables(order),
        "secrets.yml": {**order.secrets, "GITHUB_TOKEN": token},
    }
    for name, value in written.items():
        files.write_text(folder / name, json.dumps(value))
    return Call(
        folder=folder,
        event=order.run.event,
        actor=order.run.actor,
        job=order.job_id,
        mappings=jobfile.mappings(_texts(order, document), _standins(order, place)),
        machine=_machine(order, place),
    )


def _texts(order: Order, document: Any) -> list[str]:
    """What may name an action: the job's steps, and local actions of every commit it may check out."""
    git = Git(order.repository.git_dir)
    named = jobfile.commits(order.contexts, [order.run.sha, order.run.head_sha])
    known = [one for one in named if git.has(one)]
    pattern = ["-h", "-o", "-E", "actions/[a-z-]+@[A-Za-z0-9_./-]+"]
    found = git.attempt("grep", *pattern, *known, "--", ".github/actions").text if known else ""
    steps = document["jobs"][order.job_id]["steps"]
    return [found, *(str(step.get("uses")) for step in steps)]


def _standins(order: Order, place: Place) -> Path:
    """Copies of the stand-ins that know this job's services; `run:` steps do not see these, as on GitHub."""
    folder = order.folder / "standins"
    service = {
        "results_url": place.results_url,
        "runtime_token": runtime_token(order.run.id, order.job.id),
        "repositories": _repositories(order),
    }
    for action in set(jobfile.MAPPED.values()):
        shutil.copytree(jobfile.STANDINS / action, folder / action)
        for script in jobfile.STANDINS.glob("*.py"):
            shutil.copy(script, folder / action)
        files.write_json(folder / action / "service.json", service)
    return folder


def _repositories(order: Order) -> dict[str, str]:
    """What the checkout can serve: this repository, whose objects hold the heads of its forks too."""
    head = (order.run.payload.get("pull_request") or {}).get("head") or {}
    fork = (head.get("repo") or {}).get("full_name") or order.run.repository
    return {name.lower(): str(order.repository.git_dir) for name in (order.run.repository, str(fork))}


def _variables(order: Order) -> dict[str, str]:
    """The default environment variables, by GitHub's names."""
    github = order.contexts["github"]
    named = {f"GITHUB_{name.upper()}": value for name, value in github.items() if isinstance(value, str)}
    kind = "github-hosted" if order.runner.hosted else "self-hosted"
    runner = {"RUNNER_NAME": order.runner.name, "RUNNER_ENVIRONMENT": kind}
    # act takes the commit from this name only.
    return {**named, **runner, "SHA_REF": github["sha"]}


def _machine(order: Order, place: Place) -> dict[str, str]:
    """Nothing of the forge's own environment but its path, with the Python that runs the forge in front."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    return {"PATH": path, "HOME": str(place.home), "LANG": "C.UTF-8", **order.runner.env}


def runtime_token(run: int, job: int) -> str:
    """Unsigned token that names run and job to the artifact service, as the official clients read it."""
    parts = [{"alg": "none"}, {"scp": f"Actions.Results:{run}:{job}"}]
    encoded = [base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=").decode() for part in parts]
    return ".".join([*encoded, ""])
