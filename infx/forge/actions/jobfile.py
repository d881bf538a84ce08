"""The workflow file that act gets: one job, its matrix and conditions already decided."""

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from infx.forge.actions.attempt import Attempt, Cell

LABEL = "this-runner"
"""The one label of the generated job; the real ones chose the runner."""
STANDINS = Path(__file__).parent.parent / "standins"
MAPPED = {
    "actions/checkout": "checkout",
    "actions/upload-artifact": "upload-artifact",
    "actions/download-artifact": "download-artifact",
    "actions/setup-python": "installed",
    "actions/setup-node": "installed",
}
"""Action → folder below `standins/`. `installed`: the machine brings the tool, nothing is fetched."""
OUTPUT_STEP = "Set job outputs"
USES = re.compile(r"\b(actions/[\w-]+)@([\w./-]+)")
COMMIT = re.compile(r"\b[0-9a-f]{40}\b")


def own_steps(document: Mapping[str, Any], job: str) -> list[Mapping[str, Any]]:
    """Steps of a generated file that people wrote."""
    steps: list[Mapping[str, Any]] = document["jobs"][job]["steps"]
    return steps[:-1] if steps and steps[-1].get("name") == OUTPUT_STEP else steps


def step_key(step: Mapping[str, Any], index: int) -> str:
    """How act names a step: its id, else its place."""
    return str(step.get("id") or index)


def step_title(step: Mapping[str, Any]) -> str:
    """Name as GitHub shows it."""
    if step.get("name"):
        return str(step["name"])
    if step.get("uses"):
        return f"Run {step['uses']}"
    return "Run " + str(step.get("run", "")).strip().split("\n", 1)[0]


def unbound(attempt: Attempt, cell: Cell, outputs: Path) -> dict[str, Any]:
    """The file with its expressions as written; `outputs` is the folder where its last step leaves them."""
    spec = cell.node.spec
    job = {key: spec[key] for key in ("env", "defaults") if key in spec}
    steps = [dict(step) for step in spec.get("steps") or []]
    if spec.get("outputs"):
        steps.append(_output_step(spec["outputs"], outputs))
    shared = {key: attempt.document[key] for key in ("env", "defaults") if key in attempt.document}
    return {
        "name": attempt.run.name,
        "on": attempt.run.event,
        **shared,
        "jobs": {cell.node.id: {"runs-on": LABEL, **job, "steps": steps}},
    }


def _output_step(outputs: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """One file an output, by a script: an environment variable holds 128 KiB at most."""
    mark = f"infx-{secrets.token_hex(16)}"
    writes = [f"cat > '{folder / name}' <<'{mark}'\n{value}\n{mark}\n" for name, value in outputs.items()]
    return {"name": OUTPUT_STEP, "if": "always()", "shell": "bash", "run": "".join(writes)}


def commits(contexts: Mapping[str, Any], known: Sequence[str]) -> list[str]:
    """Commits that a job may check out, as far as its inputs and needs name them; `known` come first."""
    named = COMMIT.findall(f"{contexts.get('inputs')} {contexts.get('needs')}")
    return list(dict.fromkeys([*known, *named]))[:8]


def mappings(texts: Iterable[str], folder: Path) -> list[str]:
    """act's `--local-repository` values for every pinned ref of an action that we stand in for."""
    used = {found for text in texts for found in USES.findall(text)}
    return [f"{action}@{ref}={folder / MAPPED[action]}" for action, ref in sorted(used) if action in MAPPED]
