"""Recount: a run that was killed before it could collect still left records, and what was measured counts."""

from collections.abc import Callable, Iterable

from infx.edge import artifacts
from infx.errors import BadInput, Refused
from infx.event import Run
from infx.ledger import Ledger
from infx.plan import Plan
from infx.record import FILE, Record
from infx.results import tally

RECORDS = 64
"""Most artifacts of points that are read of one run."""


def records(
    names: Iterable[str], read: Callable[[str, str], bytes | None], note: Callable[[str], object]
) -> list[Record]:
    """Records among the artifacts `names`; `read` gives one file of one of them. One that cannot be read is
    told, and takes no other with it."""
    found: list[Record] = []
    for name in sorted(names):
        if name.startswith(artifacts.KINDS) and len(found) < RECORDS:
            try:
                found.append(artifacts.record_of(read(name, FILE) or b"", name))
            except (BadInput, Refused) as problem:
                note(problem.sentence)
    return found


def ledger(run: Run, plan: Plan, found: Iterable[Record]) -> Ledger:
    """The ledger that collect would have left."""
    return tally.ledger(plan, list(found), tally.Facts(run_id=run.id, attempt=run.attempt))
