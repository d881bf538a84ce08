"""`infx init --labels` on the embedded GitHub: made once, with colours, and never twice in two cases."""

import pytest

from tests.jobs.test_doctor import Bench, R, bench

pytestmark = pytest.mark.forge
__all__ = ["bench"]
FULL = "full-sweep-enabled"


def labels(bench: Bench) -> dict[str, str]:
    """Name → colour."""
    return {one["name"]: one["color"] for one in bench.client("GET", f"{R}/labels?per_page=100").json}


def test_labels_are_made_once(bench: Bench) -> None:
    assert bench.infx("init", "--labels", "--dry-run")[0] == 0
    assert FULL not in labels(bench)
    assert f"label {FULL}: made" in bench.infx("init", "--labels")[1]
    made = labels(bench)
    assert {FULL, "resume-sweep", "gpu-budget-approved"} <= set(made)
    assert len(set(made.values())) > 2
    assert f"label {FULL}: there" in bench.infx("init", "--labels")[1]
    assert labels(bench) == made


def test_a_label_of_another_case_is_said_and_left(bench: Bench) -> None:
    bench.set("POST", f"{R}/labels", {"name": "Full-Sweep-Enabled", "color": "123456"})
    assert f"label {FULL}: stands as Full-Sweep-Enabled; rename it" in bench.infx("init", "--labels")[1]
    assert {name for name in labels(bench) if name.lower() == FULL} == {"Full-Sweep-Enabled"}
    assert bench.faults()["labels"] == "broken"
