"""What the audit says of the target beside the store."""

from typing import Any

import pytest

from infx.policy.audit import Audited, AuditFacts, Kind, decide
from tests.builders import A, B


def entry(rows: int = 9, looked_at: bool = True, **changes: Any) -> Audited:
    base: dict[str, Any] = {"commit": A, "link": "https://github.com/o/r/pull/7", "keys": ("m1",)}
    return Audited(**{**base, "rows": rows, "looked_at": looked_at, **changes})


TABLE = [
    (AuditFacts(entries=()), Kind.COMPLETE),
    (AuditFacts(entries=(entry(),)), Kind.COMPLETE),
    (AuditFacts(entries=(entry(), entry(0))), Kind.UNPUBLISHED),
    (AuditFacts(entries=(entry(0, False),)), Kind.NO_PUSH_RUN),
    (AuditFacts(entries=(entry(),), unseen=(B,)), Kind.NO_PUSH_RUN),
    (AuditFacts(entries=(entry(0, False),), active=True), Kind.PENDING),
    (AuditFacts(entries=(entry(),), unseen=(B,), active=True), Kind.PENDING),
    (AuditFacts(entries=(entry(0),), active=True), Kind.UNPUBLISHED),
    (AuditFacts(entries=(entry(0), entry(0, False)), active=True), Kind.NO_PUSH_RUN),
    # Recovered: the push had no run, but the rows are there.
    (AuditFacts(entries=(entry(9, False),)), Kind.COMPLETE),
]


@pytest.mark.parametrize(("facts", "kind"), TABLE)
def test_the_table(facts: AuditFacts, kind: Kind) -> None:
    found = decide(facts)
    assert (found.kind, found.go) == (kind, kind in (Kind.COMPLETE, Kind.PENDING))
    assert len(found.details["entries"]) == len(facts.entries)


def test_C121_weeks_of_green_runs_without_rows_are_found() -> None:
    found = decide(AuditFacts(entries=tuple(entry(0) for _ in range(9))))
    assert (found.kind, "0 published rows for" in found.reason) == (Kind.UNPUBLISHED, True)
    assert "and 4 more" in found.reason
