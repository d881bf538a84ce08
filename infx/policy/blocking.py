"""What still blocks the merge, computed, each with who can move it. One function for each topic."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from infx.blocker import Blocker, Owner
from infx.decision import Decision
from infx.event import PullRequest, Review
from infx.ledger import Ledger, State
from infx.reason import MACHINE, Reason
from infx.signoff import Finding, Grade
from infx.verdict import FAILS, Kind

RUNNING = "running"
RUN_AGAIN = "run-again"
INFRASTRUCTURE = "infrastructure"
CONFLICT = "conflict"
BEHIND = "behind"
DRAFT = "draft"
NOT_COVERED = "not-covered"
GATE = "gate"
NO_SWEEP = "no-sweep"
REUSE = "reuse"
SIGNOFF = "signoff"
UPSTREAM = "upstream"
RECIPE = "recipe-linked"
"""The check of a sign-off that looks at upstream recipes."""
UNAPPROVED = "unapproved"
CHANGES = "changes-requested"

RUNNERS_FAULT = (
    *MACHINE,
    Reason.NO_CLUSTER,
    Reason.CLIENTS_MISSING,
    Reason.MODEL_MISSING,
    Reason.CLOCK_JUMPED,
)
"""Reasons of cells that the pull request cannot mend."""

OWNERS: dict[str, Owner] = {
    **dict.fromkeys(RUNNERS_FAULT, Owner.OPERATOR),
    RUNNING: Owner.NOBODY,
    RUN_AGAIN: Owner.NOBODY,
    INFRASTRUCTURE: Owner.OPERATOR,
    Reason.NOT_YET: Owner.NOBODY,
    Reason.WAITING: Owner.OPERATOR,
    Reason.QUEUE_EXPIRED: Owner.OPERATOR,
    Reason.NO_ARTIFACT: Owner.OPERATOR,
    Reason.CANCELLED: Owner.MAINTAINER,
    Reason.AMBIGUOUS: Owner.MAINTAINER,
}
"""Everything else is for the author."""

WAITING = frozenset({Kind.PREVIEW, Kind.CANCEL, Kind.SKIPPED, Kind.FORK, Kind.APPROVAL_PENDING})
"""Answers to an event after which the points of the head wait for a person."""
BY_AUTHOR = frozenset({Kind.SKIPPED, Kind.SKIP_WORD, Kind.CONFLICT, Kind.FORK_GONE})
"""Of all answers that keep a sweep from starting, those that the author can repair."""


def blocking(
    ledger: Ledger | None,
    pull: PullRequest | None = None,
    *,
    failures: Mapping[str, Decision] = MappingProxyType({}),
    again: bool = False,
) -> tuple[Blocker, ...]:
    """Points of one sweep without a valid result, one blocker for each reason, in the order of the plan; ()
    when nothing of it blocks. `failures` are point id and why it failed, `again` says that those that may
    are run again: what is no fault of the change is not shown as one."""
    moved = pull is not None and ledger is not None and pull.head_sha != ledger.head_sha
    excused = {
        point: RUN_AGAIN if again and one.go else INFRASTRUCTURE
        for point, one in failures.items()
        if one.extra["blame"] == "infrastructure"
    }
    return (*(_moved(ledger, pull) if moved else ()), *_of_points(ledger, excused))


def _moved(ledger: Ledger | None, pull: PullRequest | None) -> tuple[Blocker, ...]:
    names = tuple(one.head_sha[:7] for one in (ledger, pull) if one is not None)
    return (Blocker(kind=NOT_COVERED, owner=Owner.MAINTAINER, names=names),)


def _of_points(ledger: Ledger | None, excused: Mapping[str, str]) -> tuple[Blocker, ...]:
    named: dict[str, list[str]] = {}
    for entry in ledger.entries if ledger else ():
        if entry.state != State.VALID:
            kind = excused.get(entry.point) or entry.reason or str(entry.state)
            named.setdefault(kind, []).append(entry.title)
    return tuple(
        Blocker(kind=kind, owner=OWNERS.get(kind, Owner.AUTHOR), names=tuple(dict.fromkeys(names)))
        for kind, names in named.items()
    )


def of_pull(pull: PullRequest, *, behind: int = 0) -> tuple[Blocker, ...]:
    """The branch itself. `behind`: commits of the target that it lacks; 0 also when not known."""
    found = []
    if pull.draft:
        found.append(Blocker(kind=DRAFT, owner=Owner.AUTHOR))
    if pull.mergeable is False:
        found.append(Blocker(kind=CONFLICT, owner=Owner.AUTHOR, names=(pull.base_ref,)))
    elif behind:
        names = (pull.base_ref, str(behind))
        found.append(Blocker(kind=BEHIND, owner=Owner.MAINTAINER, names=names))
    return tuple(found)


def of_gate(decision: Decision) -> tuple[Blocker, ...]:
    """What the gate refused: the changelog, or a plan that a GPU would only fail on."""
    if decision.go or (decision.decision == "event" and decision.kind != GATE):
        return ()
    return (Blocker(kind=GATE, owner=Owner.AUTHOR, names=(decision.kind, decision.reason)),)


def of_sweep(decision: Decision, *, points: int) -> tuple[Blocker, ...]:
    """Why nothing measures the `points` that the head changes."""
    if not points or decision.go or decision.decision != "event":
        return ()
    if decision.kind == Kind.PREVIEW:
        return (Blocker(kind=NO_SWEEP, owner=Owner.MAINTAINER, names=(str(points),)),)
    if decision.kind in WAITING | FAILS | BY_AUTHOR:
        owner = Owner.AUTHOR if decision.kind in BY_AUTHOR else Owner.MAINTAINER
        return (Blocker(kind=decision.kind, owner=owner, names=(decision.reason,)),)
    return ()


def of_reuse(answer: Decision) -> tuple[Blocker, ...]:
    """What the status before the merge asks for; a sweep that still runs is told by its points."""
    if answer.go or answer.extra.get("state") == "pending":
        return ()
    return (Blocker(kind=REUSE, owner=Owner.MAINTAINER, names=(answer.reason,)),)


def of_signoff(state: str, text: str, *, required: bool) -> tuple[Blocker, ...]:
    """The sign-off of a code owner. As advice it is shown while it is pending, and blocks nothing else."""
    if state == "success" or not state:
        return ()
    owner = Owner.CODEOWNER if required or state == "pending" else Owner.MAINTAINER
    return (Blocker(kind=SIGNOFF, owner=owner, names=(text,)),)


def of_upstream(findings: Iterable[Finding]) -> tuple[Blocker, ...]:
    """Recipes that are not merged or published at their engine's project, as a sign-off's check found."""
    bad = (one for one in findings if one.check == RECIPE and one.grade in (Grade.FAIL, Grade.UNKNOWN))
    first = next(bad, None)
    return (Blocker(kind=UPSTREAM, owner=Owner.AUTHOR, names=(first.what,)),) if first else ()


def of_reviews(reviews: Sequence[Review], *, author: str, bots: Collection[str]) -> tuple[Blocker, ...]:
    """People's reviews; the newest of each that says yes or no counts. Bots' never do."""
    votes = {
        one.author: one.state
        for one in reviews
        if one.author_type != "Bot" and one.author not in (author, *bots) and one.state in VOTES
    }
    against = tuple(sorted(login for login, vote in votes.items() if vote == "CHANGES_REQUESTED"))
    if against:
        return (Blocker(kind=CHANGES, owner=Owner.REVIEWER, names=against),)
    if "APPROVED" not in votes.values():
        return (Blocker(kind=UNAPPROVED, owner=Owner.REVIEWER),)
    return ()


VOTES = frozenset({"APPROVED", "CHANGES_REQUESTED", "DISMISSED"})


def uncovered(reviews: Sequence[Review], *, bots: Collection[str], head: str) -> tuple[tuple[str, str], ...]:
    """Login and commit of the newest review of each listed bot that is not of `head`."""
    newest = {one.author: one.commit for one in reviews if one.author in bots}
    return tuple((login, commit) for login, commit in newest.items() if commit != head)
