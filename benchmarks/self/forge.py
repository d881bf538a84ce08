"""The embedded GitHub over HTTP: reads and writes a second in a full database, its start, deliveries."""

import asyncio
import json
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any
from urllib.parse import urlsplit

from infx.forge.database import pack
from infx.forge.forge import Forge
from infx.forge.ports import Event
from infx.forge.site import Limits

REPO, COMMENTS, RUNS, PULLS = "acme/infx", 10_000, 2_000, 50
CONNECTIONS, SECONDS, ROUNDS = 4, 3.0, 3
LIMITS = {"reads": 1000, "writes": 200, "start": 0.5}
"""Reads and writes a second at least, seconds at most, on two cores."""
PARALLEL = 50
Request = tuple[str, str, bytes]
"""Method, path, body."""


class Idle:
    """An engine that starts nothing, so that the forge itself is measured."""

    def __init__(self) -> None:
        self.taken: list[str] = []

    def deliver(self, event: Event) -> Sequence[int]:
        self.taken.append(str(event.payload.get("comment", {}).get("body", "")))
        return ()

    def cancel(self, run_id: int) -> None: ...

    def rerun(
        self, run_id: int, *, failed_only: bool, job_id: int | None = None, actor: str = ""
    ) -> None: ...

    def approve(self, run_id: int) -> None: ...

    def runners_changed(self) -> None: ...

    def wait_idle(self, timeout_s: float) -> bool:
        return True

    def close(self) -> None: ...


def bench() -> None:
    """Print each number beside what it should be."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "forge"
        token = fill(folder)
        seconds = best(lambda: started(folder), min)
        print(f"start of `infx forge serve` to the first answer: {seconds:.2f} s (at most {LIMITS['start']})")
        with Serving(folder) as url:
            for kind, requests in (("reads", reads()), ("writes", writes())):
                rate = best(lambda requests=requests: measured(url, token, requests), max)
                print(f"{kind}: {rate:.0f} a second (at least {LIMITS[kind]})")
        print(f"parallel deliveries: {deliveries(folder, token)} of {PARALLEL}")


def best(measure: Callable[[], float], choose: Callable[[Sequence[float]], float]) -> float:
    """Of a few rounds, since other work on the machine only ever slows one down."""
    return choose([measure() for _ in range(ROUNDS)])


def opened(folder: Path, engine: Idle | None = None) -> Forge:
    limits = Limits(user=10**9)
    return Forge.start(folder, lambda store, url: engine or Idle(), limits=limits)


def fill(folder: Path) -> str:
    """A repository with its pull requests, comments and runs; a token."""
    with opened(folder) as forge:
        forge.create_repo(REPO)
        token = forge.user("will")
        forge.role(REPO, "will", "write")
        will = forge.at(REPO, "will")
        files = {".github/workflows/sweep.yml": "name: Sweep\non: push\njobs: {}\n"}
        sha = will.push("main", files, message="first")
        for number in range(PULLS):
            will.push(f"b{number}", {"a.txt": str(number)}, message=f"change {number}")
            will.open_pull(f"b{number}", title=f"Change {number}")
        rows(forge, sha)
    return token


def rows(forge: Forge, sha: str) -> None:
    """Comments and runs, straight into the tables."""
    db, repo = forge.site.db, forge.site.repo(REPO)["id"]
    issues = [row["id"] for row in db.rows("SELECT id FROM issues ORDER BY id")]
    now = forge.site.stamp()
    times = {"created_at": now, "updated_at": now}
    with db.transaction():
        db.insert("workflows", repo=repo, path="w.yml", name="Sweep", state="active", **times)
        for number in range(COMMENTS):
            text = {"author": "will", "body": f"comment {number} " * 20}
            db.insert("comments", repo=repo, issue=issues[number % PULLS], **text, **times)
        for number in range(RUNS):
            run = {"repository": REPO, "workflow": "w.yml", "name": "Sweep", "title": f"run {number}"}
            run |= {"event": "push", "action": "", "actor": "will", "triggering_actor": "will", "attempt": 1}
            run |= {"head_branch": "main", "head_sha": sha, "ref": "refs/heads/main", "sha": sha, "fork": 0}
            run |= {"status": "completed", "conclusion": "success", "pull_requests": pack([])}
            db.insert("runs", repo=repo, number=number, started_at=now, **run, **times)


class Serving:
    """The forge in a process of its own, as `infx forge serve` is."""

    def __init__(self, folder: Path) -> None:
        self._process = Popen(
            [sys.executable, "-m", __name__, str(folder)], stdin=PIPE, stdout=PIPE, text=True
        )

    def __enter__(self) -> str:
        assert self._process.stdout
        return self._process.stdout.readline().strip()

    def __exit__(self, *exception: object) -> None:
        self._process.communicate("\n")


def started(folder: Path) -> float:
    """Seconds from the start of `infx forge serve` as a person starts it to the first answer."""
    command = [sys.executable, "-m", "infx", "forge", "serve", "--folder", str(folder)]
    begin = time.perf_counter()
    with Popen(command, stdout=PIPE, text=True) as served:
        assert served.stdout
        url = next(line for line in served.stdout if line.startswith("pages: ")).split()[1]
        asyncio.run(Client(url, "").ask(("GET", f"/repos/{REPO}", b"")))
        taken = time.perf_counter() - begin
        served.terminate()
    return taken


def reads() -> list[Request]:
    """What the sweep asks most: comments, labels, runs, one of each."""
    here = f"/repos/{REPO}"
    return [
        ("GET", f"{here}/{path}", b"")
        for number in range(1, PULLS + 1)
        for path in (
            f"issues/{number}/comments?per_page=10",
            f"issues/{number}/labels",
            f"issues/comments/{100_001 + number}",
            f"actions/runs/{7_000_001 + number}",
        )
    ]


def writes() -> list[Request]:
    """A comment, a label, its removal."""
    here = f"/repos/{REPO}/issues"
    return [
        request
        for number in range(1, PULLS + 1)
        for request in (
            ("POST", f"{here}/{number}/comments", b'{"body": "a comment"}'),
            ("POST", f"{here}/{number}/labels", b'{"labels": ["bench"]}'),
            ("DELETE", f"{here}/{number}/labels/bench", b""),
        )
    ]


class Client:
    """One connection, kept open; as little work for a request as Python allows."""

    def __init__(self, url: str, token: str) -> None:
        self._host = urlsplit(url)
        self._token = token

    async def ask(self, *requests: Request, until: float = 0.0) -> int:
        """Send the requests, again and again until that moment; the number of answers."""
        reader, writer = await asyncio.open_connection(self._host.hostname, self._host.port)
        count = 0
        while not count or time.perf_counter() < until:
            for method, path, body in requests:
                await self._one(reader, writer, (method, path, body))
                count += 1
                if time.perf_counter() >= until:
                    break
        writer.close()
        return count

    async def _one(self, reader: Any, writer: Any, request: Request) -> None:
        method, path, body = request
        auth = f"Authorization: Bearer {self._token}\r\n" if self._token else ""
        head = f"{method} /api/v3{path} HTTP/1.1\r\nHost: forge\r\n{auth}Content-Length: {len(body)}\r\n\r\n"
        writer.write(head.encode() + body)
        answer = await reader.readuntil(b"\r\n\r\n")
        assert answer[9:10] == b"2", answer
        length = answer.lower().partition(b"content-length:")[2].partition(b"\r\n")[0]
        await reader.readexactly(int(length or b"0"))


def measured(url: str, token: str, requests: Sequence[Request]) -> float:
    """Answers a second over several connections, each with its own share of the requests."""

    async def together() -> int:
        until = time.perf_counter() + SECONDS
        shares = [requests[place::CONNECTIONS] for place in range(CONNECTIONS)]
        if requests[0][0] != "GET":
            size = len(requests) // CONNECTIONS // 3 * 3
            shares = [requests[place * size : (place + 1) * size] for place in range(CONNECTIONS)]
        counts = await asyncio.gather(*(Client(url, token).ask(*share, until=until) for share in shares))
        return sum(counts)

    begin = time.perf_counter()
    return asyncio.run(together()) / (time.perf_counter() - begin)


def deliveries(folder: Path, token: str) -> int:
    """Webhooks that arrived, once each, when as many comments were written at the same moment."""
    engine = Idle()
    with opened(folder, engine) as forge:
        texts = [f"delivery {number}" for number in range(PARALLEL)]
        path = f"/repos/{REPO}/issues/1/comments"

        async def together() -> None:
            bodies = [json.dumps({"body": text}).encode() for text in texts]
            await asyncio.gather(*(Client(forge.url, token).ask(("POST", path, body)) for body in bodies))

        asyncio.run(together())
        forge.settle()
        return sum(engine.taken.count(text) == 1 for text in texts)


def serve(folder: str) -> None:
    """Print the address and serve until standard input ends."""
    with opened(Path(folder)) as forge:
        print(forge.url, flush=True)
        waiter = threading.Thread(target=sys.stdin.readline)
        waiter.start()
        waiter.join()


if __name__ == "__main__":
    serve(sys.argv[1])
