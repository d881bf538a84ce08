"""Poison: runners that were not fit for a cell, as the store of record keeps them, and their care."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from infx.fleet import Ended
from infx.premises import Runner

PROBE = "infx-probe-"
"""Start of the label, followed by the node, by which a poisoned runner is asked whether it is well."""


class Care(StrEnum):
    """What is done with one runner."""

    MARK = "mark"
    """It is recorded; its labels stay on, since the token may not see or change them."""
    TAKE = "take"
    """It is recorded, and its labels come off: no job reaches it but the probe."""
    GIVE = "give"
    """It is well again, and gets its labels back."""


@dataclass(frozen=True, kw_only=True)
class Mark:
    """What the store says of one node."""

    node: str
    why: str
    run: int
    """Run whose cell found it."""
    labels: tuple[str, ...] = ()
    """Labels that were taken off; empty when they stayed on."""
    standing: bool = True
    """False once it was well again."""

    def as_json(self) -> dict[str, Any]:
        return {**vars(self), "labels": list(self.labels)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Mark":
        """Inverse of `as_json`; KeyError, TypeError or ValueError when the shape differs."""
        labels = value["labels"]
        if not isinstance(labels, list) or not all(_line(one) for one in labels):
            raise ValueError("`labels` is no list of labels")
        made = cls(**{**value, "labels": tuple(labels)})
        node, why, standing = value["node"], value["why"], value.get("standing", True)
        if not (_line(node) and isinstance(why, str) and isinstance(standing, bool)):
            raise ValueError("`node`, `why` or `standing` has another type")
        if type(made.run) is not int or made.run < 0:
            raise ValueError("`run` is no number of a run")
        return made


def _line(value: object) -> bool:
    """Whether it is a name: a text of one line that is not empty."""
    return isinstance(value, str) and bool(value) and value.isprintable()


@dataclass(frozen=True, kw_only=True)
class Ward:
    """Everything that care is decided from."""

    labels: Mapping[str, Sequence[str]]
    """Runner label → names of its nodes."""
    runners: Sequence[Runner] | None
    """None: the token may not see them."""
    ended: Sequence[Ended]
    """How cells ended, the newest first."""
    marks: Mapping[str, Mark]
    probed: Mapping[str, str]
    """Node → conclusion of the probe that this run started."""


@dataclass(frozen=True, kw_only=True)
class Move:
    """One thing to do."""

    care: Care
    mark: Mark
    """The mark as it is afterwards."""
    runner: int = 0
    """Id of the runner whose labels change; 0 where none do."""
    labels: tuple[str, ...] = ()
    """Labels that come off, or come back."""
