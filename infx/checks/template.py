"""The sign-off has every item of the checklist as it is today."""

from infx.checks import Sheet
from infx.signoff import Finding, Grade
from infx.subject import Subject

ID = "template-current"


def check(subject: Subject, sheet: Sheet) -> Finding:
    if not sheet.missing:
        return Finding(check=ID, grade=Grade.PASS, what=f"all {len(sheet.template)} items are there")
    what = f"an old or shortened template: {', '.join(sheet.missing)} missing"
    return Finding(
        check=ID, grade=Grade.FAIL, what=what, evidence=("copy PR_REVIEW_CHECKLIST.md as it is now",)
    )
