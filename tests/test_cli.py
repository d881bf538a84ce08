"""The command line itself."""

import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from infx import __version__, cli
from infx.cli import COMMANDS, GROUPS, parser_for
from infx.edge import shipped
from infx.edge.world import World

ROOT = Path(cli.__file__).parent.parent


def test_the_version_names_the_commit(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parser_for(["--version"]).parse_args(["--version"])
    said = capsys.readouterr().out.strip()
    commit = f" ({shipped.commit()[:12]})" if shipped.commit() else ""
    assert (ended.value.code, said) == (0, f"infx {__version__}{commit}")


@pytest.mark.parametrize(("built", "said"), [("0123456789abcdef", " (0123456789ab)"), (None, "")])
def test_an_installed_package_knows_what_it_was_built_of(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, built: str | None, said: str
) -> None:
    """Even when it lies inside somebody's repository."""
    package = tmp_path / "venv" / "infx"
    package.mkdir(parents=True)
    if built:
        (package / "commit").write_text(built + "\n")
    monkeypatch.setattr(shipped, "PACKAGE", package)
    assert cli.version() == f"infx {__version__}{said}"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "tcsh"])
def test_a_shell_gets_every_command(shell: str) -> None:
    out = io.StringIO()
    world = World(env={}, cwd=ROOT, out=out, err=io.StringIO())
    assert cli.main(["--completion", shell], world) == 0
    assert cli.main([f"--completion={shell}"], world) == 0
    assert all(command.words.split()[-1] in out.getvalue() for command in COMMANDS)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("", "no command is given; infx --help lists them"),
        ("plna --base main", "there is no command `plna`; did you mean `plan`?"),
        ("simulate", "did you mean `sweep simulate`?"),
        ("matrix chnaged", "there is no command `matrix chnaged`; did you mean `matrix changed`?"),
        ("matrix", "`infx matrix` needs one more word; allowed: `matrix changed`, `matrix generate`"),
    ],
)
def test_a_misspelt_command_is_answered_with_the_nearest(words: str, says: str) -> None:
    err = io.StringIO()
    world = World(env={}, cwd=ROOT, out=io.StringIO(), err=err)
    assert cli.main(words.split(), world) == 2
    assert says in err.getvalue()
    assert err.getvalue().count("\n") == 1


def test_a_folder_that_is_gone_is_told_in_a_sentence(tmp_path: Path) -> None:
    run = f'cd "{tmp_path}" && mkdir gone && cd gone && rmdir "$PWD" && "{sys.executable}" -m infx plan'
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["bash", "-c", run], env=env, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "infx: the folder that this runs in is gone; change to one that is there\n"


def test_an_unknown_shell_is_bad_input() -> None:
    err = io.StringIO()
    world = World(env={}, cwd=ROOT, out=io.StringIO(), err=err)
    assert cli.main(["--completion", "cmd"], world) == 2
    assert "give bash" in err.getvalue()


def test_every_command_stands_in_the_help_of_its_group(capsys: pytest.CaptureFixture[str]) -> None:
    said = {}
    for group in ("", *GROUPS):
        argv = [*filter(None, [group]), "--help"]
        with pytest.raises(SystemExit):
            parser_for(argv).parse_args(argv)
        said[group] = capsys.readouterr().out
    for command in COMMANDS:
        before, _, word = command.words.rpartition(" ")
        assert re.search(rf"^ +{word}[ \n]", said[before], re.MULTILINE)
