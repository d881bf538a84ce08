"""Retraction: published rows that count no longer, as the store keeps it."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

WHOLE_RUN = "*"
"""Key of a withdrawal that takes every point of a run."""


@dataclass(frozen=True, kw_only=True)
class Retraction:
    """Rows of a run that count no longer. They stay in history, with the reason."""

    run: int
    point: str = WHOLE_RUN
    reason: str
    by: str
    at: float
    """Unix seconds (UTC)."""
    undone: bool = False
    """The withdrawal itself was an error: the rows count again."""

    def as_json(self) -> dict[str, Any]:
        return dict(vars(self))

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Retraction":
        """Fields of a newer format are left out. TypeError when one that must be there is not."""
        names = {one.name for one in fields(cls)}
        return cls(**{name: value[name] for name in value if name in names})
