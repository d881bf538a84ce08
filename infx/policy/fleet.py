"""Fleet: registered runners against the labels that configs name, poisoned ones and long queues found."""

from collections.abc import Iterator, Mapping, Sequence

from infx.decision import Decision
from infx.fleet import FINE, Ended, Fleet, Node, Queue, Shape, Waiting
from infx.poison import Mark
from infx.premises import Runner
from infx.reason import MACHINE, Reason

POISON = 2
"""Cells in a row that failed for the machine's sake: one may be bad luck."""


def nodes(
    labels: Mapping[str, Sequence[str]],
    runners: Sequence[Runner] | None,
    *,
    ended: Sequence[Ended],
    excluded: frozenset[str],
    marks: Mapping[str, Mark] | None = None,
) -> Iterator[Node]:
    """Each node of each label, then registered runners that no label names. `ended` has the newest first."""
    standing = {node: mark for node, mark in (marks or {}).items() if mark.standing}
    known = None if runners is None else {runner.name: runner for runner in runners}
    for label, names in labels.items():
        for name in names:
            if mark := standing.get(name):
                yield _marked(label, mark)
            elif known is None:
                yield _unseen(label, name, ended)
            else:
                yield _node(label, name, known.get(name), ended=ended, excluded=excluded)
    for runner in runners or ():
        for label in runner.labels:
            if label in labels and runner.name not in labels[label]:
                why = "carries the label, and runners.yaml does not name it"
                yield Node(label=label, name=runner.name, shape=Shape.UNKNOWN, why=why)


def _marked(label: str, mark: Mark) -> Node:
    now = f"lost {', '.join(mark.labels)}" if mark.labels else "its labels may still be on"
    return Node(label=label, name=mark.node, shape=Shape.POISONED, why=f"{mark.why}; {now}")


def _unseen(label: str, name: str, ended: Sequence[Ended]) -> Node:
    reasons = poison(name, ended)
    if reasons:
        return Node(label=label, name=name, shape=Shape.POISONED, why=_told(reasons))
    return Node(label=label, name=name, shape=Shape.UNSEEN, why="the token may not see runners")


def _node(
    label: str, name: str, here: Runner | None, *, ended: Sequence[Ended], excluded: frozenset[str]
) -> Node:
    reasons = poison(name, ended)
    if here is None:
        shape, why = Shape.MISSING, "runners.yaml names it, and it is not registered"
    elif label not in here.labels:
        shape, why = Shape.UNLABELLED, "registered without the label, so no job reaches it"
    elif not here.online:
        shape, why = Shape.OFFLINE, "registered, and not connected"
    elif name in excluded:
        shape, why = Shape.EXCLUDED, "clusters.yaml excludes it"
    elif reasons:
        shape, why = Shape.POISONED, _told(reasons)
    else:
        shape, why = (Shape.BUSY if here.busy else Shape.IDLE), ""
    return Node(label=label, name=name, shape=shape, why=why)


def poison(name: str, ended: Sequence[Ended]) -> Sequence[str]:
    """Reasons of its newest cells when all of the last POISON failed for the machine's sake, or the newest
    one by the machine's own word; else ()."""
    newest = [one.reason for one in ended if one.node == name][:POISON]
    if newest and newest[0] == Reason.RUNNER_POISONED:
        return newest[:1]
    return newest if len(newest) == POISON and MACHINE.issuperset(newest) else ()


def _told(reasons: Sequence[str]) -> str:
    if len(reasons) == 1:
        return f"its last cell ended with {reasons[0]}"
    return f"its last {len(reasons)} cells ended with {', '.join(dict.fromkeys(reasons))}"


def queues(waiting: Sequence[Waiting], *, alert_s: float, now: float) -> Iterator[Queue]:
    """Labels whose jobs wait longer than `alert_s`; hosted runners are GitHub's own affair."""
    late: dict[str, list[float]] = {}
    for job in waiting:
        if now - job.since >= alert_s:
            late.setdefault(", ".join(job.labels), []).append(now - job.since)
    for label, ages in sorted(late.items()):
        yield Queue(label=label, jobs=len(ages), minutes=int(max(ages) // 60))


def decide(fleet: Fleet) -> Decision:
    """`go` when no node and no queue needs a person."""
    bad = [node for node in fleet.nodes if node.shape not in FINE]
    unseen = any(node.shape == Shape.UNSEEN for node in fleet.nodes)
    told = [f"{len(bad)} nodes"] if bad else []
    told += [f"{len(fleet.queues)} queues"] if fleet.queues else []
    kind = "needs-a-person" if told else "could-not-tell" if unseen else "well"
    return Decision(
        decision="runners",
        go=not told,
        kind=kind,
        reason=f"{' and '.join(told)} need a person" if told else "no node and no queue needs a person",
        details=fleet.as_json(),
    )
