"""Selection: which artifacts of a run hold its results, over all attempts and pages."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from infx.event import Artifact

METADATA = "changelog-metadata"
BUNDLES = ("results_bmk", "eval_results_all")
POINTS = ("bmk_", "eval_", "agentic_")


class Stageable(StrEnum):
    """Whether a run can be shown on the preview page: by what it holds, never by its colour."""

    YES = "yes"
    EMPTY = "empty"
    METADATA_ONLY = "metadata-only"
    NO_METADATA = "no-metadata"
    EXPIRED = "expired"
    NOT_COLLECTED = "not-collected"
    """Results and metadata are there, but the job that makes a ledger of them was cut short."""
    NOTHING_VALID = "nothing-valid"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, kw_only=True)
class Selection:
    """The newest unexpired upload of each exact name, and what is lost."""

    chosen: tuple[Artifact, ...]
    expired: tuple[str, ...]
    """Names of which no upload is left."""

    def named(self, name: str) -> Artifact | None:
        return next((one for one in self.chosen if one.name == name), None)

    @property
    def stageable(self) -> Stageable:
        """Results and metadata must both be there; each failure has its word."""
        names = [one.name for one in self.chosen]
        results = [name for name in names if result(name)]
        if results and METADATA in names:
            return Stageable.YES
        if any(result(name) for name in self.expired) and not results:
            return Stageable.EXPIRED
        if results:
            return Stageable.NO_METADATA
        return Stageable.METADATA_ONLY if METADATA in names else Stageable.EMPTY


def select(artifacts: Iterable[Artifact]) -> Selection:
    """Newest per exact name among the unexpired. Attempts make no difference: a name carries none."""
    newest: dict[str, Artifact] = {}
    names: dict[str, None] = {}
    for one in artifacts:
        names[one.name] = None
        known = newest.get(one.name)
        if not one.expired and (known is None or (one.created_at, one.id) > (known.created_at, known.id)):
            newest[one.name] = one
    chosen = tuple(newest[name] for name in names if name in newest)
    return Selection(chosen=chosen, expired=tuple(name for name in names if name not in newest))


def result(name: str) -> bool:
    """The artifact holds results, of one point or of the run."""
    return name in BUNDLES or name.startswith(POINTS)
