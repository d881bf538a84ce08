"""What the load client measures beside the simulator's own time stamps, at concurrency 64 on this machine."""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from infx import row
from infx.bench import load, tokenizer
from infx.cluster import Load
from infx.launch.local import take_port
from infx.read import aiperf
from infx.results import validity

ROOT = Path(__file__).parents[2]
CONC, WAVES, ISL, OSL = 64, 4, 1024, 128
TPOT_SHARE, TTFT_SHARE, TTFT_MS = 0.03, 0.03, 15.0
SAMPLER_SHARE = 0.02


def bench() -> None:
    """Print both, with their limits; and what the power sampler takes of one core."""
    with tempfile.TemporaryDirectory() as name:
        seen, stamps = measured(Path(name))
    for line in compared(seen, stamps):
        print(line)
    for note in validity.notes(seen):
        print(note)
    print(f"sampler: {sampled():.2%} of one core at 10 Hz with 8 GPUs, limit {SAMPLER_SHARE:.0%}")


def measured(folder: Path) -> tuple[row.Load, list[Mapping[str, float]]]:
    """One run of the client, and the stamps of the requests that it measured."""
    port = take_port(0)
    engine = [sys.executable, "-m", "infx.simulator", "--port", str(port), "--model", "sim"]
    server = subprocess.Popen([*engine, "--stamps", str(folder / "stamps")], cwd=ROOT)
    try:
        env = {**os.environ, **tokenizer.write(folder / "tokenizer")}
        out = folder / "aiperf"
        clients = Path(os.environ.get("INFX_CLIENTS") or ROOT / ".venv-clients")
        common = load.common(
            str(clients / "bin" / "aiperf"),
            Load(),
            url=f"http://127.0.0.1:{port}",
            model="sim",
            tokenizer=tokenizer.NAME,
            out=out,
        )
        lengths = ["--isl", ISL, "--isl-stddev", 0, "--osl", OSL, "--osl-stddev", 0]
        counts = ["--concurrency", CONC, "--request-count", WAVES * CONC, "--warmup-request-count", CONC]
        argv = [
            *common,
            "--prompt-corpus",
            "random",
            "--endpoint-type",
            "completions",
            *map(str, [*lengths, *counts]),
        ]
        subprocess.run(argv, env=env, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    finally:
        server.terminate()
        server.wait()
    summary = json.loads((out / load.SUMMARY).read_text())
    with (out / load.RECORDS).open() as records:
        seen = aiperf.load(summary, records, model="sim", requested=WAVES * CONC)
    lines = [json.loads(line) for line in (folder / "stamps").read_text().splitlines()]
    return seen, sorted(lines, key=lambda one: float(one["arrived"]))[-WAVES * CONC :]


def compared(seen: row.Load, stamps: list[Mapping[str, float]]) -> list[str]:
    """Means by the client and by the engine, with the difference and its limit."""
    first = statistics.mean(one["first"] - one["arrived"] for one in stamps) * 1e3
    token = statistics.mean((one["last"] - one["first"]) / (one["tokens"] - 1) for one in stamps) * 1e3
    own = {name: mean(seen, name) for name in ("inter_token_latency", "time_to_first_token")}
    room = max(TTFT_SHARE * first, TTFT_MS)
    return [
        f"TPOT: client {own['inter_token_latency']:.3f} ms, engine {token:.3f} ms:"
        f" {own['inter_token_latency'] / token - 1:+.2%}, limit {TPOT_SHARE:.0%}",
        f"TTFT: client {own['time_to_first_token']:.1f} ms, engine {first:.1f} ms:"
        f" {own['time_to_first_token'] - first:+.1f} ms, limit {room:.1f} ms",
    ]


def mean(seen: row.Load, name: str) -> float:
    metric: Mapping[str, Any] = seen.metrics[name]
    return float(metric["avg"])


def sampled(seconds: float = 5.0) -> float:
    """CPU share of the real sampler over a driver in memory, so without what a real driver takes."""
    code = "from tests.bench.test_sampler import serve; serve(8, 0.1)"
    process = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT)
    try:
        time.sleep(2)  # imports do not count: a cell pays for them once
        begin = ticks(process.pid)
        time.sleep(seconds)
        return (ticks(process.pid) - begin) / os.sysconf("SC_CLK_TCK") / seconds
    finally:
        process.kill()
        process.wait()


def ticks(pid: int) -> int:
    """CPU time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])
