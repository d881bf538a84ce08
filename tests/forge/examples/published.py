"""The examples that GitHub publishes for the endpoints that the forge offers.

`python -m tests.forge.examples.published api.github.com.json` cuts the slice anew from npm `@octokit/openapi`
(MIT, `generated/api.github.com.json`).
"""

import gzip
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from infx.forge.rest import ROUTES
from tests.forge.openapi import plain, write

SLICE = Path(__file__).parents[1] / "data" / "examples.json.gz"


@dataclass(frozen=True, kw_only=True)
class Example:
    endpoint: str
    """`GET /repos/{}/{}/pulls`."""
    name: str
    status: int
    answer: Any
    request: Any = None
    """Body of the request, where one is published with the answer."""

    @property
    def method(self) -> str:
        return self.endpoint.partition(" ")[0]


def value(spec: Any, example: Any) -> Any:
    """What an example says; it may stand elsewhere, and say that it stands elsewhere still."""
    while isinstance(example, dict) and set(example) == {"$ref"}:
        example = spec["components"]["examples"][example["$ref"].rsplit("/", 1)[-1]]["value"]
    return example


def of_body(spec: Any, body: Any) -> dict[str, Any]:
    found = body.get("content", {}).get("application/json", {}).get("examples", {})
    return {name: value(spec, one.get("value", one)) for name, one in found.items()}


def of_endpoint(spec: Any, operation: Any) -> Iterator[dict[str, Any]]:
    """Each example of a good answer, with the request of the same name, or the only request."""
    asked = of_body(spec, operation.get("requestBody", {}))
    only = next(iter(asked.values())) if len(asked) == 1 else None
    for status, answer in operation["responses"].items():
        if "$ref" in answer:
            answer = spec["components"]["responses"][answer["$ref"].rsplit("/", 1)[-1]]
        for name, body in of_body(spec, answer).items() if status.startswith("2") else ():
            yield {"name": name, "status": int(status), "answer": body, "request": asked.get(name, only)}
    if asked and not any(of_body(spec, one) for one in operation["responses"].values() if "$ref" not in one):
        status = next(int(status) for status in operation["responses"] if status.startswith("2"))
        for name, body in asked.items():
            yield {"name": name, "status": status, "answer": None, "request": body}


def cut(spec: Any) -> dict[str, Any]:
    """Examples by endpoint."""
    known = {plain(path): methods for path, methods in spec["paths"].items()}
    offered = sorted({(route.method, plain(route.path)) for route in ROUTES})
    return {
        f"{method} {path}": list(of_endpoint(spec, known[path][method.lower()]))
        for method, path in offered
        if method.lower() in known.get(path, {})
    }


@cache
def examples() -> tuple[Example, ...]:
    published = json.loads(gzip.decompress(SLICE.read_bytes()))
    return tuple(Example(endpoint=endpoint, **one) for endpoint in published for one in published[endpoint])


if __name__ == "__main__":
    write(SLICE, cut(json.loads(Path(sys.argv[1]).read_text())))
