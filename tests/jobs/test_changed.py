import json
from typing import Any

import pytest

from tests.repo import FOLDER, MASTER, Repo

ORDER, SWAPPED = "  precision: fp8\n  framework: sglang\n", "  framework: sglang\n  precision: fp8\n"
M1, M2 = "m1-fp8-h200-sglang", "m2-fp8-h200-sglang"


def changed(repo: Repo, *more: str) -> dict[str, Any]:
    code, out, _ = repo.infx("matrix", "changed", "--base", "main", "--json", *more)
    assert code == 0
    details: dict[str, Any] = json.loads(out)["details"]
    return details


def test_added_and_removed_points_are_named(repo: Repo) -> None:
    repo.commit({"configs/nvidia-master.yaml": MASTER.replace("[4, 8]", "[8, 16]")})
    (key,) = changed(repo)["keys"]
    assert (key["key"], key["added"], key["removed"]) == (M1, ["C16"], ["C4"])


@pytest.mark.parametrize(
    ("files", "keys", "shared"),
    [
        ({"configs/nvidia-master.yaml": "# why\n" + MASTER}, [], []),
        ({"configs/nvidia-master.yaml": MASTER.replace(ORDER, SWAPPED)}, [], []),
        ({"configs/nvidia-master.yaml": MASTER.replace("org/m2", "org/x")}, [M2], []),
        ({"configs/golden-al/m1_mtp.yaml": "org/m1:\n  thinking_on: { 3: 3.39 }\n"}, [], []),
        ({"README.md": "x"}, [], []),
        ({f"{FOLDER}/m2_fp8_h200.sh": ". benchmarks/lib.sh\nmore\n"}, [M2], []),
        ({"benchmarks/lib.sh": "echo more\n"}, [], [M1, M2]),
        ({f"{FOLDER}/m2_fp8_h200_sglang.sh": "another\n"}, [M2], []),
        ({"configs/nvidia-master.yaml": MASTER.replace("org/m1", "org/x")}, [M1], []),
        (
            {
                "configs/nvidia-master.yaml": "# why\n" + MASTER,
                f"{FOLDER}/m2_fp8_h200_sglang.sh": "another\n",
            },
            [M2],
            [],
        ),
        (
            {
                "configs/nvidia-master.yaml": MASTER.replace("org/m1", "org/x"),
                "benchmarks/lib.sh": "echo more\n",
            },
            [M1],
            [M2],
        ),
    ],
)
def test_what_is_executed_decides(
    repo: Repo, files: dict[str, str], keys: list[str], shared: list[str]
) -> None:
    repo.commit(files)
    details = changed(repo)
    assert [key["key"] for key in details["keys"]] == keys
    assert [key["key"] for key in details["shared"]] == shared


def test_keys_that_are_new_or_gone(repo: Repo) -> None:
    repo.commit({"configs/nvidia-master.yaml": MASTER.replace("m1-fp8", "m3-fp8")})
    assert [(key["key"], key["gone"]) for key in changed(repo)["keys"]] == [
        ("m3-fp8-h200-sglang", False),
        (M1, True),
    ]


@pytest.mark.parametrize(("keys", "says"), [((M1,), "1 key changed"), ((M1, M2), "2 keys changed")])
def test_the_reason_counts_the_keys(repo: Repo, keys: tuple[str, ...], says: str) -> None:
    text = MASTER
    for key in keys:
        text = text.replace(f"org/{key[:2]}", "org/x")
    repo.commit({"configs/nvidia-master.yaml": text})
    _, out, _ = repo.infx("matrix", "changed", "--base", "main", "--json")
    assert json.loads(out)["reason"] == says


def test_a_key_that_cannot_be_expanded_is_told(repo: Repo) -> None:
    arm = "{ tp: 8, kv-offloading: dram, kv-offload-backend: { name: x }, conc-list: [4] }"
    trace = f"    agentic-coding:\n    - {{ dram-utilization: 0.5, search-space: [{arm}] }}\n"
    repo.commit({"configs/nvidia-master.yaml": MASTER + trace})
    code, out, _ = repo.infx("matrix", "changed", "--base", "main")
    assert code == 0
    assert f"{M2}: removed C4; cannot be expanded" in out


def test_the_merge_base_is_compared_unless_exact(repo: Repo) -> None:
    repo.git("checkout", "-q", "main")
    repo.commit({"configs/nvidia-master.yaml": MASTER.replace("[4, 8]", "[4]")})
    repo.git("checkout", "-q", "topic")
    assert changed(repo)["keys"] == []
    assert [key["added"] for key in changed(repo, "--exact")["keys"]] == [["C8"]]


def test_nothing_is_checked_out_and_the_base_is_printed(repo: Repo) -> None:
    repo.write({"configs/nvidia-master.yaml": "uncommitted\n"})
    _, out, err = repo.infx("matrix", "changed", "--base", "main")
    assert out == "no key changed\n"
    assert repo.git("rev-parse", "main")[:12] in err
    assert repo.read("configs/nvidia-master.yaml") == "uncommitted\n"


@pytest.mark.parametrize("side", ["main", "topic"])
def test_broken_yaml_on_either_side_is_bad_input(repo: Repo, side: str) -> None:
    repo.git("checkout", "-q", side)
    repo.commit({"configs/nvidia-master.yaml": "a: [\n"})
    repo.git("checkout", "-q", "topic")
    code, out, err = repo.infx("matrix", "changed", "--base", "main", "--exact")
    assert (code, out) == (2, "")
    assert "configs/nvidia-master.yaml:" in err


def test_a_missing_base_is_bad_input(repo: Repo) -> None:
    code, _, err = repo.infx("matrix", "changed", "--base", "nowhere")
    assert code == 2
    assert "git fetch" in err
