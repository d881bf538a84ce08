"""Replay of agent traces by aiperf: our own corpora of conversations, and recorded agents with sub-agents."""

import json
from collections.abc import Sequence
from pathlib import Path

from infx import cluster, row
from infx.edge import files
from infx.errors import BadInput
from infx.point import Point
from infx.read.corpus import Session, agents, corpus
from infx.reason import Reason, Stopped

SCENARIO = "inferencex-agentx-mvp"
"""aiperf's own name for the replay of recorded agents: it locks what must not differ between two results."""
SCENARIO_LEAST_S = 900
"""Shortest profile that the scenario takes as a submission, in seconds."""
TEXT = "coding"
LIMIT = 4096
"""Most files of one corpus of agents."""


def arguments(
    point: Point, load: cluster.Load, *, sessions: Sequence[Session], trace: Path, fast_s: int | None
) -> tuple[list[str], int]:
    """Further arguments of a replay, and its number of measured requests (0: by time).

    One lane per unit of concurrency; each lane runs whole conversations, one turn after the other. `trace` is
    written for conversations, and is the corpus itself for recorded agents, which have no `sessions`.
    """
    conc = point.concurrencies[0]
    # Traces are made of text: a prefix of random tokens could not be found again.
    prompts = TEXT if load.prompts == "random" else load.prompts
    argv: list[object] = ["--endpoint-type", "chat", "--use-legacy-max-tokens", "--concurrency", conc]
    argv += ["--prompt-corpus", prompts]
    seconds = fast_s or load.profile_s or int(point.row["duration"])
    timed = ["--benchmark-duration", seconds, "--benchmark-grace-period", f"{load.drain_s:g}"]
    if not sessions:
        argv += ["--input-file", trace, "--custom-dataset-type", "weka_trace", "--scenario", SCENARIO]
        argv += [*timed, *(["--unsafe-override"] if seconds < SCENARIO_LEAST_S else [])]
        return [str(word) for word in argv], 0
    count = load.sessions_per_lane * conc
    # The warm-up takes the first conversation of each lane; the measured ones come after them.
    files.write_text(trace, conversations(sessions, max(conc + count, len(sessions))))
    argv += ["--input-file", trace, "--custom-dataset-type", "mooncake_trace"]
    argv += ["--warmup-request-count", conc * (2 if fast_s else 1)]
    argv += ["--num-conversations", count] if count else timed
    turns = (len(sessions[place % len(sessions)].turns) for place in range(conc, conc + count))
    return [str(word) for word in argv], sum(turns)


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


def read(root: Path, load: cluster.Load) -> tuple[row.Corpus, Sequence[Session]]:
    """The corpus that the cluster record names; a folder holds recorded agents, which aiperf reads itself.
    Stopped when it is not what the record says of it."""
    if not load.corpus:
        raise Stopped(Reason.CORPUS, "the cluster record names no corpus (load.corpus)")
    path = root / load.corpus
    try:
        found, sessions = folder(path, load.corpus) if path.is_dir() else file(path, load.corpus)
    except BadInput as error:
        raise Stopped(Reason.CORPUS, error.sentence) from error
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


def file(path: Path, where: str) -> tuple[row.Corpus, Sequence[Session]]:
    return corpus(files.read_bytes(path), where=where)


def folder(path: Path, where: str) -> tuple[row.Corpus, Sequence[Session]]:
    names = sorted(one.name for one in path.glob("*.json"))
    if len(names) > LIMIT:
        raise BadInput(f"more than {LIMIT} traces", where=where, todo="split the corpus")
    return agents({name: files.read_bytes(path / name) for name in names}, where=where), ()
