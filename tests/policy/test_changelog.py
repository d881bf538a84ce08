from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx import block
from infx.decision import Decision
from infx.entry import Entry
from infx.policy.changelog import Facts, Fault, Kind, bytes_fault, covered, gate
from infx.versions import Versions, right

PULLS = "https://github.com/o/r/pull"


def text(key: str, number: int | str, extra: str = "") -> bytes:
    return f"- config-keys:\n    - {key}\n{extra}  pr-link: {PULLS}/{number}\n".encode()


E1, E2, E3, MINE = (text(key, number) for key, number in (("a", 1), ("b", 2), ("c", 3), ("mine", 9)))

TWIN, MINE_ALIKE = (
    text(key, number, "  description:\n    - Newer image\n") for key, number in (("b", 2), ("mine", 9))
)


def joined(*entries: bytes) -> bytes:
    return b"\n".join(entries)


def entry(*keys: str, link: str = f"{PULLS}/9", **fields: Any) -> Entry:
    return Entry(config_keys=keys or ("mine",), description=("d",), pr_link=link, **fields)


def versions(base: bytes, head: bytes, target: bytes | None = None) -> Versions:
    return Versions(merge_base=base, target=base if target is None else target, head=head)


def judge(base: bytes, head: bytes, *entries: Entry, target: bytes | None = None, **facts: Any) -> Decision:
    known = {
        "pulls": PULLS,
        "pr": 9,
        "keys": ("a", "b", "c", "mine"),
        "changed": frozenset({"mine"}),
        **facts,
    }
    return gate(versions(base, head, target), Facts(**known), entries or (entry(),))


def test_an_entry_at_the_end_passes() -> None:
    assert (judge(E1, joined(E1, MINE)).go, judge(E1, joined(E1, MINE)).kind) == (True, "appended")
    assert judge(b"", MINE).go


def test_a_change_without_keys_and_without_entry_passes() -> None:
    assert gate(versions(E1, E1), Facts(), ()).kind == "unchanged"


@pytest.mark.parametrize(
    ("base", "head", "target", "kind", "repaired"),
    [
        pytest.param(
            joined(E1, E2),
            joined(E1, E2, MINE),
            joined(E1, E2, E3),
            "stale-branch",
            joined(E1, E2, E3, MINE),
            id="C08",
        ),
        pytest.param(E1[:-1], joined(E1, MINE)[:-1], None, "no-final-newline", joined(E1, MINE), id="C10"),
        pytest.param(
            joined(E1, E2), joined(E1, MINE, E2), None, "not-appended-at-tail", joined(E1, E2, MINE), id="C11"
        ),
        pytest.param(
            E1,
            b"<<<<<<< branch\n" + E1 + b"=======\n" + MINE + b">>>>>>> main\n",
            joined(E1, E2),
            "conflict-markers",
            joined(E1, E2, MINE),
            id="C16",
        ),
        pytest.param(
            joined(E1, E2, E3), joined(E1, MINE), None, "entries-deleted", joined(E1, E2, E3, MINE), id="C17"
        ),
        pytest.param(
            joined(E1, TWIN),
            joined(E1, MINE_ALIKE),
            None,
            "entries-deleted",
            joined(E1, TWIN, MINE_ALIKE),
            id="C17 with an entry of the same shape in its place",
        ),
        pytest.param(joined(E1, E1), E1, None, "entries-deleted", joined(E1, E1), id="C20"),
        pytest.param(E1[:-1], E1[:-1] + MINE, None, "missing-separator", joined(E1, MINE), id="C10 glued"),
        (E1, E1.replace(b"- a", b"- z"), None, "history-edited", E1),
        (joined(E1, E2), joined(E2, E1), None, "history-edited", joined(E1, E2)),
        (E1[:-1], E1[:-1] + b"0\n", None, "history-edited", E1[:-1]),
        (E1, E1[:-1], None, "no-final-newline", E1),
        (E1, E1 + MINE, None, "missing-separator", joined(E1, MINE)),
        (E1, joined(E1, MINE + E2), None, "missing-separator", joined(E1, MINE, E2)),
        (E1, joined(E1, b"\n" + MINE), None, "whitespace-damage", joined(E1, MINE)),
        (E1, joined(E1, MINE + b"\n"), None, "whitespace-damage", joined(E1, MINE)),
        (E1, joined(E1, MINE.replace(b"\n", b"\r\n")), None, "whitespace-damage", joined(E1, MINE)),
        (E1, joined(E1, MINE).replace(b"\n", b"\r\n"), None, "whitespace-damage", joined(E1, MINE)),
        (E1, joined(E1, MINE.replace(b"  ", b"\t")), None, "whitespace-damage", joined(E1, MINE)),
        (E1, joined(E1, b"\xef\xbb\xbf" + MINE), None, "whitespace-damage", joined(E1, MINE)),
        (E1, joined(E1, MINE.replace(b"mine", b"mine\0")), None, "whitespace-damage", joined(E1, MINE)),
    ],
)
def test_damaged_bytes_come_with_the_right_ones(
    base: bytes, head: bytes, target: bytes | None, kind: str, repaired: bytes
) -> None:
    answer = judge(base, head, target=target)
    assert (answer.go, answer.kind) == (False, kind)
    assert answer.extra["right"].encode() == repaired
    assert bytes_fault(versions(target or base, repaired)) is None


def test_C10_a_base_without_final_newline_is_not_the_change_of_the_next_one() -> None:
    assert judge(E1[:-1], joined(E1, MINE)).go


@pytest.mark.parametrize("base", [E1 + b"\n", E1 + b"\n\n\n", E1 + E2, E1.replace(b"\n", b"\r\n") + b"\n"])
def test_what_stands_on_the_base_is_never_a_reason_to_refuse(base: bytes) -> None:
    assert judge(base, right(versions(base, base + b"\n" + MINE))).go


def test_putting_the_final_newline_back_is_no_edit() -> None:
    assert gate(versions(E1[:-1], E1), Facts(), ()).go


def test_C13_two_entries_are_joined_by_one_empty_line() -> None:
    p1, p2 = text("p1", 9), text("p2", 9)
    repaired = right(versions(E1, joined(E1) + b"\n" + p1 + p2, joined(E1, E2)))
    assert repaired == joined(E1, E2, p1, p2)
    entries = (entry("p1"), entry("p2"))
    facts: dict[str, Any] = {"keys": ("p1", "p2"), "changed": frozenset({"p1", "p2"}), "max_entries": 2}
    assert judge(joined(E1, E2), repaired, *entries, **facts).go


def test_C14_a_link_to_another_pull_request_is_repaired() -> None:
    copied = text("mine", 1552)
    answer = judge(E1, joined(E1, copied), entry(link=f"{PULLS}/1552"), pr=1575)
    assert answer.kind == "pr-link-mismatch"
    assert answer.details == {"expected": f"{PULLS}/1575", "found": f"{PULLS}/1552"}
    assert answer.extra["right"].encode() == joined(E1, text("mine", 1575))


@pytest.mark.parametrize(("on_target", "kind"), [(False, "appended"), (True, "pr-link-placeholder")])
def test_the_placeholder_may_stand_on_a_pull_request_only(on_target: bool, kind: str) -> None:
    head = joined(E1, text("mine", "XXX"))
    assert judge(E1, head, entry(link=f"{PULLS}/XXX"), on_target=on_target).kind == kind
    assert judge(E1, head, entry(link=f"{PULLS}/XXX"), on_target=on_target, pr=None).kind == kind


def test_C16_the_lines_are_named() -> None:
    assert judge(E1, E1 + b"=======\n").details["lines"] == [4]
    assert judge(E1, E1 + b"======= \n").details["lines"] == [4]


def test_C17_the_vanished_links_are_named() -> None:
    many = [text(f"k{number}", number) for number in range(733)]
    head = joined(*many[:100], *many[122:], MINE)
    assert head.count(b"config-keys") == 712
    answer = judge(joined(*many), head)
    assert answer.kind == "entries-deleted"
    assert answer.details["links"] == [f"{PULLS}/{number}" for number in range(100, 122)]
    assert answer.extra["right"].encode() == joined(*many, MINE)


def test_C19_changed_keys_without_entry_are_named() -> None:
    answer = gate(versions(E1, E1), Facts(changed=frozenset({"k2", "k1"}), keys=("k1", "k2")), ())
    assert (answer.kind, answer.details["keys"]) == ("changed-keys-without-entry", ["k1", "k2"])


@pytest.mark.parametrize(
    ("entries", "facts", "kind"),
    [
        pytest.param((entry(no_evals=True, evals_only=True),), {}, Kind.CONTRADICTORY, id="C22-a"),
        pytest.param((entry(no_evals=True),), {"modifiers": {"all-evals"}}, Kind.CONTRADICTORY, id="C22-b"),
        pytest.param((entry(no_evals=True), entry()), {"max_entries": 2}, Kind.APPENDED, id="C22-c"),
        ((entry(no_evals=True, eval_min_prefill_ep=4),), {}, Kind.CONTRADICTORY),
        ((entry(append_only=True, all_evals=True),), {}, Kind.CONTRADICTORY),
        ((entry(append_only=True), entry()), {"max_entries": 2}, Kind.CONTRADICTORY),
        ((entry(), entry()), {}, Kind.TOO_MANY),
        ((entry("mine", "mime"),), {}, Kind.UNKNOWN_CONFIG_KEY),
        ((entry("m?ne"),), {}, Kind.UNKNOWN_CONFIG_KEY),
        ((entry("*"),), {}, Kind.APPENDED),
    ],
)
def test_author_errors(entries: tuple[Entry, ...], facts: dict[str, Any], kind: Kind) -> None:
    given: dict[str, Any] = {
        name: frozenset(value) if isinstance(value, set) else value for name, value in facts.items()
    }
    answer = judge(E1, joined(E1, MINE), *entries, **given)
    assert (answer.kind, answer.go) == (kind, kind == Kind.APPENDED)


def test_an_unknown_key_comes_with_the_nearest() -> None:
    assert "nearest is mine" in judge(E1, joined(E1, MINE), entry("mime")).reason


def test_a_key_without_change_is_a_warning() -> None:
    answer = judge(E1, joined(E1, MINE), entry("mine", "a"))
    assert answer.go
    assert answer.details["warnings"][0].startswith("entry-without-change: a ")


def test_a_fault_of_reading_is_reported_when_the_bytes_are_right() -> None:
    fault = Fault(kind=Kind.DUPLICATE_KEY, reason="twice")
    assert gate(versions(E1, joined(E1, MINE)), Facts(), fault).kind == "duplicate-key"
    assert gate(versions(E1, E1 + MINE), Facts(), fault).kind == "missing-separator"


@pytest.mark.parametrize(
    ("head", "alone", "changed", "kind"),
    [
        (joined(text("a", 7), E2), True, frozenset(), "pr-link-correction"),
        (joined(text("a", 7), E2), False, frozenset(), "history-edited"),
        (joined(text("a", 7), E2), True, frozenset({"a"}), "history-edited"),
        (joined(text("a", 7), E2, MINE), True, frozenset(), "history-edited"),
        (joined(text("z", 7), E2), True, frozenset(), "entries-deleted"),
        (joined(text("a", 7), E2)[:-1], True, frozenset(), "history-edited"),
        (joined(text("a", "XXX"), E2), True, frozenset(), "history-edited"),
        (joined(text("a", "7/files"), E2), True, frozenset(), "history-edited"),
        (joined(E1.replace(f"{PULLS}/1".encode(), b"nowhere"), E2), True, frozenset(), "history-edited"),
    ],
)
def test_links_are_corrected_in_a_change_of_their_own(
    head: bytes, alone: bool, changed: frozenset[str], kind: str
) -> None:
    assert judge(joined(E1, E2), head, alone=alone, changed=changed).kind == kind


def test_stars_match_any_run_and_nothing_else_is_special() -> None:
    keys = ("qwen-h200", "qwen-h100", "other", "q.en-h200")
    assert covered([entry("qwen-*")], keys) == {"qwen-h200", "qwen-h100"}
    assert covered([entry("q.en-h200")], keys) == {"q.en-h200"}


POOL = [text(f"k{number}", number) for number in range(12)]
STATES = st.lists(st.sampled_from(POOL), max_size=6).map(lambda some: joined(*some))
MESS = st.lists(
    st.sampled_from([*POOL, b"\n", b"\r\n", b"\t", b"=======\n", b"# c\n", b" x\n", b"\0"]), max_size=9
)


@given(STATES, st.lists(st.sampled_from(POOL), max_size=3), MESS.map(b"".join))
def test_what_right_writes_has_no_fault_and_keeps_the_target(
    base: bytes, more: list[bytes], head: bytes
) -> None:
    target = base + block.tail(base, [one.strip(b"\n") for one in more])
    repaired = right(versions(base, head, target))
    assert repaired.startswith(target)
    assert bytes_fault(versions(target, repaired)) is None


@given(STATES, MESS.map(b"".join))
def test_history_is_never_changed_by_what_passes(base: bytes, head: bytes) -> None:
    if bytes_fault(versions(base, head)) is None:
        assert head.startswith(base)


@pytest.mark.parametrize("field", ["all_evals", "evals_only"])
def test_C23_an_entry_that_leaves_a_changed_key_without_throughput_is_a_warning(field: str) -> None:
    silent: dict[str, Any] = {field: True}
    answer = judge(E1, joined(E1, MINE), entry("mine", **silent))
    assert answer.go
    assert answer.details["warnings"] == [
        f"0 throughput points for mine: its entry says {field.replace('_', '-')}"
    ]
    both = (entry("mine", **silent), entry("mine"))
    assert judge(E1, joined(E1, MINE), *both, max_entries=2).details["warnings"] == []
