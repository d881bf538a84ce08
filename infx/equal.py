"""Equal: when a measured point stands for a planned one."""

from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from infx.point import EVAL, Fingerprint, Point


class Match(StrEnum):
    """How a measured point relates to a planned one."""

    EQUAL = "equal"
    BASE_DRIFT = "base-drift"
    """Equal but for shared files that only the target branch changed."""
    CHANGED = "changed"
    """The same place in the plan, but something else would be executed now."""
    OTHER = "other"


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A point as far as comparing goes; names are for people and for finding what a changed point was."""

    id: str
    key: str
    title: str
    mode: str
    task: str = ""
    conc: tuple[int, ...]
    fingerprint: Fingerprint

    @property
    def eval(self) -> bool:
        return self.mode == EVAL

    @cached_property
    def place(self) -> tuple[str, str, str, str]:
        """Where people look for it, whatever is executed there."""
        return (self.key, self.title, self.mode, self.task)

    @cached_property
    def work(self) -> tuple[object, ...]:
        """What is executed, shared files apart."""
        return (self.mode, self.task, self.conc, self.fingerprint.row, self.fingerprint.recipe)

    @property
    def whole(self) -> tuple[object, ...]:
        """All that equality looks at: marks with equal values are equal without a question."""
        return (*self.work, self.fingerprint.shared)

    @classmethod
    def of(cls, point: Point) -> "Mark":
        return cls(
            id=point.id,
            key=point.key,
            title=point.title,
            mode=point.mode,
            task=point.task or "",
            conc=point.concurrencies,
            fingerprint=point.fingerprint,
        )


def stands(measured: Mark, planned: Mark, *, drift: bool = False) -> Match:
    """Whether a result of `measured` is one of `planned`. `drift`: where their shared files differ, nothing
    but the target branch made the difference."""
    if measured.work == planned.work:
        if measured.fingerprint.shared == planned.fingerprint.shared:
            return Match.EQUAL
        return Match.BASE_DRIFT if drift else Match.CHANGED
    return Match.CHANGED if measured.place == planned.place else Match.OTHER
