from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx import block

ENTRY = st.integers(0, 999).map(
    lambda number: f"- config-keys:\n    - k{number}\n  pr-link: https://x/pull/{number}".encode()
)


@given(st.lists(ENTRY))
def test_blocks_joined_by_tail_are_the_same_blocks(entries: list[bytes]) -> None:
    assert block.blocks(block.tail(b"", entries)) == entries


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", []),
        (b"- a\n- b\n", [b"- a", b"- b"]),
        (b"# why\n- a\n\n\n- b", [b"# why\n- a", b"- b"]),
        (b"- a: |\n    x\n\n    y\n\n- b\n", [b"- a: |\n    x\n\n    y", b"- b"]),
        (b"E1\n\nE2\n", [b"E1", b"E2"]),
    ],
)
def test_where_blocks_begin(data: bytes, found: list[bytes]) -> None:
    assert block.blocks(data) == found


@pytest.mark.parametrize(
    ("base", "joint"),
    [(b"", b""), (b"- a", b"\n\n"), (b"- a\n", b"\n"), (b"- a\n\n", b""), (b"- a\n\n\n", b"")],
)
def test_one_empty_line_before_what_is_appended(base: bytes, joint: bytes) -> None:
    assert block.tail(base, [b"- b"]) == joint + b"- b\n"


@pytest.mark.parametrize(
    ("data", "clean"),
    [
        (b"a\r\nb\r", b"a\nb\n"),
        (b"\tx:\ty\0\n", b"  x: y\n"),
        (b"\xef\xbb\xbfa\n  \nb", b"a\n\nb"),
        (b"caf\xe9", "café".encode()),
    ],
)
def test_clean(data: bytes, clean: bytes) -> None:
    assert block.clean(data) == clean
    assert block.clean(clean) == clean


def test_markers_are_whole_lines() -> None:
    data = b"<<<<<<< branch\na ======= b\n=======\n>>>>>>> main\n||||||| 1a2b\n"
    assert block.markers(data) == [1, 3, 4, 5]
    assert block.unmarked(data) == b"a ======= b\n"


def test_links_are_read_and_replaced_in_quotes_too() -> None:
    entry = b'- config-keys: [k]\n  pr-link: "https://x/pull/1"  # why'
    assert block.link(entry) == b"https://x/pull/1"
    assert block.linked(entry, b"https://x/pull/2") == entry.replace(b"/1", b"/2")


def test_a_link_is_found_however_many_empty_lines_stand_before_it() -> None:
    data = b"- a" + b"\n" * 200_000 + b"  pr-link: https://x/pull/7"
    began = process_time()
    assert block.link(data) == b"https://x/pull/7"
    assert block.link(block.linked(data, b"y")) == b"y"
    assert process_time() - began < 1
