"""Load by aiperf: fixed sequence lengths, or replay of multi-turn conversations."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from infx import cluster, row
from infx.edge import files
from infx.errors import BadInput
from infx.point import Point
from infx.read import aiperf
from infx.read.corpus import Session, corpus
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


def fixed(point: Point, load: cluster.Load) -> tuple[list[str], int]:
    """Further arguments of a fixed-sequence run, and its number of measured requests."""
    conc = point.concurrencies[0]
    requests = max(load.waves * conc, load.min_requests)
    lengths = ("--isl", point.row["isl"], "--isl-stddev", 0, "--osl", point.row["osl"], "--osl-stddev", 0)
    counts = ("--request-count", requests, "--warmup-request-count", load.warmup_waves * conc)
    prompts = ("--prompt-corpus", load.prompts)
    argv = ["--endpoint-type", "completions", "--concurrency", conc, *prompts, *lengths, *counts]
    return [str(word) for word in argv], requests


def agentic(
    point: Point, load: cluster.Load, *, sessions: Sequence[Session], trace: Path, fast_s: int | None
) -> tuple[list[str], int]:
    """Further arguments of a replay, its number of measured requests (0: by time), and the file it reads.

    One lane per unit of concurrency; each lane runs whole conversations, one turn after the other.
    """
    conc = point.concurrencies[0]
    count = load.sessions_per_lane * conc
    # The warm-up takes the first conversation of each lane; the measured ones come after them.
    files.write_text(trace, conversations(sessions, max(conc + count, len(sessions))))
    argv = ["--endpoint-type", "chat", "--use-legacy-max-tokens", "--concurrency", conc]
    argv += ["--input-file", trace, "--custom-dataset-type", "mooncake_trace"]
    argv += ["--warmup-request-count", conc * (2 if fast_s else 1)]
    if count:
        argv += ["--num-conversations", count]
        requests = sum(len(sessions[place % len(sessions)].turns) for place in range(conc, conc + count))
    else:
        argv += ["--benchmark-duration", fast_s or point.row["duration"]]
        requests = 0
    return [str(word) for word in argv], requests


def conversations(sessions: Sequence[Session], count: int) -> str:
    """`count` conversations for aiperf, the corpus again and again. It makes the text of each turn with the
    model's own tokenizer, a new one every time, so that only a conversation's own prefix can be cached."""
    lines = []
    for place in range(count):
        one = sessions[place % len(sessions)]
        for number, turn in enumerate(one.turns):
            line: dict[str, object] = {
                "session_id": f"{one.name}-{place}",
                "input_length": turn.input,
                "output_length": turn.output,
            }
            lines.append(json.dumps(line | ({"delay": turn.delay_ms} if number else {})))
    return "\n".join(lines) + "\n"


def read_corpus(root: Path, load: cluster.Load) -> tuple[row.Corpus, Sequence[Session]]:
    """The corpus that the cluster record names. Stopped when it is not what the record says of it."""
    path = root / load.corpus
    found, sessions = corpus(files.read_bytes(path), where=load.corpus)
    if load.corpus_sha256 not in ("", found.sha256):
        raise Stopped(
            Reason.CORPUS, f"{load.corpus} has digest {found.sha256[:12]}, not {load.corpus_sha256[:12]}"
        )
    if 0 < load.corpus_token_cap < found.token_cap:
        what = f"conversations of {found.token_cap} tokens, the cap is {load.corpus_token_cap}"
        raise Stopped(Reason.CORPUS, f"{load.corpus} holds {what}")
    if load.corpus_sub_agents not in (None, found.sub_agents):
        raise Stopped(Reason.CORPUS, f"{load.corpus}: sub-agents {found.sub_agents}, not as the record says")
    return found, sessions


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
