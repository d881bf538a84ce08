"""Facts of `resolve source`, from git and from what runs left."""

import io
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from infx.decision import Decision
from infx.edge import store
from infx.errors import Refused
from infx.event import Artifact
from infx.facts import Answer
from infx.policy import source
from infx.record import FILE
from infx.source import Authorisation, Kind
from infx.sweeps import documents
from tests.builders import record
from tests.repo import CHANGELOG, FILES, FOLDER, MASTER, Repo, entry
from tests.sources import use
from tests.sweeping import M1, NINE, RULES, TOPIC, Life


@pytest.fixture
def life(tmp_path: Path) -> Life:
    made = Life(Repo(tmp_path))
    made.push()
    return made


def decided(life: Life, *asked: Authorisation, everything: bool = False) -> Decision:
    return source.decide(life.sources.facts(asked, everything=everything), RULES)


def test_two_runs_of_a_pull_request_are_united(life: Life) -> None:
    points = life.plan.points
    life.sweep(500, points[:5], failed=points[5:6])
    life.sweep(501, points[5:])
    got = decided(life, use(500, 501))
    assert got.reason == "main will publish 9 of 9 points from runs 500 and 501"
    assert decided(life, everything=True).details["available"]["runs"] == [500, 501]


def test_C73_a_force_push_that_only_rebases_loses_nothing(life: Life) -> None:
    life.sweep(500, life.plan.points)
    life.repo.git("commit", "-q", "--amend", "-m", "other words")
    got = decided(life, use(500))
    assert (got.kind, "rewritten" in got.details["warnings"][0]) == (Kind.COVERS, True)


def test_C68_a_merge_of_main_is_at_most_base_drift(life: Life) -> None:
    life.sweep(500, life.plan.points)
    life.repo.git("checkout", "-q", "main")
    life.repo.commit({"benchmarks/lib.sh": "echo main\n"})
    life.repo.git("checkout", "-q", "topic")
    life.repo.git("merge", "-q", "main", "-m", "merge main")
    got = decided(life, use(500, bound=True))
    assert got.kind == Kind.COVERS
    assert "base drift in C1: the target changed benchmarks/lib.sh" in got.details["warnings"]


def test_a_shared_file_that_the_pull_request_changes_is_no_drift(life: Life) -> None:
    life.sweep(500, life.plan.points)
    life.push({"benchmarks/lib.sh": "echo mine\n"})
    got = decided(life, use(500))
    assert (got.kind, "benchmarks/lib.sh" in got.reason) == (Kind.CHANGED, True)


def test_a_shared_file_that_the_pull_request_changed_and_put_back_is_no_drift_either(life: Life) -> None:
    life.push({"benchmarks/lib.sh": "echo mine\n"})
    life.sweep(500, life.plan.points)
    life.push({"benchmarks/lib.sh": "echo\n"})
    assert decided(life, use(500)).kind == Kind.CHANGED


@pytest.mark.parametrize(
    ("files", "says"),
    [
        ({f"{FOLDER}/m1_fp8_h200.sh": ". benchmarks/lib.sh\nexec new\n"}, f"{FOLDER}/m1_fp8_h200.sh"),
        (
            {"configs/nvidia-master.yaml": NINE.replace("engine:1", "engine:2")},
            "repo/engine:1 → repo/engine:2",
        ),
    ],
)
def test_C77_a_push_that_changes_what_runs_names_file_and_field(
    life: Life, files: dict[str, str], says: str
) -> None:
    life.sweep(500, life.plan.points)
    life.push(files)
    got = decided(life, use(500, bound=True))
    assert (got.kind, says in got.reason) == (Kind.CHANGED, True)


def test_a_changed_entry_is_not_published_but_nothing_is_measured_again(life: Life) -> None:
    life.sweep(500, life.plan.points)
    life.push({"perf-changelog.yaml": CHANGELOG + entry(M1, pr="XXX")})
    assert decided(life, use(500)).kind == Kind.COVERS
    life.push({"perf-changelog.yaml": CHANGELOG + entry(M1).replace("- why", "- why not")})
    got = decided(life, use(500))
    assert (got.kind, "(description); put it back" in got.reason) == (Kind.ENTRY, True)
    assert got.details["available"]["coverage"]["points"] == {"have": 9, "of": 9}
    asked = use(500, accept_changed=True, may_accept_changed=Answer.YES)
    assert decided(life, asked).kind == Kind.COVERS


def test_another_keys_edit_changes_nothing(life: Life) -> None:
    life.sweep(500, life.plan.points)
    more = NINE.replace("conc-list: [4] }", "conc-list: [4, 8] }")
    log = CHANGELOG + entry(M1)
    life.push({"configs/nvidia-master.yaml": more, "perf-changelog.yaml": log, "README.md": "x"})
    assert decided(life, use(500, bound=True)).kind == Kind.COVERS


def test_only_runs_that_are_named_are_looked_into(life: Life) -> None:
    for number in range(500, 515):
        life.sweep(number, life.plan.points)
    life.hub.calls.clear()
    assert decided(life, use(514)).kind == Kind.COVERS
    assert len(life.hub.calls) <= 8


def test_an_artifact_that_cannot_be_fetched_is_could_not_tell(life: Life) -> None:
    life.sweep(500, life.plan.points)
    life.hub.down.add("ledger")
    got = decided(life, use(500))
    assert (got.kind, got.reason) == (Kind.COULD_NOT_TELL, "could not tell: run 500: GitHub answers 502")


@pytest.mark.parametrize(
    ("name", "document"), [("ledger", {"run_id": "x"}), ("ledger", []), ("plan", {}), ("plan", None)]
)
def test_an_artifact_that_is_not_what_infx_wrote_makes_its_run_unreadable(
    life: Life, name: str, document: object
) -> None:
    life.sweep(500, life.plan.points)
    life.hub.keep(500, name, document)
    assert decided(life, use(500)).kind == Kind.UNREADABLE


def zipped(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


WHOLE = zipped({"ledger.json": b"{}", "plan.json": b"{}"})
HOSTILE = {
    "no zip": b"<html>502</html>",
    "nothing": b"",
    "cut short": WHOLE[: len(WHOLE) // 2],
    "path out of it": zipped({"../../ledger.json": b"{}"}),
    "absolute path": zipped({"/etc/ledger.json": b"{}"}),
    "bomb": zipped({"ledger.json": b"0" * (40 << 20)}),
    "many files": zipped({str(number): b"" for number in range(10_001)}),
    "not JSON": zipped({"ledger.json": b"{", "plan.json": b"{"}),
    "not UTF-8": zipped({"ledger.json": b"\xff\xfe", "plan.json": b"{}"}),
    "deep": zipped({"ledger.json": b"[" * 100_000, "plan.json": b"{}"}),
    "wrong types": zipped({"ledger.json": b'{"run_id": [], "entries": {}}', "plan.json": b"[]"}),
    "NaN": zipped({"ledger.json": b'{"run_id": NaN}', "plan.json": b"{}"}),
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_artifact_is_one_refusal_and_leaves_nothing(
    life: Life, monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    life.sweep(500, life.plan.points)
    life.sweep(501, life.plan.points)
    whole = life.hub.download

    def served(artifact: Artifact, *, limit: int) -> bytes:
        return data if artifact.run_id == 500 else whole(artifact, limit=limit)

    monkeypatch.setattr(life.hub, "download", served)
    got = decided(life, use(500))
    assert (got.go, got.kind) == (False, Kind.UNREADABLE)
    assert decided(life, use(500, 501)).reason == "main will publish 9 of 9 points from run 501"
    assert not (life.repo.root / "etc").exists()


def test_a_download_larger_than_its_limit_is_refused_by_name(
    life: Life, monkeypatch: pytest.MonkeyPatch
) -> None:
    life.sweep(500, life.plan.points)

    def served(artifact: Artifact, *, limit: int) -> bytes:
        raise Refused(f"more than {limit} bytes")

    monkeypatch.setattr(life.hub, "download", served)
    got = decided(life, use(500))
    assert (got.kind, "more than 8388608 bytes" in got.reason) == (Kind.UNREADABLE, True)


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"path": ".github/workflows/ci.yml"}, Kind.OTHER_WORKFLOW),
        ({"head_repo": "eve/bench"}, Kind.FORK_EVENT),
        ({"event": "push"}, Kind.OTHER_EVENT),
        ({"event": "workflow_dispatch", "head_branch": "topic"}, Kind.OTHER_BRANCH),
        ({"pr": 8}, Kind.OTHER_PULL_REQUEST),
        ({"status": "in_progress"}, Kind.NOT_FINISHED),
    ],
)
def test_a_run_that_is_not_ours_is_refused_by_its_rule(
    life: Life, fields: dict[str, Any], kind: Kind
) -> None:
    run = life.sweep(500, life.plan.points)
    life.hub.known[500] = replace(run, **fields)
    got = decided(life, use(500))
    assert (got.go, got.kind, got.extra["runs"]) == (False, kind, [])


def test_a_ledger_of_another_run_counts_for_nothing(life: Life) -> None:
    life.sweep(500, life.plan.points)
    life.hub.owners = [501] * len(life.hub.owners)
    life.hub.known[501] = life.hub.known.pop(500)
    life.hub.known[501] = replace(life.hub.known[501], id=501)
    assert decided(life, use(501)).kind == Kind.UNREADABLE


@pytest.mark.parametrize("number", [1, 10**18])
def test_a_run_of_nowhere_is_no_such_run(life: Life, number: int) -> None:
    assert decided(life, use(number)).kind == Kind.NO_SUCH_RUN


def test_a_broken_config_is_could_not_tell(life: Life) -> None:
    life.push({"configs/nvidia-master.yaml": "m1: ["})
    assert decided(life, use(500)).kind == Kind.COULD_NOT_TELL


def test_what_was_authorised_stays_when_somebody_runs_everything_again_and_it_fails(life: Life) -> None:
    """The store holds the values of the first attempt; the second one came to none."""
    run = life.sweep(500, life.plan.points)
    sweeps = life.sources.sweeps
    held = {store.held(500): documents(sweeps.look(run))}
    life.hub.files.clear()
    life.hub.owners.clear()
    again = life.sweep(500, life.plan.points[:2], failed=life.plan.points[2:])
    life.hub.known[500] = replace(again, attempt=2)
    kept = replace(life.sources, sweeps=replace(sweeps, known={}, held=lambda file: held.get(file, {})))
    assert source.decide(kept.facts([use(500)]), RULES).kind == Kind.COVERS


APART = "".join(f"    # {line}\n" for line in range(5))
EIGHT = "    - { isl: 8192, osl: 1024, search-space: [{ tp: 8, conc-list: [16] }] }\n"


def apart(master: str, more: str = "") -> str:
    """The first key's list with room behind it, so that two people may change it."""
    head, tail = master.split("m2-fp8", 1)
    return f"{head}{APART}{more}m2-fp8{tail}"


@pytest.mark.parametrize(("merged", "notes"), [("yes", ["C16 gsm8k"]), ("no", [])])
def test_evals_that_the_target_added_since_the_merge_base_are_notes(
    tmp_path: Path, merged: str, notes: list[str]
) -> None:
    files = {**FILES, "configs/nvidia-master.yaml": apart(MASTER)}
    life = Life(Repo(tmp_path, files=files))
    life.push({**TOPIC, "configs/nvidia-master.yaml": apart(NINE)})
    life.sweep(500, life.plan.points)
    life.repo.git("checkout", "-q", "main")
    if merged == "yes":
        life.repo.commit({"configs/nvidia-master.yaml": apart(MASTER, EIGHT)})
    else:
        life.repo.commit({"configs/nvidia-master.yaml": apart(MASTER.replace("[4, 8]", "[2]"), EIGHT)})
    life.repo.git("checkout", "-q", "topic")
    got = decided(life, use(500))
    assert got.kind == Kind.COVERS
    told = [f"evals that the target added since: {M1} {note}" for note in notes]
    assert got.details["notes"] == told


def killed(life: Life, number: int, valid: int) -> None:
    """A run that ended before it could collect: its plan and the records of its first points are there."""
    points = life.plan.points
    run = life.sweep(number, points[:valid])
    life.hub.known[number] = replace(run, conclusion="failure")
    at = next(
        at
        for at, (name, _, _) in enumerate(life.hub.files)
        if name == "ledger" and life.hub.owners[at] == number
    )
    del life.hub.files[at], life.hub.owners[at]
    for point in points[:valid]:
        life.hub.upload(point.artifact("bmk"), FILE, record(point, sha=run.head_sha, run_id=number).as_json())
        life.hub.owners.append(number)


def test_a_run_that_was_killed_before_it_could_collect_counts_point_by_point(life: Life) -> None:
    killed(life, 500, 5)
    life.sweep(501, life.plan.points[5:])
    assert decided(life, use(500, 501)).reason == "main will publish 9 of 9 points from runs 500 and 501"


def test_of_such_a_run_a_broken_record_takes_no_other_with_it(life: Life) -> None:
    killed(life, 500, 5)
    at = next(at for at, (name, _, _) in enumerate(life.hub.files) if name.startswith("bmk_"))
    life.hub.files[at] = (*life.hub.files[at][:2], b"{")
    got = decided(life, use(500))
    assert "4 of 9" in got.reason


def test_a_killed_run_that_nobody_named_is_not_looked_into(life: Life) -> None:
    """Its points would have to be looked for in each of its artifacts, on every push."""
    killed(life, 500, 9)
    assert decided(life, everything=True).kind != Kind.COVERS
