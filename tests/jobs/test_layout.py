"""A repository that keeps everything in a folder of its own: every command follows policy's `layout`."""

import json

import pytest

from tests.repo import CHANGELOG, FILES, MASTER, Repo, entry

ROOT = "inferencex-e2e"
POLICY = {"configs/policy.yaml": f"layout: {{ root: {ROOT} }}\nregistries: {{}}\n"}
M1 = "m1-fp8-h200-sglang"


@pytest.fixture
def moved(repo: Repo) -> Repo:
    """The small repository below `inferencex-e2e/`, on both branches, and a change of one recipe."""
    repo.git("checkout", "-q", "main")
    repo.git("rm", "-q", "-r", ".")
    below = {f"{ROOT}/{path}": text for path, text in FILES.items() if path not in POLICY}
    repo.commit({**below, **POLICY})
    repo.git("checkout", "-q", "-B", "topic")
    change = {f"{ROOT}/configs/nvidia-master.yaml": MASTER.replace("[4, 8]", "[4, 8, 16]")}
    repo.commit({**change, f"{ROOT}/perf-changelog.yaml": CHANGELOG + entry(M1)})
    return repo


def test_rows_and_plan(moved: Repo) -> None:
    code, out, _ = moved.infx("matrix", "plan", "--base", "main")
    assert (code, [row["conc"] for row in json.loads(out)["single_node"]["1k1k"]]) == (0, [4, 8, 16])
    code, out, _ = moved.infx("plan", "--base", "main", "--show")
    assert code == 0
    assert f"{ROOT}/benchmarks/single_node/fixed_seq_len/m1_fp8_h200.sh" in out
    master = f"{ROOT}/configs/nvidia-master.yaml"
    assert moved.infx("matrix", "generate", "full-sweep", "--config-files", master)[0] == 0


def test_changed_keys_and_what_is_shared(moved: Repo) -> None:
    moved.commit({f"{ROOT}/benchmarks/lib.sh": "echo more\n"})
    _, out, _ = moved.infx("matrix", "changed", "--base", "main", "--json")
    details = json.loads(out)["details"]
    assert [key["key"] for key in details["keys"]] == [M1]
    assert [key["key"] for key in details["shared"]] == ["m2-fp8-h200-sglang"]


def test_changelog_commands(moved: Repo) -> None:
    assert moved.infx("changelog", "check", "--base", "main", "--pr", "7")[0] == 0
    moved.write({f"{ROOT}/perf-changelog.yaml": CHANGELOG + entry(M1).rstrip("\n")})
    assert moved.infx("changelog", "fix", "--base", "main")[0] == 0
    assert moved.read(f"{ROOT}/perf-changelog.yaml") == CHANGELOG + entry(M1)
