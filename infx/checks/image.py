"""Images are published by the engine's own project."""

import re

from infx.checks import Sheet
from infx.signoff import Finding, Grade
from infx.subject import Served, Subject

ID = "upstream-image"
MOVING = re.compile(r":(?:latest|nightly|dev|main)\b|^[^:@]+$")


def check(subject: Subject, sheet: Sheet) -> Finding:
    if not subject.served:
        return Finding(check=ID, grade=Grade.NA, what="no key changes")
    foreign = tuple(dict.fromkeys(text(one) for one in subject.served if not published(one, subject)))
    if foreign:
        what = "not an image of the engine's project (`images` in configs/models.yaml)"
        return Finding(check=ID, grade=Grade.FAIL, what=what, evidence=foreign)
    moving = tuple(dict.fromkeys(text(one) for one in subject.served if MOVING.search(one.image)))
    if moving:
        return Finding(check=ID, grade=Grade.WARN, what="a tag that moves", evidence=moving)
    images = tuple(dict.fromkeys(one.image for one in subject.served))
    return Finding(check=ID, grade=Grade.PASS, what="published by the engine's project", evidence=images)


def published(one: Served, subject: Subject) -> bool:
    engine = subject.models.engine(one.framework)
    return engine is not None and repository(one.image) in engine.images


def repository(image: str) -> str:
    """Name without tag and digest; `registry#path` is how some cluster tools write `registry/path`."""
    bare = image.replace("#", "/").partition("@")[0].removeprefix("docker.io/")
    head, slash, last = bare.rpartition("/")
    return head + slash + last.partition(":")[0]


def text(one: Served) -> str:
    return f"{one.key}: {one.image}"
