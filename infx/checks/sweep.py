"""Every planned throughput point has an accepted result, by the ledgers of the sweeps."""

from infx.checks import Sheet
from infx.signoff import Finding, Grade
from infx.subject import Subject

ID = "sweep-green"
SHOWN = 12


def check(subject: Subject, sheet: Sheet) -> Finding:
    points = [value for value in subject.values if not value.eval]
    if subject.trouble:
        return Finding(check=ID, grade=Grade.UNKNOWN, what=f"could not tell: {subject.trouble}")
    if not points:
        return Finding(check=ID, grade=Grade.NA, what="no throughput point is planned")
    missing = [f"{one.key} {one.title}: {one.reason}" for one in points if not one.accepted]
    if missing:
        what = f"{len(points) - len(missing)} of {len(points)} points have an accepted result"
        return Finding(check=ID, grade=Grade.FAIL, what=what, evidence=tuple(missing[:SHOWN]))
    runs = sorted({one.run for one in points})
    what = f"{len(points)} of {len(points)} points valid"
    return Finding(
        check=ID,
        grade=Grade.PASS,
        what=what,
        evidence=tuple(map(subject.address, runs)),
    )
