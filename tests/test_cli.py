"""The command line itself."""

import re
from pathlib import Path

import pytest

from infx import __version__, cli
from infx.cli import COMMANDS, GROUPS, parser_for
from infx.edge.git import Git

ROOT = Path(cli.__file__).parent.parent


def test_the_version_names_the_commit_of_a_checkout(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        parser_for(["--version"]).parse_args(["--version"])
    said = capsys.readouterr().out.strip()
    commit = f" ({Git(ROOT).resolve('HEAD')[:12]})" if (ROOT / ".git").exists() else ""
    assert (ended.value.code, said) == (0, f"infx {__version__}{commit}")


def test_an_installed_package_has_no_commit(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Even when it lies inside somebody's repository."""
    monkeypatch.setattr(cli, "__file__", str(tmp_path / "infx" / "cli.py"))
    assert cli.version() == f"infx {__version__}"


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
