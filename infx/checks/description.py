"""What the description claims is compared with the plan and with what is served."""

import re
from collections.abc import Iterator

from infx.checks import Sheet
from infx.signoff import Finding, Grade
from infx.subject import Subject

ID = "description-matches"
POINTS = re.compile(r"\b(\d{1,4})\s+(?:throughput\s+|data\s*)?points?\b", re.IGNORECASE)
IMAGE = re.compile(r"\b((?:lmsysorg|vllm|rocm|nvcr\.io|infx)[\w./#-]{0,200}:[\w.+-]+)")
FLAG = re.compile(r"`?(--[a-z][a-z0-9-]+)[= ]([\w.+-]+)`?")
CONCS = re.compile(
    r"\b(?:conc(?:urrenc(?:y|ies))?)s?\b[^\d\n]{0,12}((?:\d+(?:\s*(?:,|/|and)\s*)?)+)", re.IGNORECASE
)


def check(subject: Subject, sheet: Sheet) -> Finding:
    if not subject.served:
        return Finding(check=ID, grade=Grade.NA, what="no key changes")
    wrong = tuple(contradictions(subject))
    if wrong:
        what = "the description and the change contradict each other"
        return Finding(check=ID, grade=Grade.WARN, what=what, evidence=wrong)
    return Finding(check=ID, grade=Grade.PASS, what="no claim that the change contradicts")


def contradictions(subject: Subject) -> Iterator[str]:
    text = subject.description
    planned = sum(not value.eval for value in subject.values)
    for match in POINTS.finditer(text):
        if planned and int(match[1]) != planned:
            yield f"it claims {match[1]} points, {planned} are planned"
            break
    images = {one.image for one in subject.served}
    for name in dict.fromkeys(match[1].rstrip(".") for match in IMAGE.finditer(text)):
        if name.replace("#", "/") not in {image.replace("#", "/") for image in images}:
            yield f"it names {name}, the change uses {', '.join(sorted(images))}"
    yield from flags(subject)
    yield from concurrencies(subject)


def flags(subject: Subject) -> Iterator[str]:
    for name, value in dict.fromkeys((match[1], match[2]) for match in FLAG.finditer(subject.description)):
        held = {one.flags[name] for one in subject.served if name in one.flags}
        if held and value not in held:
            yield f"it says {name} {value}, the change has {', '.join(sorted(held))}"


def concurrencies(subject: Subject) -> Iterator[str]:
    planned = {value.conc for value in subject.values if not value.eval}
    for match in CONCS.finditer(subject.description):
        strange = sorted({int(one) for one in re.findall(r"\d+", match[1])} - planned)
        if planned and strange:
            yield f"it names concurrencies {', '.join(map(str, strange))}, which are not planned"
