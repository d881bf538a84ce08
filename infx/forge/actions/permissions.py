"""What a job's GITHUB_TOKEN may do, and which environments its ref may deploy to."""

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any

SCOPES = (
    "actions",
    "attestations",
    "checks",
    "contents",
    "deployments",
    "discussions",
    "id-token",
    "issues",
    "packages",
    "pages",
    "pull-requests",
    "repository-projects",
    "security-events",
    "statuses",
)
DEFAULTS: Mapping[str, Mapping[str, str]] = {
    "read": {"contents": "read", "packages": "read"},
    "write": dict.fromkeys(SCOPES, "write"),
}


def effective(workflow: Any, job: Any, *, default: str, read_only: bool) -> dict[str, str]:
    """Permissions by scope. `job` wins over `workflow`, which wins over the repository's `default`.

    Once anything is written down, a scope not named is none. `read_only` is a fork's pull request.
    """
    written = job if job is not None else workflow
    granted = {**(DEFAULTS[default] if written is None else _written(written)), "metadata": "read"}
    if read_only:
        granted = {scope: "read" for scope, level in granted.items() if level in ("read", "write")}
    return {scope: level for scope, level in granted.items() if level != "none"}


def _written(value: Any) -> dict[str, str]:
    if isinstance(value, Mapping):
        return {str(scope): str(level) for scope, level in value.items()}
    level = {"read-all": "read", "write-all": "write"}.get(str(value), "none")
    return dict.fromkeys(SCOPES, level)


def kept_out(ref: str, environment: str, rules: Mapping[str, Sequence[str]]) -> str:
    """GitHub's words for a ref that no branch rule of the environment lets in; empty when one does."""
    patterns = {name.lower(): allowed for name, allowed in rules.items()}.get(environment.lower())
    short = ref.removeprefix("refs/heads/").removeprefix("refs/tags/")
    named = ref if ref.startswith("refs/tags/") else short
    if patterns is None or any(fnmatchcase(named, pattern) for pattern in patterns):
        return ""
    return f'Branch "{short}" is not allowed to deploy to {environment} due to environment protection rules.'
