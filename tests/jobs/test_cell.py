"""Whole cells: the real simulator, the real clients, the real command line."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from infx.launch.leftovers import marked
from infx.plan import Plan
from infx.point import Point
from infx.reason import Reason
from infx.record import Outcome, Record
from tests.jobs.test_point import record
from tests.results.test_normalize import complaints
from tests.runtime import ROOT, agentic, checkout, evaluation, fixed, plan

pytestmark = pytest.mark.clients


@pytest.fixture
def cell(tmp_path: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts `infx job point` for the first point, in a checkout of its own."""
    head = checkout(tmp_path)
    started: list[subprocess.Popen[str]] = []

    def start(
        *points: Point, fault: str = "", canary: bool = False, deadline_s: int = 60
    ) -> subprocess.Popen[str]:
        what: Plan = plan(head, *points, deadline_s=deadline_s)
        (tmp_path / "plan.json").write_text(json.dumps(what.as_json()))
        env = {**os.environ, "PYTHONPATH": str(ROOT), "SIM_FAULT": fault}
        env.setdefault("INFX_CLIENTS", str(ROOT / ".venv-clients"))
        words = ["job", "point", "--plan", "plan.json", "--id", points[0].id, "--out", "out"]
        argv = [sys.executable, "-m", "infx", *words, *(["--canary"] if canary else [])]
        started.append(subprocess.Popen(argv, cwd=tmp_path, env=env, stderr=subprocess.PIPE, text=True))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()
        if process.stderr:
            process.stderr.close()


def until(done: Callable[[], bool], limit_s: float) -> None:
    end = time.monotonic() + limit_s
    while not done():
        assert time.monotonic() < end, "it did not come to that in time"
        time.sleep(0.05)


def clean(folder: Path) -> bool:
    return marked((folder / "out").resolve()) == []


def result(found: Record) -> dict[str, Any]:
    assert found.outcome == Outcome.SUCCESS, found
    assert found.result is not None
    assert complaints(dict(found.result)) == []
    return dict(found.result)


def test_a_fixed_sequence_cell(tmp_path: Path, cell: Callable[..., Any]) -> None:
    point = fixed(4, isl=256, osl=16)
    process = cell(point, canary=True)
    said = process.communicate()[1]
    assert process.returncode == 0, said
    row = result(record(tmp_path, point))
    # One H200 step is 4.9 ms and prefill of 4 × 256 tokens 38 ms; the client adds its own share.
    assert 0.0045 < row["median_tpot"] < 0.012
    assert 0.02 < row["median_ttft"] < 0.12
    assert json.loads((tmp_path / "out" / point.artifact("bmk") / "result.json").read_text()) == row
    assert "engine ready" in said
    assert clean(tmp_path)


def test_an_agentic_cell_reports_its_corpus_and_cache(tmp_path: Path, cell: Callable[..., Any]) -> None:
    process = cell(agentic(2))
    said = process.communicate()[1]
    assert process.returncode == 0, said
    row = result(record(tmp_path, agentic(2)))
    assert row["scenario_type"] == "agentic-coding"
    assert row["server_metrics"]["prefix_cache_hit_rate"] > 0.3
    assert (row["corpus"]["name"], row["num_requests_total"]) == (
        "infx-small",
        row["num_requests_successful"],
    )


def test_recorded_agents_with_sub_agents(tmp_path: Path, cell: Callable[..., Any]) -> None:
    """aiperf's own scenario: warm-up of each lane, sub-agents beside their parent, and a timed end."""
    path = tmp_path / "configs" / "clusters.yaml"
    text = path.read_text()
    path.write_text(
        text.replace("corpus: benchmarks/corpus/small.jsonl", "corpus: benchmarks/corpus/agents", 1).replace(
            "corpus_sha256: 78174d8dd32d7d22dc453e4328475a8131038ffbde214f8730ff2fc951927e16",
            "profile_s: 6",
            1,
        )
    )
    process = cell(agentic(2))
    said = process.communicate()[1]
    assert process.returncode == 0, said
    row = result(record(tmp_path, agentic(2)))
    assert (row["corpus"]["name"], row["corpus"]["sub_agents"]) == ("agents", True)
    assert row["request_accounting"]["records_warmup_dropped"] >= 2
    log = tmp_path / "out" / agentic(2).artifact("bmk") / "aiperf" / "profile_export.jsonl"
    depths = {json.loads(line)["metadata"]["agent_depth"] for line in log.read_text().splitlines()}
    assert depths == {0, 1}


def test_an_eval_cell(tmp_path: Path, cell: Callable[..., Any]) -> None:
    process = cell(evaluation(8))
    said = process.communicate()[1]
    assert process.returncode == 0, said
    row = result(record(tmp_path, evaluation(8), "eval"))
    assert 0.90 <= row["score"] < 1
    assert (row["n_eff"], row["threshold_source"]) == (64, "default")
    assert row["extraction"].startswith("last ####")


@pytest.mark.parametrize(
    ("fault", "outcome", "reason"),
    [
        ("die-after=8", Outcome.FAILURE, Reason.ENGINE_DIED),
        ("zero-tokens", Outcome.INVALID, Reason.ZERO_TOKENS),
        ("malformed", Outcome.INVALID, Reason.MALFORMED),
    ],
)
def test_a_broken_engine_has_its_reason(
    tmp_path: Path, cell: Callable[..., Any], fault: str, outcome: Outcome, reason: Reason
) -> None:
    process = cell(fixed(), fault=fault)
    process.communicate()
    found = record(tmp_path, fixed())
    assert (process.returncode, found.outcome, found.reason) == (1, outcome, reason)
    assert found.result is None
    assert clean(tmp_path)


def test_a_hanging_canary_hands_over_to_the_next_candidate(tmp_path: Path, cell: Callable[..., Any]) -> None:
    process = cell(fixed(4), fixed(2), fault="hang-at=4", canary=True, deadline_s=20)
    said = process.communicate()[1]
    assert process.returncode == 0, said
    hung = record(tmp_path, fixed(4))
    assert (hung.outcome, hung.reason) == (Outcome.TIMEOUT, Reason.CANARY_TIMEOUT)
    assert 20 <= hung.ended - hung.started < 23
    result(record(tmp_path, fixed(2)))
    assert clean(tmp_path)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
def test_a_cancelled_cell_leaves_a_record_and_no_process(
    tmp_path: Path, cell: Callable[..., Any], number: signal.Signals
) -> None:
    process = cell(fixed(), fault="hang-at=4")
    log = tmp_path / "out" / fixed().artifact("bmk") / "client.log"
    until(lambda: log.exists(), 20)
    begin = time.monotonic()
    process.send_signal(number)
    process.communicate()
    until(lambda: clean(tmp_path), 3)
    assert time.monotonic() - begin < 3
    found = record(tmp_path, fixed())
    wanted = Reason.INTERRUPTED if number == signal.SIGKILL else Reason.CANCELLED
    assert (found.outcome, found.reason) == (Outcome.CANCELLED, wanted)
    assert process.returncode != 0


def test_C61_the_last_answer_mark_counts(tmp_path: Path) -> None:
    """The real filter of the real client, with the pattern of the task file."""
    code = (
        "import yaml; from lm_eval.filters.extraction import RegexFilter;"
        "task = yaml.safe_load(open('gsm8k.yaml'));"
        "step = dict(task['filter_list'][0]['filter'][0]); step.pop('function');"
        "said = 'Earlier examples ended with #### 18. Now my working ... #### 72';"
        "first = {**step, 'group_select': 0};"
        "print(*(RegexFilter(**one).apply([[said]], [{}])[0][0] for one in (step, first)))"
    )
    python = Path(os.environ.get("INFX_CLIENTS", ROOT / ".venv-clients")) / "bin" / "python"
    done = subprocess.run(
        [python, "-c", code], cwd=ROOT / "benchmarks" / "evals", capture_output=True, text=True, check=False
    )
    last, first = done.stdout.split()
    assert (last, first.rstrip(".")) == ("72", "18"), done.stderr
