"""Recipe files → what each role starts: aggregated, prefill and decode workers, and the frontend.

A flat recipe document names its engine in `backend.type`; below `backend.<type>_config` stands one mapping of
flags for each role, `backend.<role>_environment` holds its variables, and `frontend.type: dynamo` puts Dynamo
before the workers.
"""

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from infx.errors import BadInput

AGGREGATED, PREFILL, DECODE, FRONTEND = "aggregated", "prefill", "decode", "frontend"
WORKERS = {AGGREGATED: "agg_workers", PREFILL: "prefill_workers", DECODE: "decode_workers"}
"""Role → the field of `resources` that says how many there are."""
OPTIONS = "engine-options.yaml"
"""File that TensorRT-LLM reads its settings from."""
START: Mapping[str, tuple[str, ...]] = {
    "sglang": ("python3", "-m", "sglang.launch_server", "--model-path"),
    "vllm": ("vllm", "serve"),
    "trtllm": ("trtllm-serve",),
}
DYNAMO: Mapping[str, tuple[str, ...]] = {
    "sglang": ("python3", "-m", "dynamo.sglang", "--model-path"),
    "vllm": ("python3", "-m", "dynamo.vllm", "--model"),
    "trtllm": ("python3", "-m", "dynamo.trtllm", "--model-path"),
}


@dataclass(frozen=True, kw_only=True)
class Role:
    """What one kind of process is started with. `$PORT` is the port that the driver gives it."""

    name: str
    count: int
    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    """Name → text of files that the command reads from its working folder."""

    @property
    def command(self) -> str:
        """As a shell reads it, one flag a line."""
        lines: list[str] = []
        for word in self.argv:
            shown = '"$PORT"' if word == "$PORT" else shlex.quote(word)
            if lines and not word.startswith("--"):
                lines[-1] += f" {shown}"
            else:
                lines.append(shown)
        return " \\\n  ".join(lines)


def roles(flat: Mapping[str, Any], *, model: str, path: str) -> list[Role]:
    """Roles of a flat recipe; `path` is where `model` is staged. BadInput on an engine without a rule."""
    backend = flat.get("backend") or {}
    engine = str(backend.get("type", ""))
    if engine not in START:
        known = ", ".join(START)
        raise BadInput(f"backend.type is {engine!r}", where="recipe", todo=f"use one of {known}")
    dynamo = (flat.get("frontend") or {}).get("type") == "dynamo"
    made = list(_workers(flat, engine, model=model, path=path, dynamo=dynamo))
    if not made:
        raise BadInput(
            "the recipe has no worker", where="recipe", todo=f"write backend.{engine}_config.aggregated"
        )
    return [*_frontend(flat), *made]


def overlaid(flat: Mapping[str, Any], overrides: Mapping[str, str]) -> dict[str, Any]:
    """The document with other values at dotted fields, such as `model.path`."""
    made = dict(flat)
    for place, value in overrides.items():
        head, _, rest = place.partition(".")
        inner = made.get(head)
        made[head] = overlaid(inner if isinstance(inner, Mapping) else {}, {rest: value}) if rest else value
    return made


def script(role: Role) -> str:
    """A shell script that starts the role in the foreground; its files must lie beside it."""
    exports = [f"export {name}={shlex.quote(value)}" for name, value in role.env.items()]
    moved = ['cd "$(dirname "$0")"'] if role.files else []
    head = ["#!/usr/bin/env bash", "# Made of a recipe file.", "set -euo pipefail"]
    return "\n".join([*head, *exports, *moved, f"exec {role.command}"]) + "\n"


def _workers(flat: Mapping[str, Any], engine: str, *, model: str, path: str, dynamo: bool) -> Iterator[Role]:
    backend, resources = flat["backend"], flat.get("resources") or {}
    for name, count in WORKERS.items():
        flags = (backend.get(f"{engine}_config") or {}).get(name)
        number = resources.get(count)
        if flags is None or number == 0:
            continue
        start = (DYNAMO if dynamo else START)[engine]
        served = () if dynamo else ("--host", "127.0.0.1", "--port", "$PORT")
        named = () if engine == "trtllm" and not dynamo else ("--served-model-name", model)
        files, given = _given(engine, flags)
        env = {key: str(value) for key, value in (backend.get(f"{name}_environment") or {}).items()}
        argv = (*start, path, *named, *served, *given)
        yield Role(name=name, count=1 if number is None else int(number), argv=argv, env=env, files=files)


def _given(engine: str, flags: Mapping[str, Any]) -> tuple[dict[str, str], Sequence[str]]:
    """Files and arguments that carry the flags of a role."""
    if engine == "trtllm":
        return {OPTIONS: json.dumps(flags, indent=1) + "\n"}, ("--extra_llm_api_options", OPTIONS)
    return {}, [word for name, value in flags.items() for word in _flag(str(name), value)]


def _flag(name: str, value: Any) -> Sequence[str]:
    if value is None or value is False:
        return ()
    if value is True:
        return (f"--{name}",)
    if isinstance(value, Mapping):
        return (f"--{name}", json.dumps(value))
    if isinstance(value, list):
        return (f"--{name}", *(str(one) for one in value))
    return (f"--{name}", str(value))


def _frontend(flat: Mapping[str, Any]) -> Iterator[Role]:
    front = flat.get("frontend") or {}
    if front.get("type") != "dynamo":
        return
    given = [word for name, value in (front.get("args") or {}).items() for word in _flag(str(name), value)]
    env = {name: str(value) for name, value in (front.get("environment") or {}).items()}
    argv = ("python3", "-m", "dynamo.frontend", "--http-port", "$PORT", *given)
    yield Role(name=FRONTEND, count=1, argv=argv, env=env)
