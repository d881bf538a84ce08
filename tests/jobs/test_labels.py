"""`infx init --labels` on the embedded GitHub: made once, with colours, and never twice in two cases."""

import pytest

from tests.jobs.test_doctor import REPO, Bench, R, bench

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


def test_a_token_without_permission_is_said_and_somebody_elses_finishes(bench: Bench) -> None:
    token = bench.forge.user("rita")
    bench.forge.role(REPO, "rita", "read")
    code, _, err = bench.infx("init", "--labels", env=bench.env(token))
    assert (code, "check the number, the name and the token's permissions" in err) == (2, True), err
    assert FULL not in labels(bench)
    assert f"label {FULL}: made" in bench.infx("init", "--labels")[1]


def test_labels_that_a_crash_left_out_are_made_by_the_next(bench: Bench) -> None:
    bench.forge.fault("error_before POST */labels times=0 skip=2")
    assert bench.infx("init", "--labels")[0] == 3
    made = labels(bench)
    bench.forge.site.faults.clear()
    out = bench.infx("init", "--labels")[1]
    assert "label resume-sweep: made" in out
    assert made.keys() < labels(bench).keys()


@pytest.mark.parametrize("words", [("doctor",), ("runners",), ("init", "--labels")], ids=" ".join)
def test_a_repository_that_the_token_does_not_show_is_one_sentence(
    bench: Bench, words: tuple[str, ...]
) -> None:
    bench.set("PATCH", R, {"private": True})
    code, _, err = bench.infx(*words, env=bench.env(bench.forge.user("eve")))
    assert (code, "404 Not Found" in err, "Traceback" in err) == (2, True, False), err
