"""A model has a recipe for one of the first engines on this hardware before it has one for any other."""

from infx.checks import Sheet
from infx.signoff import Finding, Grade
from infx.subject import Known, Served, Subject

ID = "engine-first"


def check(subject: Subject, sheet: Sheet) -> Finding:
    fresh = [one for one in subject.served if one.new]
    if not fresh:
        return Finding(check=ID, grade=Grade.NA, what="no new key")
    unknown = [one.framework for one in fresh if subject.models.engine(one.framework) is None]
    if unknown:
        what = f"configs/models.yaml has no engine {', '.join(sorted(set(unknown)))}"
        return Finding(check=ID, grade=Grade.FAIL, what=what)
    first = {name for name, engine in subject.models.engines.items() if engine.first}
    late = [
        f"{one.key}: {one.prefix} has no recipe for {' or '.join(sorted(first))} on {one.hardware}"
        for one in fresh
        if not leads(one, subject)
    ]
    if late:
        return Finding(check=ID, grade=Grade.FAIL, what="another engine comes first", evidence=tuple(late))
    return Finding(check=ID, grade=Grade.PASS, what="a first engine has this model on this hardware")


def leads(one: Served, subject: Subject) -> bool:
    """One of the first engines itself, or one of them is there already."""
    there = [Known(prefix=one.prefix, hardware=one.hardware, framework=one.framework), *subject.recipes]
    for known in there:
        engine = subject.models.engine(known.framework)
        if engine and engine.first and (known.prefix, known.hardware) == (one.prefix, one.hardware):
            return True
    return False
