"""Whatever the target branch brings, a merge of it alone never voids a result."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.equal import Mark, Match, stands
from infx.matrix.fingerprint import LAUNCH, LOCK, Ground, drift, fingerprint
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


def mark(ground: Ground) -> Mark:
    made = fingerprint(ROW, SCRIPT, ground=ground)
    return Mark(id="i", key="k", title="C4", mode="throughput", conc=(4,), fingerprint=made)


def judged(base: dict[str, Any], measured: dict[str, Any], head: dict[str, Any]) -> tuple[Match, set[str]]:
    """Whether the result stands, and shared files that differ. `base` is the merge base of `head`; the result
    was measured at `measured`."""
    fork, then, now = (Ground(**facts) for facts in (base, measured, head))
    own, differ = drift(ROW, SCRIPT, fork, now), drift(ROW, SCRIPT, then, now)
    return stands(mark(then), mark(now), drift=bool(differ) and not own & differ), set(differ)


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
    assert judged(main, edited(BASE, mine), edited(main, mine))[0] in (Match.EQUAL, Match.BASE_DRIFT)
    assert judged(BASE, edited(BASE, mine), edited(BASE, mine)) == (Match.EQUAL, set())


@pytest.mark.parametrize(
    ("facts", "match", "shared"),
    [
        (edited(BASE, {LIB: b"echo mine\n"}), Match.CHANGED, {LIB}),
        (edited(BASE, {}, lock="2"), Match.CHANGED, {LOCK}),
        (edited(BASE, {}, launch={"cluster:h200-dgxc": {"driver": "docker"}}), Match.CHANGED, {LAUNCH}),
        (edited(BASE, {SCRIPT: b"echo\n"}), Match.CHANGED, set()),
        (edited(BASE, {}, harness_version=2), Match.CHANGED, set()),
        (edited(BASE, {f"{FOLDER}/b.sh": b"echo\n"}), Match.EQUAL, set()),
    ],
)
def test_what_the_pull_request_itself_changes_voids(
    facts: dict[str, Any], match: Match, shared: set[str]
) -> None:
    assert judged(BASE, BASE, facts) == (match, shared)


def test_drift_names_the_files() -> None:
    main = edited(BASE, {LIB: b"echo main\n"})
    assert judged(main, BASE, main) == (Match.BASE_DRIFT, {LIB})


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
