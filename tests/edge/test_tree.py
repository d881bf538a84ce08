import pytest

from infx.edge import settings
from infx.edge.git import Git
from infx.edge.tree import states, versions
from infx.errors import BadInput
from infx.rules import Layout
from tests.repo import CHANGELOG, FOLDER, MASTER, Repo, entry


@pytest.fixture
def layout(repo: Repo) -> Layout:
    return settings.load(repo.root).layout


def test_a_state_holds_configs_scripts_and_curves(repo: Repo, layout: Layout) -> None:
    head = repo.commit(
        {
            "configs/golden-al/m1_mtp.yaml": "# run 1\norg/m1:\n  thinking_on: { 3: 3.39 }\n",
            "configs/clusters.yaml": "clusters:\n  cluster:h200-dgxc: { driver: slurm }\n",
            "benchmarks/a.yaml": "x: 1\n",
            "README.md": "not read\n",
        }
    )
    (state,) = states(Git(repo.root), [head], layout=layout)
    assert list(state.catalog.configs) == ["m1-fp8-h200-sglang", "m2-fp8-h200-sglang"]
    assert state.files[f"{FOLDER}/m1_fp8_h200.sh"] == b". benchmarks/lib.sh\n"
    assert state.documents["benchmarks/a.yaml"] == {"x": 1}
    assert state.golden == {"m1_mtp": {"thinking_on": {3: 3.39}}}
    assert state.clusters == {"cluster:h200-dgxc": {"driver": "slurm"}}
    assert "README.md" not in state.objects


def test_equal_trees_are_read_once(repo: Repo, layout: Layout) -> None:
    head = repo.commit({"README.md": "x\n"})
    before, after = states(Git(repo.root), [repo.git("rev-parse", "main"), head], layout=layout)
    assert before.catalog is after.catalog
    assert before.commit != after.commit


def test_a_broken_recipe_is_refused_only_when_it_is_asked_for(repo: Repo, layout: Layout) -> None:
    (state,) = states(Git(repo.root), [repo.commit({"benchmarks/a.yaml": "[\n"})], layout=layout)
    assert "benchmarks/a.yaml" in state.documents
    with pytest.raises(BadInput, match=r"benchmarks/a\.yaml:"):
        state.documents["benchmarks/a.yaml"]


def test_a_missing_master_is_bad_input(repo: Repo, layout: Layout) -> None:
    repo.git("rm", "-q", "configs/amd-master.yaml")
    with pytest.raises(BadInput, match=r"no file configs/amd-master\.yaml"):
        states(Git(repo.root), [repo.commit({})], layout=layout)


def test_a_broken_config_of_the_base_is_not_taken_for_the_heads(repo: Repo, layout: Layout) -> None:
    base = repo.commit({"configs/nvidia-master.yaml": "a: [\n"})
    head = repo.commit({"configs/nvidia-master.yaml": MASTER})
    for commits, where in (([base, head], rf"^{base[:12]}:"), ([head, base], "^")):
        with pytest.raises(BadInput, match=rf"{where}configs/nvidia-master\.yaml:2:1: not valid YAML"):
            states(Git(repo.root), commits, layout=layout)


def test_three_versions_of_the_changelog(repo: Repo) -> None:
    repo.git("checkout", "-q", "main")
    repo.commit({"perf-changelog.yaml": CHANGELOG + entry("a", 2)})
    repo.git("checkout", "-q", "topic")
    repo.commit({"perf-changelog.yaml": CHANGELOG + entry("b"), "configs/nvidia-master.yaml": MASTER})
    found = versions(Git(repo.root), "perf-changelog.yaml", base="main", head="topic")
    assert [len(one) for one in (found.merge_base, found.target, found.head)] == [
        len(CHANGELOG),
        len(CHANGELOG + entry("a", 2)),
        len(CHANGELOG + entry("b")),
    ]


def test_a_changelog_that_is_not_there_is_empty(repo: Repo) -> None:
    assert versions(Git(repo.root), "nowhere.yaml", base="main", head="topic").head == b""
