"""Does a result stand for a point that is wanted now?"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from infx.point import Fingerprint


class Standing(StrEnum):
    """Everything the comparison can say."""

    EQUAL = "equal"
    BASE_DRIFT = "base-drift"
    """Only shared files differ, and only by what the target branch brought."""
    BASE_DRIFT_REFUSED = "base-drift-refused"
    OTHER_POINT = "other-point"
    ROW = "row-differs"
    RECIPE = "recipe-differs"
    """Script, image, model, golden value, corpus, or policy's `harness-version`."""
    SHARED = "shared-differs"
    """The pull request itself changes a shared file that the point reads."""


STANDS = frozenset({Standing.EQUAL, Standing.BASE_DRIFT})


@dataclass(frozen=True, kw_only=True)
class Subject:
    """What is compared of a result and of a wanted point."""

    concurrencies: tuple[int, ...]
    mode: str
    task: str | None
    fingerprint: Fingerprint


@dataclass(frozen=True, kw_only=True)
class Drift:
    """How the surroundings of the wanted point differ; looked at only when `shared` is unequal."""

    own: frozenset[str]
    """Names that the pull request changes against its merge base (`infx.matrix.fingerprint.drift`)."""
    brought: frozenset[str]
    """Names that differ between the result's commit and the wanted one."""


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """The answer, with the sentence for people."""

    standing: Standing
    names: Sequence[str] = ()

    @property
    def go(self) -> bool:
        return self.standing in STANDS

    @property
    def reason(self) -> str:
        return f"{WORDS[self.standing]}: {', '.join(self.names)}" if self.names else WORDS[self.standing]


WORDS = {
    Standing.EQUAL: "the same work",
    Standing.BASE_DRIFT: "the target branch changed shared files since",
    Standing.BASE_DRIFT_REFUSED: "the target branch changed shared files since; policy refuses that",
    Standing.OTHER_POINT: "another concurrency, mode or task",
    Standing.ROW: "the matrix row differs",
    Standing.RECIPE: "script, its own files, image, model, golden value, corpus or harness-version differ",
    Standing.SHARED: "the pull request changes shared files that the point reads",
}


def stands(result: Subject, wanted: Subject, drift: Drift, *, rule: Literal["warn", "refuse"]) -> Verdict:
    """The first difference that voids the result, or that it stands; `rule` is policy's `base-drift`."""
    mine, theirs = result.fingerprint, wanted.fingerprint
    if (result.concurrencies, result.mode, result.task) != (wanted.concurrencies, wanted.mode, wanted.task):
        return Verdict(standing=Standing.OTHER_POINT)
    if mine.row != theirs.row:
        return Verdict(standing=Standing.ROW)
    if mine.recipe != theirs.recipe:
        return Verdict(standing=Standing.RECIPE)
    if mine.shared == theirs.shared:
        return Verdict(standing=Standing.EQUAL)
    if drift.own:
        return Verdict(standing=Standing.SHARED, names=sorted(drift.own))
    drifted = Standing.BASE_DRIFT if rule == "warn" else Standing.BASE_DRIFT_REFUSED
    return Verdict(standing=drifted, names=sorted(drift.brought))
