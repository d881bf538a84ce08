"""Every item is ticked, or says why not."""

from infx.checks import Sheet
from infx.signoff import Finding, Grade
from infx.subject import Subject

ID = "ticked-or-explained"


def check(subject: Subject, sheet: Sheet) -> Finding:
    if sheet.unexplained:
        what = f"neither ticked nor explained: {', '.join(sheet.unexplained)}"
        return Finding(
            check=ID, grade=Grade.FAIL, what=what, evidence=("tick it, or add `Reason: …` below it",)
        )
    reasons = [f"{one.item}: {one.reason}" for one in sheet.claims.values() if not one.ticked]
    what = f"{len(reasons)} explained" if reasons else "all ticked"
    return Finding(check=ID, grade=Grade.PASS, what=what, evidence=tuple(reasons))
