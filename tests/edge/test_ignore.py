"""The CODEOWNERS engine beside git's own matching, where GitHub documents the same rules for both."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from infx.read.codeowners import read

NAMES = st.sampled_from(["a", "b", "ab", "x.js", "docs", "a b", "A", "lib.so.1"])
PARTS = st.one_of(NAMES, st.sampled_from(["*", "*.js", "a*", "?", "*b", "**"]))
PATTERNS = st.builds(
    lambda lead, parts, tail: lead + "/".join(part.replace(" ", r"\ ") for part in parts) + tail,
    st.sampled_from(["", "/"]),
    st.lists(PARTS, min_size=1, max_size=4),
    st.sampled_from(["", "/"]),
)
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)


def differs_by_design(pattern: str) -> bool:
    """`docs/*` owns no nested file on GitHub, while git ignores what lies below a folder that it matches."""
    return pattern.endswith("/*")


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ignore")
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    return folder


def ignored(repo: Path, pattern: str, paths: list[str]) -> set[str]:
    (repo / ".gitignore").write_text(f"{pattern}\n")
    done = subprocess.run(
        ["git", "-C", str(repo), "check-ignore", "--no-index", "-z", "--stdin"],
        input="\0".join(paths).encode(),
        capture_output=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    return set(filter(None, done.stdout.decode().split("\0")))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(pattern=PATTERNS, paths=st.lists(PATHS, min_size=1, max_size=30, unique=True))
def test_it_agrees_with_git(repo: Path, pattern: str, paths: list[str]) -> None:
    if differs_by_design(pattern):
        return
    owners = read(f"{pattern} @a\n".encode())
    assert {path for path in paths if owners.of(path)} == ignored(repo, pattern, paths), pattern


@settings(deadline=None)
@given(patterns=st.lists(PATTERNS, min_size=1, max_size=12), path=PATHS)
def test_the_index_finds_what_trying_every_rule_finds(patterns: list[str], path: str) -> None:
    owners = read("".join(f"{one} @o{at}\n" for at, one in enumerate(patterns)).encode())
    tried = [rule.line for rule in owners.rules if rule.matches(path)]
    found = owners.rule(path)
    assert (found.line if found else None) == (tried[-1] if tried else None)
