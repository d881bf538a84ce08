"""The file of a recorded life: strict, bounded, whole."""

import gzip

import pytest

from infx.errors import BadInput
from infx.forge.life import form
from infx.forge.life.form import Life
from infx.forge.life.tape import Answer, Tape

EVENT = {"kind": "event", "name": "push", "payload": {"ref": "é"}}
HEAD = '{"kind": "life", "version": 1, "source": "forge", "at": "", "complete": true}\n'


def test_what_is_written_is_read(tmp_path):
    life = Life(source="forge", at="2026-01-01T00:00:00Z", complete=True, entries=[EVENT])
    form.write(tmp_path / "life.jsonl.gz", life)
    assert form.read(tmp_path / "life.jsonl.gz") == life


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"plain", "not a gzip file"),
        (gzip.compress(HEAD.encode())[:-3], "ends too early"),
        (gzip.compress(b""), "no recorded life"),
        (gzip.compress(HEAD.replace("1", "9").encode()), "no recorded life of version"),
        (gzip.compress((HEAD + "[]").encode()), ":2: no entry"),
        (gzip.compress((HEAD + '{"kind": "event", "name": 1}').encode()), ":2: name is missing"),
        (gzip.compress((HEAD + "{").encode()), "not JSON"),
        (gzip.compress(b"\xff\n"), "UTF-8"),
        (gzip.compress(b" " * (form.TOTAL + 1)), "more than"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_anything_else_is_refused_with_its_place(tmp_path, data, why):
    (tmp_path / "f").write_bytes(data)
    with pytest.raises(BadInput, match=why):
        form.read(tmp_path / "f")


def test_a_full_tape_says_so():
    tape = Tape(source="forge", home="http://a", api="http://a/api/v3", limit=300)
    for number in range(9):
        tape.request("GET", f"/{number}", "", body=b"", answer=Answer(200, {}, b"{}"))
    life = tape.life()
    assert not life.complete
    assert [one["path"] for one in life.entries] == ["/0", "/1"]
