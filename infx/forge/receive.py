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
MOST_PATHS = 10_000


def git(*words: str) -> str:
    return subprocess.run(["git", *words], capture_output=True, text=True, check=False).stdout


def moved(line: str) -> dict[str, object]:
    """One ref of the push, and the paths that commits new to the repository change there."""
    old, new, ref = line.split()
    paths: set[str] = set()
    if new != ZERO:
        # Against their own parents, not against HEAD: a branch of its own root does not remove what HEAD has.
        words = ("log", "--format=", "--name-only", "--no-renames", "-m", "--root")
        paths = set(filter(None, git(*words, new, "--not", "--all").splitlines()))
    return {"ref": ref, "old": old, "new": new, "paths": sorted(paths)[:MOST_PATHS]}


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
