"""Publication: one published row with where it comes from, as the store of record keeps it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

FORMAT = 1


@dataclass(frozen=True, kw_only=True)
class Publication:
    """One point of one merge. Says nothing of the run that published it, so that a repetition is equal."""

    point: str
    """Id of the planned point: the key within the merge."""
    key: str
    """Config key."""
    title: str
    mode: str
    task: str | None
    pr: int
    merge: str
    """Commit with which the changelog entry arrived on the target branch."""
    merged_at: str
    run: int
    """Sweep run that measured the row; with the next four, its provenance."""
    attempt: int
    node: str
    sha: str
    fingerprint: Mapping[str, str]
    """`row`, `recipe`, `shared` of what was measured."""
    planned: Mapping[str, str]
    """The same of the planned point."""
    match: str
    """`equal`, `base-drift` or `changed`: how the two relate."""
    accepted_changed: bool
    """The authorisation took points that were changed since."""
    authorisation: Mapping[str, Any]
    """`comment`, `by`, `at`."""
    row: Mapping[str, Any]
    """The row with the community's field names."""

    def as_json(self) -> dict[str, Any]:
        plain = {name: dict(one) if isinstance(one, Mapping) else one for name, one in vars(self).items()}
        return {"format": FORMAT, **plain}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Publication":
        """KeyError or TypeError when a field is missing or unknown."""
        return cls(**{name: value[name] for name in value if name != "format"})
