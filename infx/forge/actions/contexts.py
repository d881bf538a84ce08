"""The contexts that expressions of one run may read."""

from collections.abc import Mapping
from typing import Any

from infx.errors import BadInput
from infx.forge.actions.select import BRANCH, TAG
from infx.forge.ports import Run

SERVER = "https://github.com"
"""Jobs see GitHub's own address here: the official artifact clients refuse any other."""


def github(run: Run, *, api_url: str) -> dict[str, Any]:
    """The `github` context, as far as it is known before a runner takes the job."""
    pull = run.payload.get("pull_request") or {}
    return {
        "actor": run.actor,
        "triggering_actor": run.triggering_actor,
        "api_url": api_url,
        "server_url": SERVER,
        "graphql_url": api_url.removesuffix("/v3") + "/graphql",
        "event": run.payload,
        "event_name": run.event,
        "base_ref": _at(pull, "base"),
        "head_ref": _at(pull, "head"),
        "ref": run.ref,
        "ref_name": short_ref(run.ref),
        "ref_type": "tag" if run.ref.startswith(TAG) else "branch",
        "repository": run.repository,
        "repository_owner": run.repository.split("/")[0],
        "repository_id": str((run.payload.get("repository") or {}).get("id", "")),
        "retention_days": "90",
        "run_attempt": str(run.attempt),
        "run_id": str(run.id),
        "run_number": str(run.number),
        "sha": run.sha,
        "workflow": run.name,
        "workflow_ref": f"{run.repository}/{run.workflow}@{run.ref}",
        "workflow_sha": run.sha,
    }


def _at(pull: Mapping[str, Any], side: str) -> str:
    return str((pull.get(side) or {}).get("ref") or "")


def short_ref(ref: str) -> str:
    """`refs/heads/main` → `main`, `refs/pull/7/merge` → `7/merge`."""
    for start in (BRANCH, TAG, "refs/pull/"):
        if ref.startswith(start):
            return ref.removeprefix(start)
    return ref


def inputs(document: Mapping[str, Any], payload: Mapping[str, Any]) -> dict[str, Any]:
    """`inputs` of a dispatched workflow, typed and with defaults. BadInput as GitHub refuses a dispatch."""
    on = document.get("on")
    config = on.get("workflow_dispatch") if isinstance(on, Mapping) else None
    declared: Mapping[str, Any] = (config or {}).get("inputs") or {}
    given = payload.get("inputs") or {}
    unknown = sorted(set(given) - set(declared))
    if unknown:
        raise BadInput(f"Unexpected inputs provided: {unknown}", todo="give only declared inputs")
    return {name: _input(name, spec or {}, given.get(name)) for name, spec in declared.items()}


def _input(name: str, spec: Mapping[str, Any], given: Any) -> Any:
    kind = spec.get("type", "string")
    value = spec.get("default") if given in (None, "") else given
    if value is None:
        if spec.get("required"):
            raise BadInput(f"Required input '{name}' not provided", todo="give it a value")
        value = False if kind == "boolean" else ""
    if kind == "boolean":
        return str(value).lower() == "true"
    if kind == "choice" and value not in spec.get("options", []):
        raise BadInput(f"Provided value '{value}' for input '{name}' not in the list of allowed values")
    if kind == "number" and value != "":
        return float(value)
    return str(value)
