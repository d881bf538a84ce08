import math
from typing import Any

import pytest

from infx.errors import BadInput
from infx.read.lmeval import score

GOOD: dict[str, Any] = {
    "results": {"gsm8k": {"exact_match,strict-match": 0.95, "exact_match,flexible-extract": 0.96}},
    "n-samples": {"gsm8k": {"original": 64, "effective": 60}},
    "configs": {
        "gsm8k": {
            "filter_list": [
                {
                    "name": "strict-match",
                    "filter": [{"function": "regex", "regex_pattern": "#### (.+)", "group_select": -1}],
                }
            ]
        }
    },
    "config": {"model_args": {"model": "m"}},
    "lm_eval_version": "0.4.13",
}


def read(value: Any) -> Any:
    return score(value, task="gsm8k", conc=16, ended=5.0)


def test_score_carries_extraction_rule_and_harness_version() -> None:
    found = read(GOOD)
    assert (found.client, found.extraction) == ("lm-eval 0.4.13", "last #### (.+)")
    assert (found.strict, found.flexible, found.scored, found.asked, found.conc) == (0.95, 0.96, 60, 64, 16)


@pytest.mark.parametrize("value", [None, "0.95", True, {}])
def test_a_score_that_is_no_number_is_nan(value: Any) -> None:
    results = {"gsm8k": {"exact_match,strict-match": value}}
    found = read({**GOOD, "results": results})
    assert math.isnan(found.strict)
    assert math.isnan(found.flexible)


@pytest.mark.parametrize("name", ["results", "n-samples", "configs", "config"])
def test_a_missing_part_is_refused(name: str) -> None:
    for broken in ({**GOOD, name: None}, {key: value for key, value in GOOD.items() if key != name}):
        with pytest.raises(BadInput):
            read(broken)


@pytest.mark.parametrize("value", [math.inf, math.nan, None, "many", [], 10**400])
def test_a_count_that_is_none_is_refused(value: Any) -> None:
    samples = {"gsm8k": {"original": 64, "effective": value}}
    try:
        found = read({**GOOD, "n-samples": samples})
    except BadInput:
        return
    assert found.scored == value


def test_a_score_beyond_every_number_is_refused() -> None:
    with pytest.raises(BadInput):
        read({**GOOD, "results": {"gsm8k": {"exact_match,strict-match": 10**400}}})
