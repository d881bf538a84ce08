"""Replies to commands: what a person reads about staging, word for word."""

import pytest

from infx.commands import FORMS
from infx.jobs.schema import OUTCOMES
from infx.models import Model, Models, Scenario
from infx.read.command import read_text
from infx.say import reply

NAMES = Models(
    models={"qwen3.5": Model(name="Qwen3.5 397B-A17B")},
    scenarios={"agentic-coding": Scenario(name="agentic-traces")},
)
AGENTIC = {
    "infmax_model_prefix": "qwen3.5",
    "precision": "fp8",
    "hw": "h200-dgxc",
    "framework": "sglang",
    "result_time": 1_782_900_000.0,
}
FIXED = {**AGENTIC, "isl": 8192, "osl": 1024, "result_time": 1_782_800_000.0}
EVAL = {**{name: AGENTIC[name] for name in ("precision", "framework")}, "hw": "H200-DGXC", "task": "gsm8k"}
"""Rows of evals name the model by another field, and the hardware in capitals."""
KEPT = "The run remains available across later `/stage-results`; the same id again updates its data."


def staged(state: str = reply.DONE) -> str:
    rows = [FIXED, {**FIXED, "conc": 4, "result_time": 1_782_990_000.0}, AGENTIC]
    one = reply.Staging(who="mia", runs=(5, 7), rows=rows, names=NAMES, workflow="https://x/9", state=state)
    return "\n".join(reply.staged(one))


def test_a_staged_run_has_one_bullet_a_curve() -> None:
    assert staged() == (
        "@mia staged run 5, 7.\n"
        "\n"
        "- Qwen3.5 397B-A17B · 8k1k · FP8 · h200\\_sglang · 2026-07-02\n"
        "- Qwen3.5 397B-A17B · agentic-traces · FP8 · h200\\_sglang · 2026-07-01\n"
        "\n"
        f"{KEPT}\n"
        "[Staging workflow](https://x/9)\n"
    )


def test_evals_are_of_the_curve_that_they_stand_beside() -> None:
    row = {**EVAL, "model": "Qwen/Qwen3.5-397B-A17B-FP8", "model_prefix": "qwen3.5"}
    assert reply.curves([AGENTIC, row], NAMES) == reply.curves([AGENTIC], NAMES)


@pytest.mark.parametrize(
    ("state", "first"),
    [(reply.DONE, "@mia staged run 5, 7."), ("disk full", "@mia run 5, 7 is not staged: `disk full`")],
)
def test_a_reply_that_waits_is_settled_in_place(state: str, first: str) -> None:
    waiting = f"{reply.mark(1)}\n{staged(reply.WAITING)}"
    assert "@mia staging run 5, 7…" in waiting
    after = reply.settled(waiting, state)
    assert (first in after, "…" in after, KEPT in after) == (True, False, True)
    assert reply.settled(after, "late") == after


def test_a_failed_staging_is_a_warning() -> None:
    assert staged("no connection").startswith("- warning: run 5, 7 is not staged: `no connection`")


def test_every_repair_is_of_a_kind_that_exists() -> None:
    assert set(reply.REPAIR) <= set(OUTCOMES)


@pytest.mark.parametrize(
    ("lines", "more"), [(10, ""), (11, "1 more line is"), (5000, "4,990 more lines are")]
)
def test_a_comment_of_many_commands_gets_a_short_reply(lines: int, more: str) -> None:
    told = reply.superseded(read_text("/use 5\n\n" * lines + "/use 6", FORMS))
    assert told[:2] == ["Line 1 (`/use`) is superseded.", "Line 3 (`/use`) is superseded."]
    assert told[10:] == ([f"{more} superseded."] if more else [])
