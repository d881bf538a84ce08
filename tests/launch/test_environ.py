from infx.launch.environ import exported, inherited
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
