"""Why a job failed, whose it is, and what may be run again."""

from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from infx import pattern
from infx.edge import settings
from infx.failure import Cause, FailureFacts, Remedy, Signature
from infx.policy.failure import decide

RULES = settings.parse("")
ROOT = Path(__file__).parents[2]
SIGNATURES = settings.signatures(ROOT, RULES)


def told(**fields: Any) -> Any:
    return decide(FailureFacts(**fields), RULES, SIGNATURES)


@pytest.mark.parametrize("one", SIGNATURES, ids=lambda one: one.detail)
def test_every_signature_finds_its_own_sample(one: Signature) -> None:
    found = decide(one.sample, RULES, SIGNATURES)
    assert (found.kind, found.extra["class"], found.extra["remedy"]) == (one.detail, one.cause, one.remedy)
    assert found.go == (one.remedy == Remedy.RERUN)


HOSTILE = (
    "api",
    "api.",
    "api 5",
    "ap\u0131api",
    "GitHub=",
    "action",
    "failed to copy",
    "pull access",
    "\n",
    "RPC>",
)
"""What makes an expression read the same text again and again."""


@pytest.mark.parametrize("piece", HOSTILE, ids=ascii)
def test_no_log_keeps_the_classifier_busy(piece: str) -> None:
    began = process_time()
    found = told(step="checkout", log=piece * (1_000_000 // len(piece)), runner="r", server_alive=True)
    assert process_time() - began < 1
    assert found.kind == "unknown"


@pytest.mark.parametrize(
    "expression", [r"(a+)+$", r"(\w+\s?)*!", r"(a|aa)+b", r"(.*a){20}!", r"(a?){99}a{99}b"]
)
def test_no_expression_of_a_repository_keeps_it_busy(expression: str) -> None:
    one = Signature(
        detail="d", cause=Cause.RUNNER, remedy=Remedy.RERUN, sample=FailureFacts(), log=expression
    )
    began = process_time()
    assert decide(FailureFacts(log="a" * 20_000 + "?"), RULES, [one]).kind == "unknown"
    assert process_time() - began < 1


@given(some.text(some.characters()), some.from_regex("[0-9b-hj-rt-z]{1,3}", fullmatch=True))
def test_a_plain_word_is_found_where_it_stands(log: str, word: str) -> None:
    """Lone surrogates in a log break nothing; letters whose other case is no ASCII are left out."""
    assert pattern.found(word, f"{log}{word.upper()}{log}")
    assert pattern.found(word, log) == (word in log.lower())


@pytest.mark.parametrize(
    ("log", "kind"),
    [
        ("api.github.com answered 503", "github-outage"),
        ("Unable to download artifact\nof 500 tokens", "unknown"),
        (f"github {'a' * 150} status code 502", "github-outage"),
        (f"github {'a' * 250} 502", "unknown"),
        (f"github {'a' * 150} action {'b' * 150} 504", "github-outage"),
        ("actions 5020", "unknown"),
        ('(APIServer pid=12) INFO: "POST /v1/completions HTTP/1.1" 500 Internal Server Error', "unknown"),
        ("memory fraction 0.88, 500 shards", "unknown"),
    ],
)
def test_an_outage_is_named_on_one_line(log: str, kind: str) -> None:
    assert told(log=log).kind == kind


GPU = {"step": "point", "runner": "h200_01", "gpu": True}
WARMUP = {**GPU, "step": "warmup", "reason": "client-failed", "server_alive": True}
CHECKOUT = {"step": "Run actions/checkout@df4cb1c", "seconds": 5, "runner": "h200_01"}


@pytest.mark.parametrize(
    ("log", "more", "kind"),
    [
        # C35: what stops every job of one machine
        ("rm: cannot remove '_work/R/R/out': Operation not permitted", CHECKOUT, "runner-poisoned"),
        ("fatal: Unable to create '_work/R/.git/index.lock': File exists.", CHECKOUT, "runner-poisoned"),
        ("error: insufficient permission for adding an object to .git/objects", CHECKOUT, "runner-poisoned"),
        ("fatal: detected dubious ownership in repository at '_work/R'", CHECKOUT, "runner-poisoned"),
        ("error: unable to create file a: Read-only file system", CHECKOUT, "runner-poisoned"),
        ("PermissionError: [Errno 1] Operation not permitted", GPU, "unknown"),
        ("OSError: [Errno 5] Input/output error: '/models/m1'", GPU, "runner-storage"),
        ("NVIDIA-SMI has failed because it couldn't communicate with the driver", GPU, "runner-gpu-fault"),
        ("amdgpu 0000:75:00.0: amdgpu: GPU reset begin!", GPU, "runner-gpu-fault"),
        ('docker: could not select device driver "" with capabilities: [[gpu]].', GPU, "runner-gpu-fault"),
        ("permission denied while trying to connect to the Docker daemon socket", GPU, "runner-docker"),
        ("slurmstepd: error: *** JOB 12 ON n1 CANCELLED DUE TO PREEMPTION ***", GPU, "runner-lost"),
        ("slurm_load_jobs error: Unable to contact slurm controller", GPU, "slurm-controller"),
        ("Get https://registry.example/v2/: net/http: TLS handshake timeout", GPU, "image-pull"),
        # C40: a connection was dropped, in the words of other clients
        ("httpx.RemoteProtocolError: peer closed connection", WARMUP, "harness-transient"),
        ("RemoteDisconnected: Remote end closed connection without response", WARMUP, "harness-transient"),
        ("aiohttp: Response payload is not completed", WARMUP, "harness-transient"),
        ("Error: socket hang up", WARMUP, "harness-transient"),
        ("write EPIPE", WARMUP, "harness-transient"),
        ("write EPIPE", {**WARMUP, "server_alive": None}, "unknown"),
    ],
)
def test_C35_C40_other_words_for_the_same_failure(log: str, more: dict[str, Any], kind: str) -> None:
    found = told(log=log, **more)
    assert (found.kind, found.extra["blame"] == "infrastructure") == (kind, kind != "unknown")


@pytest.mark.parametrize(
    "log", ["GitHub answered 502", "API rate limit exceeded", "toomanyrequests", "[rejected] fetch first"]
)
def test_an_engine_that_was_seen_to_end_is_not_excused_by_its_log(log: str) -> None:
    assert told(**GPU, reason="engine-died", log=log).kind == "server-crash"


@pytest.mark.parametrize(
    "log", ["CUDA error: uncorrectable ECC error", "CUDA error: system not yet initialized"]
)
def test_an_engine_that_a_broken_gpu_ended_is_not_the_authors(log: str) -> None:
    assert told(**GPU, reason="engine-died", log=log).extra["blame"] == "infrastructure"


def test_every_cause_has_a_signature() -> None:
    assert {one.cause for one in SIGNATURES} == set(Cause) - {Cause.UNKNOWN}


def test_C35_a_poisoned_runner_is_not_the_authors_failure() -> None:
    found = told(
        job="canary k C4",
        step="checkout",
        seconds=9,
        runner="mi355x_00",
        runner_failures=3,
        log="Error: EACCES: permission denied, rmdir '_work/R/R/benchmark_logs/logs/slurm_job-39315'",
        gpu=True,
    )
    assert (found.kind, found.extra["blame"], found.go) == ("runner-poisoned", "infrastructure", False)
    assert found.extra["actions"] == [
        "pre-checkout scoped cleanup",
        "rerun only after cleanup",
        "flag runner in PR comment",
    ]
    assert "mi355x_00" in found.reason
    assert "benchmark failed" not in found.reason


def test_C40_a_dropped_connection_reruns_the_failed_job_alone() -> None:
    found = told(
        job="k C4", step="warmup", log="aiperf: read ECONNRESET", server_alive=True, runner="r", gpu=True
    )
    assert (found.kind, found.go) == ("harness-transient", True)
    assert found.extra["actions"] == ["rerun-failed-jobs of the same run"]
    assert found.extra["keep_other_results"] is True


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"attempt": 2}, "auto-rerun allows 1"),
        ({"accepted": True}, "accepted result"),
        ({"server_alive": None, "reason": "engine-died"}, "server-crash"),
    ],
)
def test_C40_it_is_not_run_again_when(more: dict[str, Any], why: str) -> None:
    given_ = {"step": "warmup", "log": "ECONNRESET", "server_alive": True, "gpu": True, **more}
    found = told(**given_)
    assert not found.go
    assert why in found.reason


def test_a_slow_checkout_is_not_taken_for_a_poisoned_runner() -> None:
    assert told(step="checkout", seconds=900, log="permission denied").kind == "unknown"


@pytest.mark.parametrize(
    ("log", "kind"),
    [
        ("toomanyrequests: You have reached your pull rate limit", "image-pull"),
        ("API rate limit exceeded for installation", "rate-limited"),
    ],
)
def test_the_limit_of_a_registry_is_not_that_of_github(log: str, kind: str) -> None:
    assert told(step="point", log=log, runner="r", gpu=True).kind == kind


def test_one_quick_failure_makes_no_suspect_and_three_do() -> None:
    quick = {"step": "Set up job", "seconds": 3, "runner": "r1", "log": "exit code 1"}
    assert told(**quick, runner_failures=1).kind == "unknown"
    assert told(**quick, runner_failures=2).kind == "runner-suspect"


def test_nothing_is_run_again_without_auto_rerun() -> None:
    rules = replace(RULES, auto_rerun=0)
    assert not any(decide(one.sample, rules, SIGNATURES).go for one in SIGNATURES)


@given(some.builds(FailureFacts))
def test_every_failure_gets_an_answer(facts: FailureFacts) -> None:
    found = decide(facts, RULES, SIGNATURES)
    assert found.extra["class"] in set(Cause)
    assert not (found.go and facts.gpu and facts.accepted)
    assert not (found.go and facts.attempt > RULES.auto_rerun)
