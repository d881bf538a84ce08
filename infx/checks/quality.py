"""Whether the change is good code, no program tells."""

from infx.checks import Sheet
from infx.signoff import Finding, Grade
from infx.subject import Subject

ID = "code-quality"


def check(subject: Subject, sheet: Sheet) -> Finding:
    count = len(subject.files)
    return Finding(check=ID, grade=Grade.HUMAN, what=f"{count} file{'' if count == 1 else 's'} to read")
