import io
import json
from dataclasses import replace
from typing import Any

import pytest

from infx.cli import main
from infx.decision import Decision
from infx.edge.world import World
from infx.facts import Facts, Reuse
from infx.jobs.decide import Sweep
from infx.plan import Plan
from tests.builders import FULL, event, rules
from tests.repo import CHANGELOG, FOLDER, MASTER, Repo, entry

M1 = "m1-fp8-h200-sglang"
MORE = {"configs/nvidia-master.yaml": MASTER.replace("[4, 8]", "[4, 8, 16]")}


def check(repo: Repo, *more: str) -> tuple[int, dict[str, Any]]:
    code, out, _ = repo.infx("changelog", "check", "--base", "main", "--pr", "7", "--json", *more)
    return code, json.loads(out)


def test_C19_a_change_without_entry_and_with_one(repo: Repo) -> None:
    repo.commit(MORE)
    code, answer = check(repo)
    assert (code, answer["kind"], answer["details"]["keys"]) == (1, "changed-keys-without-entry", [M1])
    repo.commit({"perf-changelog.yaml": CHANGELOG + entry(M1)})
    assert check(repo)[0] == 0


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (entry(M1).lstrip("\n"), "missing-separator"),
        (entry(M1, 8), "pr-link-mismatch"),
        (entry("m9"), "unknown-config-key"),
        (entry(M1, more="  evals_only: true\n"), "unknown-field"),
        (entry(M1, more="  evals-only: true\n  evals-only: true\n"), "duplicate-key"),
        (entry(M1, more="  evals-only: true\n  no-evals: true\n"), "contradictory-selectors"),
        (entry(M1) + entry("m2*"), "too-many-entries"),
        (entry(M1, "XXX"), "appended"),
    ],
)
def test_each_kind_through_the_command(repo: Repo, text: str, kind: str) -> None:
    repo.commit({**MORE, "perf-changelog.yaml": CHANGELOG + text})
    code, answer = check(repo)
    assert (code, answer["kind"]) == (0 if kind == "appended" else 1, kind)


def test_errors_of_the_author_name_the_line_in_the_file(repo: Repo) -> None:
    repo.commit({**MORE, "perf-changelog.yaml": CHANGELOG + entry(M1, more="  evals_only: true\n")})
    assert "perf-changelog.yaml:11:" in check(repo)[1]["reason"]


def test_a_label_that_contradicts_the_entry(repo: Repo) -> None:
    repo.commit({**MORE, "perf-changelog.yaml": CHANGELOG + entry(M1, more="  no-evals: true\n")})
    assert check(repo, "--label", "all-evals")[1]["kind"] == "contradictory-selectors"
    assert check(repo)[1]["kind"] == "appended"


def test_C08_a_stale_branch_is_not_a_deletion_and_fix_repairs_it(repo: Repo) -> None:
    repo.git("checkout", "-q", "main")
    repo.commit({"perf-changelog.yaml": CHANGELOG + entry("m2*", 2)})
    repo.git("checkout", "-q", "topic")
    repo.commit({**MORE, "perf-changelog.yaml": CHANGELOG + entry(M1)})
    _, answer = check(repo)
    assert answer["kind"] == "stale-branch"
    assert repo.infx("changelog", "fix", "--base", "main")[0] == 0
    assert repo.read("perf-changelog.yaml") == answer["right"] == CHANGELOG + entry("m2*", 2) + entry(M1)


def test_a_correction_of_links_alone_passes(repo: Repo) -> None:
    repo.commit({"perf-changelog.yaml": CHANGELOG.replace("pull/1", "pull/3")})
    assert check(repo)[1]["kind"] == "pr-link-correction"
    repo.commit({"README.md": "x"})
    assert check(repo)[1]["kind"] == "history-edited"


def test_text_says_how_to_repair(repo: Repo) -> None:
    repo.commit({**MORE, "perf-changelog.yaml": CHANGELOG + entry(M1).rstrip("\n")})
    code, out, _ = repo.infx("changelog", "check", "--base", "main")
    assert code == 1
    assert out.startswith("no-final-newline: ")
    assert "infx changelog fix --base main` writes" in out


def test_a_wrong_link_is_repaired_by_the_command_that_is_named(repo: Repo) -> None:
    repo.commit({**MORE, "perf-changelog.yaml": CHANGELOG + entry(M1, "XXX").rstrip("\n")})
    out = repo.infx("changelog", "check", "--base", "main", "--pr", "7")[1]
    named = out.split("`")[1]
    assert repo.infx(*named.split()[1:])[0] == 0
    assert repo.read("perf-changelog.yaml") == CHANGELOG + entry(M1)


def test_a_key_that_the_entry_forgot_goes_into_it(repo: Repo) -> None:
    repo.commit({**MORE, "perf-changelog.yaml": CHANGELOG + entry("m2*")})
    assert "add them to the entry" in check(repo)[1]["reason"]


def test_no_yaml_at_all_is_bad_input(repo: Repo) -> None:
    repo.commit({**MORE, "perf-changelog.yaml": CHANGELOG + "\n- [\n"})
    code, out, err = repo.infx("changelog", "check", "--base", "main")
    assert (code, out) == (2, "")
    assert "perf-changelog.yaml:" in err


@pytest.mark.parametrize(
    "command",
    [
        ("changelog", "check"),
        ("changelog", "fix"),
        ("changelog", "new", "--description", "x"),
        ("matrix", "changed"),
        ("plan",),
    ],
)
def test_a_shallow_clone_is_told_how_to_deepen(repo: Repo, command: tuple[str, ...]) -> None:
    repo.commit(MORE)
    repo.git("clone", "-q", "--depth", "1", "--no-single-branch", f"file://{repo.root}", "shallow")
    err = io.StringIO()
    env = {"GITHUB_REPOSITORY": "o/r"}
    world = World(env=env, cwd=repo.root / "shallow", out=io.StringIO(), err=err)
    assert main([*command, "--base", "origin/main"], world) == 2
    assert "git fetch --unshallow" in err.getvalue()


def test_a_commit_that_a_shallow_clone_lacks_is_asked_for_by_deepening(repo: Repo) -> None:
    old = repo.git("rev-parse", "HEAD")
    repo.commit(MORE)
    repo.git("clone", "-q", "--depth", "1", f"file://{repo.root}", "shallow")
    err = io.StringIO()
    world = World(env={}, cwd=repo.root / "shallow", out=io.StringIO(), err=err)
    assert main(["matrix", "plan", "--base", old], world) == 2
    assert "git fetch --unshallow" in err.getvalue()


MARKERS = f"<<<<<<< branch\n{CHANGELOG}=======\n{CHANGELOG}{entry(M1)}>>>>>>> main\n"


def swept(repo: Repo, base: str, head: str, facts: Facts | None = None) -> tuple[Decision, Plan | None]:
    """What the plan job answers, to the label `full-sweep-enabled` where no other event is given."""
    env = {"GITHUB_REPOSITORY": "o/r", "GITHUB_TOKEN": "t", "GITHUB_RUN_ID": "1"}
    world = World(env=env, cwd=repo.root, out=io.StringIO(), err=io.StringIO())
    facts = facts or event("labeled", FULL, (FULL,), run_id=1)
    assert facts.webhook.title is not None
    title = replace(facts.webhook.title, base_sha=base, head_sha=head)
    sweep = Sweep(world, facts.webhook)
    return sweep.planned(facts, title, rules=rules("registries: {}"), recorded=None)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        pytest.param(MARKERS, "conflict-markers", id="C16"),
        pytest.param(CHANGELOG, "entries-deleted", id="C20"),
        pytest.param(CHANGELOG + entry("m2*", 2), "changed-keys-without-entry", id="C19"),
    ],
)
def test_a_refused_changelog_plans_nothing(repo: Repo, text: str, kind: str) -> None:
    repo.git("checkout", "-q", "main")
    base = repo.commit({"perf-changelog.yaml": CHANGELOG + entry("m2*", 2)})
    repo.git("checkout", "-q", "-B", "topic")
    head = repo.commit({**MORE, "perf-changelog.yaml": text})
    answer, made = swept(repo, base, head)
    assert (answer.go, answer.kind, made) == (False, kind, None)


def pushed(repo: Repo, files: dict[str, str], **facts: Any) -> tuple[Decision, Plan | None]:
    """The plan job after a push under a primary label."""
    base = repo.git("rev-parse", "main")
    return swept(repo, base, repo.commit(files), event("synchronize", "", (FULL,), run_id=1, **facts))


SCRIPT = f"{FOLDER}/m1_fp8_h200.sh"


@pytest.mark.parametrize(
    ("facts", "kind"),
    [
        pytest.param({"reuse": Reuse.COVERS}, "reuse", id="C68"),
        pytest.param({"message": "x\n\n[skip-sweep]"}, "skip-marker", id="C82"),
    ],
)
def test_a_push_that_measures_nothing_is_validated_all_the_same(
    repo: Repo, facts: dict[str, Any], kind: str
) -> None:
    good = {**MORE, "perf-changelog.yaml": CHANGELOG + entry(M1)}
    answer, made = pushed(repo, good, **facts)
    assert (answer.go, answer.kind, made) == (False, kind, None)
    answer, made = pushed(repo, {**good, "perf-changelog.yaml": CHANGELOG}, **facts)
    assert (answer.kind, made) == ("changed-keys-without-entry", None)
    answer, made = pushed(repo, {**good, SCRIPT: "if true; then\n"}, **facts)
    assert (answer.kind, made) == ("broken", None)
    assert f"{SCRIPT}" in answer.reason


def test_a_good_changelog_is_planned(repo: Repo) -> None:
    head = repo.commit({**MORE, "perf-changelog.yaml": CHANGELOG + entry(M1)})
    answer, made = swept(repo, repo.git("rev-parse", "main"), head)
    assert (answer.go, answer.kind) == (True, "start")
    assert made is not None
    assert [point.title for point in made.points] == ["C4", "C8", "C16"]
