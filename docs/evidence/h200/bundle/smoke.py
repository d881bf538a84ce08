"""`python smoke.py PID LIMIT_S NAME`: wait for a token of the engine PID; `agentic`: cached tokens."""

import json
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

ADDRESS = "http://127.0.0.1:8000"


def post(path: str, body: dict[str, Any], *, limit_s: float = 20.0) -> dict[str, Any]:
    data = json.dumps({"model": "infx/dummy-8b", **body}).encode()
    request = urllib.request.Request(ADDRESS + path, data, {"content-type": "application/json"})
    with urllib.request.urlopen(request, timeout=limit_s) as answer:
        found: dict[str, Any] = json.loads(answer.read())
    return found


def ready(pid: int, limit_s: float) -> bool:
    begin = time.monotonic()
    while time.monotonic() - begin < limit_s and (Path("/proc") / str(pid)).exists():
        try:
            one = post("/v1/completions", {"prompt": "1 + 1 =", "max_tokens": 1, "temperature": 0}, limit_s=5)
            sys.stdout.write(f"ready after {time.monotonic() - begin:.1f} s: {one['usage']}\n")
            return True
        except (urllib.error.URLError, OSError):
            time.sleep(0.3)
    return False


def turns() -> None:
    """Three growing turns: the second and third find the turns before them in the cache."""
    said: list[dict[str, str]] = []
    for turn in range(3):
        said.append({"role": "user", "content": " ".join(f"word{turn}{one}" for one in range(200))})
        body = {"messages": said, "max_tokens": 32, "temperature": 0, "ignore_eos": True}
        answer = post("/v1/chat/completions", {**body, "skip_special_tokens": False})
        said.append({"role": "assistant", "content": answer["choices"][0]["message"]["content"]})
        sys.stdout.write(f"{answer['usage']}\n")


if __name__ == "__main__":
    if not ready(int(sys.argv[1]), float(sys.argv[2])):
        sys.exit("the engine gave no token")
    if sys.argv[3] == "agentic":
        turns()
