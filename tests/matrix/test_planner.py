import json
from collections.abc import Collection
from dataclasses import replace
from typing import Any

import pytest

from infx.edge import settings
from infx.entry import Entry
from infx.equal import Mark
from infx.errors import BadInput
from infx.matrix.planner import Request, make, meaning
from infx.matrix.points import Origin
from infx.matrix.split import ACCEPTED
from infx.plan import Plan
from infx.read.config import read_catalog
from infx.state import State
from tests.repo import FILES, MASTER, RUNNERS

RULES = settings.parse("")
ORIGIN = Origin(repository="o/r", pr=7, head_sha="h", merge_base="b")
M1 = "m1-fp8-h200-sglang"


def state(master: str = MASTER) -> State:
    scripts = {path: text.encode() for path, text in FILES.items() if path.startswith("benchmarks/")}
    catalog = read_catalog([("m", master.encode())], ("r", RUNNERS.encode()))
    return State(commit="c", catalog=catalog, files=scripts)


def plan(
    labels: Collection[str], *, master: str = MASTER, accepted: Collection[Mark] = (), **fields: Any
) -> Plan:
    asked = Entry(**{"config_keys": ("m*",), "description": ("d",), "pr_link": "l", **fields})
    request = Request(entries=[asked], base=state(), head=state(master), labels=labels, origin=ORIGIN)
    return make(request, RULES, accepted=accepted)


def test_no_entry_is_an_empty_plan() -> None:
    request = Request(entries=(), base=state(), head=state(), labels=(), origin=ORIGIN)
    assert make(request, RULES).points == ()


@pytest.mark.parametrize(
    ("labels", "primary", "canary", "fail_fast", "reusable", "fast"),
    [
        (["full-sweep-fail-fast"], "full-sweep-fail-fast", True, True, True, False),
        (["full-sweep-enabled", "all-evals"], "full-sweep-enabled", True, False, True, False),
        (["non-canary-full-sweep-enabled"], "non-canary-full-sweep-enabled", False, False, True, False),
        (["full-sweep-enabled", "evals-only"], "full-sweep-enabled", True, False, False, False),
        (["full-sweep-enabled", "agentx-fast"], "full-sweep-enabled", True, False, False, True),
        (["full-sweep-enabled", "full-sweep-fail-fast"], "", True, False, True, False),
        (["documentation"], "", True, False, True, False),
    ],
)
def test_what_labels_mean(
    labels: list[str], primary: str, canary: bool, fail_fast: bool, reusable: bool, fast: bool
) -> None:
    said = meaning(labels, RULES)
    assert (said.primary, said.canary, said.fail_fast) == (primary, canary, fail_fast)
    assert (said.reusable, said.fast) == (reusable, fast)


def test_a_misspelt_runner_is_named_and_no_script_is_asked_for() -> None:
    label = next(iter(state().catalog.configs.values())).runner
    with pytest.raises(BadInput, match=rf"knows no label x{label}; .*did you mean `{label}`"):
        plan(["full-sweep-enabled"], master=MASTER.replace(f"runner: {label}", f"runner: x{label}"))


@pytest.mark.parametrize("modifier", ["agentx-fast", "evals-only"])
def test_C05_a_run_keeps_the_mode_that_it_was_made_in(modifier: str) -> None:
    made = plan(["full-sweep-fail-fast", modifier])
    kept = Plan.from_json(json.loads(json.dumps(made.as_json())))
    assert (kept.modifiers, kept.reusable) == ((modifier,), False)
    assert plan(["full-sweep-fail-fast"]).reusable


def test_points_know_why_they_are_there() -> None:
    added = MASTER + MASTER.replace("m1-", "m10-").replace("m2-", "m20-").replace("m1\n", "m1\n")
    reasons = {point.key: point.reason for point in plan(["full-sweep-enabled"], master=added).points}
    assert reasons[M1] == "named by a changelog entry"
    assert reasons["m10-fp8-h200-sglang"] == "new key"


def test_resume_leaves_accepted_points_out_and_needs_no_canary_for_their_key() -> None:
    whole = plan(["full-sweep-enabled"])
    done = Mark.of(whole.points[0])
    rest = plan(["full-sweep-enabled", "resume-sweep"], accepted=[done])
    assert [point.id for point in rest.points] == [point.id for point in whole.points[1:]]
    assert {key.key: (key.canary is None, key.why == ACCEPTED) for key in rest.keys}[M1] == (True, True)
    assert rest.keys[1].canary is not None


@pytest.mark.parametrize("part", ["row", "recipe", "shared"])
def test_a_result_of_other_work_leaves_nothing_out(part: str) -> None:
    whole = plan(["full-sweep-enabled"])
    mark = Mark.of(whole.points[0])
    old = replace(mark, fingerprint=replace(mark.fingerprint, **{part: "0" * 64}))
    assert plan(["full-sweep-enabled", "resume-sweep"], accepted=[old]).points == whole.points


def test_an_equal_result_counts_whatever_its_key_was_called() -> None:
    whole = plan(["full-sweep-enabled"])
    renamed = replace(Mark.of(whole.points[0]), id="0" * 16, key="old-name")
    assert plan(["full-sweep-enabled", "resume-sweep"], accepted=[renamed]).points == whole.points[1:]


def test_nothing_missing_is_nothing_to_start() -> None:
    every = [Mark.of(point) for point in plan(["full-sweep-enabled"]).points]
    assert plan(["full-sweep-enabled", "resume-sweep"], accepted=every).points == ()


def test_a_plan_survives_its_journey_between_jobs() -> None:
    made = plan(["full-sweep-fail-fast"])
    again = Plan.from_json(made.as_json())
    assert (again, again.digest) == (made, made.digest)


def test_a_plan_of_more_than_eight_matrices_is_refused() -> None:
    loads = ", ".join(map(str, range(1, 2100)))
    with pytest.raises(BadInput, match=rf"plan-too-large: 2100 points.*{M1} \(2099\)"):
        plan(["full-sweep-enabled"], master=MASTER.replace("[4, 8]", f"[{loads}]"))
