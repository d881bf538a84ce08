"""Whatever the target branch brings, a merge of it alone never voids a result."""

from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.matrix.fingerprint import LAUNCH, LOCK, Ground, drift, fingerprint
from infx.policy.stands import Drift, Standing, Subject, Verdict, stands
from tests.matrix.test_fingerprint import FILES, LIB, ROW, SCRIPT

FOLDER = "benchmarks/single_node/agentic"
OUTSIDE = [f"{FOLDER}/b.sh", f"{FOLDER}/new.sh", "benchmarks/evals/new.py", "benchmarks/single_node/c.sh"]
AROUND = [LIB, "benchmarks/flags.yaml"]
OWN = [SCRIPT, f"{FOLDER}/tool.py", f"{FOLDER}/helper.py"]
MORE = st.sampled_from([b"echo more\n", b"", b". /workspace/benchmarks/lib.sh\n", b"# said\n"])
BASE: dict[str, Any] = {"files": FILES, "launch": {"cluster:h200-dgxc": {"driver": "slurm"}}, "lock": "1"}


def edited(facts: dict[str, Any], edits: dict[str, bytes], **fields: Any) -> dict[str, Any]:
    files = {**facts["files"], **{path: facts["files"].get(path, b"") + data for path, data in edits.items()}}
    return {**facts, **fields, "files": files}


def subject(ground: Ground) -> Subject:
    mark = fingerprint(ROW, SCRIPT, ground=ground)
    return Subject(concurrencies=(4,), mode="throughput", task=None, fingerprint=mark)


def judged(
    base: dict[str, Any], measured: dict[str, Any], head: dict[str, Any], rule: Literal["warn", "refuse"]
) -> Verdict:
    """`base` is the merge base of `head`; the result was measured at `measured`."""
    fork, then, now = (Ground(**facts) for facts in (base, measured, head))
    facts = Drift(own=drift(ROW, SCRIPT, fork, now), brought=drift(ROW, SCRIPT, then, now))
    return stands(subject(then), subject(now), facts, rule=rule)


@given(
    st.dictionaries(st.sampled_from([*OWN, *OUTSIDE]), MORE),
    st.dictionaries(st.sampled_from([*AROUND, *OUTSIDE]), MORE),
    st.sampled_from(["1", "2"]),
    st.sampled_from(["slurm", "docker"]),
)
def test_a_merge_of_main_alone_never_voids(
    mine: dict[str, bytes], theirs: dict[str, bytes], lock: str, driver: str
) -> None:
    launch = {"cluster:h200-dgxc": {"driver": driver}}
    main = edited(BASE, theirs, launch=launch, lock=lock)
    verdict = judged(main, edited(BASE, mine), edited(main, mine), "warn")
    assert verdict.go
    assert judged(BASE, edited(BASE, mine), edited(BASE, mine), "refuse").standing == Standing.EQUAL


@pytest.mark.parametrize(
    ("facts", "standing", "name"),
    [
        (edited(BASE, {LIB: b"echo mine\n"}), Standing.SHARED, LIB),
        (edited(BASE, {}, lock="2"), Standing.SHARED, LOCK),
        (edited(BASE, {}, launch={"cluster:h200-dgxc": {"driver": "docker"}}), Standing.SHARED, LAUNCH),
        (edited(BASE, {SCRIPT: b"echo\n"}), Standing.RECIPE, ""),
        (edited(BASE, {}, harness_version=2), Standing.RECIPE, "harness-version"),
        (edited(BASE, {f"{FOLDER}/b.sh": b"echo\n"}), Standing.EQUAL, ""),
    ],
)
def test_what_the_pull_request_itself_changes_voids(
    facts: dict[str, Any], standing: Standing, name: str
) -> None:
    verdict = judged(BASE, BASE, facts, "warn")
    assert verdict.standing == standing
    assert name in verdict.reason


def test_drift_is_a_warning_that_names_the_files_or_a_refusal() -> None:
    main = edited(BASE, {LIB: b"echo main\n"})
    assert judged(main, BASE, main, "warn").reason == f"the target branch changed shared files since: {LIB}"
    assert judged(main, BASE, main, "refuse").standing == Standing.BASE_DRIFT_REFUSED


def test_staging_of_another_model_is_nothing_to_a_point() -> None:
    def at(models: dict[str, str]) -> Ground:
        return Ground(files=FILES, launch={"cluster:h200-dgxc": {"models": models}})

    mine = {"org/model": "/models/a"}
    assert fingerprint(ROW, SCRIPT, ground=at(mine)) == fingerprint(
        ROW, SCRIPT, ground=at({**mine, "org/other": "/models/b"})
    )
    assert drift(ROW, SCRIPT, at(mine), at({"org/model": "/models/c"})) == {LAUNCH}


def test_files_are_found_below_a_root_folder_too() -> None:
    below = {f"sub/{path}": data for path, data in FILES.items()}
    here = Ground(files=below, root="sub/")
    assert here.shared(f"sub/{SCRIPT}") == {f"sub/{LIB}", "sub/benchmarks/flags.yaml"}
