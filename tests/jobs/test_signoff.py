"""Sign-offs on a served forge: the H200 recipe's pull request, its owners, and everything that goes wrong."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from infx import signing
from infx.assessment import Findings
from infx.cli import main
from infx.edge import store
from infx.forge import pulls, reviews
from infx.jobs import signoff as job
from infx.signoff import SignoffFacts
from tests.lives.project import SCRIPT, project
from tests.town import NAME, Town, plant_sweep, signed

pytestmark = pytest.mark.forge
INTAKE = ".github/workflows/review-intake.yml"
PATCHED = """\
#!/usr/bin/env bash
set -euo pipefail
sed -i 's/a/b/' "$(python3 -c 'import sglang; print(sglang.__path__[0])')/srt/server.py"
"""
WAIVER = """\
What: one line of server.py is changed. Why: the flag does not exist yet.
Upstream: https://github.com/sgl-project/sglang/pull/1
Removal: dropped with the next image.
"""


@pytest.fixture
def town(tmp_path: Path) -> Iterator[Town]:
    made = Town(tmp_path, project())
    yield made
    made.close()


def grade(town: Town, check: str) -> str:
    """What the only verdict comment says of a check."""
    [line] = [line for line in town.verdict(1).splitlines() if f"**{check}**:" in line]
    return line.removeprefix("- ").partition(" **")[0]


def test_a_head_has_its_status_from_the_first_second(town: Town) -> None:
    town.propose()
    assert town.status(1) == ("pending", "waiting for a sign-off of @owner-nv")


def test_a_real_owner_passes_with_warnings_and_a_human_item(town: Town) -> None:
    town.propose()
    town.measured(1)
    town.sign(1)
    assert town.status(1)[0] == "success"
    text = town.verdict(1)
    assert [grade(town, name) for name in ("golden-acceptance", "pareto-points", "code-quality")] == [
        "WARN",
        "WARN",
        "HUMAN",
    ]
    assert "FAIL" not in text
    assert "was measured on nvfp4, the recipe runs on fp8 and B300, the recipe runs on h200" in text
    assert "collect it with a SPEED-Bench run" in text
    assert "agentic-mtp hicache: 4" in text
    assert "owner says yes" in text


def test_a_patched_engine_needs_a_waiver(town: Town) -> None:
    script = town.tree[SCRIPT].decode().replace("set -euo pipefail\n", PATCHED.split("\n", 1)[1], 1)
    town.propose({SCRIPT: script})
    town.measured(1)
    town.sign(1)
    assert grade(town, "no-engine-patch") == "FAIL"
    assert "docs/waiver/1.md" in town.verdict(1)
    assert town.status(1)[1].startswith("rejected @owner-nv: no-engine-patch")
    town.push(1, {"docs/waiver/1.md": WAIVER})
    town.measured(1)
    town.sign(1)
    assert "- PASS **no-engine-patch**: `waived by docs/waiver/1.md`" in town.comments(1)[-1].body
    assert town.status(1)[0] == "success"


@pytest.mark.parametrize("login", ["owner-amd", "eva"])
def test_C86_whoever_owns_nothing_is_refused_in_public(town: Town, login: str) -> None:
    town.propose()
    town.sign(1, login)
    text = town.verdict(1)
    assert "rejected: not an owner" in text
    assert "not-an-owner of benchmarks/single_node/agentic" in text
    assert "(@owner-nv)" in text
    assert town.status(1)[0] == "pending"


def test_an_old_template_is_refused_with_what_it_lacks(town: Town) -> None:
    town.propose()
    town.measured(1)
    town.sign(1, without=("reuse-command-posted", "pareto-points"))
    assert "an old or shortened template: pareto-points, reuse-command-posted missing" in town.verdict(1)


def test_C97_nobody_posted_the_reuse_command(town: Town) -> None:
    town.propose()
    run = plant_sweep(town.forge, NAME, town.plan(1))
    town.sign(1)
    assert grade(town, "reuse-command-posted") == "FAIL"
    assert f"post: /use {run.id}" in town.verdict(1)
    town.use(1, run)
    town.signoff(1, {}, name="schedule")
    assert town.status(1)[0] == "success"
    assert len(town.comments(1)) == 1


def test_a_merge_of_the_target_alone_carries_the_sign_off_forward(town: Town) -> None:
    town.propose()
    town.measured(1)
    town.sign(1)
    old = town.mia.pull(1)["head"]["sha"][:7]
    new = town.merge_main(1, {"README.md": "elsewhere\n"})[:7]
    town.signoff(1, {"inputs": {"pr": "1", "address": ""}}, name="workflow_dispatch")
    text = f"assessed {old}, effective diff unchanged at {new}"
    assert town.status(1) == ("success", f"passed: @owner-nv {text}")
    assert text in town.verdict(1)


def test_C98_three_texts_for_three_things_to_do(town: Town) -> None:
    town.propose()
    town.measured(1)
    made = town.sign(1, unticked=("pareto-points",))
    texts = [town.status(1)[1]]
    town.at("owner-nv").edit_comment(made, signed(town.template, "owner-nv"))
    town.signoff(1)
    texts.append(town.status(1)[1])
    town.push(1, {SCRIPT: town.tree[SCRIPT] + b"# more\n"})
    town.signoff(1, {}, name="schedule")
    texts.append(town.status(1)[1])
    assert [text.split(":")[0] for text in texts] == [
        "rejected @owner-nv",
        "passed",
        "new head needs sign-off",
    ]
    assert len(town.comments(1)) == 1


def test_C95_an_edit_is_verified_into_the_same_comment_and_a_deletion_withdraws(town: Town) -> None:
    town.propose()
    town.measured(1)
    made = town.sign(1, unticked=("pareto-points",))
    before = town.comments(1)
    whole = signed(town.template, "owner-nv")
    town.at("owner-nv").edit_comment(made, whole)
    town.signoff(1)
    after = town.comments(1)
    assert [one.id for one in before] == [one.id for one in after]
    assert "passed" in after[0].body
    town.signoff(1)
    assert town.comments(1)[0].updated_at == after[0].updated_at
    town.at("owner-nv").delete_comment(made)
    town.signoff(1)
    assert "withdrawn" in town.verdict(1)
    assert town.status(1) == ("pending", "waiting for a sign-off of @owner-nv")


def test_words_that_somebody_else_changed_are_not_the_owners(town: Town) -> None:
    town.propose()
    town.measured(1)
    made = town.sign(1, unticked=("pareto-points",))
    town.mia.edit_comment(made, signed(town.template, "owner-nv"))
    town.signoff(1)
    assert "@mia changed the words of @owner-nv" in town.verdict(1)
    town.signoff(1, {}, name="schedule")
    assert town.status(1)[1].startswith("rejected @owner-nv: @mia changed the words")


@pytest.mark.parametrize("place", ["comment", "review"])
def test_whoever_changed_the_words_is_known_without_the_event(town: Town, place: str) -> None:
    town.propose()
    town.measured(1)
    words, owner = signed(town.template, "owner-nv"), town.at("owner-nv")
    if place == "comment":
        town.mia.edit_comment(owner.comment(1, "nice"), words)
    else:
        at, row = town.mia.at, pulls.find(town.mia.at, 1)
        made = owner.review(1, "COMMENT", "nice")
        reviews.edit(at, row, reviews.find(at.site, row, made), body=words)
    town.signoff(1, {}, name="schedule")
    assert "edited by somebody else" in town.verdict(1)
    assert town.status(1)[0] == "pending"


def test_a_verdict_that_could_not_be_written_is_told_by_the_next_look(town: Town) -> None:
    town.propose()
    town.measured(1)
    town.forge.fault("error_before POST */issues/*/comments times=0")
    made = town.at("owner-nv").comment(1, signed(town.template, "owner-nv"))
    town.signoff(1, code=3)
    assert (len(town.comments(1)), town.status(1)[0]) == (0, "success")
    town.forge.site.faults.clear()
    for _ in range(2):
        town.signoff(1, {}, name="schedule")
    assert [f"signoff comment {made}" in one.body for one in town.comments(1)] == [True]
    assert "passed" in town.verdict(1)


def test_C91_ownership_is_that_of_the_target_now(town: Town) -> None:
    town.mia.push("topic", {SCRIPT: "exec x\n"}, message="topic")
    number = town.mia.open_pull("topic", title="H200 recipe")
    owners = "* @infx-dev/core\n/benchmarks/ @eva\n"
    town.mia.push("main", {".github/CODEOWNERS": owners}, message="main was corrected")
    town.announce(number)
    assert town.status(number) == ("pending", "waiting for a sign-off of @eva")


def test_nothing_that_people_wrote_is_looked_for_in_a_pull_request_just_opened(town: Town) -> None:
    town.mia.push("topic", {SCRIPT: "exec x\n"}, message="topic")
    number = town.mia.open_pull("topic", title="H200 recipe")

    def dispatched() -> int:
        return sum(one.path.endswith("/dispatches") for one in town.forge.requests)

    town.announce(number, opened=True)
    assert (dispatched(), town.status(number)[0]) == (0, "pending")
    town.announce(number)
    assert dispatched() == 1


def test_C91_another_target_while_it_is_checked_fails_closed(
    town: Town, monkeypatch: pytest.MonkeyPatch
) -> None:
    town.propose()
    town.measured(1)
    town.mia.push("other", {"x": "y\n"}, message="other")
    real = signing.judged

    def retargeted(facts: SignoffFacts) -> Findings:
        town.mia.edit(1, base="other")
        return real(facts)

    monkeypatch.setattr(job, "judged", retargeted)
    town.sign(1, code=2)
    assert town.status(1) == ("error", "could not tell: retargeted from main to other while it was checked")
    assert town.comments(1) == []


def test_C95_a_dismissed_review_is_withdrawn(town: Town) -> None:
    town.propose()
    town.measured(1)
    review = town.at("owner-nv").review(1, "APPROVE", signed(town.template, "owner-nv"))
    town.signoff(1, {}, name="schedule")
    assert town.status(1)[0] == "success"
    at = town.mia.at
    row = pulls.find(at, 1)
    reviews.dismiss(at, row, reviews.find(at.site, row, review), message="stale")
    town.signoff(1, {}, name="schedule")
    assert "withdrawn" in town.verdict(1)
    assert town.status(1)[0] == "pending"


def test_C92_a_verifier_without_an_answer_is_an_error_on_the_head(town: Town) -> None:
    town.propose()
    town.forge.fault("error_before GET */reviews* status=500 times=5")
    town.sign(1, code=3)
    assert town.status(1)[0] == "error"
    assert town.comments(1) == []


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("no-signer", "is missing"),
        ("prefix", "signed as @owner, written by @owner-nv"),
    ],
)
def test_the_signer_line_names_who_writes(town: Town, body: str, says: str) -> None:
    town.propose()
    town.measured(1)
    whole = signed(town.template, "owner-nv")
    changed = {"no-signer": "", "prefix": "Signed: @owner"}[body]
    town.sign(1, body=whole.replace("Signed: @owner-nv", changed))
    assert says in town.verdict(1)


def test_an_address_leads_to_a_sign_off(town: Town) -> None:
    town.propose()
    town.measured(1)
    made = town.sign(1)
    page = f"https://github.com/{NAME}/pull/1#issuecomment-"
    for number, code in ((made, 0), (made + 100, 2)):
        event = {"inputs": {"pr": "1", "address": f"{page}{number}"}}
        town.signoff(1, event, name="workflow_dispatch", code=code)
    assert town.status(1)[0] == "success"


def test_a_command_in_a_review_is_answered_once(town: Town) -> None:
    town.propose()
    number = town.at("owner-nv").review(1, "COMMENT", "/use 500")
    run = {"id": 1, "head_sha": "a" * 40, "display_title": f"#1 submitted review {number}"}
    for _ in range(2):
        town.signoff(1, {"workflow_run": {**run, "path": INTAKE}}, name="workflow_run")
    said = [one.body for one in town.github.comments(1) if "/use 500" in one.body]
    assert len(said) == 1


def test_a_review_is_found_though_no_event_told(town: Town) -> None:
    town.propose()
    town.measured(1)
    town.at("owner-nv").review(1, "APPROVE", signed(town.template, "owner-nv"))
    town.signoff(1, {}, name="schedule")
    assert town.status(1)[0] == "success"
    assert "<!-- infx:signoff review " in town.verdict(1)


def test_a_pull_request_that_touches_no_vendors_file_needs_none(tmp_path: Path) -> None:
    town = Town(tmp_path, project())
    try:
        town.mia.push("docs", {"docs/new.md": "x\n"}, message="docs")
        number = town.mia.open_pull("docs", title="Docs")
        town.announce(number)
        assert town.status(number) == ("success", "not required: no file of a vendor's CODEOWNER changes")
    finally:
        town.close()


@pytest.mark.parametrize(
    ("owners", "says"),
    [
        ("[Section] @x\n!a @b\n", "could not tell: CODEOWNERS has no valid line"),
        ("* @infx-dev/core\n/configs/ @infx-dev/nv\n", "waiting for a sign-off of @infx-dev/nv"),
    ],
)
def test_owners_that_cannot_be_told(tmp_path: Path, owners: str, says: str) -> None:
    town = Town(tmp_path, project(), owners=owners)
    try:
        town.propose()
        assert town.status(1)[1].startswith(says)
        if "nv" in owners:
            town.sign(1, "eva", code=3)
            assert town.status(1)[0] == "error"
            assert "whether @eva stands behind @infx-dev/nv" in town.verdict(1)
    finally:
        town.close()


def test_a_team_is_known_from_its_file(tmp_path: Path) -> None:
    tree = {**project(), "configs/teams.yaml": b"teams: {infx-dev/nv: [Owner-NV]}\n"}
    town = Town(tmp_path, tree, owners="/configs/ @infx-dev/nv\n")
    try:
        town.propose()
        town.measured(1)
        town.sign(1)
        assert town.status(1)[0] == "success"
        town.sign(1, "eva")
        assert "not-an-owner" in town.comments(1)[-1].body
    finally:
        town.close()


def test_the_owners_file_of_the_pull_request_never_counts(town: Town) -> None:
    town.propose({".github/CODEOWNERS": None, "docs/CODEOWNERS": "* @eva\n"})
    town.sign(1, "eva")
    assert "not-an-owner" in town.verdict(1)


def test_facts_explain_the_same_offline(town: Town, tmp_path: Path) -> None:
    import io

    from infx.edge.world import World

    town.propose()
    town.measured(1)
    town.sign(1, without=("pareto-points",))
    facts = town.clone / "infx-out/facts/facts.json"
    world = World(env={}, cwd=town.clone, out=io.StringIO(), err=io.StringIO())
    assert main(["explain", "signoff", str(facts), "--json"], world) == 1
    assert isinstance(world.out, io.StringIO)
    answer = json.loads(world.out.getvalue())
    assert (answer["decision"], answer["kind"]) == ("signoff", "rejected")
    names: list[Any] = [one["check"] for one in answer["checks"]]
    assert "template-current" in names
    assert len(names) == len(set(names)) == 18


def test_a_sign_off_writes_nothing_into_the_store(town: Town) -> None:
    town.propose()
    town.sign(1)
    assert town.desk(1).store.read(store.authorisations(1)) == {}
