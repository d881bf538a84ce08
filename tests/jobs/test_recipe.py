"""What recipes start: golden files of every H200 key, and recipe files with their roles."""

from pathlib import Path
from typing import Any

import pytest

from infx.cluster import overrides
from infx.edge import dryrun
from infx.errors import BadInput, CouldNotTell
from infx.matrix import roles
from infx.matrix.variant import variants
from infx.read import yaml
from tests import recipes

pytestmark = pytest.mark.process
EXAMPLE = recipes.ROOT / "docs/examples/muse-spark-open-h200/benchmarks/single_node/agentic"


@pytest.mark.parametrize("key", recipes.keys())
def test_a_recipe_starts_what_its_golden_file_says(key: str) -> None:
    """`python -m tests.recipes` rewrites the files; the diff is what a reviewer reads."""
    assert recipes.shown(key) == (recipes.FOLDER / f"{key}.txt").read_text()


def test_every_golden_file_has_its_key() -> None:
    assert {path.stem for path in recipes.FOLDER.glob("*.txt")} == set(recipes.keys())


def test_a_script_that_starts_nothing_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text("echo no engine here >&2\nfalse\n")
    with pytest.raises(CouldNotTell, match="no engine here"):
        dryrun.start("a.sh", root=tmp_path, env={})


def test_files_and_variables_that_a_script_makes_are_shown(tmp_path: Path) -> None:
    text = """export A=1
file=$(mktemp)
trap 'rm -f "$file"' EXIT
echo x: 1 > "$file"
vllm serve m --empty "" --f "$file"
"""
    (tmp_path / "a.sh").write_text(text)
    found = dryrun.start("a.sh", root=tmp_path, env={"B": "2"})
    assert found.argv == ("vllm", "serve", "m", "--empty", "", "--f", "FILE1")
    assert (dict(found.env), dict(found.files)) == ({"A": "1"}, {"FILE1": "x: 1\n"})


def flat(name: str = "zip_override_conc[3]") -> dict[str, Any]:
    (path,) = EXAMPLE.glob("*.yaml")
    return dict(variants(yaml.load(path.read_bytes(), where=path.name), where=path.name)[name])


def test_an_aggregated_recipe_becomes_one_command() -> None:
    (role,) = roles.roles(flat(), model="example/M", path="/models/m")
    assert (role.name, role.count, role.argv[:5]) == (
        "aggregated",
        1,
        ("python3", "-m", "sglang.launch_server", "--model-path", "/models/m"),
    )
    assert "--max-running-requests 8" in role.command
    assert '--port "$PORT"' in roles.script(role)


DISAGGREGATED: dict[str, Any] = {
    "resources": {"prefill_workers": 2, "decode_workers": 1},
    "frontend": {"type": "dynamo", "args": {"router-mode": "kv"}},
    "backend": {
        "type": "sglang",
        "prefill_environment": {"A": 1},
        "sglang_config": {"prefill": {"tp": 8, "trust-remote-code": True, "x": False}, "decode": {"tp": 16}},
    },
}


def test_roles_of_a_disaggregated_recipe() -> None:
    front, prefill, decode = roles.roles(DISAGGREGATED, model="m", path="/p")
    assert (front.name, front.argv[-2:]) == ("frontend", ("--router-mode", "kv"))
    assert (prefill.name, prefill.count, dict(prefill.env)) == (
        "prefill",
        2,
        {"DYN_SYSTEM_ENABLED": "true", "DYN_SYSTEM_PORT": "$PORT", "A": "1"},
    )
    assert prefill.argv[-3:] == ("--tp", "8", "--trust-remote-code")
    assert (decode.argv[2], decode.argv[-1]) == ("dynamo.sglang", "16")


def test_tensorrt_reads_its_settings_from_a_file() -> None:
    document = {"backend": {"type": "trtllm", "trtllm_config": {"aggregated": {"max_batch_size": 64}}}}
    (role,) = roles.roles(document, model="m", path="/p")
    assert role.argv[-2:] == ("--extra_llm_api_options", roles.OPTIONS)
    assert '"max_batch_size": 64' in role.files[roles.OPTIONS]


@pytest.mark.parametrize("document", [{}, {"backend": {"type": "other"}}, {"backend": {"type": "sglang"}}])
def test_a_recipe_without_an_engine_is_refused(document: dict[str, Any]) -> None:
    with pytest.raises(BadInput):
        roles.roles(document, model="m", path="p")


def test_the_first_matching_glob_wins_for_each_field() -> None:
    table = {
        "org/m-7b": {"model.path": "/exact"},
        "org/m-*": {"model.path": "/any", "model.container": "alias"},
        "*": {"model.container": "other", "resources.gpus_per_node": "4"},
    }
    assert overrides(table, "org/m-7b") == {
        "model.path": "/exact",
        "model.container": "alias",
        "resources.gpus_per_node": "4",
    }
    assert overrides(table, "else/x") == {"model.container": "other", "resources.gpus_per_node": "4"}
    assert roles.overlaid({"model": {"path": "a", "x": 1}}, {"model.path": "b", "new.y": "c"}) == {
        "model": {"path": "b", "x": 1},
        "new": {"y": "c"},
    }
