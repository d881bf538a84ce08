"""Every known way in which results were lost at a merge: caught before it, or recovered after it."""

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from infx.audit import Audit
from infx.policy.audit import Kind as AuditKind
from infx.policy.audit import decide as audit
from infx.policy.publishing import Kind
from infx.source import Kind as SourceKind
from infx.status import show
from tests.builders import FULL
from tests.jobs.test_comment import say
from tests.mainline import Mainline
from tests.repo import Repo, entry
from tests.sweeping import M1, SWEEP, Life
from tests.test_status import merge_main, rebase

ROOT = Path(__file__).parent.parent
DOCUMENT = ROOT / "docs" / "recovery.md"


@pytest.fixture
def main(tmp_path: Path) -> Mainline:
    life = Life(Repo(tmp_path))
    life.push()
    life.hub.roles |= {"mia": "write", "max": "maintain"}
    life.sweep(500, life.plan.points)
    say(life, "/use 500")
    return Mainline(life)


def landed(main: Mainline) -> str:
    """Merged by the button and ingested; what came of it."""
    before = main.git("rev-parse", "main")
    main.squash()
    [outcome] = main.push(before)
    return str(outcome.decision.kind)


def green_no_op(life: Life) -> None:
    """A newer run that is green because it measured nothing."""
    life.hub.known[501] = replace(life.hub.known[500], id=501)


def expired(life: Life) -> None:
    life.hub.files.clear()
    life.hub.owners.clear()


def failed_since(life: Life) -> None:
    life.hub.known[500] = replace(life.hub.known[500], conclusion="cancelled")


@pytest.mark.parametrize(
    "happens",
    [
        pytest.param(rebase, id="C73"),
        pytest.param(merge_main, id="C68"),
        pytest.param(green_no_op, id="C70"),
        pytest.param(failed_since, id="C74"),
        pytest.param(expired, id="expired"),
    ],
)
def test_source_not_resolvable_on_main(main: Mainline, happens: Callable[[Life], None]) -> None:
    """Comment, status and main ask one function the same question: what was shown is what is published."""
    happens(main.life)
    promised = show(main.life.desk)
    assert promised.extra["state"] == "success"
    assert landed(main) == Kind.PUBLISHED
    [row, *_] = main.rows(main.tip).values()
    assert promised.reason == f"main will publish 9 of 9 points from run {row['run']}"


def test_a_source_that_main_could_not_resolve_is_red_before_the_merge(main: Mainline) -> None:
    main.life.push({"benchmarks/lib.sh": "echo mine\n"})
    promised = show(main.life.desk)
    assert (promised.extra["state"], promised.go) == ("failure", False)
    assert landed(main) == SourceKind.CHANGED


def test_forgotten_command(main: Mainline) -> None:
    say(main.life, "/use none")
    assert show(main.life.desk).reason == "nothing authorised: /use 500"
    assert landed(main) == SourceKind.WITHDRAWN
    say(main.life, "/use 500")
    main.merged()
    [outcome] = main.recover(GITHUB_ACTOR="max")
    assert (outcome.decision.kind, len(main.rows(main.tip))) == (Kind.PUBLISHED, 9)


def test_label_gone_at_merge(main: Mainline) -> None:
    """No rule about results asks which label is on the pull request now."""
    assert main.life.pull.labels == (FULL,)
    before = main.git("rev-parse", "main")
    main.squash()
    main.merged(labels=())
    [outcome] = main.push(before)
    assert (outcome.decision.kind, len(main.rows(main.tip))) == (Kind.PUBLISHED, 9)


@pytest.mark.parametrize("odd", ["  x-note: 1\n", "  evals-only: 7\n", "  description: []\n"])
def test_validator_crash_on_odd_metadata(main: Mainline, odd: str) -> None:
    """An odd entry is red with its place and touches no other; a run with odd files is not taken for one."""
    before = main.git("rev-parse", "main")
    commit = main.squash()
    main.life.repo.commit(
        {"perf-changelog.yaml": main.life.repo.read("perf-changelog.yaml") + entry(M1, 7, odd)}
    )
    good, bad = main.push(before)
    assert (good.decision.kind, len(main.rows(commit))) == (Kind.PUBLISHED, 9)
    assert bad.decision.kind in (Kind.UNREADABLE, Kind.ENTRY_CHANGED)
    assert "#7" in bad.decision.reason


@pytest.mark.parametrize("document", [[], {"entries": "x"}, {"run_id": 1e999}])
def test_odd_artifacts_of_a_run_are_told_at_the_comment(main: Mainline, document: object) -> None:
    life = main.life
    life.hub.known[502] = replace(life.hub.known[500], id=502, path=SWEEP)
    life.hub.keep(502, "plan", life.plan.as_json())
    life.hub.keep(502, "ledger", document)
    say(life, "/use 502")
    assert life.desk.records[-1].kind == SourceKind.UNREADABLE
    assert landed(main) == Kind.PUBLISHED


def test_skip_marker_in_the_squash_text(main: Mainline) -> None:
    """Ours is ignored on main. GitHub's own keeps it from running anything, which the audit finds."""
    before = main.git("rev-parse", "main")
    main.squash(message="Longer ladder (#7)\n\n* refresh [skip-sweep]")
    assert [one.decision.kind for one in main.push(before)] == [Kind.PUBLISHED]


def test_skip_word_of_github_in_the_squash_text(main: Mainline) -> None:
    main.squash(message="Longer ladder (#7)\n\n* refresh [skip ci]")
    assert found(main) == AuditKind.NO_PUSH_RUN
    main.recover(GITHUB_ACTOR="max")
    assert found(main) == AuditKind.COMPLETE


def found(main: Mainline) -> str:
    return audit(Audit(at=main.publisher(), tip=main.tip).facts(active=False)).kind


def test_no_push_run_at_all(main: Mainline) -> None:
    main.squash()
    assert found(main) == AuditKind.NO_PUSH_RUN
    [outcome] = main.recover(GITHUB_ACTOR="max")
    assert (outcome.added, found(main)) == (9, AuditKind.COMPLETE)


def test_every_test_that_the_document_names_is_there() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)` `(test_\w+)`", DOCUMENT.read_text())
    assert len(named) >= 9
    assert [one for one in named if f"def {one[1]}(" not in (ROOT / one[0]).read_text()] == []
