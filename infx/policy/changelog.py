"""The changelog gate: may this change of `perf-changelog.yaml` stand?

Bytes are judged first and entries second; every fault of the bytes comes with the bytes that would be right.
What stands on the base is taken as it is and is never a reason to refuse.
"""

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from infx import block
from infx.decision import Decision
from infx.entry import PLACEHOLDER, Entry
from infx.versions import Versions, difference, relinked, right, same_order


class Kind(StrEnum):
    """Everything the gate can say."""

    UNCHANGED = "unchanged"
    APPENDED = "appended"
    PR_LINK_CORRECTION = "pr-link-correction"
    STALE_BRANCH = "stale-branch"
    WHITESPACE_DAMAGE = "whitespace-damage"
    NOT_AT_TAIL = "not-appended-at-tail"
    MISSING_SEPARATOR = "missing-separator"
    NO_FINAL_NEWLINE = "no-final-newline"
    CONFLICT_MARKERS = "conflict-markers"
    ENTRIES_DELETED = "entries-deleted"
    HISTORY_EDITED = "history-edited"
    PR_LINK_MISMATCH = "pr-link-mismatch"
    PR_LINK_PLACEHOLDER = "pr-link-placeholder"
    DUPLICATE_KEY = "duplicate-key"
    UNKNOWN_CONFIG_KEY = "unknown-config-key"
    UNKNOWN_FIELD = "unknown-field"
    CHANGED_WITHOUT_ENTRY = "changed-keys-without-entry"
    CONTRADICTORY = "contradictory-selectors"
    TOO_MANY = "too-many-entries"


WARNING = "entry-without-change"
PASSES = frozenset({Kind.UNCHANGED, Kind.APPENDED, Kind.PR_LINK_CORRECTION})
PULL = re.compile(rb"https://[^/\s]+/[^/\s]+/[^/\s]+/pull/[1-9][0-9]*")
"""Where a corrected link may lead."""
EVAL_MODIFIERS = ("all-evals", "evals-only")


@dataclass(frozen=True, kw_only=True)
class Facts:
    """What is known beside the bytes of the file."""

    pulls: str = ""
    """Address of pull requests, `https://github.com/o/r/pull`; without it links are not judged."""
    pr: int | None = None
    """None when it has no number yet, and on the target branch."""
    on_target: bool = False
    """The change stands on the target branch, where no placeholder may stand."""
    keys: Sequence[str] = ()
    """Config keys of the head."""
    changed: frozenset[str] = frozenset()
    """Keys of the head whose points differ from the merge base by row or recipe."""
    removed: frozenset[str] = frozenset()
    """Keys that only the merge base has."""
    alone: bool = False
    """The change touches no other file."""
    modifiers: frozenset[str] = frozenset()
    """Modifier labels on the pull request."""
    max_entries: int = 1


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One reason to refuse."""

    kind: Kind
    reason: str
    details: Mapping[str, Any] = field(default_factory=dict)
    right: bytes | None = None
    """The whole file as it would be right; None when only the author can tell."""


def gate(versions: Versions, facts: Facts, entries: Sequence[Entry] | Fault) -> Decision:
    """The decision. `entries` are what `versions.added` reads as, or what is wrong with it as YAML."""
    if _link_correction(versions, facts):
        return _decision(Kind.PR_LINK_CORRECTION, "only links of old entries are corrected")
    fault = bytes_fault(versions)
    if fault is None:
        fault = entries if isinstance(entries, Fault) else entry_fault(versions, facts, entries)
    if fault is not None:
        return _decision(fault.kind, fault.reason, fault.details, fault.right)
    if isinstance(entries, Fault) or not entries:
        return _decision(Kind.UNCHANGED, "no entry is appended and none is needed")
    warnings = _warnings(facts, entries)
    return _decision(Kind.APPENDED, f"{len(entries)} entry appended", {"warnings": warnings})


def bytes_fault(versions: Versions) -> Fault | None:
    """First fault of the bytes, judged without reading YAML."""
    head, base = versions.head, versions.base
    if head == base or (head == base + b"\n" and not base.endswith(b"\n")):
        return None
    old = set(block.markers(base))
    lines = [number for number in block.markers(head) if number not in old]
    if lines:
        where = ", ".join(map(str, lines))
        what = f"conflict markers of a merge on line {where}"
        return Fault(kind=Kind.CONFLICT_MARKERS, reason=what, details={"lines": lines}, right=right(versions))
    if not versions.extends:
        return _history_fault(versions)
    if versions.stale:
        what = "the target branch has newer entries; take its bytes and append yours again"
        return Fault(kind=Kind.STALE_BRANCH, reason=what, right=right(versions))
    return _tail_fault(versions)


def entry_fault(versions: Versions, facts: Facts, entries: Sequence[Entry]) -> Fault | None:
    """First fault of the appended entries and of what they cover."""
    if len(entries) > facts.max_entries:
        what = f"{len(entries)} entries are appended, the policy allows {facts.max_entries}"
        return Fault(kind=Kind.TOO_MANY, reason=what)
    for entry in entries:
        fault = (
            _contradiction(entry, entries, facts)
            or _unknown_key(entry, facts)
            or _link(entry, versions, facts)
        )
        if fault:
            return fault
    bare = sorted(facts.changed - covered(entries, facts.keys))
    if bare:
        todo = "add them to the entry of this change" if entries else "infx changelog new writes it"
        what = f"changed keys without an entry: {', '.join(bare)}; {todo}"
        return Fault(kind=Kind.CHANGED_WITHOUT_ENTRY, reason=what, details={"keys": bare})
    return None


def covered(entries: Sequence[Entry], keys: Sequence[str]) -> frozenset[str]:
    """Keys that the entries name; `*` matches any run of characters, everything else is literal."""
    patterns = [_pattern(text) for entry in entries for text in entry.config_keys]
    return frozenset(key for key in keys if any(pattern.fullmatch(key) for pattern in patterns))


def _history_fault(versions: Versions) -> Fault:
    found, repair = difference(versions), right(versions)
    if found.deleted:
        links = [block.link(one).decode("utf-8", "replace") for one in found.deleted]
        what = f"{len(links)} entries of the base are gone: {', '.join(links[:5])}"
        return Fault(kind=Kind.ENTRIES_DELETED, reason=what, details={"links": links}, right=repair)
    if found.edited:
        links = [block.link(old).decode("utf-8", "replace") for old, _ in found.edited]
        what = f"{len(links)} entries of the base are edited: {', '.join(links[:5])}"
        return Fault(kind=Kind.HISTORY_EDITED, reason=what, details={"links": links}, right=repair)
    if not same_order(versions):
        moved = not found.new
        kind = Kind.HISTORY_EDITED if moved else Kind.NOT_AT_TAIL
        what = "entries of the base stand in another order" if moved else "a new entry stands before old ones"
        return Fault(kind=kind, reason=what, right=repair)
    if versions.head == versions.base.rstrip(b"\n"):
        return Fault(kind=Kind.NO_FINAL_NEWLINE, reason="the file must end with a newline", right=repair)
    what = "whitespace of old entries is changed (line ends, blanks or empty lines)"
    return Fault(kind=Kind.WHITESPACE_DAMAGE, reason=what, right=repair)


def _tail_fault(versions: Versions) -> Fault | None:
    """The head begins with the target: is what follows exactly what `fix` would write?"""
    tail = versions.added
    repair = versions.target + block.tail(versions.target, block.blocks(block.clean(tail)))
    if versions.head == repair:
        return None
    if block.clean(tail) != tail:
        what = "a CR, tab, NUL, byte order mark or blank-only line, or bytes that are not UTF-8, are appended"
        return Fault(kind=Kind.WHITESPACE_DAMAGE, reason=what, right=repair)
    if not tail.endswith(b"\n"):
        return Fault(kind=Kind.NO_FINAL_NEWLINE, reason="the file must end with a newline", right=repair)
    if b"\n\n\n" in versions.base[-2:] + tail or tail.endswith(b"\n\n"):
        what = "entries are separated by exactly one empty line, and none ends the file"
        return Fault(kind=Kind.WHITESPACE_DAMAGE, reason=what, right=repair)
    what = "an empty line is missing before an appended entry"
    return Fault(kind=Kind.MISSING_SEPARATOR, reason=what, right=repair)


def _link_correction(versions: Versions, facts: Facts) -> bool:
    """Only links of old entries differ, byte for byte, in a change of its own; each leads to a pull."""
    if not facts.alone or facts.changed:
        return False
    found = difference(versions)
    if not found.edited or found.new or found.deleted:
        return False
    bytes_now = versions.base
    for old, new in found.edited:
        link = block.link(new)
        if block.linked(old, link) != new or not PULL.fullmatch(link):
            return False
        bytes_now = bytes_now.replace(old, new, 1)
    return bytes_now == versions.head


def _contradiction(entry: Entry, entries: Sequence[Entry], facts: Facts) -> Fault | None:
    asks = {
        "all-evals": entry.all_evals,
        "evals-only": entry.evals_only,
        "eval-min-prefill-ep": entry.eval_min_prefill_ep is not None,
    }
    mine = [name for name, on in asks.items() if on]
    labels = sorted(facts.modifiers & set(EVAL_MODIFIERS))
    clash = [*mine, *(f"the label {name}" for name in labels)]
    for name, on in (("no-evals", entry.no_evals), ("append-only", entry.append_only)):
        if on and clash:
            what = f"{name} of the entry for {entry.config_keys[0]} contradicts {' and '.join(clash)}"
            return Fault(kind=Kind.CONTRADICTORY, reason=what, details={"selectors": [name, *mine, *labels]})
    if entry.append_only and not all(other.append_only for other in entries):
        what = "append-only stands in some of the entries; it must stand in all or none"
        return Fault(kind=Kind.CONTRADICTORY, reason=what, details={"selectors": ["append-only"]})
    return None


def _unknown_key(entry: Entry, facts: Facts) -> Fault | None:
    for text in entry.config_keys:
        if not any(_pattern(text).fullmatch(key) for key in facts.keys):
            near = difflib.get_close_matches(text, facts.keys, n=1)
            hint = f"; the nearest is {near[0]}" if near else ""
            what = f"no config key {text!r} at this commit{hint}"
            return Fault(kind=Kind.UNKNOWN_CONFIG_KEY, reason=what, details={"key": text, "nearest": near})
    return None


def _link(entry: Entry, versions: Versions, facts: Facts) -> Fault | None:
    if facts.on_target:
        if not entry.pr_link.endswith(f"/{PLACEHOLDER}"):
            return None
        what = f"the placeholder link {entry.pr_link} may not stand on the target branch"
        return Fault(kind=Kind.PR_LINK_PLACEHOLDER, reason=what)
    wanted = f"{facts.pulls}/{facts.pr}"
    if not facts.pulls or facts.pr is None or entry.pr_link in (wanted, f"{facts.pulls}/{PLACEHOLDER}"):
        return None
    return Fault(
        kind=Kind.PR_LINK_MISMATCH,
        reason=f"the entry links to {entry.pr_link}; this pull request is {wanted}",
        details={"expected": wanted, "found": entry.pr_link},
        right=relinked(versions, entry.pr_link, wanted),
    )


def _warnings(facts: Facts, entries: Sequence[Entry]) -> list[str]:
    idle = sorted(covered(entries, facts.keys) - facts.changed)
    told = [f"{WARNING}: {key} is measured again although its recipe is unchanged" for key in idle]
    silent = [entry for entry in entries if entry.all_evals or entry.evals_only]
    measured = covered([entry for entry in entries if entry not in silent], facts.keys)
    for key in sorted((covered(silent, facts.keys) & facts.changed) - measured):
        told.append(f"0 throughput points for {key}: its entry says {_eval_fields(silent)}")
    return told


def _eval_fields(entries: Sequence[Entry]) -> str:
    names = {"all-evals": any(one.all_evals for one in entries)}
    names["evals-only"] = any(one.evals_only for one in entries)
    return " and ".join(name for name, on in names.items() if on)


def _decision(
    kind: Kind, reason: str, details: Mapping[str, Any] | None = None, repair: bytes | None = None
) -> Decision:
    text = {} if repair is None else {"right": repair.decode("utf-8", "surrogateescape")}
    return Decision(
        decision="changelog",
        go=kind in PASSES,
        kind=str(kind),
        reason=reason,
        details=details or {},
        extra=text,
    )


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(".*".join(re.escape(part) for part in text.split("*")), re.DOTALL)
