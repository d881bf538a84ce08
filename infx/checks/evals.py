"""Every planned eval is over its threshold, measured with the image of the sweep."""

from infx.checks import Sheet
from infx.signoff import Finding, Grade
from infx.subject import Subject, Value

ID = "evals-passed"


def check(subject: Subject, sheet: Sheet) -> Finding:
    evals = [value for value in subject.values if value.eval]
    if subject.trouble:
        return Finding(check=ID, grade=Grade.UNKNOWN, what=f"could not tell: {subject.trouble}")
    if not evals:
        return Finding(check=ID, grade=Grade.NA, what="no eval is planned")
    images = {one.image for one in subject.values if one.accepted and not one.eval}
    wrong = [text for one in evals if (text := fault(one, subject, images))]
    if wrong:
        what = f"{len(evals) - len(wrong)} of {len(evals)} evals pass"
        return Finding(check=ID, grade=Grade.FAIL, what=what, evidence=tuple(wrong))
    shown = [
        f"{one.title}: {one.score:.2%} ≥ {floor(one, subject):.0%}, {subject.address(one.run)}"
        for one in evals
    ]
    return Finding(
        check=ID, grade=Grade.PASS, what=f"{len(evals)} of {len(evals)} evals", evidence=tuple(shown)
    )


def fault(one: Value, subject: Subject, images: set[str]) -> str:
    """What keeps an eval from counting; empty when nothing does."""
    least = floor(one, subject)
    name = f"{one.key} {one.title}"
    if not one.accepted or one.score is None:
        return f"{name}: {one.reason or 'no score'}"
    if least is None:
        return f"{name}: thresholds.yaml has no floor for {one.task}"
    if one.score < least:
        return f"{name}: {one.score:.2%} < {least:.0%}"
    if images and one.measured_image not in images:
        return f"{name}: measured with {one.measured_image or 'an unknown image'}, the sweep with another"
    return ""


def floor(one: Value, subject: Subject) -> float | None:
    """The model's own floor, else the default one."""
    own = subject.floors.get(f"{one.model} {one.task}")
    return own if own is not None else subject.floors.get(f"default {one.task}")
