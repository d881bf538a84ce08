"""Which files an event starts."""

from typing import Any

import pytest

from infx.forge.actions import filters, select
from infx.forge.ports import Event

LABELED = {"pull_request": {"types": ["labeled"], "paths": ["a/**"]}}
PULL = {"action": "labeled", "number": 7, "pull_request": {"number": 7, "base": {"ref": "main"}}}
RUN = {"action": "completed", "workflow_run": {"name": "sweep", "head_branch": "topic"}}


def event(name: str, payload: dict[str, Any] | None = None, **more: Any) -> Event:
    given = {"ref": "refs/heads/main", "sha": "a" * 40, "actor": "alice", **more}
    return Event(repository="acme/infx", name=name, payload=payload or {}, **given)


@pytest.mark.parametrize(
    ("name", "globs", "expected"),
    [
        ("main", ["main"], True),
        ("feature/a", ["feature/*"], True),
        ("feature/a/b", ["feature/*"], False),
        ("feature/a/b", ["feature/**"], True),
        ("v1.0", ["v[0-9].[0-9]"], True),
        ("v12", ["v[12]+"], True),
        ("docs/a.md", ["**/*.md"], True),
        ("a.md", ["**/*.md"], True),
        ("a.jsx", ["*.jsx?"], True),
        ("a.js", ["*.jsx?"], True),
        ("a+b", ["a\\+b"], True),
        ("releases/x-alpha", ["releases/**", "!releases/**-alpha"], False),
        ("releases/x-alpha", ["!releases/**-alpha", "releases/**"], True),
        ("a.b", ["aXb"], False),
    ],
)
def test_patterns(name: str, globs: list[str], expected: bool) -> None:
    assert filters.matches(name, globs) is expected


@pytest.mark.parametrize(
    ("on", "name", "payload", "more", "expected"),
    [
        ("push", "push", {}, {}, True),
        (["push", "pull_request"], "pull_request", {**PULL, "action": "opened"}, {}, True),
        ("pull_request", "pull_request", PULL, {}, False),
        ({"pull_request": {"types": ["labeled"]}}, "pull_request", PULL, {}, True),
        ({"pull_request": {"types": "labeled"}}, "pull_request", PULL, {}, True),
        ({"pull_request_target": None}, "pull_request_target", {**PULL, "action": "edited"}, {}, False),
        ({"issue_comment": None}, "issue_comment", {"action": "deleted"}, {}, True),
        ({"issue_comment": {"types": ["created"]}}, "issue_comment", {"action": "deleted"}, {}, False),
        ({"pull_request": {"types": ["labeled"], "branches": ["dev"]}}, "pull_request", PULL, {}, False),
        (
            {"pull_request": {"types": ["labeled"], "paths": ["a/**"]}},
            "pull_request",
            PULL,
            {"changed": ["a/b"]},
            True,
        ),
        (
            {"pull_request": {"types": ["labeled"], "paths": ["a/**"]}},
            "pull_request",
            PULL,
            {"changed": ["b"]},
            False,
        ),
        ({"push": {"branches": ["main"]}}, "push", {}, {}, True),
        ({"push": {"branches-ignore": ["main"]}}, "push", {}, {}, False),
        ({"push": {"branches": ["main"]}}, "push", {}, {"ref": "refs/tags/v1"}, False),
        ({"push": {"tags": ["v*"]}}, "push", {}, {"ref": "refs/tags/v1"}, True),
        ({"push": {"tags": ["v*"]}}, "push", {}, {}, False),
        ({"push": {"paths-ignore": ["docs/**"]}}, "push", {}, {"changed": ["docs/a"]}, False),
        ({"push": {"paths-ignore": ["docs/**"]}}, "push", {}, {"changed": ["docs/a", "b"]}, True),
        ({"workflow_run": {"workflows": ["sweep"], "types": ["completed"]}}, "workflow_run", RUN, {}, True),
        ({"workflow_run": {"workflows": ["other"]}}, "workflow_run", RUN, {}, False),
        ({"workflow_run": {"workflows": ["sweep"], "types": ["requested"]}}, "workflow_run", RUN, {}, False),
        ({"workflow_run": {"workflows": ["sweep"], "branches": ["main"]}}, "workflow_run", RUN, {}, False),
        ("workflow_dispatch", "workflow_dispatch", {"workflow": "w.yml"}, {}, True),
        ("workflow_dispatch", "workflow_dispatch", {"workflow": "v.yml"}, {}, False),
        ({"repository_dispatch": {"types": ["go"]}}, "repository_dispatch", {"action": "go"}, {}, True),
        ({"schedule": [{"cron": "5 * * * *"}]}, "schedule", {"schedule": "5 * * * *"}, {}, True),
        ({"schedule": [{"cron": "5 * * * *"}]}, "schedule", {"schedule": "6 * * * *"}, {}, False),
    ],
)
def test_starts(on: Any, name: str, payload: dict[str, Any], more: dict[str, Any], expected: bool) -> None:
    assert select.starts(event(name, payload, **more), "w.yml", {"on": on}) is expected


@pytest.mark.parametrize(
    ("name", "message", "more", "silent"),
    [
        ("push", "a change", {}, False),
        ("push", "a [Skip CI] change", {}, True),
        ("push", "subject\n\nbody [actions skip]", {}, True),
        ("push", "subject\n\nbody\n\nskip-checks: true", {}, True),
        ("push", "subject\n\nskip-checks:true\nSigned-off-by: x", {}, False),
        ("push", "mentions skip-checks: true", {}, False),
        ("pull_request", "[no ci]", {}, True),
        ("pull_request_target", "[no ci]", {}, False),
        ("issue_comment", "[no ci]", {}, False),
        ("push", "a [skip-sweep] change", {}, False),
        ("pull_request", "", {"conflict": True}, True),
        ("pull_request_review", "", {"conflict": True}, True),
        ("pull_request_target", "", {"conflict": True}, False),
        ("push", "", {"by_job_token": True}, True),
        ("workflow_dispatch", "", {"by_job_token": True}, False),
        ("repository_dispatch", "", {"by_job_token": True}, False),
        ("push", "", {"payload": {"deleted": True}}, True),
    ],
)
def test_silenced(name: str, message: str, more: dict[str, Any], silent: bool) -> None:
    assert bool(select.silenced(event(name, **more), message)) is silent


@pytest.mark.parametrize(
    ("name", "default", "without_rights"),
    [
        ("push", False, False),
        ("pull_request", False, True),
        ("pull_request_review", False, True),
        ("pull_request_target", True, False),
        ("workflow_run", True, False),
        ("issue_comment", True, False),
        ("schedule", True, False),
        ("workflow_dispatch", False, False),
    ],
)
def test_where_from_and_with_what_rights(name: str, default: bool, without_rights: bool) -> None:
    assert select.from_default_branch(name) is default
    assert select.without_rights(event(name, fork=True)) is without_rights
    assert not select.without_rights(event(name))
