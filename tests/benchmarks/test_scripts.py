"""The scripts of this repository read what infx exports, and every recipe that they serve differs."""

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from infx.edge import settings
from infx.launch.environ import exported
from infx.matrix import generate
from infx.matrix.script import path_of, resolve
from infx.read.config import read_catalog

ROOT = Path(__file__).parents[2]
MASTERS = ("configs/nvidia-master.yaml", "configs/demo-master.yaml", "configs/lab-master.yaml")
SCRIPTS = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "benchmarks").glob("*_node/**/*.sh"))
RECIPES = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "benchmarks").glob("*_node/**/*.yaml"))
CONTRACT = {"PORT", "LISTEN", "MODEL_PATH", "EVAL_ONLY", "INFX_PYTHON", "INFX_CELL", "TMPDIR", "SIM_FAULT"}
PER_POINT = {"conc", "exp-name", "run-eval", "eval-only"}
ENGINE = """#!/bin/sh
printf '%s ' "$(basename "$0")" "$@"
for word; do [ -f "$word" ] && cat "$word"; done
exit 0
"""
"""Stands for any engine: says how it was started, and what is in the files that it was given."""


def rows() -> dict[str, list[dict[str, Any]]]:
    """Script → rows that it serves."""
    masters = [(name, (ROOT / name).read_bytes()) for name in MASTERS]
    catalog = read_catalog(masters, ("runners", (ROOT / "configs/runners.yaml").read_bytes()))
    rules = settings.parse("")
    there = [*SCRIPTS, *RECIPES]
    found: dict[str, list[dict[str, Any]]] = {path: [] for path in there}
    for job in generate.test_config(catalog, generate.TestConfig(config_keys=tuple(catalog.configs))):
        script = resolve(job.row, rules.script_patterns, there, roots=rules.recipe_roots)
        found[path_of(script)].append(job.row)
    return found


ROWS = rows()


@pytest.mark.parametrize("path", SCRIPTS)
def test_a_script_reads_only_what_it_is_given(path: str) -> None:
    text = (ROOT / path).read_text()
    read = set(re.findall(r"\$\{?([A-Z][A-Z0-9_]*)", text)) - set(re.findall(r"(?m)^\s*([A-Z]\w*)=", text))
    assert ROWS[path], "no row needs it"
    assert read - CONTRACT <= set.intersection(*(set(exported(row)) for row in ROWS[path]))


def test_every_recipe_file_has_a_row() -> None:
    assert RECIPES
    assert all(ROWS[path] for path in RECIPES)


def started(path: str, row: dict[str, Any], programs: Path) -> str:
    env = {"MODEL_PATH": row["model"], "PORT": "8000", "INFX_PYTHON": "python3", **exported(row)}
    env["PATH"] = f"{programs}:/usr/bin:/bin"
    done = subprocess.run(["bash", path], cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    return re.sub(r"/tmp/\S+", "FILE", done.stdout)


@pytest.mark.process
@pytest.mark.parametrize("path", [path for path in SCRIPTS if "h200" in path])
def test_each_recipe_of_a_script_starts_another_engine(path: str, tmp_path: Path) -> None:
    for name in ("python3", "vllm", "trtllm-serve"):
        (tmp_path / name).write_text(ENGINE)
        (tmp_path / name).chmod(0o755)
    recipes = {str({k: v for k, v in row.items() if k not in PER_POINT}): row for row in ROWS[path]}
    commands = {started(path, row, tmp_path) for row in recipes.values()}
    assert len(commands) == len(recipes)
