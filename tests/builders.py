"""Builders: nouns with defaults, so that a test names only what it is about."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from infx.edge import settings
from infx.event import PullRequest, Run, Title, Webhook
from infx.facts import Facts
from infx.plan import KeyPlan, Plan
from infx.point import EVAL, THROUGHPUT, Fingerprint, Mode, Point, row_fingerprint
from infx.record import Outcome, Record
from infx.rules import Rules

A, B, C = "a" * 40, "b" * 40, "c" * 40
"""Commits: A the head, B the base, C another."""
FAIL_FAST, FULL, FREE = "full-sweep-fail-fast", "full-sweep-enabled", "non-canary-full-sweep-enabled"
REPO = "acme/bench"


@cache
def rules(text: str = "") -> Rules:
    """Shipped rules with `text` laid over them."""
    return settings.parse(text)


def pull(**changes: Any) -> PullRequest:
    base: dict[str, Any] = {"number": 7, "open": True, "head_sha": A, "head_ref": "topic", "head_repo": REPO}
    return PullRequest(**{**base, "base_sha": B, "base_ref": "main", "base_repo": REPO, **changes})


def webhook(action: str = "labeled", label: str = "", **changes: Any) -> Webhook:
    """A pull request event; `changes` are those of the pull request."""
    return Webhook(
        name="pull_request", action=action, label=label, repository=REPO, sender="ada", pull=pull(**changes)
    )


def dispatched(mode: str, **changes: Any) -> Webhook:
    meant = Title(**{"pr": 7, "action": mode, "head_sha": A, "base_sha": B, **changes})
    return Webhook(name="workflow_dispatch", repository=REPO, sender="github-actions[bot]", dispatch=meant)


def event(action: str = "labeled", label: str = "", labels: tuple[str, ...] = (), **facts: Any) -> Facts:
    """Facts of a pull request event on a head that has these labels."""
    return Facts(webhook=webhook(action, label, labels=labels), **facts)


def run_of(run_id: int, facts: Facts, *, status: str = "in_progress", **changes: Any) -> Run:
    """The sweep run that the event of `facts` started."""
    title = facts.webhook.title
    assert title is not None
    return Run(id=run_id, status=status, title=title, pr=title.pr, head_sha=title.head_sha, **changes)


def on_head(facts: Facts, head: str) -> Facts:
    """The same event on another head."""
    assert facts.webhook.pull is not None
    there = replace(facts.webhook.pull, head_sha=head)
    return replace(facts, webhook=replace(facts.webhook, pull=there))


HEAD = "adc40a2" + "0" * 33
BASE = "ba5e000" + "0" * 33
RUN = 500


def point(
    conc: int = 1,
    *,
    key: str = "qwen3.5-fp8-h200-sglang-agentic-mtp",
    task: str | None = None,
    reason: str = "new in this change",
    duration_s: int = 1800,
    **row: Any,
) -> Point:
    """A single-node agentic point; an eval when it has a task."""
    mode: Mode = EVAL if task else THROUGHPUT
    full = {
        "image": "lmsysorg/sglang:v0.5.16",
        "model": "Qwen/Qwen3.5-397B-A17B-FP8",
        "model-prefix": "qwen3.5",
        "runner": "cluster:h200-dgxc",
        "framework": "sglang",
        "precision": "fp8",
        "spec-decoding": "mtp",
        "scenario-type": "agentic-coding",
        "duration": 1800,
        "tp": 8,
        "ep": 8,
        "dp-attn": False,
        "conc": conc,
        **row,
    }
    return Point(
        key=key,
        mode=mode,
        task=task,
        row=full,
        fingerprint=Fingerprint(row=row_fingerprint(full), recipe="r" * 64, shared="s" * 64),
        script="benchmarks/single_node/agentic/qwen3.5_fp8_h200_sglang_mtp.sh",
        reason=reason,
        duration_s=duration_s,
    )


def plan(*points: Point, canary: bool = True, keys: Sequence[KeyPlan] | None = None, **fields: Any) -> Plan:
    """A plan of `points` whose first throughput point of each key is the canary."""
    chosen = points or (point(1), point(4), point(16, task="gsm8k"))
    named: dict[str, list[Point]] = {}
    for one in chosen:
        named.setdefault(one.key, []).append(one)
    made = keys if keys is not None else [_key_plan(key, ones, canary) for key, ones in named.items()]
    defaults: dict[str, Any] = {
        "repository": "octo/bench",
        "pr": 7,
        "head_sha": HEAD,
        "merge_base": BASE,
        "primary": "full-sweep-fail-fast",
        "modifiers": (),
        "fail_fast": True,
        "reusable": True,
        "fast": False,
    }
    return Plan(points=tuple(chosen), keys=tuple(made), **{**defaults, **fields})


def _key_plan(key: str, points: Sequence[Point], canary: bool) -> KeyPlan:
    runs = [one.id for one in points if one.mode == THROUGHPUT]
    if not canary or not runs:
        return KeyPlan(key=key, canary=None, why="the label has no canary")
    return KeyPlan(key=key, canary=runs[0], candidates=tuple(runs[1:2]), deadline_s=5400)


def published_row(conc: int = 1, **fields: Any) -> dict[str, Any]:
    """A throughput row with what curves are made of."""
    return {
        **throughput_row(conc),
        "model": "Qwen/Qwen3.5-397B-A17B-FP8",
        "infmax_model_prefix": "qwen3.5",
        "spec_decoding": "mtp",
        "disagg": False,
        "is_multinode": False,
        **{"tp": 8, "ep": 8, "pp": 1, "dcp_size": 1, "pcp_size": 1, "dp_attention": False},
        "scenario_type": "agentic-coding",
        "result_time": 1_789_990_000.0,
        **fields,
    }


def throughput_row(conc: int = 1, **fields: Any) -> dict[str, Any]:
    return {
        "hw": "h200-dgxc",
        "conc": conc,
        "framework": "sglang",
        "image": "lmsysorg/sglang:v0.5.16",
        "precision": "fp8",
        "tput_per_gpu": 1234.5 * conc,
        "median_intvty": 200.0 / conc,
        "median_e2el": 2.0 * conc,
        "median_ttft": 0.04 * conc,
        **fields,
    }


def eval_row(score: float = 0.9757, **fields: Any) -> dict[str, Any]:
    return {
        "hw": "H200-DGXC",
        "task": "gsm8k",
        "score": score,
        "threshold": 0.9,
        "framework": "sglang",
        **fields,
    }


def record(of: Point, outcome: Outcome = Outcome.SUCCESS, **fields: Any) -> Record:
    """What a healthy cell of `of` leaves behind; no row unless it succeeded."""
    result: Mapping[str, Any] | None = None
    if outcome == Outcome.SUCCESS:
        result = eval_row() if of.mode == EVAL else throughput_row(of.concurrencies[-1])
    defaults: dict[str, Any] = {
        "identity": of.identity,
        "fingerprint": of.fingerprint.as_json(),
        "sha": HEAD,
        "run_id": RUN,
        "attempt": 1,
        "node": "h200-dgxc_03",
        "started": 1_790_000_000.0,
        "ended": 1_790_001_800.0,
        "result": result,
    }
    return Record(point=of.id, outcome=outcome, **{**defaults, **fields})
