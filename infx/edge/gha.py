"""The Actions protocol: event file, outputs, step summary, log lines. Nobody else writes these files."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from infx.edge import files
from infx.edge.world import World
from infx.errors import BadInput, CouldNotReport

OUTPUT_LIMIT = 64 * 1024
"""Most bytes of one job output in UTF-16, as GitHub counts them (it takes 1 MB a job)."""
SUMMARY_LIMIT = 1024 * 1024
"""Bytes of one step summary that GitHub keeps (docs: Workflow commands, job summaries)."""

MOST_DIGITS = 19
"""Ids of GitHub are below 2^63."""


def event(world: World) -> Any:
    """The webhook payload that started this run."""
    path = world.env.get("GITHUB_EVENT_PATH")
    if not path:
        raise BadInput("GITHUB_EVENT_PATH is not set", todo="run this inside a workflow step")
    return files.read_json(Path(path))


def number(env: Mapping[str, str], name: str, default: int) -> int:
    """A whole number of the workflow's environment, such as GITHUB_RUN_ID. BadInput when it is none."""
    text = env.get(name) or str(default)
    if not (text.isascii() and text.isdigit() and len(text) < MOST_DIGITS):
        raise BadInput(f"{name} is {text!r:.40}", todo="set it to a whole number, or run inside a workflow")
    return int(text)


def outputs(world: World, values: Mapping[str, str]) -> None:
    """Append step outputs, each behind a random delimiter so that no value can end it."""
    path = world.env.get("GITHUB_OUTPUT")
    if not path:
        return
    for name, value in values.items():
        size = len(value.encode("utf-16-le", "surrogatepass"))
        if size > OUTPUT_LIMIT:
            raise BadInput(f"output {name} has {size} bytes in UTF-16", todo=f"stay within {OUTPUT_LIMIT}")
    with Path(path).open("a", encoding="utf-8") as file:
        for name, value in values.items():
            mark = f"infx-{os.urandom(16).hex()}"
            file.write(f"{name}<<{mark}\n{value}\n{mark}\n")


def summary(world: World, markdown: str) -> None:
    """Append to the step summary, cut at GitHub's limit."""
    path = world.env.get("GITHUB_STEP_SUMMARY")
    if path:
        with Path(path).open("ab") as file:
            file.write(markdown.encode(errors="replace")[: SUMMARY_LIMIT - 1] + b"\n")


def untrusted(world: World, text: str) -> None:
    """Print text that came from a pull request so that no line of it is taken as a workflow command."""
    mark = os.urandom(16).hex()
    world.note(f"::stop-commands::{mark}\n{text}\n::{mark}::")


def error(world: World, sentence: str) -> None:
    """One error annotation, escaped as the protocol asks."""
    escaped = sentence.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    world.note(f"::error::{escaped}" if world.env.get("GITHUB_ACTIONS") else f"infx: {sentence}")


def reported(world: World, tell: Callable[[], object]) -> int:
    """Write a report, which may fail without changing what was decided; the exit number that it gives."""
    try:
        tell()
    except CouldNotReport as problem:
        error(world, problem.sentence)
        return problem.exit_code
    return 0


def run_url(env: Mapping[str, str]) -> str:
    """Address of the workflow run that this is a job of; empty outside of one."""
    parts = [env.get(name, "") for name in ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "GITHUB_RUN_ID")]
    return f"{parts[0]}/{parts[1]}/actions/runs/{parts[2]}" if all(parts) else ""


def run_order(env: Mapping[str, str]) -> tuple[int, int]:
    """Id and attempt of the workflow run that this is a job of: GitHub numbers all runs as they come."""
    return number(env, "GITHUB_RUN_ID", 0), number(env, "GITHUB_RUN_ATTEMPT", 1)
