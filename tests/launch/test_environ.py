from typing import Any

import pytest

from infx.launch.environ import exported, inherited
from tests.matrix.test_schema import ROWS
from tests.runtime import agentic, fixed


def test_every_row_field_reaches_the_script() -> None:
    point = fixed(4, row={"a-new-field": 7})
    env = exported(point.row)
    assert {name.upper().replace("-", "_") for name in point.row} == set(env)
    assert (env["CONC"], env["ISL"], env["DP_ATTN"], env["A_NEW_FIELD"]) == ("4", "128", "false", "7")


def test_nested_fields_are_joined() -> None:
    point = agentic(row={"kv-offload-backend": {"name": "hicache", "version": "1"}})
    env = exported(point.row)
    assert (env["KV_OFFLOAD_BACKEND_NAME"], env["KV_OFFLOAD_BACKEND_VERSION"]) == ("hicache", "1")


def test_C26_a_component_arrives_as_its_name_and_text_fields_arrive_as_they_are() -> None:
    backend = {"name": "lmcache", "version": "0.3"}
    env = exported(agentic(row={"kv-offload-backend": backend, "spec-decoding": "mtp"}).row)
    assert (env["KV_OFFLOAD_BACKEND"], env["SPEC_DECODING"]) == ("lmcache", "mtp")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["exp-name"])
def test_C26_every_field_of_every_kind_of_row_reaches_the_job_as_text(row: dict[str, Any]) -> None:
    env = exported(row)
    for name, value in row.items():
        key = name.upper().replace("-", "_")
        inner = (
            {f"{key}_{one.upper().replace('-', '_')}" for one in value} if isinstance(value, dict) else {key}
        )
        assert inner <= env.keys()
    assert all(isinstance(value, str) for value in env.values())


def test_C59_lists_have_no_spaces_to_be_cut_at() -> None:
    assert exported({"conc": [16, 64, 256], "eval-conc": None}) == {"CONC": "16,64,256", "EVAL_CONC": ""}


def test_tokens_of_the_workflow_stay_outside() -> None:
    env = {
        "PATH": "/bin",
        "HF_TOKEN": "runner's",
        "GITHUB_TOKEN": "x",
        "ACTIONS_RUNTIME_TOKEN": "x",
        "INPUT_X": "x",
    }
    assert inherited(env) == {"PATH": "/bin", "HF_TOKEN": "runner's"}
