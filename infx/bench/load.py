"""Load by aiperf: arguments of every run, fixed sequence lengths, and what it leaves."""

import json
from pathlib import Path
from typing import TextIO

from infx import cluster, row
from infx.edge import files
from infx.errors import BadInput
from infx.point import Point
from infx.read import aiperf
from infx.reason import Reason, Stopped

SEED = 7
"""Equal seeds give equal prompts, so that two runs of a point are asked the same."""
SUMMARY, RECORDS, LOG = "profile_export_aiperf.json", "profile_export.jsonl", "logs/aiperf.log"


def common(program: str, load: cluster.Load, *, url: str, model: str, tokenizer: str, out: Path) -> list[str]:
    """Arguments of every run. The server's token counts are used: the client's own miscount short words."""
    extra = {"ignore_eos": True, **load.extra}
    return [
        *(program, "profile", "--model", model, "--url", url, "--tokenizer", tokenizer, "--streaming"),
        *("--use-server-token-count", "--random-seed", str(SEED)),
        *(
            word
            for name, value in extra.items()
            for word in ("--extra-inputs", f"{name}:{json.dumps(value)}")
        ),
        *("--output-artifact-dir", str(out), "--ui-type", "none"),
        *("--no-gpu-telemetry", "--no-server-metrics"),
    ]


def fixed(point: Point, load: cluster.Load, *, conc: int | None = None) -> tuple[list[str], int]:
    """Further arguments of a fixed-sequence run, and its number of measured requests; `conc` is the point's
    first concurrency unless another one is wanted."""
    conc = conc or point.concurrencies[0]
    requests = max(load.waves * conc, load.min_requests)
    lengths = ("--isl", point.row["isl"], "--isl-stddev", 0, "--osl", point.row["osl"], "--osl-stddev", 0)
    counts = ("--request-count", requests, "--warmup-request-count", load.warmup_waves * conc)
    prompts = ("--prompt-corpus", load.prompts)
    argv = ["--endpoint-type", "completions", "--concurrency", conc, *prompts, *lengths, *counts]
    return [str(word) for word in argv], requests


def outcome(out: Path, *, model: str, requested: int, corpus: row.Corpus | None) -> row.Load:
    """What aiperf wrote. Stopped with `no-result` when it is missing or unreadable."""
    try:
        summary = files.read_json(out / SUMMARY)
        with text_of(out / RECORDS) as records, text_of(out / LOG) as log:
            broken = aiperf.unparsed(log)
            return aiperf.load(
                summary, records, model=model, requested=requested, corpus=corpus, broken_events=broken
            )
    except (BadInput, OSError) as error:
        raise Stopped(Reason.NO_RESULT, str(error)) from error


def blame(out: Path, stop: Stopped) -> Stopped:
    """A better reason than "the client failed" when its records say that every request failed."""
    if stop.reason != Reason.CLIENT_FAILED:
        return stop
    try:
        with text_of(out / RECORDS) as records:
            kinds = aiperf.failures(records)
    except (BadInput, OSError):
        return stop
    if not kinds:
        return stop
    if set(kinds) == {aiperf.NO_TOKENS}:
        return Stopped(Reason.ZERO_TOKENS, f"{kinds[aiperf.NO_TOKENS]} answers without a token")
    return Stopped(Reason.REQUESTS_FAILED, ", ".join(f"{count} {kind}" for kind, count in kinds.items()))


def text_of(path: Path) -> TextIO:
    return path.open(encoding="utf-8", errors="replace")
