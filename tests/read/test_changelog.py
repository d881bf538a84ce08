import contextlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.errors import BadInput, Refused
from infx.read.changelog import added, read_entries
from tests.matrix.sample import dump

BASE = b"- config-keys: [a]\n  description: [x]\n  pr-link: y\n"
PLAIN = {"config-keys": ["a"], "description": ["x"], "pr-link": "y"}


def read(**fields: Any) -> Any:
    (entry,) = read_entries(dump([{**PLAIN, **fields}]).decode(), where="log.yaml")
    return entry


def test_an_entry_in_full() -> None:
    entry = read(**{"eval-min-prefill-ep": 8, "scenario-type": ["agentic-coding"]})
    assert (entry.config_keys, entry.eval_min_prefill_ep, entry.scenarios) == (("a",), 8, ("agentic-coding",))


@pytest.mark.parametrize(
    ("word", "means"), [("yes", True), ("off", False), ("True", True), (1, True), (0, False)]
)
def test_switches_take_words(word: Any, means: bool) -> None:
    assert read(**{"evals-only": word}).evals_only is means


def test_nulls_count_as_absent() -> None:
    entry = read(**{"eval-min-prefill-ep": None, "scenario-type": None})
    assert entry.scenario_type is None


@pytest.mark.parametrize("text", ["", "\n\n", "# a comment\n"])
def test_no_entry(text: str) -> None:
    assert read_entries(text, where="log.yaml") == ()


REFUSED = {
    "keys as text": ({"config-keys": "a"}, "must be a list"),
    "no description": ({"description": []}, "must not be empty"),
    "link a number": ({"pr-link": 5}, "must be text"),
    "unknown field": ({"eval-max-prefill-ep": 4}, "did you mean `eval-min-prefill-ep`"),
    "ep zero": ({"eval-min-prefill-ep": 0}, "at least 1"),
    "ep true": ({"eval-min-prefill-ep": True}, "whole number"),
    "no scenario": ({"scenario-type": []}, "must not be empty"),
    "unknown scenario": ({"scenario-type": ["fixed"]}, "allowed: `fixed-seq-len`"),
    "switch": ({"all-evals": "maybe"}, "true or false"),
    "append-only with all-evals": ({"append-only": True, "all-evals": True}, "contradict"),
    "append-only with evals-only": ({"append-only": True, "evals-only": True}, "contradict"),
    "append-only with a least ep": ({"append-only": True, "eval-min-prefill-ep": 2}, "contradict"),
    "C22": ({"no-evals": True, "evals-only": True}, "contradict"),
    "no-evals with all-evals": ({"no-evals": True, "all-evals": True}, "contradict"),
    "no-evals with a least ep": ({"no-evals": True, "eval-min-prefill-ep": 2}, "contradict"),
}


@pytest.mark.parametrize(("fields", "says"), REFUSED.values(), ids=REFUSED)
def test_refuses_with_line(fields: dict[str, Any], says: str) -> None:
    with pytest.raises(BadInput, match=says) as caught:
        read(**fields)
    assert caught.value.where.startswith("log.yaml:")


@pytest.mark.parametrize("text", ["a: 1", "text", "- 5", "- [a]"])
def test_only_a_list_of_mappings(text: str) -> None:
    with pytest.raises(BadInput):
        read_entries(text, where="log.yaml")


def never() -> str:
    raise AssertionError("a prefix needs no diff")


@pytest.mark.parametrize(
    ("base", "head", "text"),
    [(BASE, BASE + b"\n- new\n", "\n- new\n"), (b"- a", b"- a\n- b\n", "\n- b\n"), (b"", b"- a\n", "- a\n")],
)
def test_added_text_is_the_suffix(base: bytes, head: bytes, text: str) -> None:
    assert added(base, head, diff=never) == text


def diff(body: str) -> str:
    return f"diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n{body}"


def test_added_text_of_a_diff() -> None:
    assert added(b"1", b"2", diff=lambda: diff(" a\n+- b\n-\n+  c\n a\n")) == "- b\n  c\n"


@pytest.mark.parametrize("line", ["-- a", "-  pr-link: x", "--- a", "-#"])
def test_a_removed_line_is_refused(line: str) -> None:
    with pytest.raises(Refused, match="was removed or edited"):
        added(b"1", b"2", diff=lambda: diff(f"{line}\n+- b\n"))


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=9),
        lambda one: st.lists(one) | st.dictionaries(st.sampled_from([*PLAIN, "no-evals", "zz"]), one),
        max_leaves=9,
    )
)
def test_odd_entries_are_entries_or_bad_input(value: object) -> None:
    with contextlib.suppress(BadInput):
        read_entries(dump(value).decode(), where="log.yaml")


def test_added_text_must_be_utf8() -> None:
    with pytest.raises(BadInput, match="UTF-8"):
        added(b"", b"\xff", diff=never)
