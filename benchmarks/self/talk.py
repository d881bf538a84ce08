"""The conversation: a large status comment, requests of a welcome, deliveries at once, failures."""

import json
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

from infx.compared import Change, Compared, Finding
from infx.conversation import Conversation, Spoken
from infx.decision import Decision
from infx.edge import settings, sticky
from infx.edge.git import Git
from infx.event import Comment, PullRequest, Run
from infx.failure import FailureFacts
from infx.plan import Plan
from infx.policy import failure
from infx.policy.blocking import blocking
from infx.record import Outcome
from infx.results.measures import MEASURES
from infx.results.tally import Facts, ledger
from infx.say import comment, status, welcome
from tests import builders as build
from tests.edge.server import Asked, Reply, Server, serving
from tests.fakes import FakeGitHub

ROOT = Path(__file__).parents[2]
POINTS, LIMIT_S, LIMIT = 1_000, 0.020, 60_000
DELIVERIES, SEEDS, REQUESTS = 50, 20, 6
ROUNDS = 15


def bench() -> None:
    """Print each number beside what it should be."""
    seconds, characters, first = rendered()
    print(f"status comment of {POINTS} points: {seconds * 1000:.1f} ms (at most {LIMIT_S * 1000:.0f} ms)")
    print(f"its length: {characters} characters (at most {LIMIT}), {first} lines before anything is folded")
    print(f"welcome on opened: {greeted()} requests (at most {REQUESTS})")
    most = max(len(raced(seed)) for seed in range(SEEDS))
    print(f"{DELIVERIES} deliveries at once, {SEEDS} seeds: {most} comment a topic (at most 1)")
    print(f"one failure classified: {classified() * 1000:.2f} ms")


def rendered() -> tuple[float, int, int]:
    """Seconds of the best round, since other work on the machine only ever slows one down; characters, and
    lines of the first screen. Every third point failed."""
    points = [build.point(conc, key=f"key-{key}") for key in range(20) for conc in range(1, POINTS // 20 + 1)]
    plan = build.plan(*points, fail_fast=False)
    ends = [Outcome.FAILURE if place % 3 == 0 else Outcome.SUCCESS for place in range(len(points))]
    records = [build.record(point, end) for point, end in zip(points, ends, strict=True)]
    done = ledger(plan, records, Facts(run_id=build.RUN, attempt=1))
    run = Run(id=build.RUN, head_sha=build.HEAD)
    shown = status.Status(run=run, plan=plan, ledger=done, blockers=blocking(done), compared=worse(plan))
    taken, body = [], ""
    for _ in range(ROUNDS):
        begin = time.perf_counter()
        body = comment.compose("", *status.sections(shown))
        taken.append(time.perf_counter() - begin)
    return min(taken), len(body), body[: body.index("<details>")].count("\n")


def worse(plan: Plan) -> Compared:
    """Five numbers of every point, of which every other one got worse."""
    found = [
        Finding(
            name=f"{point.title} · TP8 EP8 · {point.key}",
            measure=measure.title,
            verdict=Change.WORSE if place % 2 else Change.SAME,
            change=-0.1 * (place % 2),
            low=-0.12,
            high=0.02,
            chance=0.001,
            new=900.0,
            old=1000.0,
        )
        for place, point in enumerate(plan.points)
        for measure in MEASURES
    ]
    return Compared(points=tuple(found), curves=(), fresh=0, scope="")


class Slow(FakeGitHub):
    """Requests take a time of their own."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.seed = seed

    def comments(self, number: int, *, since: str = "") -> Iterator[Comment]:
        time.sleep((self.seed * 7 + len(self.calls)) % 5 / 10_000)
        yield from super().comments(number, since=since)


def raced(seed: int) -> list[Comment]:
    """Comments that are left after many deliveries at once."""
    github, mark = Slow(seed), comment.STATUS
    topic = sticky.Topic(mark=mark, render=lambda old: f"{mark}\nbody")
    work = [threading.Thread(target=sticky.put_all, args=(github, 7, [topic])) for _ in range(DELIVERIES)]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    return github.stored


def greeted() -> int:
    """Requests that the conversation of a new pull request with recipe paths costs."""
    with serving() as server, tempfile.TemporaryDirectory() as folder:
        path = "/repos/acme/bench/issues/7/comments"
        server.routes[f"GET {path}"] = Reply(200, [])
        server.routes[f"POST {path}"] = lambda asked: Reply(201, written(server, asked))
        git, base, head = change(Path(folder))
        pull = PullRequest(number=7, open=True, head_sha=head, base_sha=base, base_ref="main")
        talk = Conversation(server.github(), git, settings.parse(""), Path(folder))
        decision = Decision(decision="event", go=False, kind="preview", reason="no sweep label")
        talk.show(Spoken(action="opened", pull=pull, order=(1, 1), decision=decision, body=""))
        said = [asked.body["body"] for asked in server.asked if asked.verb == "POST"]
        assert any(body.startswith(welcome.MARK) for body in said)
        return len(server.asked)


def written(server: Server, asked: Asked) -> dict[str, object]:
    return {"id": len(server.asked), "body": asked.body["body"], "created_at": "2026-07-01T12:00:00Z"}


def change(folder: Path) -> tuple[Git, str, str]:
    """A repository, and two commits that differ in a recipe path."""
    git = Git(folder)
    subprocess.run(["git", "init", "-q", "-b", "main", str(folder)], check=True)
    commits = []
    for turn in range(2):
        (folder / "configs").mkdir(exist_ok=True)
        (folder / "configs/nvidia-master.yaml").write_text(json.dumps({"turn": turn}))
        git("add", "--all")
        git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "-m", "turn")
        commits.append(git.resolve("HEAD"))
    return git, commits[0], commits[1]


def classified() -> float:
    """Seconds for a log at its limit that no signature fits."""
    rules = settings.parse("")
    signatures = settings.signatures(ROOT, rules)
    facts = FailureFacts(step="point", log="nothing to see here\n" * 1_000, runner="r", gpu=True)
    begin = time.perf_counter()
    for _ in range(ROUNDS):
        failure.decide(facts, rules, signatures)
    return (time.perf_counter() - begin) / ROUNDS
