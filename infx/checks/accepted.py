"""Model, scenario, precision and arms may be submitted on the day on which the pull request was opened."""

from collections.abc import Iterator, Mapping

from infx.checks import Sheet
from infx.models import Window
from infx.signoff import Finding, Grade
from infx.subject import Served, Subject

ID = "models-current"


def check(subject: Subject, sheet: Sheet) -> Finding:
    if not subject.served:
        return Finding(check=ID, grade=Grade.NA, what="no key changes")
    wrong = tuple(dict.fromkeys(text for one in subject.served for text in faults(one, subject)))
    if wrong:
        what = "not among what may be submitted (configs/models.yaml)"
        return Finding(check=ID, grade=Grade.FAIL, what=what, evidence=wrong)
    names = dict.fromkeys(f"{subject.models.name(one.prefix)}, {one.precision}" for one in subject.served)
    new = tuple(f"{prefix}: its row is new in this pull request" for prefix in subject.new_models)
    return Finding(check=ID, grade=Grade.PASS, what="; ".join(names), evidence=new)


def faults(one: Served, subject: Subject) -> Iterator[str]:
    model = subject.models.models.get(one.prefix)
    scenario = subject.models.scenarios.get(one.scenario)
    if model is None:
        yield f"{one.prefix}: no row for this model; add one in this pull request"
        return
    yield from outside(one.prefix, model.window, subject.opened)
    if model.checkpoints and one.model not in model.checkpoints:
        yield f"{one.prefix}: {one.model} is not among its checkpoints"
    yield from listed(f"{one.prefix} precision", one.precision, model.precisions, subject.opened)
    if scenario is None:
        yield f"{one.scenario}: no such scenario"
        return
    yield from outside(one.scenario, model.scenarios.get(one.scenario, scenario.window), subject.opened)
    for arm in one.arms if scenario.arms else ():
        yield from listed(f"{one.scenario} arm", arm, scenario.arms, subject.opened)


def listed(what: str, name: str, table: Mapping[str, Window], day: str) -> Iterator[str]:
    """Nothing is said against a name where the table is empty."""
    if table and name not in table:
        yield f"{what} {name}: not listed"
    elif table:
        yield from outside(f"{what} {name}", table[name], day)


def outside(what: str, window: Window, day: str) -> Iterator[str]:
    if day and not window.holds(day):
        yield f"{what}: accepted {window.text}, opened on {day}"
