"""Archives from strangers: no path leaves, no bomb goes off, no junk gets through."""

import io
import zipfile
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.edge import archive
from infx.errors import Refused


def zipped(*files: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as made:
        for name, data in files:
            made.writestr(name, data)
    return buffer.getvalue()


def test_files_come_out_by_path() -> None:
    data = zipped(("plan.json", b"{}"), ("raw/", b""), ("raw/a.csv", b"1"))
    assert archive.unpack(data, where="plan") == {"plan.json": b"{}", "raw/a.csv": b"1"}


@pytest.mark.parametrize("name", ["../x", "/etc/passwd", "a/../../x", "..\\x", "C:/x", "."])
def test_a_path_that_leaves_is_refused(name: str) -> None:
    with pytest.raises(Refused, match="leaves the archive"):
        archive.unpack(zipped((name, b"x")), where="plan")


def test_a_bomb_is_stopped_while_it_unpacks() -> None:
    bomb = zipped(("zeros", bytes(5_000_000)))
    assert len(bomb) < 10_000
    with pytest.raises(Refused, match="more than 1000 bytes"):
        archive.unpack(bomb, where="plan", total=1000)


def test_the_bound_is_for_all_files_together() -> None:
    parts = zipped(("a", b"x" * 600), ("b", b"x" * 600))
    with pytest.raises(Refused):
        archive.unpack(parts, where="plan", total=1000)
    assert len(archive.unpack(parts, where="plan", total=1200)) == 2


def test_too_many_files_are_refused() -> None:
    with pytest.raises(Refused, match="more than 2 files"):
        archive.unpack(zipped(("a", b""), ("b", b""), ("c", b"")), where="plan", members=2)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_one_path_twice_is_refused() -> None:
    with pytest.raises(Refused, match="twice"):
        archive.unpack(zipped(("a", b"1"), ("a", b"2")), where="plan")


@given(st.binary(max_size=200), st.integers(0, 200))
def test_damage_is_refused_and_never_a_bug(junk: bytes, at: int) -> None:
    good = zipped(("a", b"hello" * 10))
    for data in (junk, good[:at], good[:at] + junk + good[at + len(junk) :]):
        with suppress(Refused):
            assert isinstance(archive.unpack(data, where="plan"), dict)


def test_a_rare_compression_method_is_refused() -> None:
    with pytest.raises(Refused, match="method 14"):
        archive.unpack(zipped(("a", b"1"), method=zipfile.ZIP_LZMA), where="plan")
