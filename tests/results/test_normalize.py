import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import infx
from infx.results import normalize
from infx.results.accuracy import Floor
from infx.row import Corpus, Phase, Request
from tests.results.test_accuracy import SCORE
from tests.runtime import agentic, evaluation, fixed, load

SCHEMA = json.loads((Path(infx.__file__).parent / "schemas" / "result-row.json").read_text())
CORPUS = Corpus(name="tiny", sha256="a" * 64, sessions=3, token_cap=100, sub_agents=False)
WORKER = {"num-worker": 2, "tp": 4, "ep": 4, "dp-attn": True, "pp": 1, "dcp-size": 1, "pcp-size": 1}


def complaints(row: dict[str, Any]) -> list[str]:
    from jsonschema import Draft202012Validator

    kind = "evaluation" if "task" in row else "throughput"
    wanted = {"$defs": SCHEMA["$defs"], "$ref": f"#/$defs/{kind}"}
    return [error.message for error in Draft202012Validator(wanted).iter_errors(row)]


def test_units_are_seconds_and_tokens_a_second() -> None:
    row = normalize.load_row(fixed(row={"tp": 4}), load())
    assert (row["tput_per_gpu"], row["output_tput_per_gpu"], row["input_tput_per_gpu"]) == (340, 20, 320)
    assert (row["mean_ttft"], row["p99_e2el"]) == (pytest.approx(0.020), pytest.approx(0.024))
    assert row["mean_tpot"] * row["mean_intvty"] == pytest.approx(1)
    assert row["mean_intvty"] == pytest.approx(200)
    assert "std_intvty" not in row


def test_a_row_says_how_sure_its_own_requests_are() -> None:
    seen = [
        Request(ended=1000.0 + at, ttft=0.02, tpot=0.005, e2el=1.0 + 0.01 * (at % 3), tokens=136)
        for at in range(12)
    ]
    row = normalize.load_row(fixed(1), load(requests=seen))
    assert set(row["request_error"]) == {"tput", "ttft", "intvty", "e2el"}
    assert 0 < row["request_error"]["tput"] < 0.01
    assert complaints(row) == []
    assert "request_error" not in normalize.load_row(fixed(1), load(requests=seen[:6]))


def test_names_are_the_communitys() -> None:
    row = normalize.load_row(fixed(4, row={"recipe-fingerprint": "f" * 64}), load())
    names = (
        "hw conc image model infmax_model_prefix framework precision spec_decoding disagg recipe_fingerprint"
    )
    names += " isl osl is_multinode tp pp dcp_size pcp_size ep dp_attention tput_per_gpu"
    assert set(names.split()) <= set(row)
    assert {f"{s}_{m}" for s in normalize.STATISTICS for m in normalize.LATENCIES} <= set(row)
    assert (row["hw"], row["conc"], row["dp_attention"]) == ("local", 4, False)
    assert complaints(row) == []


def test_multinode_rates_go_by_pool() -> None:
    row = {name: value for name, value in fixed().row.items() if name not in ("tp", "pp", "ep", "dp-attn")}
    point = replace(
        fixed(), row={**row, "prefill": WORKER, "decode": {**WORKER, "num-worker": 4}, "conc": [4]}
    )
    found = normalize.load_row(point, load())
    assert (found["num_prefill_gpu"], found["num_decode_gpu"], found["prefill_num_workers"]) == (8, 16, 2)
    assert found["input_tput_per_gpu"] == 1280 / 8
    assert found["output_tput_per_gpu"] == 80 / 16
    assert found["tput_per_gpu"] == 1360 / 24
    assert complaints(found) == []


def test_no_decode_gpu_counts_all() -> None:
    row = {name: value for name, value in fixed().row.items() if name != "tp"}
    point = replace(fixed(), row={**row, "prefill": WORKER, "decode": {**WORKER, "num-worker": 0}})
    assert normalize.load_row(point, load())["output_tput_per_gpu"] == 80 / 8


def test_a_replay_accounts_for_every_request() -> None:
    run = load(profile=Phase(completed=90, failed=4, cancelled=6), errors={"TimeoutError": 4}, corpus=CORPUS)
    run = replace(
        run, metrics={**run.metrics, "overall_usage_prompt_cache_read_pct": {"unit": "%", "avg": 58.0}}
    )
    row = normalize.load_row(agentic(), run)
    assert (row["num_requests_total"], row["num_requests_successful"], row["error_share"]) == (100, 90, 0.04)
    assert row["request_accounting"]["records_dropped_total"] == 14
    assert row["server_metrics"] == {"prefix_cache_hit_rate": 0.58}
    assert row["request_metrics"]["ttft"]["p75"] == pytest.approx(0.021)
    assert row["request_metrics"]["input_tokens"]["mean"] == 128
    assert row["corpus"]["name"] == "tiny"
    assert complaints(row) == []


def test_an_evaluation_names_its_threshold_and_rule() -> None:
    row = normalize.eval_row(evaluation(), SCORE, Floor(value=0.9, source="default"))
    assert (row["hw"], row["task"], row["model_prefix"], row["conc"]) == ("LOCAL", "gsm8k", "demo", 8)
    assert (row["score"], row["score_name"], row["n_eff"]) == (row["em_strict"], "em_strict", 64)
    assert "infmax_model_prefix" not in row
    assert complaints(row) == []


def test_the_schema_gives_every_number_a_unit() -> None:
    units = ("second", "gpu", "token", "watt", "joule", "share", "request", "question", "gb", "workers")
    for kind in SCHEMA["$defs"].values():
        for name, field in kind["properties"].items():
            if field.get("type") in ("number", "integer"):
                assert any(unit in field["description"].lower() for unit in units), name
            else:
                assert field.get("description", "no"), name


def test_the_schema_refuses_what_is_no_row() -> None:
    row = normalize.load_row(fixed(), load())
    for broken in ({**row, "extra": 1}, {**row, "tput_per_gpu": 0}, {**row, "conc": "4"}):
        assert complaints(broken)
