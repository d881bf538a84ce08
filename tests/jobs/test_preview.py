import json
from typing import Any

import pytest

from tests.edge.server import Reply, Server
from tests.repo import CHANGELOG, FOLDER, MASTER, Repo, entry

KEY = "qwen3.5-fp8-h200-sglang-agentic-mtp"
H200 = f"""\
{KEY}:
  image: lmsysorg/sglang:v0.5.16-cu130
  model: Qwen/Qwen3.5-397B-A17B-FP8
  model-prefix: qwen3.5
  runner: cluster:h200-dgxc
  precision: fp8
  framework: sglang
  multinode: false
  scenarios:
    agentic-coding:
    - dram-utilization: 0.80
      search-space:
      - {{ tp: 8, ep: 8, spec-decoding: mtp, kv-offloading: none, conc-list: [1, 4, 8, 12, 16] }}
      - {{ tp: 8, ep: 8, spec-decoding: mtp, kv-offloading: dram, kv-offload-backend: {{ name: hicache }},
          conc-list: [4, 8, 12, 16] }}
"""
HARDWARE = "hardware:\n  cluster:h200-dgxc: { available-cpu-dram-mib: 2000000, gpus-per-node: 8 }\n"
SCRIPT = {"benchmarks/single_node/agentic/qwen3.5_fp8_h200_mtp.sh": "serve --speculative-num-steps 3\n"}


def plan(repo: Repo, *labels: str) -> dict[str, Any]:
    words = [word for label in labels for word in ("--label", label)]
    _, out, _ = repo.infx("plan", "--base", "main", "--json", *words)
    answer: dict[str, Any] = json.loads(out)
    return answer


def test_the_h200_pull_request_as_first_proposed(repo: Repo) -> None:
    repo.commit(
        {
            "configs/nvidia-master.yaml": MASTER + H200,
            "configs/runners.yaml": repo.read("configs/runners.yaml") + HARDWARE,
            "perf-changelog.yaml": CHANGELOG + entry(KEY),
            **SCRIPT,
        }
    )
    answer = plan(repo, "full-sweep-fail-fast")
    (key,) = answer["details"]["keys"]
    assert (answer["details"]["throughput"], answer["details"]["evals"]) == (9, 1)
    assert key["throughput"] == [
        *("C1", "C4", "C8", "C12", "C16"),
        *("C4 hicache", "C8 hicache", "C12 hicache", "C16 hicache"),
    ]
    assert [one["point"] for one in key["evals"]] == ["C16 gsm8k"]
    assert (key["canary"], key["next_candidate"], key["deadline_s"]) == ("C1", "C4", 5400)
    assert (key["pool"], key["runners"]) == ("cluster:h200-dgxc", 2)
    assert "first recipe of qwen3.5 on h200" in answer["details"]["advice"][0]


def test_C23_zero_throughput_is_said_loudly_with_its_cause(repo: Repo) -> None:
    repo.commit(
        {
            "configs/nvidia-master.yaml": MASTER.replace("isl: 1024", "isl: 8192"),
            "perf-changelog.yaml": CHANGELOG + entry("m1*", more="  all-evals: true\n"),
        }
    )
    answer = plan(repo, "full-sweep-enabled")["details"]
    assert (answer["throughput"], answer["evals"]) == (0, 2)
    assert answer["warnings"] == [
        "m1-fp8-h200-sglang: 0 THROUGHPUT POINTS, because of `all-evals` in the changelog entry"
    ]


def test_a_label_without_canary(repo: Repo) -> None:
    repo.commit({"perf-changelog.yaml": CHANGELOG + entry("m*")})
    keys = plan(repo, "non-canary-full-sweep-enabled")["details"]["keys"]
    assert [(key["canary"], key["canary_why"]) for key in keys] == [(None, "the label has no canary")] * 2


def test_no_entry_plans_nothing(repo: Repo) -> None:
    answer = plan(repo)
    assert (answer["go"], answer["kind"], answer["details"]["keys"]) == (False, "empty", [])


def test_what_the_plan_job_would_refuse_is_said_beside_the_plan(repo: Repo) -> None:
    repo.commit({"configs/nvidia-master.yaml": MASTER.replace("[4, 8]", "[4]")})
    code, out, err = repo.infx("plan", "--base", "main")
    assert (code, out) == (0, "0 throughput points and 0 evals, 0 GPU-hours expected, 0 shards\n")
    assert "would refuse this change: changed-keys-without-entry: " in err
    assert "m1-fp8-h200-sglang; infx changelog new writes it" in err


@pytest.mark.parametrize("command", ["plan", "matrix changed", "changelog check"])
def test_work_that_is_not_committed_is_named(repo: Repo, command: str) -> None:
    def said(*more: str) -> str:
        return repo.infx(*command.split(), "--base", "main", *more)[2]

    repo.write({"configs/nvidia-master.yaml": MASTER.replace("[4, 8]", "[4]"), "README.md": "x"})
    assert said().endswith("not counted: configs/nvidia-master.yaml\n")
    repo.write({f"{FOLDER}/new.sh": "serve\n"})
    assert said().endswith("not counted: configs/nvidia-master.yaml and 1 more\n")
    assert "not counted" not in said("--head", "topic")
    repo.commit({})
    assert "not counted" not in said()


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        (
            ["full-sweep-fail-fst"],
            "no sweep label is named full-sweep-fail-fst, so it changes nothing; the nearest is full-",
        ),
        (["bug"], "changes nothing; sweeps start with full-sweep-fail-fast, "),
        (["full-sweep-fail-fast", "full-sweep-enabled"], "clash, so nothing would start"),
        (["full-sweep-fail-fast", "all-evals"], ""),
    ],
)
def test_labels_that_cannot_mean_what_they_say_are_named(repo: Repo, labels: list[str], says: str) -> None:
    _, _, err = repo.infx("plan", "--base", "main", *(word for one in labels for word in ("--label", one)))
    assert says in err
    assert bool(err) == bool(says)


def test_one_of_a_thing_is_said_in_the_singular(repo: Repo) -> None:
    repo.commit({"perf-changelog.yaml": CHANGELOG + entry("m2*")})
    assert repo.infx("plan", "--base", "main")[1].startswith("1 throughput point and 0 evals")


def test_an_unknown_runner_label_is_a_problem(repo: Repo) -> None:
    repo.commit(
        {
            "configs/runners.yaml": "labels:\n  h100: [n1]\n",
            "perf-changelog.yaml": CHANGELOG + entry("m2*"),
        }
    )
    code, out, _ = repo.infx("plan", "--base", "main")
    assert code == 1
    assert "runners.yaml knows no label cluster:h200-dgxc" in out


def test_a_pool_in_maintenance_starts_nothing_and_the_plan_says_why(repo: Repo) -> None:
    record = "{ driver: slurm, maintenance: 'new firmware\n\n    until Friday' }"
    repo.commit(
        {
            "configs/clusters.yaml": f"clusters:\n  cluster:h200-dgxc: {record}\n",
            "perf-changelog.yaml": CHANGELOG + entry("m2*"),
        }
    )
    code, out, _ = repo.infx("plan", "--base", "main", "--label", "full-sweep-enabled")
    assert code == 1
    said = "cluster:h200-dgxc is in maintenance (new firmware until Friday)"
    assert f"{said}; set the label again when it is over" in out


def test_a_missing_script_lists_the_paths(repo: Repo) -> None:
    repo.git("rm", "-q", f"{FOLDER}/m2_fp8_h200.sh")
    repo.commit({"perf-changelog.yaml": CHANGELOG + entry("m2*")})
    code, _, err = repo.infx("plan", "--base", "main")
    assert code == 2
    assert f"{FOLDER}/m2_fp8_h200_sglang.sh, {FOLDER}/m2_fp8_h200.sh" in err
    assert err.startswith("infx: m2-fp8-h200-sglang: ")


def test_show_prints_a_line_a_point(repo: Repo) -> None:
    repo.commit({"perf-changelog.yaml": CHANGELOG + entry("m1*")})
    _, out, _ = repo.infx("plan", "--base", "main", "--label", "full-sweep-enabled", "--show")
    assert [line.split()[2:4] for line in out.splitlines()[-2:]] == [
        ["m1-fp8-h200-sglang", f"C{c}"] for c in (4, 8)
    ]


def test_a_new_recipe_is_shown_beside_its_nearest_sibling(repo: Repo) -> None:
    sibling = MASTER.replace("m1-fp8-h200", "m1-fp8-h100").replace("cluster:h200-dgxc", "cluster:h100-cw", 1)
    script = "serve --mem-fraction-static 0.8 --speculative-algorithm EAGLE\n"
    repo.commit(
        {
            "configs/nvidia-master.yaml": MASTER + sibling[: sibling.index("m2-fp8")],
            "configs/runners.yaml": "labels:\n  cluster:h200-dgxc: [n1]\n  cluster:h100-cw: [n2]\n",
            f"{FOLDER}/m1_fp8_h100.sh": "serve --mem-fraction-static 0.75\n",
            f"{FOLDER}/m1_fp8_h200.sh": script,
            "perf-changelog.yaml": CHANGELOG + entry("m1-fp8-h200-sglang"),
        }
    )
    (told,) = plan(repo, "full-sweep-enabled")["details"]["siblings"]
    assert told == (
        "m1-fp8-h200-sglang: nearest is m1-fp8-h100-sglang (same model): "
        "--mem-fraction-static 0.75 → 0.8; + --speculative-algorithm EAGLE"
    )


def test_broken_scripts_and_flags_that_the_image_ignores_are_problems(repo: Repo) -> None:
    repo.commit(
        {
            f"{FOLDER}/m1_fp8_h200.sh": "export TOKEN_MODE=1\nserve --a 1 --a 2\n",
            f"{FOLDER}/m2_fp8_h200.sh": "if true; then\n",
            "configs/features.yaml": "features: { TOKEN_MODE: 'repo/engine:2.0' }\n",
            "configs/nvidia-master.yaml": MASTER.replace("repo/engine:1", "repo/engine:1.9"),
            "perf-changelog.yaml": CHANGELOG + entry("m*"),
        }
    )
    problems = plan(repo, "full-sweep-enabled")["details"]["problems"]
    assert len(problems) == 3
    assert "m2_fp8_h200.sh: line 2: syntax error" in problems[0]
    assert "--a stands twice" in problems[1]
    assert "TOKEN_MODE is read from repo/engine:2.0 on" in problems[2]


@pytest.mark.parametrize(
    ("status", "driver", "part", "says"),
    [
        (404, "slurm", "problems", "the registry has no image repo/engine:1; correct the tag"),
        (
            500,
            "slurm",
            "warnings",
            "could not tell whether the image repo/engine:1 exists: docker.io answered 500",
        ),
        (404, "local", "problems", ""),
        (200, "slurm", "problems", ""),
    ],
)
def test_only_an_image_that_is_surely_missing_blocks(
    repo: Repo, server: Server, status: int, driver: str, part: str, says: str
) -> None:
    server.routes["HEAD /v2/repo/engine/manifests/1"] = Reply(status)
    repo.commit(
        {
            "configs/policy.yaml": f"registries: {{ docker.io: '{server.url}' }}\n",
            "configs/clusters.yaml": f"clusters: {{ cluster:h200-dgxc: {{ driver: {driver} }} }}\n",
            "perf-changelog.yaml": CHANGELOG + entry("m2*"),
        }
    )
    found = plan(repo, "full-sweep-enabled")["details"][part]
    assert [says in one for one in found] == ([True] if says else [])
