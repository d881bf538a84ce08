"""The command that says which runs are to be published is on record: the merge depends on it."""

from infx.checks import Sheet
from infx.signoff import Finding, Grade
from infx.subject import Subject

ID = "reuse-command-posted"


def check(subject: Subject, sheet: Sheet) -> Finding:
    reuse = subject.reuse
    if reuse.trouble:
        return Finding(check=ID, grade=Grade.UNKNOWN, what=f"could not tell: {reuse.trouble}")
    if not subject.values:
        return Finding(check=ID, grade=Grade.NA, what="no key changes, so nothing is published")
    if reuse.by and reuse.covers:
        return Finding(check=ID, grade=Grade.PASS, what=reuse.text, evidence=(f"by @{reuse.by}",))
    what = reuse.text if reuse.by else "nobody with write access has posted it"
    return Finding(check=ID, grade=Grade.FAIL, what=f"{what}; post: {reuse.advice}", evidence=(reuse.advice,))
