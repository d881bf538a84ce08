"""Which workflow files an event starts, and from which commit they are read."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from infx import skip
from infx.forge.actions import filters
from infx.forge.ports import Event

DISPATCHES = frozenset({"workflow_dispatch", "repository_dispatch"})
OWN_COMMIT = frozenset(
    {"push", "pull_request", "pull_request_review", "pull_request_review_comment", "create", "merge_group"}
) | {"workflow_dispatch"}
"""Events whose workflow files come from the commit they tell of; all others use the default branch."""
OF_THE_PULL = frozenset({"pull_request", "pull_request_review", "pull_request_review_comment"})
"""Events that run the pull request's own code: from a fork without rights, secrets and variables."""
USUAL_TYPES = dict.fromkeys(("pull_request", "pull_request_target"), ("opened", "synchronize", "reopened"))
"""Activity types that start a workflow which names none; for every other event all of them do."""
BRANCH, TAG = "refs/heads/", "refs/tags/"


def triggered(event: Event) -> list[Event]:
    """Workflow events that one webhook stands for: `pull_request` is also `pull_request_target`."""
    if event.name != "pull_request":
        return [event]
    return [event, replace(event, name="pull_request_target")]


def from_default_branch(name: str) -> bool:
    """True when the event's runs use file, ref and commit of the default branch."""
    return name not in OWN_COMMIT


def without_rights(event: Event) -> bool:
    """True when the code belongs to a stranger: read-only token, no secrets, no variables."""
    return event.fork and event.name in OF_THE_PULL


def silenced(event: Event, message: str) -> str:
    """Why the event starts nothing at all; empty when it may. `message` is the head commit's."""
    if event.by_job_token and event.name not in DISPATCHES:
        return "made with a job's own token"
    if event.name in OF_THE_PULL and event.conflict:
        return "the pull request has a conflict"
    if event.name == "push" and event.payload.get("deleted"):
        return "the ref was deleted"
    if event.name in ("push", "pull_request") and skip.github_word(message):
        return "the head commit's message asks to skip"
    return ""


def triggers(document: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """`on` of a workflow in its long form: event name and filters."""
    on = document.get("on")
    if isinstance(on, str):
        return {on: {}}
    if isinstance(on, list):
        return {str(name): {} for name in on}
    if not isinstance(on, dict):
        return {}
    return {name: config if isinstance(config, dict) else {"list": config} for name, config in on.items()}


def starts(event: Event, path: str, document: Mapping[str, Any]) -> bool:
    """Does this event start the workflow file at `path`?"""
    config = triggers(document).get(event.name)
    if config is None or not _type_passes(event, config):
        return False
    check = CHECKS.get(event.name)
    return check is None or check(event, path, config)


def _type_passes(event: Event, config: Mapping[str, Any]) -> bool:
    action = event.payload.get("action")
    wanted = filters.words(config.get("types")) or USUAL_TYPES.get(event.name)
    return not action or not wanted or action in wanted


def _push(event: Event, path: str, config: Mapping[str, Any]) -> bool:
    if event.ref.startswith(TAG):
        only_branches = any(key.startswith("branches") for key in config)
        asked = any(key.startswith("tags") for key in config)
        return (asked or not only_branches) and filters.name_passes(
            event.ref.removeprefix(TAG), config, "tags"
        )
    asked = any(key.startswith("branches") for key in config)
    if not asked and any(key.startswith("tags") for key in config):
        return False
    name = event.ref.removeprefix(BRANCH)
    return filters.name_passes(name, config, "branches") and filters.paths_pass(event.changed, config)


def _pull(event: Event, path: str, config: Mapping[str, Any]) -> bool:
    base = str(event.payload["pull_request"]["base"]["ref"])
    return filters.name_passes(base, config, "branches") and filters.paths_pass(event.changed, config)


def _workflow_run(event: Event, path: str, config: Mapping[str, Any]) -> bool:
    run = event.payload["workflow_run"]
    if "workflows" in config and run["name"] not in filters.words(config["workflows"]):
        return False
    return filters.name_passes(str(run.get("head_branch") or ""), config, "branches")


def _dispatch(event: Event, path: str, config: Mapping[str, Any]) -> bool:
    return event.payload.get("workflow") == path


def _schedule(event: Event, path: str, config: Mapping[str, Any]) -> bool:
    return any(entry.get("cron") == event.payload.get("schedule") for entry in config.get("list", []))


CHECKS: Mapping[str, Callable[[Event, str, Mapping[str, Any]], bool]] = {
    "push": _push,
    "pull_request": _pull,
    "pull_request_target": _pull,
    "workflow_run": _workflow_run,
    "workflow_dispatch": _dispatch,
    "schedule": _schedule,
}
