"""Decision: what every policy returns, and the one shape of every `--json` answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Decision:
    """`decision` names the question (`event`, `source`, …); `kind` is from that question's closed list."""

    decision: str
    go: bool
    kind: str
    reason: str
    details: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Further top-level answers, such as `group` and `cancels` of an event decision."""

    def as_json(self) -> dict[str, Any]:
        """The published shape: fixed names first, then the question's own."""
        return {
            "decision": self.decision,
            "go": self.go,
            "kind": self.kind,
            "reason": self.reason,
            "details": dict(self.details),
            **self.extra,
        }
