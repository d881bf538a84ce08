"""Recipe files → what each role starts: aggregated, prefill and decode workers, and the frontend.

A flat recipe document names its engine in `backend.type`; below `backend.<type>_config` stands one mapping of
flags for each role, and `backend.<role>_environment` holds its variables. `frontend.type` says what stands
before the workers: `dynamo` (workers start under Dynamo), `sglang-router` (also called `sglang`), or `sim`,
the router of the demo engine. Words of a command may hold `$PORT` and other variables that the driver gives a
member (benchmarks/README.md); everything else is taken as it stands.
"""

import json
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from infx.errors import BadInput

AGGREGATED, PREFILL, DECODE, FRONTEND = "aggregated", "prefill", "decode", "frontend"
WORKERS = {AGGREGATED: "agg_workers", PREFILL: "prefill_workers", DECODE: "decode_workers"}
"""Role → the field of `resources` that says how many there are."""
GPUS = {AGGREGATED: "gpus_per_agg", PREFILL: "gpus_per_prefill", DECODE: "gpus_per_decode"}
"""Role → the field of `resources` that says how many GPUs one of them has."""
DYNAMIC = "dynamo"
OPTIONS = "engine-options.yaml"
"""File that TensorRT-LLM reads its settings from."""
START: Mapping[str, tuple[str, ...]] = {
    "sglang": ("python3", "-m", "sglang.launch_server", "--model-path"),
    "vllm": ("vllm", "serve"),
    "trtllm": ("trtllm-serve",),
    "sim": ("$INFX_PYTHON", "-m", "infx.simulator", "--model"),
}
DYNAMO: Mapping[str, tuple[str, ...]] = {
    "sglang": ("python3", "-m", "dynamo.sglang", "--model-path"),
    "vllm": ("python3", "-m", "dynamo.vllm", "--model"),
    "trtllm": ("python3", "-m", "dynamo.trtllm", "--model-path"),
}


ROUTERS: Mapping[str, tuple[str, ...]] = {
    "sglang-router": ("python3", "-m", "sglang_router.launch_router"),
    "sim": ("$INFX_PYTHON", "-m", "infx.simulator.router"),
}
"""Frontends that are told the workers' addresses."""
NAMED = {"sglang": "sglang-router", "sglang-router": "sglang-router", "sim": "sim"}
"""`frontend.type` → which of them; `sglang` stood for the router before it had a name of its own."""
GIVEN = re.compile(
    r"\$(PORT|LISTEN|BOOT_PORT|DIST_PORT|LEADER|NODES|NODE_RANK|INFX_PYTHON"
    r"|(?:AGGREGATED|PREFILL|DECODE)_\d+_(?:URL|BOOT_PORT))\b"
)
"""Variables that a driver fills in."""


@dataclass(frozen=True, kw_only=True)
class Role:
    """What one kind of process is started with. `$PORT` is the port that the driver gives it."""

    name: str
    count: int
    argv: tuple[str, ...]
    gpus: int = 0
    """That one of them holds, as far as the recipe says it."""
    env: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    """Name → text of files that the command reads from its working folder."""

    @property
    def command(self) -> str:
        """As a shell reads it, one flag a line."""
        lines: list[str] = []
        for word in self.argv:
            shown = _quoted(word)
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
    dynamo = (flat.get("frontend") or {}).get("type") == DYNAMIC
    made = list(_workers(flat, engine, model=model, path=path, dynamo=dynamo))
    if not made:
        raise BadInput(
            "the recipe has no worker", where="recipe", todo=f"write backend.{engine}_config.aggregated"
        )
    return [*_frontend(flat, made), *made]


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
    exports = [f"export {name}={_quoted(value)}" for name, value in role.env.items()]
    moved = ['cd "$(dirname "$0")"'] if role.files else []
    head = ["#!/usr/bin/env bash", "# Made of a recipe file.", "set -euo pipefail"]
    return "\n".join([*head, *exports, *moved, f"exec {role.command}"]) + "\n"


def _quoted(word: str) -> str:
    """As a shell reads it: variables of the driver are filled in, everything else is taken literally."""
    if not GIVEN.search(word):
        return shlex.quote(word)
    parts = GIVEN.split(word)
    made = [f'"${part}"' if place % 2 else shlex.quote(part) for place, part in enumerate(parts) if part]
    return "".join(made)


def _workers(flat: Mapping[str, Any], engine: str, *, model: str, path: str, dynamo: bool) -> Iterator[Role]:
    backend, resources = flat["backend"], flat.get("resources") or {}
    for name, count in WORKERS.items():
        flags = (backend.get(f"{engine}_config") or {}).get(name)
        number = resources.get(count)
        if flags is None or number == 0:
            continue
        gpus = int(resources.get(GPUS[name]) or 0)
        span = -(-gpus // int(resources.get("gpus_per_node") or max(gpus, 1)))
        own = {**_duties(engine, name, span=span, dynamo=dynamo), **flags}
        files, given = _given(engine, own)
        env = {key: str(value) for key, value in (backend.get(f"{name}_environment") or {}).items()}
        if dynamo:
            env = {"DYN_SYSTEM_ENABLED": "true", "DYN_SYSTEM_PORT": "$PORT", **env}
        head = _head(engine, model=model, path=path, dynamo=dynamo)
        yield Role(
            name=name,
            count=1 if number is None else int(number),
            argv=(*head, *given),
            gpus=gpus,
            env=env,
            files=files,
        )


def _head(engine: str, *, model: str, path: str, dynamo: bool) -> Sequence[str]:
    """The command without the role's own flags. A worker of Dynamo serves nothing but its health."""
    start = (DYNAMO if dynamo else START)[engine]
    served = () if dynamo else ("--host", "$LISTEN", "--port", "$PORT")
    if engine == "sim":
        return (*start, model, *served)
    named = () if engine == "trtllm" and not dynamo else ("--served-model-name", model)
    return (*start, path, *named, *served)


def _duties(engine: str, role: str, *, span: int, dynamo: bool) -> dict[str, Any]:
    """Flags that follow from the role and its nodes; what the recipe writes itself counts more."""
    found: dict[str, Any] = {}
    if engine == "sglang":
        if role != AGGREGATED:
            found["disaggregation-mode"] = role
        if role == PREFILL and not dynamo:
            found["disaggregation-bootstrap-port"] = "$BOOT_PORT"
        if span > 1:
            found |= {"dist-init-addr": "$LEADER:$DIST_PORT", "nnodes": span, "node-rank": "$NODE_RANK"}
    elif engine == "sim" and role != AGGREGATED:
        found["role"] = role
    return found


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


def _frontend(flat: Mapping[str, Any], workers: Sequence[Role]) -> Iterator[Role]:
    """What stands before the workers. BadInput when several workers have nothing before them."""
    front = flat.get("frontend") or {}
    kind = str(front.get("type") or "")
    alone = len(workers) == 1 and workers[0].count == 1 and workers[0].name == AGGREGATED
    given = [word for name, value in (front.get("args") or {}).items() for word in _flag(str(name), value)]
    if kind == DYNAMIC:
        argv = ("python3", "-m", "dynamo.frontend", "--http-port", "$PORT", *given)
    elif kind in NAMED and not (alone and kind == "sglang"):
        argv = (*ROUTERS[NAMED[kind]], "--host", "$LISTEN", "--port", "$PORT", *_told(workers), *given)
    elif alone and kind in ("", "sglang"):
        return
    else:
        raise BadInput(
            f"frontend.type is {kind!r} before {', '.join(f'{one.count} {one.name}' for one in workers)}",
            where="recipe",
            todo=f"use one of {', '.join((DYNAMIC, *NAMED))}",
        )
    env = {name: str(value) for name, value in (front.get("environment") or {}).items()}
    yield Role(name=FRONTEND, count=1, argv=argv, env=env)


def _told(workers: Sequence[Role]) -> Iterator[str]:
    """The addresses of all workers, as words of a router."""
    if {PREFILL, DECODE} & {one.name for one in workers}:
        yield "--pd-disaggregation"
    for one in workers:
        urls = [f"${one.name.upper()}_{number}" for number in range(one.count)]
        if one.name == PREFILL:
            yield from (word for url in urls for word in ("--prefill", f"{url}_URL", f"{url}_BOOT_PORT"))
        elif one.name == DECODE:
            yield from (word for url in urls for word in ("--decode", f"{url}_URL"))
        else:
            yield from ("--worker-urls", *(f"{url}_URL" for url in urls))
