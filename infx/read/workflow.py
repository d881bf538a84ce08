"""Workflow files: text → what it listens to and what its jobs may."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from infx.errors import BadInput
from infx.premises import LEVELS, Workflow
from infx.read import yaml

PINNED = re.compile(r"\./\S+|[\w./-]+@[0-9a-f]{40}|docker://\S+@sha256:[0-9a-f]{64}")
WHOLE = {"read-all": "read", "write-all": "write"}
SCOPES = ("actions", "checks", "contents", "deployments", "issues", "packages", "pull-requests", "statuses")
"""Those that the short forms stand for here."""


def workflow(data: bytes, *, where: str) -> Workflow:
    """Total: a file that is no workflow is told in `fault`."""
    try:
        value = yaml.load(data, where=where)
    except BadInput as problem:
        return Workflow(events=frozenset(), permissions={}, fault=problem.sentence)
    jobs = value.get("jobs") if isinstance(value, Mapping) else None
    if not isinstance(jobs, Mapping):
        return Workflow(events=frozenset(), permissions={}, fault="there is no mapping `jobs`")
    found = [job for job in jobs.values() if isinstance(job, Mapping)]
    return Workflow(
        events=frozenset(_events(value)),
        permissions=_permissions(value.get("permissions"), found),
        environments=frozenset(filter(None, map(_environment, found))),
        unpinned=tuple(
            dict.fromkeys(use for job in found for use in _uses(job) if not PINNED.fullmatch(use))
        ),
    )


def _events(value: Mapping[Any, Any]) -> Iterator[str]:
    # YAML 1.1 reads the word `on` as true.
    asked = value.get("on", value.get(True))
    if isinstance(asked, str):
        yield asked
    elif isinstance(asked, Mapping | list):
        yield from map(str, asked)


def _permissions(outer: Any, jobs: list[Mapping[str, Any]]) -> Mapping[str, str]:
    """Highest of any job, by scope. Without any word the repository's default counts: taken for the worst."""
    highest: dict[str, str] = {}
    for job in jobs:
        for scope, level in _stated(job.get("permissions", outer)).items():
            if LEVELS.index(level) > LEVELS.index(highest.get(scope, "none")):
                highest[scope] = level
    return highest


def _stated(given: Any) -> Mapping[str, str]:
    if given is None:
        return dict.fromkeys(SCOPES, "write")
    if isinstance(given, str):
        return dict.fromkeys(SCOPES, WHOLE.get(given, "write"))
    if not isinstance(given, Mapping):
        return {}
    return {str(scope): str(level) for scope, level in given.items() if level in LEVELS[1:]}


def _environment(job: Mapping[str, Any]) -> str:
    given = job.get("environment")
    name = given.get("name") if isinstance(given, Mapping) else given
    return name if isinstance(name, str) else ""


def _uses(job: Mapping[str, Any]) -> Iterator[str]:
    steps = job.get("steps")
    for step in [job, *(steps if isinstance(steps, list) else [])]:
        if isinstance(step, Mapping) and isinstance(step.get("uses"), str):
            yield step["uses"]
