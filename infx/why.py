"""Why a planned point has no valid result, as far as infx itself decides it; cells bring further reasons."""

from enum import StrEnum


class Why(StrEnum):
    UNREADABLE = "unreadable"
    WRONG_IDENTITY = "wrong-identity"
    WRONG_FINGERPRINT = "wrong-fingerprint"
    WRONG_SHA = "wrong-sha"
    STALE = "stale"
    """The record belongs to another run."""
    AMBIGUOUS = "ambiguous-duplicate"
    NO_RESULT = "no-result"
    """The record says success but carries no row."""
    NO_ARTIFACT = "no-artifact"
    CANARY_FAILED = "canary-failed"
    FAIL_FAST = "fail-fast"
    CANCELLED = "cancelled"
    QUEUE_EXPIRED = "queue-expired"
    WAITING = "waiting-for-runner"
    NOT_YET = "not-yet"
    """Its turn has not come: the canary or an earlier stage still runs."""
