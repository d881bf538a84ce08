import json
import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.point import Point
from infx.reason import MEANING, Reason
from infx.record import Outcome, Record
from infx.results import normalize, validity
from infx.row import Corpus, Load, Phase
from tests.builders import rules
from tests.runtime import agentic, evaluation, fixed, load, measured

CORPUS = Corpus(name="tiny", sha256="a" * 64, sessions=3, token_cap=100, sub_agents=False)


def reason(point: Point, run: Load, **options: Any) -> Reason | None:
    fault = validity.load_fault(point, run, began=999.0, limits=rules().agentic, **options)
    return fault.reason if fault else None


def test_a_flawless_run_is_valid() -> None:
    assert reason(fixed(), load()) is None
    assert reason(agentic(), load(corpus=CORPUS, requested=0), corpus=CORPUS) is None


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({"model": "other"}, Reason.WRONG_MODEL),
        ({"started": 998.0}, Reason.STALE),
        ({"ended": 999.5}, Reason.STALE),
        ({"complete": False}, Reason.NO_RESULT),
        ({"broken_events": 1}, Reason.MALFORMED),
        ({"profile": Phase(completed=11, failed=1)}, Reason.REQUESTS_FAILED),
        ({"profile": Phase(completed=11, cancelled=1)}, Reason.REQUESTS_FAILED),
        ({"profile": Phase(completed=11)}, Reason.REQUEST_COUNT),
        ({"profile": Phase(completed=13)}, Reason.REQUEST_COUNT),
        ({"metrics": measured("total_output_tokens", avg=0)}, Reason.ZERO_TOKENS),
        ({"metrics": {}}, Reason.ZERO_TOKENS),
        ({"metrics": measured("output_token_throughput", avg=math.nan)}, Reason.NON_FINITE),
        ({"metrics": measured("time_to_first_token", p99=math.inf)}, Reason.NON_FINITE),
        ({"metrics": measured("request_latency", p50=0)}, Reason.NOT_POSITIVE),
        ({"metrics": measured("benchmark_duration", avg=-1)}, Reason.NOT_POSITIVE),
        ({"metrics": measured("inter_token_latency", avg=0)}, Reason.NOT_POSITIVE),
        ({"metrics": measured("inter_token_latency", p90=-3)}, Reason.NOT_POSITIVE),
        ({"metrics": measured("inter_chunk_latency", p50=0)}, None),
        ({"metrics": measured("inter_chunk_latency", p50=-1)}, Reason.NOT_POSITIVE),
        ({"metrics": measured("time_to_first_token", std=math.nan)}, Reason.NON_FINITE),
        ({"metrics": measured("output_sequence_length", min=7)}, Reason.WRONG_LENGTH),
        ({"metrics": measured("input_sequence_length", max=140)}, Reason.WRONG_LENGTH),
    ],
)
def test_each_flaw_has_its_reason(changes: dict[str, Any], wanted: Reason | None) -> None:
    assert reason(fixed(), load(**changes)) == wanted


@pytest.mark.parametrize(
    ("profile", "wanted"),
    [
        (Phase(completed=90, failed=10), None),
        (Phase(completed=89, failed=11), Reason.ERROR_SHARE),
        (Phase(completed=90, cancelled=10), None),
        (Phase(completed=89, cancelled=11), Reason.DRAIN_SHARE),
        (Phase(completed=80, failed=10, cancelled=10), None),
    ],
)
def test_a_replay_may_lose_up_to_policys_share(profile: Phase, wanted: Reason | None) -> None:
    assert reason(agentic(), load(profile=profile, corpus=CORPUS), corpus=CORPUS) == wanted


def test_another_corpus_is_invalid() -> None:
    for loaded in (None, replace(CORPUS, sub_agents=True), replace(CORPUS, sha256="b" * 64)):
        assert reason(agentic(), load(corpus=loaded), corpus=CORPUS) == Reason.CORPUS


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        (300.0, "at the limit of 300 s"),
        (None, "without limit"),
        (600.0, "at the limit of 600 s"),
        (1800.0, "at the limit of 1800 s"),
    ],
)
def test_C41_a_warm_up_that_was_cut_short_names_its_limit(limit: float | None, said: str) -> None:
    run = load(warmup=Phase(completed=17, cancelled=7), warmup_limit_s=limit)
    fault = validity.load_fault(agentic(24), run, began=999.0, limits=rules().agentic)
    assert fault is not None
    assert fault.reason == Reason.WARMUP_NOT_DRAINED
    assert fault.detail == f"7 requests cancelled in warm-up {said}"


def test_drain_cancellations_are_a_note() -> None:
    assert validity.notes(load(profile=Phase(completed=90, cancelled=9))) == ["9 drain cancellations"]
    assert validity.notes(load()) == []


@pytest.mark.parametrize(
    ("waited", "first", "noted"),
    [(1.0, 600.0, False), (14.0, 50.0, False), (16.0, 50.0, True), (20.0, 700.0, False)],
)
def test_a_client_that_holds_requests_back_is_named(waited: float, first: float, noted: bool) -> None:
    metrics = {**load().metrics, "credit_to_start_latency": {"unit": "ms", "avg": waited}}
    metrics["time_to_first_token"] = {**metrics["time_to_first_token"], "avg": first}
    wanted = [f"the client was the bottleneck, requests waited {waited:.0f} ms in it"]
    assert validity.notes(load(metrics=metrics)) == (wanted if noted else [])


@given(
    st.sampled_from(["time_to_first_token", "request_latency"]), st.sampled_from(["avg", "p50", "p90", "p99"])
)
def test_no_number_that_is_none_becomes_a_row(name: str, statistic: str) -> None:
    for bad in (math.nan, math.inf, -math.inf, 0.0, -1.0):
        assert reason(fixed(), load(metrics=measured(name, **{statistic: bad}))) is not None


BAD: list[Any] = [None, "20", True, [], {}, math.nan, math.inf, -1, 10**400]
"""What a broken client may write in place of a number."""


@pytest.mark.parametrize("bad", BAD, ids=lambda bad: f"{bad!r:.12}")
@pytest.mark.parametrize("of", [fixed(), agentic()], ids=["fixed", "agentic"])
def test_whatever_the_client_writes_there_is_a_reason_or_a_row(of: Point, bad: Any) -> None:
    for name, metric in load().metrics.items():
        for statistic in metric:
            spoilt = load(metrics={**load().metrics, name: {**metric, statistic: bad}})
            gone = {which: one for which, one in metric.items() if which != statistic}
            for run in (spoilt, load(metrics={**load().metrics, name: gone})):
                if reason(of, run) is None:
                    text = json.dumps(normalize.load_row(of, run), allow_nan=False)
                    numbers = [one for one in json.loads(text).values() if isinstance(one, float)]
                    assert min(numbers) >= 0


@pytest.mark.parametrize("unit", ["s", "", None, []])
def test_a_latency_without_a_known_unit_is_no_result(unit: Any) -> None:
    for name in ("time_to_first_token", "inter_chunk_latency"):
        assert reason(fixed(), load(metrics=measured(name, unit=unit))) == Reason.NO_RESULT


@pytest.mark.parametrize(
    ("of", "row", "wanted"),
    [
        (fixed(), {"tput_per_gpu": 5.0}, None),
        (fixed(), {"tput_per_gpu": 0}, Reason.NOT_POSITIVE),
        (fixed(), {"tput_per_gpu": -5.0}, Reason.NOT_POSITIVE),
        (fixed(), {"tput_per_gpu": "5"}, Reason.NON_FINITE),
        (fixed(), {"score": 0.9}, Reason.NON_FINITE),
        (evaluation(), {"score": 0.0}, None),
        (evaluation(), {"score": -0.1}, Reason.NOT_POSITIVE),
        (evaluation(), {"score": None}, Reason.NON_FINITE),
        (evaluation(), {"tput_per_gpu": 5.0}, Reason.NON_FINITE),
    ],
)
def test_a_row_without_its_number_is_no_result(of: Point, row: dict[str, Any], wanted: Reason | None) -> None:
    fault = validity.row_fault(row, of)
    assert (fault.reason if fault else None) == wanted


def record(**changes: Any) -> Record:
    point = fixed()
    good = Record(
        point=point.id,
        identity=point.identity,
        fingerprint=point.fingerprint.as_json(),
        outcome=Outcome.SUCCESS,
        sha="a" * 40,
        run_id=5,
        attempt=2,
        node="n1",
        started=1.0,
        ended=2.0,
    )
    return replace(good, **changes)


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({}, None),
        ({"sha": "b" * 40}, Reason.WRONG_SHA),
        ({"point": "0" * 16}, Reason.WRONG_IDENTITY),
        ({"identity": fixed(8).identity}, Reason.WRONG_IDENTITY),
        ({"fingerprint": {**record().fingerprint, "recipe": "0" * 64}}, Reason.WRONG_FINGERPRINT),
    ],
    ids=["C37 same commit", "C37 moved branch", "id", "identity", "fingerprint"],
)
def test_a_record_stands_only_for_its_point(changes: dict[str, Any], wanted: Reason | None) -> None:
    fault = validity.record_fault(record(**changes), fixed(), "a" * 40)
    assert (fault.reason if fault else None) == wanted


def test_every_reason_has_a_sentence_and_none_means_success() -> None:
    assert set(MEANING) == set(Reason)
    assert all(sentence and outcome != Outcome.SUCCESS for outcome, sentence in MEANING.values())


@pytest.mark.parametrize(("allowed", "wanted"), [(0.5, None), (0.01, Reason.ERROR_SHARE)])
def test_what_a_replay_may_lose_is_said_by_the_policy(allowed: float, wanted: Reason | None) -> None:
    run = load(profile=Phase(completed=90, failed=10), corpus=None)
    limits = replace(rules().agentic, max_error_share=allowed)
    fault = validity.load_fault(agentic(24), run, began=999.0, limits=limits)
    assert (fault.reason if fault else None) == wanted
