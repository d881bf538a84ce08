"""CODEOWNERS as GitHub documents it; its documentation's examples are restated in our words."""

import pytest

from infx.owners import SIZE_LIMIT, Owners
from infx.read.codeowners import read

DOCUMENTED = b"""\
# the whole repository
*       @global1 @global2
*.js    @js-owner #an inline comment
*.go docs@example.com
*.txt @octo-org/octocats
/build/logs/ @doctocat
docs/*  docs@example.com
apps/ @octocat
/docs/ @doctocat
/scripts/ @doctocat @octocat
**/logs @octocat
/apps2/ @octocat
/apps2/github
/apps3/ @octocat
/apps3/github @doctocat
"""


@pytest.mark.parametrize(
    ("path", "owners"),
    [
        ("README.md", ("@global1", "@global2")),
        ("a/b/c.py", ("@global1", "@global2")),
        ("a/main.js", ("@js-owner",)),
        ("main.go", ("docs@example.com",)),
        ("a/x.txt", ("@octo-org/octocats",)),
        ("build/logs/x/y.log", ("@octocat",)),
        ("docs/start.md", ("@doctocat",)),
        ("a/apps/x", ("@octocat",)),
        ("scripts/a/b.sh", ("@doctocat", "@octocat")),
        ("deeply/nested/logs/x", ("@octocat",)),
        ("apps2/x", ("@octocat",)),
        ("apps2/github", ()),
        ("apps2/github/x", ()),
        ("apps3/github/x", ("@doctocat",)),
    ],
)
def test_documented_examples(path: str, owners: tuple[str, ...]) -> None:
    assert read(DOCUMENTED).of(path) == owners


def test_a_star_at_the_end_reaches_no_deeper() -> None:
    found = read(b"docs/* @a\n")
    assert (found.of("docs/start.md"), found.of("docs/build/x.md")) == (("@a",), ())


@pytest.mark.parametrize(
    ("text", "path", "owners"),
    [
        ("* @org/core\n/configs/ @owner-a\n", "configs/x.yaml", ["@owner-a"]),
        ("/configs/ @owner-a\n* @org/core\n", "configs/x.yaml", ["@org/core"]),
        ("/configs/ @owner-a\n/configs/deprecated/\n", "configs/deprecated/y.yaml", []),
        ("/configs/ @owner-a\n/configs/ @owner-b\n", "configs/x.yaml", ["@owner-b"]),
    ],
)
def test_C88_the_last_match_replaces_earlier_ones(text: str, path: str, owners: list[str]) -> None:
    assert list(read(text.encode()).of(path)) == owners


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("docs/ @writers # Doc writers", ("docs/", ["@writers"])),
        ("/apps/github # nobody", ("/apps/github", [])),
        (r"/apps/\#1 @team/a", ("/apps/#1", ["@team/a"])),
        (r"/my\ dir/ @owner-a", ("/my dir/", ["@owner-a"])),
        ("*.js @js-owner #inline.   ", ("*.js", ["@js-owner"])),
        ("   ", None),
    ],
)
def test_C89_words_of_a_comment_are_no_owners(line: str, meant: tuple[str, list[str]] | None) -> None:
    found = read(line.encode())
    assert [(rule.pattern, list(rule.owners)) for rule in found.rules] == ([meant] if meant else [])
    assert found.faults == ()


def test_C89_a_section_is_no_github_syntax() -> None:
    found = read(b"/a @b\n[Section][2] @x\n")
    assert [(fault.line, fault.kind) for fault in found.faults] == [(2, "Invalid pattern")]


@pytest.mark.parametrize(
    ("line", "kind", "column"),
    [
        (r"\#a @b", "Invalid pattern", 1),
        ("!docs/ @b", "Invalid pattern", 1),
        ("file[0-9].md @b", "Invalid pattern", 1),
        ("a***b @b", "Invalid pattern", 1),
        ("/ @b", "Invalid pattern", 1),
        ("docs/ writers", "Invalid owner", 7),
        ("docs/ @writers#x", "Invalid owner", 7),
        ("docs/ @a @@b", "Invalid owner", 10),
    ],
)
def test_invalid_lines_are_skipped_and_reported(line: str, kind: str, column: int) -> None:
    found = read(f"{line}\n* @c\n".encode())
    assert found.of("docs/x") == ("@c",)
    [fault] = found.faults
    assert (fault.line, fault.kind, fault.column) == (1, kind, column)


def test_case_counts_and_a_byte_order_mark_does_not() -> None:
    found = read(b"\xef\xbb\xbf/Docs/ @a\r\n/src @b\r\n")
    assert (found.of("docs/x"), found.of("Docs/x"), found.of("src/y")) == ((), ("@a",), ("@b",))


@pytest.mark.parametrize("data", [b"!a @b\n[x] @y\n", b"#" * (SIZE_LIMIT + 1)])
def test_a_file_that_cannot_count_says_why(data: bytes) -> None:
    assert read(data).trouble


def test_an_empty_file_owns_nothing_and_is_fine() -> None:
    assert read(b"# nobody\n\n") == Owners()


@pytest.mark.parametrize(
    ("pattern", "yes", "no"),
    [
        ("Makefile", ["Makefile", "a/Makefile", "a/Makefile/b"], ["a/makefile", "xMakefile"]),
        ("logs/", ["logs/x", "a/logs/x"], ["logs", "a/logs"]),
        ("/logs", ["logs", "logs/x"], ["a/logs"]),
        ("a/b", ["a/b", "a/b/c"], ["x/a/b"]),
        ("**/b/c", ["b/c", "x/b/c", "x/y/b/c/d"], ["xb/c"]),
        ("a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["ab"]),
        ("a/**", ["a/x", "a/x/y"], ["b/a/x"]),
        ("a?c", ["abc", "x/abc/y"], ["a/c", "ac"]),
        (r"my\ file", ["my file"], ["my"]),
        (r"a\*b", ["a*b"], ["axb"]),
        ("*.js", ["x\n.js"], ["x.js\n"]),
    ],
)
def test_patterns(pattern: str, yes: list[str], no: list[str]) -> None:
    found = read(f"{pattern} @a\n".encode())
    assert [path for path in yes if not found.of(path)] == []
    assert [path for path in no if found.of(path)] == []
