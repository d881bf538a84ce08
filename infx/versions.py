"""Versions: the changelog in its three states, how they differ, and the bytes that would be right."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from infx import block

ALIKE = 0.5
"""Share of common lines from which a vanished and a new block are one edited entry."""
PAIRED = 50
"""Most new blocks that are compared with a vanished one, so that a rewritten file costs no minutes."""


@dataclass(frozen=True, kw_only=True)
class Versions:
    """The three states of the file."""

    merge_base: bytes
    target: bytes
    """Tip of the target branch; equal to `merge_base` when the branch is up to date."""
    head: bytes

    @property
    def base(self) -> bytes:
        """What the head is judged against: the target when the head holds it, else the merge base."""
        holds = self.head.startswith(self.target) and len(self.target) >= len(self.merge_base)
        return self.target if holds else self.merge_base

    @property
    def added(self) -> bytes:
        """Bytes that the head appends; empty unless the head begins with its base."""
        return self.head[len(self.base) :] if self.head.startswith(self.base) else b""

    @property
    def extends(self) -> bool:
        """True when the head is the base with something behind it that leaves its last line alone.

        An entry glued to a last line without a newline, as `cat >>` does it, leaves that line alone too.
        """
        apart = self.added.startswith((b"\n", b"\r", b"- config-keys:"))
        whole = not self.base or self.base.endswith(b"\n") or apart
        return self.head.startswith(self.base) and whole

    @property
    def stale(self) -> bool:
        return self.base != self.target


def right(versions: Versions) -> bytes:
    """The target's bytes and this change's own entries behind them, in the order they had."""
    return versions.target + block.tail(versions.target, difference(versions).new)


@dataclass(frozen=True, kw_only=True)
class Difference:
    """How the head's blocks differ from what both bases hold."""

    new: Sequence[bytes]
    edited: Sequence[tuple[bytes, bytes]]
    """Blocks of the base and what became of them."""
    deleted: Sequence[bytes]


def difference(versions: Versions) -> Difference:
    """Compared without whitespace; blocks that the target brought are nobody's change."""
    head = block.blocks(block.unmarked(block.clean(versions.head)))
    base = block.blocks(block.clean(versions.base))
    known = _count(block.blocks(block.clean(versions.target))) | _count(base)
    new = list(_beyond(head, known))
    edited, deleted = [], []
    for gone in _beyond(base, _count(head)):
        became = next((one for one in new[:PAIRED] if _edited(gone, one)), None)
        if became is None:
            deleted.append(gone)
        else:
            new.remove(became)
            edited.append((gone, became))
    return Difference(new=new, edited=edited, deleted=deleted)


def relinked(versions: Versions, found: str, wanted: str) -> bytes:
    """The right file, its own entries that link to `found` linking to `wanted`."""
    own = [
        block.linked(one, wanted.encode()) if block.link(one) == found.encode() else one
        for one in difference(versions).new
    ]
    return versions.target + block.tail(versions.target, own)


def same_order(versions: Versions) -> bool:
    """True when the head begins with the base's blocks, whatever their whitespace."""
    head, base = (_names(block.blocks(block.clean(state))) for state in (versions.head, versions.base))
    return head[: len(base)] == base


def _name(one: bytes) -> bytes:
    return b" ".join(one.split())


def _names(found: Sequence[bytes]) -> list[bytes]:
    return [_name(one) for one in found]


def _count(found: Sequence[bytes]) -> Counter[bytes]:
    return Counter(_names(found))


def _beyond(found: Sequence[bytes], known: Counter[bytes]) -> Iterator[bytes]:
    """Blocks of `found` that `known` does not hold, counting copies."""
    left = Counter(known)
    for one in found:
        if left[_name(one)] > 0:
            left[_name(one)] -= 1
        else:
            yield one


def _edited(old: bytes, new: bytes) -> bool:
    """Entries share field names: by likeness alone a new one would be taken for the edit of a lost one."""
    if block.link(old) != block.link(new):
        return block.linked(old, block.link(new)) == new
    return block.likeness(old, new) >= ALIKE
