"""The git hooks of every repository: ask the forge before a push, and tell it afterwards.

Standard library only. Git calls this as `receive.py SERVICE_JSON OWNER/NAME HOOK`. Before the push only the
hook sees its objects, so the changed paths are read here. Which refs moved in the end the forge reads itself.
"""

import http.client
import json
import os
import subprocess
import sys
from pathlib import Path

TOLD = ("FORGE_ACTOR", "GITHUB_ACTIONS", "GITHUB_RUN_ID", "RUNNER_NAME")
"""Variables by which a pusher says who it is; jobs carry all but the first anyway."""
TIMEOUT_S = 60
ZERO = "0" * 40
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
MOST_PATHS = 10_000


def git(*words: str) -> str:
    return subprocess.run(["git", *words], capture_output=True, text=True, check=False).stdout


def moved(line: str) -> dict[str, object]:
    """One ref of the push, and the paths that it changes there."""
    old, new, ref = line.split()
    paths: list[str] = []
    if new != ZERO:
        start = old if old != ZERO else git("rev-parse", "--verify", "--quiet", "HEAD").strip() or EMPTY_TREE
        paths = git("diff", "--name-only", "--no-renames", start, new).splitlines()[:MOST_PATHS]
    return {"ref": ref, "old": old, "new": new, "paths": paths}


def main(service: str, repository: str, hook: str) -> int:
    """Non-zero refuses a push (`pre-receive`). A forge that is down finds what was pushed at its start."""
    known = json.loads(Path(service).read_text())
    facts = {name: os.environ[name] for name in TOLD if name in os.environ}
    refs = [moved(line) for line in sys.stdin] if hook == "pre-receive" else []
    body = json.dumps({"repository": repository, "key": known["key"], "refs": refs, **facts})
    connection = http.client.HTTPConnection(known["host"], timeout=TIMEOUT_S)
    try:
        connection.request("POST", "/_pushing" if hook == "pre-receive" else "/_pushed", body)
        answer = connection.getresponse()
        text = answer.read().decode("utf-8", "replace")
    except OSError:
        return 0
    if answer.status >= http.client.BAD_REQUEST:
        sys.stderr.write(f"{json.loads(text)['message']}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
