"""The documented example: a recipe file whose zip lists give one variant a concurrency."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from infx.edge import settings
from infx.edge.tree import Documents
from infx.errors import BadInput
from infx.matrix import generate
from infx.matrix.job import Job
from infx.matrix.recipes import Recipes
from infx.matrix.variant import choose, variants
from infx.read import yaml
from infx.read.config import read_catalog
from infx.state import State

HERE = Path(__file__).parents[2] / "docs/examples/muse-spark-open-h200"
RECIPE = "benchmarks/single_node/agentic/musesparkopen_fp4_h200_sglang_mtp.yaml"
KEY = "muse-spark-open-fp4-h200-sglang-agentic-dflash"
TEXT = (HERE / RECIPE).read_text()
CONCS = [1, 2, 4, 8, 16, 24, 32, 48, 64]


def parts(text: str = TEXT) -> tuple[list[Job], Recipes]:
    names = ("configs/nvidia-master.yaml", "configs/runners.yaml")
    master, runners = ((name, (HERE / name).read_bytes()) for name in names)
    catalog = read_catalog([master], runners)
    clusters: Mapping[str, Any] = yaml.load((HERE / "configs/clusters.yaml").read_bytes(), where="c")
    files = {RECIPE: text.encode()}
    state = State(
        commit="c",
        catalog=catalog,
        files=files,
        documents=Documents(files),
        clusters=clusters["clusters"],
    )
    rules = settings.parse((HERE / "configs/policy.yaml").read_text())
    jobs = generate.test_config(catalog, generate.TestConfig(config_keys=(KEY,), no_evals=True))
    return jobs, Recipes(state, rules)


def marks(text: str = TEXT) -> dict[int, str]:
    """Concurrency → recipe digest."""
    jobs, recipes = parts(text)
    return {job.row["conc"]: recipes.fingerprint(job.row, recipes.script(job.row)).recipe for job in jobs}


def test_nine_concurrencies_match_nine_variants() -> None:
    jobs, recipes = parts()
    assert [job.row["conc"] for job in jobs] == CONCS
    scripts = [recipes.script(job.row) for job in jobs]
    assert scripts == [f"{RECIPE}:zip_override_conc[{number}]" for number in range(9)]
    for job, script in zip(jobs, scripts, strict=True):
        found = recipes.settings(job.row, script).flags
        assert found["--max-running-requests"] == found["--cuda-graph-max-bs-decode"] == str(job.row["conc"])
        assert (found["--tensor-parallel-size"], found["--moe-runner-backend"]) == ("8", "marlin")


def test_the_row_says_what_the_issue_says() -> None:
    row = parts()[0][0].row
    assert (row["tp"], row["ep"], row["precision"], row["spec-decoding"]) == (8, 8, "fp4", "draft_model")


def test_each_variant_has_a_fingerprint_of_its_own() -> None:
    before = marks()
    assert len(set(before.values())) == 9
    one = TEXT.replace("cuda-graph-max-bs-decode: [1, 2, 4,", "cuda-graph-max-bs-decode: [1, 2, 5,")
    after = marks(one)
    assert [conc for conc in CONCS if before[conc] != after[conc]] == [4]
    assert marks("# a comment\n" + TEXT) == before


def test_unequal_lists_are_named() -> None:
    broken = TEXT.replace("max-running-requests: [1, 2,", "max-running-requests: [2,")
    place = r"backend\.sglang_config\.aggregated\.max-running-requests"
    with pytest.raises(BadInput, match=f"CONC has 9, {place} has 8"):
        variants(yaml.load(broken, where=RECIPE), where=RECIPE)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("CONC: [1, 2, 4,", "CONC: [1, 2, 2,", "2 variants match"),
        ("CONC: [1, 2, 4,", "CONC: [1, 3, 4,", "no variant matches"),
        ("gpus_per_agg: 8", "gpus_per_agg: 4", "no variant matches"),
        ("container: registry.invalid/sglang:muse-spark-open", "container: other/x:1", "no variant matches"),
        ("KV_OFFLOADING: none", "KV_OFFLOADING: dram", "no variant matches"),
    ],
)
def test_a_point_matches_exactly_one_variant(old: str, new: str, says: str) -> None:
    assert old in TEXT
    row = {**parts()[0][0].row, "conc": 2}
    with pytest.raises(BadInput, match=says):
        choose(yaml.load(TEXT.replace(old, new), where=RECIPE), "", row, where=RECIPE)
