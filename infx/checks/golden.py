"""Pinned acceptance lengths come from a golden curve of this model, method, thinking mode and length."""

from infx.checks import Sheet
from infx.golden import Acceptance, Fault, Stated, Thinking
from infx.policy import golden
from infx.recipe import AGENTIC
from infx.signoff import Finding, Grade
from infx.subject import Served, Subject

ID = "golden-acceptance"
WORDS = (
    (Grade.FAIL, "acceptance is not golden"),
    (Grade.UNKNOWN, "could not tell: what a recipe pins is known on its runner only"),
    (Grade.WARN, "measured elsewhere than it is used"),
    (Grade.PASS, "pinned as measured"),
)
PINS = (
    "SGLANG_SIMULATE_ACC_LEN",
    "TLLM_SPEC_DECODE_FORCE_NUM_ACCEPTED_TOKENS",
    "--spec-decode-acceptance-length",
)
"""What pins an acceptance, beside vLLM's speculative config."""


def check(subject: Subject, sheet: Sheet) -> Finding:
    if subject.unsourced:
        what = "a golden curve changed, and nothing proves it"
        return Finding(check=ID, grade=Grade.FAIL, what=what, evidence=subject.unsourced)
    judged = [judge(one, subject) for one in subject.served]
    for grade, what in WORDS:
        if texts := tuple(text for found, text in judged if found == grade):
            return Finding(check=ID, grade=grade, what=what, evidence=texts)
    return Finding(check=ID, grade=Grade.NA, what="no agentic recipe speculates")


def judge(one: Served, subject: Subject) -> tuple[Grade, str]:
    """What one recipe pins, against the curve."""
    if one.scenario != AGENTIC:
        name = next((name for name in PINS if name in one.variables or name in one.flags), "")
        return (Grade.FAIL, f"{one.key}: {name} outside of an agentic replay") if name else (Grade.NA, "")
    if one.speculates == "none" or one.spoken is None:
        return Grade.NA, ""
    drafting = golden.draft(one.spoken, spec=one.speculates)
    if isinstance(drafting, Fault):
        return failed(one, drafting)
    curves = {curve.name: curve for curve in subject.curves}
    found = golden.acceptance(curves, one.prefix, drafting, thinking(one))
    if isinstance(found, Fault):
        return failed(one, found)
    stated = Stated(flags=one.flags, variables=one.variables)
    wrong = golden.judge(stated, one.config, found, pinned=True)
    if not one.switch:
        wrong += golden.judge(stated, one.config, found, pinned=False)[:1]
    return failed(one, wrong[0]) if wrong else held(one, found)


def failed(one: Served, fault: Fault) -> tuple[Grade, str]:
    """A shell variable is resolved on the runner: reading the script cannot tell."""
    return Grade.UNKNOWN if "$" in fault.what else Grade.FAIL, f"{one.key}: {fault.sentence}"


def held(one: Served, found: Acceptance) -> tuple[Grade, str]:
    about = f"{one.key}: {found.draft.method}, K = {found.draft.length}: {found.length:g}"
    source = f"{about} from {found.curve.name}, {found.curve.source or 'no source run'}"
    elsewhere = golden.provenance(found, precision=one.precision, hardware=one.hardware)
    if elsewhere:
        return Grade.WARN, f"{source}; {elsewhere}; {golden.COLLECT}"
    return Grade.PASS, source


def thinking(one: Served) -> Thinking:
    """Models think unless a recipe turns it off."""
    text = " ".join([*one.flags.values(), *one.variables.values()]).replace(" ", "").replace("\\", "").lower()
    off = any(f'"{name}":false' in text for name in ("enable_thinking", "thinking"))
    return "thinking_off" if off else "thinking_on"
