"""Job: one generated row and the config key it comes from."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Job:
    """The row has the community's field names."""

    key: str
    row: dict[str, Any]

    @property
    def multinode(self) -> bool:
        return "prefill" in self.row

    @property
    def agentic(self) -> bool:
        return "scenario-type" in self.row
