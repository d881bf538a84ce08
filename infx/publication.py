"""Publication: one published row with its provenance, and the withdrawal of one, as the store keeps them."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

WHOLE_RUN = "*"
"""Key of a withdrawal that takes every point of a run."""


@dataclass(frozen=True, kw_only=True)
class Publication:
    """A valid point as one merge published it. Only the first five fields are sure to be known."""

    point: str
    """Point id."""
    row: Mapping[str, Any]
    """Published row: the community's field names and units."""
    run: int
    """Run that measured it."""
    merge: str
    """Commit of the merge that published it."""
    at: float
    """When it was published, Unix seconds (UTC)."""
    key: str = ""
    """Config key."""
    title: str = ""
    """As people name it: `C4 hicache`."""
    mode: str = "throughput"
    task: str = ""
    fingerprint: Mapping[str, str] = field(default_factory=dict)
    attempt: int = 0
    sha: str = ""
    """Commit that was measured."""
    node: str = ""
    match: str = ""
    """How the measured point relates to the merged one: `equal`, `base-drift`, `changed`."""
    pr: int = 0
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {**vars(self), "notes": list(self.notes)}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Publication":
        """Fields of a newer format are left out. TypeError when one that must be there is not."""
        own = _own(cls, value)
        return cls(**{**own, "notes": tuple(own.get("notes", ()))})


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
        return cls(**_own(cls, value))


def _own(noun: type[Any], value: Mapping[str, Any]) -> dict[str, Any]:
    names = {one.name for one in fields(noun)}
    return {name: value[name] for name in value if name in names}
