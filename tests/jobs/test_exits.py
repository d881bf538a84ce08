"""Exit numbers: what the caller can mend is 2, a plain no is 1, what nobody could tell is 3."""

import io
import subprocess
from pathlib import Path

import pytest

from infx.cli import main
from infx.edge.api import Denied
from infx.edge.world import World
from tests.repo import Repo

KEY = "m1-fp8-h200-sglang"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("recipe", "show", "m9-*"), "`m9-*` names no config"),
        (("recipe", "show", KEY, "--conc", "5"), "concurrency 5; there are 4, 8"),
        (("sweep", "run", "--config-key", "m9"), "`m9` names no config"),
        (("plan", "--base", "nix"), "there is no commit 'nix' here"),
        (("results", "latest"), "has no remote origin"),
        (("results", "retract", "9", "--reason", "x"), "has no remote origin"),
        (("explain", "nix", "x.json"), "cannot explain"),
    ],
)
def test_what_names_nothing_is_bad_input(tmp_path: Path, words: tuple[str, ...], says: str) -> None:
    code, _, err = Repo(tmp_path).infx(*words)
    assert (code, says in err) == (2, True), err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "words", [("init",), ("init", "--dry-run"), ("changelog", "new", "--description", "x")], ids=" ".join
)
def test_a_bare_repository_has_nothing_to_work_on(tmp_path: Path, words: tuple[str, ...]) -> None:
    subprocess.run(["git", "init", "-q", "--bare", str(tmp_path)], check=True)
    err = io.StringIO()
    assert main(words, World(env={}, cwd=tmp_path, out=io.StringIO(), err=err)) == 2
    assert "a bare repository has no files to work on; run this inside a clone" in err.getvalue()


@pytest.mark.parametrize(
    ("status", "code"), [(401, 2), (403, 2), (404, 2), (405, 1), (409, 1), (410, 1), (422, 1)]
)
def test_what_github_denies_is_the_callers_to_mend_or_a_plain_no(status: int, code: int) -> None:
    assert Denied(status, "no", where="GET /x").exit_code == code
