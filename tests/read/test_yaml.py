import contextlib
import gc
import resource
import time

import pytest
import yaml as reference
from hypothesis import given
from hypothesis import strategies as st

from infx.errors import BadInput
from infx.read.yaml import line_of, load

SAME = [
    "a: 1\nb: [x, 'y', \"z\", 1.5, true, no, ~, 0x1F, 0o7, 1_000, 2024-01-02]\n",
    "base: &b {x: 1, y: 2}\nmine:\n  <<: *b\n  y: 3\n",
    "many:\n  <<: [{x: 1}, {x: 2, z: 3}]\n",
    "text: |\n  two\n  lines\nempty:\n",
    "!!str 5",
    "? complex\n: value\n",
    "",
    "# only a comment",
]


@pytest.mark.parametrize("text", SAME)
def test_means_what_the_safe_loader_says(text: str) -> None:
    assert load(text, where="f") == reference.safe_load(text)


REFUSED = {
    "duplicate key": ("a: 1\nb: 2\na: 3\n", "f:3", "key `a` is here twice"),
    "nested duplicate": ("a:\n  - x: 1\n    x: 2\n", "f:3", "twice"),
    "tab": ("a:\n\tb: 1\n", "f:2", "spaces, not tabs"),
    "syntax": ("a: [1, 2\nb: 3\n", "f:2", "not valid YAML"),
    "cycle": ("a: &x [*x]\n", "f:1", "cannot hold itself"),
    "unknown alias": ("a: *nope\n", "f:1", "names no anchor"),
    "list as a key": ("? [1, 2]\n: 3\n", "f:1", "as a key"),
    "python tag": ("a: !!python/object/apply:os.system [x]\n", "f:1", "not allowed"),
    "unknown scalar tag": ("a: !mine x\n", "f:1", "the tag '!mine'"),
    "set tag": ("!!set {a, b}", "f:1", "not allowed"),
    "number of many digits": ("a: " + "9" * 5000, "f:1", "quote it"),
    "number in base sixty": ("a: 1" + ":59" * 300_000, "f:1", "quote it"),
    "bad date": ("a: 2024-13-45\n", "f:1", "does not fit its tag"),
    "bad merge": ("a:\n  <<: 5\n", "f:3", "wants a mapping"),
    "two documents": ("a: 1\n---\nb: 2\n", "f:2", "second document"),
    "not UTF-8": (b"a: 1\nb: \xff\n", "f:2", "not UTF-8"),
    "control character": ("a: \x07\n", "f", "not valid YAML"),
    "too deep": ("[" * 101 + "]" * 101, "f:1", "100 deep"),
    "too deep through aliases": (
        f"a: &a {'[' * 60}{']' * 60}\nb: {'[' * 60}*a{']' * 60}\n",
        "f:2",
        "100 deep",
    ),
    "too many bytes": (b" " * (8 * 1024 * 1024 + 1), "f", "larger than"),
}


@pytest.mark.parametrize(("text", "where", "says"), REFUSED.values(), ids=REFUSED)
def test_refuses_with_line(text: str | bytes, where: str, says: str) -> None:
    with pytest.raises(BadInput) as caught:
        load(text, where="f")
    assert caught.value.where.startswith(where)
    assert says in caught.value.sentence


BOMBS = {
    "wide": "[" + "{a}," * 250_000 + "]",
    "flat": "[" + "a," * 700_000 + "]",
    "deep": "[" * 1_000_000,
    "laughs": "a: &a [x,x,x,x,x,x,x,x,x,x]\n"
    + "".join(
        f"{b}: &{b} [{','.join(['*' + a] * 10)}]\n" for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    ),
}


@pytest.mark.parametrize("text", BOMBS.values(), ids=BOMBS)
def test_bombs_are_refused_in_time_and_space(text: str) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    with pytest.raises(BadInput):
        load(text, where="f")
    assert time.process_time() - start < 1.5
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 256 * 1024


def test_collector_is_left_as_it_was() -> None:
    gc.disable()
    try:
        load("a: 1", where="f")
        assert not gc.isenabled()
    finally:
        gc.enable()
    with pytest.raises(BadInput):
        load("a: [", where="f")
    assert gc.isenabled()


@pytest.mark.parametrize(
    ("path", "line"),
    [((), 1), (("a",), 1), (("b", 1), 4), (("b", 1, "y"), 5), (("b", 9), 2), (("c", "d"), 6), (("zz", 1), 1)],
)
def test_line_of_a_path(path: tuple[str | int, ...], line: int) -> None:
    assert line_of("a: 1\nb:\n  - x: 1\n  - x: 2\n    y: 3\nc: {d: 4}\n", path) == line


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text() | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=15,
)


@given(VALUES)
def test_what_is_dumped_comes_back(value: object) -> None:
    assert load(reference.safe_dump(value), where="f") == value


@given(st.text(alphabet="ab:-[]{}&*!?|>#'\"\t\n ,<0.~%@`", max_size=60))
def test_odd_text_is_a_value_or_bad_input(text: str) -> None:
    with contextlib.suppress(BadInput):
        load(text, where="f")
