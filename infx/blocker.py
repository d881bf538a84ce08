"""Blocker: one thing that stands between a pull request and its merge, and who can move it."""

from dataclasses import dataclass
from enum import StrEnum


class Topic(StrEnum):
    """What a blocker is about, in the order in which people meet them. Each is told by one job alone."""

    GATE = "gate"
    PULL = "pull"
    SWEEP = "sweep"
    POINTS = "points"
    REUSE = "reuse"
    SIGNOFF = "signoff"
    REVIEWS = "reviews"


class Owner(StrEnum):
    AUTHOR = "author"
    MAINTAINER = "maintainer"
    OPERATOR = "operator"
    """Whoever keeps the GPU runners."""
    CODEOWNER = "codeowner"
    REVIEWER = "reviewer"
    NOBODY = "nobody"
    """It moves by itself."""


@dataclass(frozen=True, kw_only=True)
class Blocker:
    """`kind` picks the sentence (`infx/say/advice.py`); `names` are what it is about."""

    kind: str
    owner: Owner
    names: tuple[str, ...] = ()
