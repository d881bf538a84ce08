"""Pinned acceptance lengths come from a golden curve of this model, method, thinking mode and length."""

from infx.checks import Sheet
from infx.errors import BadInput
from infx.golden import COLLECT, different, find
from infx.signoff import Finding, Grade
from infx.speculation import PINS, Draft, draft, engine_of, pinned
from infx.subject import AGENTIC, Served, Subject

ID = "golden-acceptance"
WITH = {
    "sglang": {
        "SGLANG_SIMULATE_ACC_METHOD": "match-expected",
        "SGLANG_SIMULATE_ACC_TOKEN_MODE": "real-draft-token",
    },
    "vllm": {},
}
"""What has to stand beside the pin."""
EXACT = 0.005


def check(subject: Subject, sheet: Sheet) -> Finding:
    if subject.unsourced:
        what = "a golden curve changed without another source run"
        return Finding(check=ID, grade=Grade.FAIL, what=what, evidence=subject.unsourced)
    judged = [judge(one, subject) for one in subject.served]
    texts = {grade: [text for found, text in judged if found == grade] for grade in Grade}
    for grade, what in ((Grade.FAIL, "acceptance is not golden"), (Grade.WARN, "measured elsewhere")):
        if texts[grade]:
            return Finding(check=ID, grade=grade, what=what, evidence=tuple(texts[grade]))
    if texts[Grade.PASS]:
        return Finding(
            check=ID, grade=Grade.PASS, what="pinned as measured", evidence=tuple(texts[Grade.PASS])
        )
    return Finding(check=ID, grade=Grade.NA, what="no agentic recipe speculates")


def judge(one: Served, subject: Subject) -> tuple[Grade, str]:
    """What one recipe pins, against the curve."""
    try:
        value = pinned(one.framework, one.flags, one.variables)
        drafting = draft(one.framework, one.flags, one.variables)
    except BadInput as problem:
        return Grade.FAIL, f"{one.key}: {problem.sentence}"
    if one.scenario != AGENTIC:
        if value is None:
            return Grade.NA, ""
        return Grade.FAIL, f"{one.key}: pinned outside of an agentic throughput run"
    if drafting is None:
        if one.speculates == "none":
            return Grade.NA, ""
        return Grade.FAIL, f"{one.key}: its rows speculate, {one.script} names no method"
    return looked_up(one, drafting, value, subject=subject)


def looked_up(one: Served, drafting: Draft, value: float | None, *, subject: Subject) -> tuple[Grade, str]:
    mode = thinking(one)
    about = f"{one.key}: {drafting.method}, {mode}, K = {drafting.length}"
    curve = find(subject.curves, one.prefix, drafting.method)
    measured = curve.value(mode, drafting.length) if curve else None
    if curve is None or measured is None:
        return Grade.FAIL, f"{about}: no golden value; {COLLECT}, never adjust one by hand"
    if value is None:
        name = PINS.get(engine_of(one.framework), "acceptance")
        return Grade.FAIL, f"{about}: {name} is not set; the curve {curve.name} has {measured:g}"
    if abs(value - measured) > EXACT:
        return Grade.FAIL, f"{about}: pinned {value:g}, the curve {curve.name} has {measured:g}"
    if missing := beside(one):
        return Grade.FAIL, f"{about}: {missing}"
    other = different(curve, precision=one.precision, hardware=one.hardware)
    source = f"{about}: {measured:g} from {curve.name}, {curve.source or 'no source run'}"
    if other or not curve.source:
        return Grade.WARN, f"{source}; {other or 'its source is not on record'}; {COLLECT}"
    return Grade.PASS, source


def beside(one: Served) -> str:
    for name, value in WITH.get(engine_of(one.framework), {}).items():
        held = one.variables.get(name)
        if held != value:
            return f"{name} must be {value}, found {held or 'nothing'}"
    return ""


def thinking(one: Served) -> str:
    """Models think unless a recipe turns it off."""
    text = " ".join([*one.flags.values(), *one.variables.values()]).replace(" ", "").replace("\\", "").lower()
    off = any(f'"{name}":false' in text for name in ("enable_thinking", "thinking"))
    return "thinking_off" if off else "thinking_on"
