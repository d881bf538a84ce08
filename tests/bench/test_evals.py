from pathlib import Path

import pytest
import yaml

from infx.bench import evals
from infx.edge import files
from infx.read.lmeval import FLEXIBLE, STRICT
from infx.reason import Reason, Stopped
from tests.runtime import ROOT

TASKS = ROOT / "benchmarks" / "evals"


def test_an_unknown_task_is_named(tmp_path: Path) -> None:
    with pytest.raises(Stopped, match=r"nope\.yaml") as stop:
        evals.arguments(TASKS, task="nope", url="u", model="m", conc=4, out=tmp_path)
    assert stop.value.reason == Reason.SCRIPT_MISSING


def test_argv_carries_what_was_planned(tmp_path: Path) -> None:
    argv = evals.arguments(TASKS, task="gsm8k", url="u", model="m", conc=16, out=tmp_path)
    assert (argv[argv.index("--conc") + 1], argv[argv.index("--task") + 1]) == ("16", "gsm8k")


def test_a_missing_result_is_no_result(tmp_path: Path) -> None:
    with pytest.raises(Stopped, match="no-result"):
        evals.outcome(tmp_path / "results.json", task="gsm8k", conc=4)
    files.write_json(tmp_path / "results.json", {"results": {}})
    with pytest.raises(Stopped, match="no-result"):
        evals.outcome(tmp_path / "results.json", task="gsm8k", conc=4)


def test_the_task_file_has_both_filters_and_takes_the_last_mark() -> None:
    task = yaml.safe_load((ROOT / TASKS / "gsm8k.yaml").read_text())
    regex = {one["name"]: one["filter"][0] for one in task["filter_list"]}
    assert set(regex) == {STRICT, FLEXIBLE}
    assert {step["group_select"] for step in regex.values()} == {-1}
