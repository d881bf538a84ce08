"""GitHub's schemas of the webhooks that the forge sends.

`python -m tests.forge.webhooks schema.json` cuts the slice anew from npm `@octokit/webhooks-schemas` (MIT).
"""

import gzip
import json
import re
import sys
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator

SLICE = Path(__file__).parent / "data" / "webhooks.json.gz"
SENT = {
    "check_run",
    "issue_comment",
    "issues",
    "pull_request",
    "pull_request_review",
    "pull_request_review_comment",
    "push",
    "repository_dispatch",
    "status",
    "workflow_dispatch",
    "workflow_job",
    "workflow_run",
}


def cut(schema: Any) -> dict[str, Any]:
    """Definitions of the events sent, and all they reach, without prose."""
    known = schema["definitions"]
    todo = [name for name in known if name.partition("$")[0] in SENT and "$" in name]
    found: dict[str, Any] = {}
    while todo:
        name = todo.pop()
        if name not in found:
            found[name] = bare(known[name])
            todo += re.findall(r'"#/definitions/([^"]+)"', json.dumps(found[name]))
    return {"definitions": found}


def bare(value: Any) -> Any:
    if isinstance(value, list):
        return [bare(one) for one in value]
    if not isinstance(value, dict):
        return value
    prose = [
        name
        for name in ("description", "title", "tsAdditionalProperties")
        if isinstance(value.get(name), str)
    ]
    return {name: bare(one) for name, one in value.items() if name not in prose}


@cache
def schemas() -> Any:
    return json.loads(gzip.decompress(SLICE.read_bytes()))


def complaints(name: str, payload: Any) -> list[str]:
    """What GitHub's schema says against a payload."""
    definitions = schemas()["definitions"]
    action = f"{name}${payload.get('action', 'event')}"
    wanted = action if action in definitions else f"{name}$event"
    if name == "repository_dispatch":
        wanted = next(one for one in definitions if one.startswith("repository_dispatch$"))
    validator = Draft7Validator({**schemas(), "$ref": f"#/definitions/{wanted}"})
    return [
        f"{'/'.join(map(str, one.absolute_path))}: {one.message[:150]}"
        for one in validator.iter_errors(payload)
    ]


if __name__ == "__main__":
    text = json.dumps(cut(json.loads(Path(sys.argv[1]).read_text())), separators=(",", ":"), sort_keys=True)
    SLICE.write_bytes(gzip.compress(text.encode(), mtime=0))
