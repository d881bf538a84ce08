"""Care: a runner that its own preflight found unfit loses its labels, and gets them back once it is well."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from infx.fleet import Ended
from infx.poison import Care, Mark, Move, Ward
from infx.premises import Runner
from infx.reason import Reason


def moves(ward: Ward) -> Iterator[Move]:
    """At most one for each node. Only the machine's own word takes a node out: two bad cells in a row may be
    an outage elsewhere, and are left to people."""
    known = {runner.name: runner for runner in ward.runners or ()}
    for node in dict.fromkeys(name for names in ward.labels.values() for name in names):
        own = tuple(label for label, names in ward.labels.items() if node in names)
        here, mark = known.get(node), ward.marks.get(node)
        newer = [one for one in ward.ended if one.node == node and one.run > (mark.run if mark else 0)]
        if mark is not None and mark.standing:
            yield from _standing(ward, mark, here, own=own, newer=newer)
        elif newer and newer[0].reason == Reason.RUNNER_POISONED:
            why = f"its preflight in run {newer[0].run} found what it could not mend"
            yield _out(Mark(node=node, why=why, run=newer[0].run), here, own)


def _standing(
    ward: Ward, mark: Mark, here: Runner | None, *, own: Sequence[str], newer: Sequence[Ended]
) -> Iterator[Move]:
    well = ward.probed.get(mark.node) == "success" or bool(newer and not newer[0].reason)
    if not well:
        if _held(here, own):
            yield _out(mark, here, own)
        return
    over = replace(mark, standing=False)
    if not mark.labels:
        yield Move(care=Care.GIVE, mark=over)
    elif here is not None:
        yield Move(care=Care.GIVE, mark=over, runner=here.id, labels=mark.labels)


def _out(mark: Mark, here: Runner | None, own: Sequence[str]) -> Move:
    held = _held(here, own)
    if here is None or not held:
        return Move(care=Care.MARK, mark=mark)
    # Those that an earlier look took before it was cut off come back with the rest.
    taken = tuple(dict.fromkeys((*mark.labels, *held))) if mark.standing else held
    return Move(care=Care.TAKE, mark=replace(mark, labels=taken), runner=here.id, labels=held)


def _held(here: Runner | None, own: Sequence[str]) -> tuple[str, ...]:
    return tuple(label for label in own if here is not None and label in here.labels)
