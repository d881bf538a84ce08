"""Fleet: the runners behind the labels of runners.yaml, and what their newest cells and waiting jobs show."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Shape(StrEnum):
    """How one node stands, the worst first."""

    POISONED = "poisoned"
    """Registered and online, but its newest cells failed for the machine's sake, one after the other."""
    MISSING = "missing"
    """Named in runners.yaml, not registered."""
    OFFLINE = "offline"
    UNLABELLED = "unlabelled"
    """Registered, without the label: somebody took it out."""
    UNKNOWN = "unknown"
    """Registered with the label, not named in runners.yaml."""
    EXCLUDED = "excluded"
    UNSEEN = "could-not-tell"
    """The token may not see runners."""
    BUSY = "busy"
    IDLE = "idle"


FINE = (Shape.IDLE, Shape.BUSY, Shape.EXCLUDED, Shape.UNSEEN)
"""Those that need nobody."""


@dataclass(frozen=True, kw_only=True)
class Ended:
    """How one cell on a node ended; the newest come first wherever several stand."""

    node: str
    reason: str
    """Why it gave no valid result; empty when it did."""
    run: int


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """A job that waits for a runner."""

    name: str
    labels: tuple[str, ...]
    since: float
    """Unix seconds."""
    run: int


@dataclass(frozen=True, kw_only=True)
class Node:
    """One runner of one label."""

    label: str
    name: str
    shape: Shape
    why: str = ""

    def as_json(self) -> dict[str, Any]:
        return {"label": self.label, "name": self.name, "state": self.shape, "why": self.why}


@dataclass(frozen=True, kw_only=True)
class Queue:
    """Jobs of one label that have waited too long."""

    label: str
    jobs: int
    minutes: int
    """Of the one that waits longest."""

    def as_json(self) -> dict[str, Any]:
        return {"label": self.label, "jobs": self.jobs, "minutes": self.minutes}


@dataclass(frozen=True, kw_only=True)
class Fleet:
    """Every node and every queue that needs a person."""

    nodes: Sequence[Node] = ()
    queues: Sequence[Queue] = ()
    maintained: dict[str, str] = field(default_factory=dict)
    """Label → why nothing may start on it."""

    @property
    def poisoned(self) -> Sequence[Node]:
        return tuple(node for node in self.nodes if node.shape == Shape.POISONED)

    def as_json(self) -> dict[str, Any]:
        return {
            "nodes": [node.as_json() for node in self.nodes],
            "queues": [queue.as_json() for queue in self.queues],
            "maintenance": dict(self.maintained),
        }
