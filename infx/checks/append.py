"""Points of the target are still there; whether they behave as before, a person tells."""

from infx.checks import Sheet
from infx.signoff import Finding, Grade
from infx.subject import Subject

ID = "append-only"
SHOWN = 12


def check(subject: Subject, sheet: Sheet) -> Finding:
    gone = subject.removed[:SHOWN]
    if gone and subject.append_only:
        what = f"{len(subject.removed)} points of the target are gone"
        return Finding(check=ID, grade=Grade.FAIL, what=what, evidence=gone)
    if subject.shared:
        what = "files that other recipes read changed; do those behave as before?"
        return Finding(check=ID, grade=Grade.HUMAN, what=what, evidence=subject.shared[:SHOWN])
    if gone:
        what = f"{len(subject.removed)} points of the target are gone, and the entry does not claim otherwise"
        return Finding(check=ID, grade=Grade.WARN, what=what, evidence=gone)
    return Finding(check=ID, grade=Grade.PASS, what="no point of the target is gone, no shared file changes")
