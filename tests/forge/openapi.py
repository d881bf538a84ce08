"""GitHub's own description of the endpoints that the forge offers, and the check of an answer against it.

`python -m tests.forge.openapi api.github.com.json` cuts the slice anew from npm `@octokit/openapi` (MIT,
`generated/api.github.com.json`): answers with status 2xx only, no prose, no examples,
and the addresses of the documentation.
"""

import gzip
import json
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from infx.forge import docs
from infx.forge.rest import ROUTES

SLICE = Path(__file__).parent / "data" / "openapi.json.gz"
PROSE = {"description", "example", "examples", "externalDocs", "x-github", "summary", "tags", "title"}
PLACE = re.compile(r"\{[^}]+\}")


def plain(path: str) -> str:
    """A path without the names of its parameters: ours and GitHub's differ."""
    return PLACE.sub("{}", path)


def schema(value: Any) -> Any:
    """OpenAPI 3.0 → JSON Schema: `nullable` becomes a type."""
    if isinstance(value, list):
        return [schema(one) for one in value]
    if not isinstance(value, dict):
        return value
    found = {
        name: schema(one)
        for name, one in value.items()
        if name not in PROSE or not isinstance(one, str | list)
    }
    if found.pop("nullable", False):
        if isinstance(found.get("type"), str):
            found["type"] = [found["type"], "null"]
        elif {"anyOf", "oneOf", "allOf", "$ref"} & found.keys():
            found = {"anyOf": [found, {"type": "null"}]}
        if "enum" in found and None not in found["enum"]:
            found["enum"] = [*found["enum"], None]
    return found


def answers(spec: Any, path: str, method: str) -> dict[str, Any]:
    """Status → schema of one endpoint, `None` where an answer has no body."""
    found = {}
    for status, answer in spec["paths"][path][method]["responses"].items():
        if "$ref" in answer:
            answer = spec["components"]["responses"][answer["$ref"].rsplit("/", 1)[-1]]
        if status.startswith("2"):
            body = answer.get("content", {}).get("application/json", {}).get("schema")
            found[status] = schema(body)
    return found


def cut(spec: Any) -> dict[str, Any]:
    """The endpoints that the forge offers, with every schema they reach."""
    known = {plain(path): path for path in spec["paths"]}
    endpoints: dict[str, Any] = {}
    for route in ROUTES:
        path, method = known.get(plain(route.path)), route.method.lower()
        if path and method in spec["paths"][path]:
            endpoints[f"{route.method} {plain(path)}"] = answers(spec, path, method)
    schemas: dict[str, Any] = {}
    todo = [json.dumps(endpoints)]
    while todo:
        for name in set(re.findall(r'"#/components/schemas/([^"]+)"', todo.pop())) - schemas.keys():
            schemas[name] = schema(spec["components"]["schemas"][name])
            todo.append(json.dumps(schemas[name]))
    return {"endpoints": endpoints, "components": {"schemas": schemas}}


def pages(spec: Any) -> dict[str, str]:
    """Where each endpoint of the whole description is documented (`infx.forge.docs`)."""
    return {
        f"{method.upper()} {plain(path)}": one["externalDocs"]["url"].removeprefix(docs.ROOT)
        for path, methods in spec["paths"].items()
        for method, one in methods.items()
        if "externalDocs" in one
    }


def write(target: Path, value: Any) -> None:
    target.parent.mkdir(exist_ok=True)
    text = json.dumps(value, separators=(",", ":"), sort_keys=True)
    target.write_bytes(gzip.compress(text.encode(), mtime=0))


@cache
def description() -> Any:
    return json.loads(gzip.decompress(SLICE.read_bytes()))


def complaints(endpoint: str, status: int, body: Any) -> list[str]:
    """What GitHub's description says against an answer. `endpoint`: `GET /repos/{}/{}/pulls`."""
    wanted = description()["endpoints"][endpoint]
    assert str(status) in wanted, f"{endpoint} never answers {status}, only {sorted(wanted)}"
    if wanted[str(status)] is None:
        return [] if body is None else ["a body where there is none"]
    validator = Draft202012Validator({**wanted[str(status)], "components": description()["components"]})
    return [
        f"{'/'.join(map(str, one.absolute_path))}: {one.message[:150]}" for one in validator.iter_errors(body)
    ]


if __name__ == "__main__":
    whole = json.loads(Path(sys.argv[1]).read_text())
    write(SLICE, cut(whole))
    write(docs.DATA, pages(whole))
