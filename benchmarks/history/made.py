"""Made: published rows of a history of changes, every number by the simulator in virtual time."""

import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from typing import Any

import numpy as np

from benchmarks.history.changes import BEGIN, STEP, Change, marks
from infx.canon import digest
from infx.flat import Flat, flat
from infx.point import EVAL, THROUGHPUT, Fingerprint, Point, row_fingerprint
from infx.publication import Publication
from infx.published import SIMULATOR
from infx.results.accuracy import Floor
from infx.results.normalize import NESTED, STATISTICS, eval_row, load_row
from infx.results.page import Page
from infx.row import Load, Phase, Score
from infx.simulator.model import Service
from infx.simulator.virtual import Noise, Played, Tape, play, tape

REPEATS = 3
"""How often each change is measured again later, so that the spread between runs is seen."""
COARSE = 16
"""Tokens that one simulated token stands for: shapes of curves need no more."""
SPEED = {
    "h100": 0.7,
    "h200": 1.0,
    "b200": 2.1,
    "b300": 2.6,
    "gb200": 2.3,
    "gb300": 2.9,
    "mi300x": 0.8,
    "mi355x": 1.7,
}
WEIGHT = {"fp4": 0.6, "int4": 0.65, "fp8": 1.0, "bf16": 1.8}
WATTS = {"h100": 690, "h200": 680, "b200": 960, "b300": 1050, "gb200": 1000, "gb300": 1100}


@cache
def loop(conc: int, prompt: int, output: int) -> Tape:
    service = Service(context_s=44e-9 * COARSE, prefill_step_s=11e-3 / COARSE)
    return tape(
        service,
        conc=min(conc, 256),
        waves=3,
        prompt=max(prompt // COARSE, 1),
        output=max(output // COARSE, 2),
    )


def published(changes: Iterable[Change], *, least: int, seed: int = 7) -> list[Publication]:
    """Rows of the changes, each measured several times, and again later until there are `least` rows."""
    rng = np.random.default_rng(seed)
    told = list(changes)
    found: list[Publication] = []
    for turn in range(1000):
        if not told or (turn >= REPEATS and len(found) >= least):
            break
        for place, change in enumerate(told):
            run = rng.normal(0, Noise().run)
            at = BEGIN + place * STEP + turn * 3 * STEP
            merge = digest([place, turn])[:40]
            number = 27_000_000_000 + place * 1000 + turn
            about = {"merge": merge, "at": at, "run": number, "pr": 1000 + place, "sha": digest([merge])[:40]}
            found += [_publication(change, row, about, run=run, rng=rng) for row in change.rows]
            found += [_evaluation(change, row, about, rng=rng) for row in change.evals]
    return found


def _point(change: Change, row: Mapping[str, Any], task: str = "") -> Point:
    fits = [key for key in change.keys if str(row["precision"]) in key and str(row["framework"]) in key]
    bare = {
        name: value
        for name, value in row.items()
        if name not in ("run-eval", "eval-only", "eval-conc", "eval-all-concs")
    }
    return Point(
        key=(fits or change.keys)[0],
        mode=EVAL if task else THROUGHPUT,
        task=task or None,
        row=bare,
        script="",
        reason="",
        duration_s=0,
        fingerprint=Fingerprint(row=row_fingerprint(bare), recipe=digest(str(row["image"])), shared="0" * 64),
    )


def _publication(
    change: Change, row: Mapping[str, Any], about: Mapping[str, Any], *, run: float, rng: np.random.Generator
) -> Publication:
    point = _point(change, row)
    played = play(
        loop(max(point.concurrencies), row.get("isl", 4096), row.get("osl", 512)),
        rng,
        slower=_slower(point),
        run=run,
        noise=Noise(),
    )
    load = _load(point, played, about["at"])
    result = load_row(point, load) | _power(point, load)
    return _whole(point, result, about)


def _evaluation(
    change: Change, row: Mapping[str, Any], about: Mapping[str, Any], *, rng: np.random.Generator
) -> Publication:
    point = _point(change, row, "gsm8k")
    base = 0.93 + 0.05 * _share(point.row["model-prefix"])
    score = round(min(float(rng.normal(base, 0.006)), 1.0), 4)
    seen = Score(
        client=SIMULATOR,
        model=str(row["model"]),
        task="gsm8k",
        conc=max(point.concurrencies),
        strict=score,
        strict_se=0.006,
        flexible=score,
        flexible_se=0.006,
        scored=1319,
        asked=1319,
        extraction="first",
        ended=about["at"] - 3600,
    )
    return _whole(point, eval_row(point, seen, Floor(value=0.9, source="default")), about)


def _whole(point: Point, result: Mapping[str, Any], about: Mapping[str, Any]) -> Publication:
    prints = point.fingerprint.as_json()
    return Publication(
        point=point.id,
        key=point.key,
        title=point.title,
        mode=point.mode,
        task=point.task,
        merged_at=datetime.fromtimestamp(about["at"], UTC).isoformat(),
        attempt=1,
        node=f"{point.hardware}_01",
        fingerprint=prints,
        planned=prints,
        match="equal",
        accepted_changed=False,
        authorisation={},
        row=result,
        **{name: about[name] for name in ("pr", "merge", "run", "sha")},
    )


def _share(text: object) -> float:
    """Between 0 and 1, always the same for the same text."""
    return zlib.crc32(str(text).encode()) % 1000 / 1000


def _slower(point: Point) -> float:
    """How much longer everything takes than for a dense 7 B model on one H200."""
    hw = point.hardware.split("-")[0]
    size = 2 + 6 * _share(point.row["model-prefix"])
    speculation = 0.55 if point.row["spec-decoding"] != "none" else 1.0
    engine = 0.9 + 0.2 * _share(str(point.row["framework"]) + str(point.row["image"]))
    weight = WEIGHT.get(str(point.row["precision"]), 1.0) / SPEED.get(hw, 1.0)
    return float(COARSE * size * weight * speculation * engine / point.gpus**0.8)


def _load(point: Point, played: Played, at: float) -> Load:
    tokens = {
        "input_sequence_length": point.row.get("isl", 4096),
        "output_sequence_length": point.row.get("osl", 512),
    }
    rate = len(played.ends) / played.duration * max(max(point.concurrencies) / 256, 1)
    metrics: dict[str, dict[str, Any]] = {
        "input_token_throughput": {"unit": "tokens/sec", "avg": rate * tokens["input_sequence_length"]},
        "output_token_throughput": {"unit": "tokens/sec", "avg": rate * tokens["output_sequence_length"]},
    }
    seconds = {
        "time_to_first_token": played.ttft,
        "inter_token_latency": played.tpot / COARSE,
        "request_latency": played.e2el,
        "inter_chunk_latency": played.tpot / COARSE,
    }
    wanted = {*STATISTICS.values(), *NESTED.values()} - {"avg", "std"}
    for name, values in seconds.items():
        shares = np.percentile(values, [float(one[1:]) for one in sorted(wanted)])
        metrics[name] = {"unit": "sec", "avg": float(values.mean()), "std": float(values.std())}
        metrics[name] |= {one: float(value) for one, value in zip(sorted(wanted), shares, strict=True)}
    for name, length in tokens.items():
        metrics[name] = {"unit": "tokens", **dict.fromkeys(("avg", *wanted), float(length)), "std": 0.0}
    done = Phase(completed=len(played.ends))
    return Load(
        client=f"{SIMULATOR}, virtual time",
        model=str(point.row["model"]),
        started=at - 7200,
        ended=at - 3600,
        requested=done.completed,
        complete=True,
        warmup=Phase(),
        profile=done,
        metrics=metrics,
    )


def _power(point: Point, load: Load) -> dict[str, Any]:
    watts = WATTS.get(point.hardware.split("-")[0])
    if watts is None:
        return {}
    busy = watts * (0.45 + 0.55 * min(max(point.concurrencies), 64) / 64)
    total = busy * point.gpus
    return {
        "power_valid": 1,
        "power_metric_schema_version": 2,
        "avg_power_w": busy,
        "avg_total_gpu_power_w": total,
        "joules_per_output_token": total / load.metrics["output_token_throughput"]["avg"],
    }


def beside(made: Page, measured: Sequence[Flat]) -> Page:
    """The page with rows of a real machine too, which its banner tells apart."""
    rows = (*made.rows, *measured)
    curves = len({one.curve for one in rows})
    lead = f"{len(rows)} rows of {curves} curves: {len(made.rows)} simulated, {len(measured)} of a real H200"
    chinese = (
        f"{curves} 条曲线的 {len(rows)} 行数据：{len(made.rows)} 行为模拟，{len(measured)} 行来自真实的 H200"
    )
    facts = {**made.facts, "Real rows": "docs/evidence/h200"}
    return replace(made, rows=rows, lead=lead, facts=facts, chinese={lead: chinese})


def shown(changes: Sequence[Change], *, least: int) -> Page:
    """The index page of a simulated history."""
    ones = published(changes, least=least)
    rows = [flat(one, notes="simulated") for one in ones]
    curves = len({one.curve for one in rows})
    lead = f"{len(rows)} rows of {curves} curves, simulated in virtual time"
    return Page(
        kind="index",
        title="Published results",
        lead=lead,
        chinese={lead: f"{curves} 条曲线的 {len(rows)} 行数据，在虚拟时间中模拟"},
        rows=rows,
        facts={"Source": "benchmarks/history", "Changes": len(changes)},
        marks=marks(changes),
    )
