"""Events of a pull request of a real site, told from its timeline and runs: webhooks go to its owner only."""

from collections.abc import Iterator, Sequence
from typing import Any

from infx.forge.life.form import Json

ACTIONS = {
    "labeled": "labeled",
    "unlabeled": "unlabeled",
    "closed": "closed",
    "reopened": "reopened",
    "renamed": "edited",
    "head_ref_force_pushed": "synchronize",
    "ready_for_review": "ready_for_review",
    "convert_to_draft": "converted_to_draft",
    "review_requested": "review_requested",
}
"""Timeline entry → action of the `pull_request` event."""
Told = tuple[str, str, Json]
"""Time, name, payload."""


def derive(pull: Json, timeline: Sequence[Json], runs: Sequence[Json]) -> list[Told]:
    """By time. The pull request in the payloads is as it was when it was last asked for."""
    base = {"repository": pull["base"]["repo"]}
    about = {**base, "number": pull["number"], "pull_request": pull}
    told = [(pull["created_at"], "pull_request", {"action": "opened", **about, "sender": pull["user"]})]
    for entry in timeline:
        told += of_entry(entry, about)
    for run in runs:
        told += of_run(run, base)
    return sorted(told, key=lambda one: one[0])


def of_entry(entry: Json, about: Json) -> Iterator[Told]:
    kind = entry.get("event")
    sender = entry.get("actor") or entry.get("user")
    if kind in ACTIONS:
        more = {name: entry[name] for name in ("label",) if name in entry}
        yield (
            entry["created_at"],
            "pull_request",
            {"action": ACTIONS[kind], **about, **more, "sender": sender},
        )
    elif kind == "commented":
        said = {"action": "created", "issue": about["pull_request"], "comment": entry}
        yield (
            entry["created_at"],
            "issue_comment",
            {**said, "repository": about["repository"], "sender": sender},
        )
    elif kind == "reviewed" and entry.get("submitted_at"):
        said = {"action": "submitted", **about, "review": entry, "sender": sender}
        yield entry["submitted_at"], "pull_request_review", said


def of_run(run: Json, base: Json) -> Iterator[Told]:
    payload: dict[str, Any] = {"workflow_run": run, **base, "sender": run.get("triggering_actor")}
    yield run["created_at"], "workflow_run", {"action": "requested", **payload}
    if run["status"] == "completed":
        yield run["updated_at"], "workflow_run", {"action": "completed", **payload}
