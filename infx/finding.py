"""Finding: what one look at a repository shows, and how to mend it."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Health(StrEnum):
    OK = "ok"
    WARN = "warn"
    """Works, but not as it should."""
    BROKEN = "broken"
    """Sweeps, reuse or publication do not work like this, or are not safe."""
    UNKNOWN = "could-not-tell"
    """The token may not see it."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One line of `infx doctor`."""

    check: str
    health: Health
    what: str
    mend: str = ""
    """What to do about it; empty when nothing is."""

    def as_json(self) -> dict[str, Any]:
        return {"check": self.check, "health": self.health, "what": self.what, "mend": self.mend}
