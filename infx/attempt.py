"""Attempt: what GitHub says of one attempt of a run. It explains an absence, and proves nothing else."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

QUEUE_LIMIT_S = 24 * 3600
"""Longest wait in the queue of a self-hosted runner (GitHub docs: usage limits of self-hosted runners)."""

POINT_ID = re.compile(r"(?<![0-9a-f])[0-9a-f]{16}(?![0-9a-f])")


@dataclass(frozen=True, kw_only=True)
class Job:
    """One job as the REST API lists it. Times are Unix seconds."""

    name: str
    status: str
    """`queued`, `waiting`, `pending`, `requested`, `in_progress`, `completed`."""
    conclusion: str | None = None
    labels: tuple[str, ...] = ()
    runner: str = ""
    """Empty until a runner took the job."""
    created: float = 0
    ended: float | None = None

    @property
    def waits(self) -> bool:
        """No runner has taken it yet."""
        return self.status not in ("in_progress", "completed")

    @property
    def expired(self) -> bool:
        """GitHub ended it because no runner took it in 24 h."""
        if self.runner or self.status != "completed" or self.ended is None:
            return False
        return self.ended - self.created >= QUEUE_LIMIT_S


@dataclass(frozen=True, kw_only=True)
class Attempt:
    """One attempt of one run of the sweep."""

    run_id: int
    number: int
    head_sha: str
    status: str
    conclusion: str | None = None
    jobs: tuple[Job, ...] = ()
    created: float = 0
    """When the run was made, Unix seconds."""

    @property
    def order(self) -> tuple[int, int]:
        """Newer runs, and newer attempts of one run, compare greater."""
        return (self.run_id, self.number)

    @property
    def finished(self) -> bool:
        return self.status == "completed"

    def by_point(self) -> Mapping[str, Job]:
        """Point id → its job: the names of cell jobs carry the id."""
        return {match[0]: job for job in self.jobs for match in [POINT_ID.search(job.name)] if match}

    def as_json(self) -> dict[str, Any]:
        return {"run": self.run_id, "attempt": self.number, "head": self.head_sha}
