"""Speculative benchmarks go through the model's chat template: bare prompts draft unlike real use."""

from infx.checks import Sheet
from infx.signoff import Finding, Grade
from infx.subject import Subject

ID = "chat-template"
FLAG = "--use-chat-template"


def check(subject: Subject, sheet: Sheet) -> Finding:
    speculating = [one for one in subject.served if one.speculates != "none"]
    if not speculating:
        return Finding(check=ID, grade=Grade.NA, what="nothing speculates")
    bare = [f"{one.key}: {one.script}" for one in speculating if not one.chat and FLAG not in one.flags]
    if bare:
        what = "speculation is measured on bare prompts"
        return Finding(check=ID, grade=Grade.FAIL, what=what, evidence=tuple(bare))
    keys = tuple(dict.fromkeys(one.key for one in speculating))
    return Finding(check=ID, grade=Grade.PASS, what="requests go through the chat endpoint", evidence=keys)
