import json
from pathlib import Path
from typing import Any

import pytest

from infx import cluster
from infx.bench import load
from infx.bench.clients import client
from infx.read.corpus import corpus
from infx.reason import Reason, Stopped
from tests.runtime import ROOT, agentic, fixed

SMALL = ROOT / "benchmarks" / "corpus" / "small.jsonl"


def value(argv: list[str], flag: str) -> str:
    return argv[argv.index(flag) + 1]


@pytest.mark.parametrize(("conc", "requests"), [(1, 10), (4, 12), (64, 192)])
def test_fixed_requests_are_waves_of_the_concurrency(conc: int, requests: int) -> None:
    argv, planned = load.fixed(fixed(conc), cluster.Load(waves=3, min_requests=10))
    assert planned == requests == int(value(argv, "--request-count"))
    assert int(value(argv, "--warmup-request-count")) == int(value(argv, "--concurrency")) == conc
    assert (value(argv, "--isl"), value(argv, "--osl"), value(argv, "--isl-stddev")) == ("128", "8", "0")


def test_every_run_counts_the_servers_tokens_and_ignores_eos(tmp_path: Path) -> None:
    plain = cluster.Load(extra={"temperature": 0, "skip_special_tokens": False})
    argv = load.common("aiperf", plain, url="http://x", model="m", tokenizer="t", out=tmp_path)
    assert "--use-server-token-count" in argv
    assert "--streaming" in argv
    extra = [argv[at + 1] for at, word in enumerate(argv) if word == "--extra-inputs"]
    assert extra == ["ignore_eos:true", "temperature:0", "skip_special_tokens:false"]


@pytest.mark.parametrize(("fast_s", "warmup"), [(None, "4"), (600, "8")])
def test_agentx_fast_warms_up_one_more_a_lane(tmp_path: Path, fast_s: int | None, warmup: str) -> None:
    _, sessions = corpus(SMALL.read_bytes(), where="small")
    argv, requests = load.agentic(
        agentic(4), cluster.Load(), sessions=sessions, trace=tmp_path / "t", fast_s=fast_s
    )
    assert value(argv, "--warmup-request-count") == warmup
    assert value(argv, "--benchmark-duration") == str(fast_s or 3600)
    assert requests == 0


def test_a_bounded_replay_counts_the_turns_after_the_warm_up(tmp_path: Path) -> None:
    _, sessions = corpus(SMALL.read_bytes(), where="small")
    trace = tmp_path / "trace.jsonl"
    argv, requests = load.agentic(
        agentic(2), cluster.Load(sessions_per_lane=2), sessions=sessions, trace=trace, fast_s=None
    )
    assert value(argv, "--num-conversations") == "4"
    names = [json.loads(line)["session_id"] for line in trace.read_text().splitlines()]
    order = list(dict.fromkeys(names))
    assert requests == sum(names.count(one) for one in order[2:6])


def test_conversations_have_the_lengths_and_pauses_of_the_corpus() -> None:
    _, sessions = corpus(SMALL.read_bytes(), where="small")
    lines = [json.loads(line) for line in load.conversations(sessions, 20).splitlines()]
    first = [line for line in lines if line["session_id"] == f"{sessions[0].name}-0"]
    assert [line["input_length"] for line in first] == [turn.input for turn in sessions[0].turns]
    assert [line["output_length"] for line in first] == [turn.output for turn in sessions[0].turns]
    assert [line.get("delay") for line in first] == [None, *(turn.delay_ms for turn in sessions[0].turns[1:])]
    assert len({line["session_id"] for line in lines}) == 20


def test_another_corpus_is_refused() -> None:
    with pytest.raises(Stopped, match="digest") as stop:
        load.read_corpus(ROOT, cluster.Load(corpus_sha256="0" * 64))
    assert stop.value.reason == Reason.CORPUS


@pytest.mark.parametrize(
    ("error", "reason"),
    [("InvalidInferenceResultError", Reason.ZERO_TOKENS), ("TimeoutError", Reason.REQUESTS_FAILED)],
)
def test_a_failed_client_is_asked_why(tmp_path: Path, error: str, reason: Reason) -> None:
    record = {"metadata": {"benchmark_phase": "profiling"}, "error": {"type": error}}
    (tmp_path / load.RECORDS).write_text(json.dumps(record) + "\n")
    assert load.blame(tmp_path, Stopped(Reason.CLIENT_FAILED)).reason == reason


def test_no_better_reason_leaves_the_first(tmp_path: Path) -> None:
    for stop in (Stopped(Reason.CLIENT_FAILED), Stopped(Reason.ENGINE_DIED)):
        assert load.blame(tmp_path, stop) is stop
    with pytest.raises(Stopped, match="no-result"):
        load.outcome(tmp_path, model="m", requested=1, corpus=None)


def test_clients_are_looked_for_where_the_runner_says(tmp_path: Path) -> None:
    program = tmp_path / "bin" / "aiperf"
    program.parent.mkdir()
    program.touch()
    assert client("aiperf", {"INFX_CLIENTS": str(tmp_path)}, Path("/nowhere")) == str(program)
    with pytest.raises(Stopped, match="INFX_CLIENTS"):
        client("aiperf", {}, tmp_path)


@pytest.mark.parametrize("fields", [{"corpus_token_cap": 1}, {"corpus_sub_agents": True}])
def test_a_corpus_that_is_not_what_the_record_says_is_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(Stopped, match=r"small\.jsonl"):
        load.read_corpus(ROOT, cluster.Load(**fields))
    load.read_corpus(ROOT, cluster.Load(corpus_token_cap=1 << 20, corpus_sub_agents=False))
