"""What still blocks the merge, computed from the ledger and the pull request, each with an owner."""

from infx.blocker import Blocker, Owner
from infx.event import PullRequest
from infx.ledger import Ledger, State
from infx.reason import Reason

RUNNING = "running"
CONFLICT = "conflict"
NOT_COVERED = "not-covered"

RUNNERS_FAULT = (
    Reason.NO_CLUSTER,
    Reason.CLIENTS_MISSING,
    Reason.MODEL_MISSING,
    Reason.GPU_MISSING,
    Reason.RUNNER_UNCLEAN,
    Reason.PORT_TAKEN,
    Reason.LAUNCHER_FAILED,
    Reason.NODE_LOST,
    Reason.DISK_FULL,
    Reason.CLOCK_JUMPED,
    Reason.INTERRUPTED,
)
"""Reasons of cells that the pull request cannot mend."""

OWNERS: dict[str, Owner] = {
    **dict.fromkeys(RUNNERS_FAULT, Owner.OPERATOR),
    RUNNING: Owner.NOBODY,
    Reason.NOT_YET: Owner.NOBODY,
    Reason.WAITING: Owner.OPERATOR,
    Reason.QUEUE_EXPIRED: Owner.OPERATOR,
    Reason.NO_ARTIFACT: Owner.OPERATOR,
    Reason.CANCELLED: Owner.MAINTAINER,
    Reason.AMBIGUOUS: Owner.MAINTAINER,
}
"""Everything else is for the author."""


def blocking(ledger: Ledger | None, pull: PullRequest | None = None) -> tuple[Blocker, ...]:
    """Blockers, one for each reason, in the order in which the plan meets them; () when nothing blocks."""
    return (*_of_pull(ledger, pull), *_of_points(ledger))


def _of_pull(ledger: Ledger | None, pull: PullRequest | None) -> tuple[Blocker, ...]:
    found = []
    if pull is not None and pull.mergeable is False:
        found.append(Blocker(kind=CONFLICT, owner=Owner.AUTHOR, names=(pull.base_ref,)))
    if pull is not None and ledger is not None and pull.head_sha != ledger.head_sha:
        names = (ledger.head_sha[:7], pull.head_sha[:7])
        found.append(Blocker(kind=NOT_COVERED, owner=Owner.MAINTAINER, names=names))
    return tuple(found)


def _of_points(ledger: Ledger | None) -> tuple[Blocker, ...]:
    named: dict[str, list[str]] = {}
    for entry in ledger.entries if ledger else ():
        if entry.state != State.VALID:
            named.setdefault(entry.reason or str(entry.state), []).append(entry.title)
    return tuple(
        Blocker(kind=kind, owner=OWNERS.get(kind, Owner.AUTHOR), names=tuple(dict.fromkeys(names)))
        for kind, names in named.items()
    )
