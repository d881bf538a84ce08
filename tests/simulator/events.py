"""Which workflow files GitHub starts for something that happened, and why it starts the others not.

Rules: docs.github.com, "Events that trigger workflows", "Skipping workflow runs", "GITHUB_TOKEN".
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

RUNS = "runs"
WAITS = "waits for approval"
DEFAULT_TYPES = {"pull_request", "pull_request_target"}
PULL_REQUEST_TYPES = ("opened", "synchronize", "reopened")
"""What these two events listen to when the file names no types."""
SKIP_WORDS = re.compile(
    r"\[(?:skip ci|ci skip|no ci|skip actions|actions skip)\]|^skip-checks: *true\s*\Z", re.MULTILINE
)
SKIPPABLE = {"push", "pull_request"}


@dataclass(frozen=True, kw_only=True)
class Happening:
    """Something that happened in a repository, with all that GitHub looks at before a file starts."""

    event: str
    """`pull_request` stands for both of its events: GitHub sends `pull_request_target` beside it."""
    action: str = ""
    label: str = ""
    """Label that was added or removed."""
    labels: tuple[str, ...] = ()
    """Labels of the pull request afterwards."""
    inputs: tuple[tuple[str, str], ...] = ()
    branch: str = "main"
    """Branch of a push; base of a pull request."""
    message: str = ""
    """Message of the head commit."""
    workflow: str = ""
    """Name of the workflow that a `workflow_run` or a dispatch is about."""
    fork: bool = False
    conflict: bool = False
    needs_approval: bool = False
    by_job_token: bool = False

    def github(self, **more: Any) -> dict[str, Any]:
        """The `github` context of a run that this starts."""
        payload: dict[str, Any] = {"action": self.action}
        if self.event == "pull_request":
            payload["pull_request"] = {
                "number": 7,
                "head": {"sha": "aaa1"},
                "base": {"sha": "bbb2", "ref": self.branch},
                "labels": [{"name": name} for name in self.labels],
            }
        if self.label:
            payload["label"] = {"name": self.label}
        return {"event_name": self.event, "event": payload, "sha": "ccc3", "run_id": 5, **more}


def starts(documents: Mapping[str, Mapping[str, Any]], happening: Happening) -> dict[str, str]:
    """`runs`, `waits for approval`, or the reason why not, for each workflow file."""
    return {name: _answer(document, happening) for name, document in documents.items()}


def _answer(document: Mapping[str, Any], happening: Happening) -> str:
    listens = _triggers(document)
    names = [happening.event]
    if happening.event == "pull_request":
        names.append("pull_request_target")
    heard = [name for name in names if name in listens]
    if not heard:
        return "does not listen"
    return _filtered(heard[0], listens[heard[0]] or {}, document, happening) or _gated(heard[0], happening)


def _triggers(document: Mapping[str, Any]) -> Mapping[str, Any]:
    on = document["on"]
    if isinstance(on, str):
        return {on: {}}
    return on if isinstance(on, Mapping) else {name: {} for name in on}


def _filtered(event: str, trigger: Any, document: Mapping[str, Any], happening: Happening) -> str:
    """Which filter of the file the event does not pass; empty when it passes all."""
    if event == "schedule":
        return ""
    if event == "workflow_dispatch":
        return "" if document["name"] == happening.workflow else "another workflow"
    if event == "workflow_run" and happening.workflow not in trigger["workflows"]:
        return "another workflow"
    types = trigger.get("types", PULL_REQUEST_TYPES if event in DEFAULT_TYPES else ())
    if types and happening.action not in types:
        return "another type"
    return "" if _matches(happening.branch, trigger.get("branches", ("**",))) else "another branch"


def _matches(branch: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(branch, pattern) for pattern in patterns)


def _gated(event: str, happening: Happening) -> str:
    """What GitHub itself holds against a run whose file listens."""
    if happening.by_job_token and event != "workflow_dispatch":
        return "made by a job's token"
    if event in SKIPPABLE and SKIP_WORDS.search(happening.message):
        return "skip word"
    if event == "pull_request" and happening.conflict:
        return "conflict"
    if event == "pull_request" and happening.needs_approval:
        return WAITS
    return RUNS
