"""What a plan says of the speculation of its recipes."""

from dataclasses import replace

from infx import pinned
from infx.edge import settings
from infx.matrix import oneoff
from infx.plan import Plan
from infx.state import State
from tests import recipes

KEY = "qwen3.5-fp8-h200-sglang-agentic-mtp"
SCRIPT = "benchmarks/single_node/agentic/qwen3.5_fp8_h200_mtp.sh"
RULES = settings.load(recipes.ROOT)


def look(old: str = "", new: str = "", **changes: object) -> pinned.Findings:
    state = recipes.state()
    text = state.files[SCRIPT].decode()
    assert old in text
    state = replace(state, files={**state.files, SCRIPT: text.replace(old, new).encode()}, **changes)  # type: ignore[arg-type]
    return pinned.look(plan(state), state, RULES)


def plan(state: State) -> Plan:
    return oneoff.plan(oneoff.OneOff(keys=(KEY,)), state, RULES)


def test_the_recipe_of_this_repository_is_pinned_to_its_curve() -> None:
    assert look() == pinned.Findings()


def test_another_value_and_another_draft_are_problems() -> None:
    (told,) = look("ACC_LEN=3.39", "ACC_LEN=3.6").problems
    assert told == f"{KEY}: SGLANG_SIMULATE_ACC_LEN is 3.6; the curve says 3.39"
    (told,) = look("--speculative-num-draft-tokens 4", "--speculative-num-draft-tokens 5").problems
    assert "5 draft tokens beside 3 steps" in told
    (told,) = look(golden={}).problems
    assert "no curve qwen3.5_mtp" in told
    assert "SPEED-Bench" in told


def test_evals_must_verify_for_real() -> None:
    (told,) = look('"${EVAL_ONLY:-false}" != true', "true").problems
    assert "an eval has SGLANG_SIMULATE_ACC_LEN=3.39" in told


def test_what_only_the_runner_knows_is_a_warning() -> None:
    found = look("--speculative-num-steps 3", "--speculative-num-steps $STEPS")
    assert found.problems == ()
    assert len(found.warnings) == 1
