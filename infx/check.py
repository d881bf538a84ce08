"""Check: one thing that GitHub shows beside a commit: a job of a workflow, a check run, or a status."""

from dataclasses import dataclass
from enum import StrEnum


class Standing(StrEnum):
    """What a check says, in three values: everything that is not known to be good is not good."""

    PASS = "pass"
    PENDING = "pending"
    FAIL = "fail"


@dataclass(frozen=True, kw_only=True)
class Check:
    """One check as GitHub tells it; a status's state stands in `conclusion`."""

    name: str
    """`workflow / job` of a job; the name of a check run; the context of a status."""
    status: str = "completed"
    conclusion: str | None = None
    url: str = ""
    attempt: int = 1
    id: int = 0
    run: int = 0
    """Workflow run that it is a job of; 0 for everything else."""
