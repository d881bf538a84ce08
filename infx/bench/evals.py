"""Accuracy by lm-eval with the task files of the repository."""

import time
from collections.abc import Mapping
from pathlib import Path

from infx.edge import files
from infx.errors import BadInput
from infx.read import lmeval
from infx.reason import Reason, Stopped
from infx.row import Score


def arguments(tasks: Path, *, task: str, url: str, model: str, conc: int, out: Path) -> list[str]:
    """What the clients' Python is to run. `tasks` is the folder of task files: `<task>.yaml` scores `<task>`.
    Stopped when there is no such task."""
    if not (tasks / f"{task}.yaml").is_file():
        raise Stopped(Reason.SCRIPT_MISSING, f"there is no {tasks.name}/{task}.yaml")
    runner = str(tasks / "score.py")
    return [runner, "--task", task, "--url", url, "--model", model, "--conc", str(conc), "--out", str(out)]


def environment(env: Mapping[str, str]) -> dict[str, str]:
    """No hub, no key that matters."""
    return {**env, "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "OPENAI_API_KEY": "none"}


def outcome(path: Path, *, task: str, conc: int) -> Score:
    """What lm-eval wrote. Stopped with `no-result` when it is missing or unreadable."""
    try:
        return lmeval.score(files.read_json(path), task=task, conc=conc, ended=time.time())
    except BadInput as error:
        raise Stopped(Reason.NO_RESULT, error.sentence) from error
