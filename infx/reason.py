"""Why a planned point has no valid result: a closed list, each word with a line for people."""

from enum import StrEnum

from infx.record import Outcome


class Reason(StrEnum):
    """The first ones end a cell and stand in its record; the last ones are found when the ledger is made."""

    WRONG_COMMIT = "wrong-commit"
    NO_CLUSTER = "no-cluster"
    SCRIPT_MISSING = "script-missing"
    CLIENTS_MISSING = "clients-missing"
    MODEL_MISSING = "model-missing"
    IMAGE_MISSING = "image-missing"
    GPU_MISSING = "gpu-missing"
    RUNNER_UNCLEAN = "runner-unclean"
    RUNNER_POISONED = "runner-poisoned"
    PORT_TAKEN = "port-taken"
    LAUNCHER_FAILED = "launcher-failed"
    ENGINE_DIED_LOADING = "engine-died-loading"
    ENGINE_NOT_READY = "engine-not-ready"
    ENGINE_DIED = "engine-died"
    CLIENT_FAILED = "client-failed"
    NODE_LOST = "node-lost"
    DISK_FULL = "disk-full"
    CLOCK_OFF = "clock-off"

    CANARY_TIMEOUT = "canary-timeout"
    TIME_LIMIT = "time-limit"

    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"

    ENGINE_RESTARTED = "engine-restarted"
    CLOCK_JUMPED = "clock-jumped"
    NO_RESULT = "no-result"
    STALE = "stale"
    WRONG_IDENTITY = "wrong-identity"
    WRONG_SHA = "wrong-sha"
    WRONG_MODEL = "wrong-model"
    REQUESTS_FAILED = "requests-failed"
    REQUEST_COUNT = "request-count"
    ERROR_SHARE = "error-share"
    DRAIN_SHARE = "drain-share"
    WARMUP_NOT_DRAINED = "warmup-not-drained"
    CORPUS = "corpus"
    MALFORMED = "malformed-events"
    NON_FINITE = "non-finite"
    NOT_POSITIVE = "not-positive"
    ZERO_TOKENS = "zero-tokens"
    WRONG_LENGTH = "wrong-length"
    NO_THRESHOLD = "no-threshold-for-task"
    BELOW_THRESHOLD = "below-threshold"
    EXTRACTION_SUSPECT = "extraction-suspect"
    MISSING_CONCURRENCY = "missing-concurrency"
    PARTIAL_EVAL = "partial-eval"

    WRONG_FINGERPRINT = "wrong-fingerprint"
    UNREADABLE = "unreadable"
    POWER = "power"
    AMBIGUOUS = "ambiguous-duplicate"
    NO_ARTIFACT = "no-artifact"
    CANARY_FAILED = "canary-failed"
    FAIL_FAST = "fail-fast"
    QUEUE_EXPIRED = "queue-expired"
    WAITING = "waiting-for-runner"
    NOT_YET = "not-yet"


MEANING: dict[Reason, tuple[Outcome | None, str]] = {
    Reason.WRONG_COMMIT: (Outcome.FAILURE, "another commit than the plan's was checked out"),
    Reason.NO_CLUSTER: (
        Outcome.FAILURE,
        "configs/clusters.yaml has no record of the runner, or no such driver",
    ),
    Reason.SCRIPT_MISSING: (Outcome.FAILURE, "the script of the row is not in the checkout"),
    Reason.CLIENTS_MISSING: (
        Outcome.FAILURE,
        "the load and accuracy clients are not installed on the runner",
    ),
    Reason.MODEL_MISSING: (Outcome.FAILURE, "the staged model path does not exist on the runner"),
    Reason.IMAGE_MISSING: (Outcome.FAILURE, "the container image of the row does not exist"),
    Reason.GPU_MISSING: (Outcome.FAILURE, "the runner shows fewer GPUs than the point holds"),
    Reason.RUNNER_UNCLEAN: (Outcome.FAILURE, "an earlier job left something that could not be removed"),
    Reason.RUNNER_POISONED: (
        Outcome.FAILURE,
        "the runner's own preflight found what it could not mend, so no job on it can succeed",
    ),
    Reason.LAUNCHER_FAILED: (
        Outcome.FAILURE,
        "the container engine or the scheduler did not do what it was told",
    ),
    Reason.PORT_TAKEN: (Outcome.FAILURE, "another program listens on the engine's port"),
    Reason.ENGINE_DIED_LOADING: (Outcome.FAILURE, "the engine ended before it was ready"),
    Reason.ENGINE_NOT_READY: (Outcome.FAILURE, "the engine gave no token within the time limit"),
    Reason.ENGINE_DIED: (Outcome.FAILURE, "the engine ended while the client was measuring"),
    Reason.CLIENT_FAILED: (Outcome.FAILURE, "the client ended with an error"),
    Reason.NODE_LOST: (Outcome.FAILURE, "a node of the engine was lost"),
    Reason.DISK_FULL: (Outcome.FAILURE, "a disk is full"),
    Reason.CLOCK_OFF: (Outcome.FAILURE, "the runner's clock is off"),
    Reason.CANARY_TIMEOUT: (Outcome.TIMEOUT, "the canary reached its deadline"),
    Reason.TIME_LIMIT: (Outcome.TIMEOUT, "a stage took longer than its limit"),
    Reason.CANCELLED: (Outcome.CANCELLED, "the job was cancelled"),
    Reason.INTERRUPTED: (Outcome.CANCELLED, "the job ended without a word: killed, or its machine was lost"),
    Reason.ENGINE_RESTARTED: (Outcome.INVALID, "the engine restarted while the client was measuring"),
    Reason.CLOCK_JUMPED: (Outcome.INVALID, "the machine's clock was set while the client was measuring"),
    Reason.NO_RESULT: (Outcome.INVALID, "the client left no readable result"),
    Reason.STALE: (Outcome.INVALID, "the result is older than the job, or of another run"),
    Reason.WRONG_IDENTITY: (Outcome.INVALID, "another point was measured"),
    Reason.WRONG_SHA: (Outcome.INVALID, "another commit was measured"),
    Reason.WRONG_MODEL: (Outcome.INVALID, "another model answered"),
    Reason.REQUESTS_FAILED: (Outcome.INVALID, "requests of the measured window failed"),
    Reason.REQUEST_COUNT: (Outcome.INVALID, "fewer requests completed than were planned"),
    Reason.ERROR_SHARE: (Outcome.INVALID, "more requests failed than an agentic replay may lose"),
    Reason.DRAIN_SHARE: (Outcome.INVALID, "more requests were cancelled at the end than policy allows"),
    Reason.WARMUP_NOT_DRAINED: (Outcome.INVALID, "requests were cancelled in the warm-up"),
    Reason.CORPUS: (Outcome.INVALID, "another trace corpus was loaded than was asked for"),
    Reason.MALFORMED: (Outcome.INVALID, "the engine sent stream events that are not JSON"),
    Reason.NON_FINITE: (Outcome.INVALID, "a number is not finite"),
    Reason.NOT_POSITIVE: (Outcome.INVALID, "a number that must be positive is not"),
    Reason.ZERO_TOKENS: (Outcome.INVALID, "the engine made no tokens"),
    Reason.WRONG_LENGTH: (Outcome.INVALID, "prompts or answers have another length than the row"),
    Reason.NO_THRESHOLD: (Outcome.INVALID, "configs/thresholds.yaml has no floor for the task"),
    Reason.BELOW_THRESHOLD: (Outcome.INVALID, "the score is below the floor of its model and task"),
    Reason.EXTRACTION_SUSPECT: (Outcome.INVALID, "strict matching found nothing while the answers are right"),
    Reason.MISSING_CONCURRENCY: (Outcome.INVALID, "a planned concurrency was not evaluated"),
    Reason.PARTIAL_EVAL: (Outcome.INVALID, "not every question was scored"),
    Reason.WRONG_FINGERPRINT: (None, "something else was executed than planned"),
    Reason.POWER: (None, "its energy is required and is not there; throughput is kept"),
    Reason.UNREADABLE: (None, "the artifact of the point could not be read"),
    Reason.AMBIGUOUS: (None, "there are two values, and nothing proves which one is newer"),
    Reason.NO_ARTIFACT: (None, "the job left no record"),
    Reason.CANARY_FAILED: (None, "the canary of its config key did not succeed"),
    Reason.FAIL_FAST: (None, "an earlier failure of the same matrix cut it short"),
    Reason.QUEUE_EXPIRED: (None, "no runner took the job within 24 h"),
    Reason.WAITING: (None, "the job waits for a runner"),
    Reason.NOT_YET: (None, "its turn has not come: the canary or an earlier stage still runs"),
}
"""The outcome that a cell with this reason has; None when no cell says it."""


MACHINE = frozenset(
    {
        Reason.GPU_MISSING,
        Reason.RUNNER_UNCLEAN,
        Reason.RUNNER_POISONED,
        Reason.PORT_TAKEN,
        Reason.LAUNCHER_FAILED,
        Reason.NODE_LOST,
        Reason.DISK_FULL,
        Reason.CLOCK_OFF,
        Reason.INTERRUPTED,
    }
)
"""Reasons that no recipe can cause: several in a row on one node speak against the node."""


class Stopped(Exception):
    """A cell ends here without a valid result."""

    def __init__(self, reason: Reason, detail: str = "") -> None:
        self.reason, self.detail = reason, detail or MEANING[reason][1]
        self.notes: tuple[str, ...] = ()
        """Facts for the record, such as how much had been measured."""
        super().__init__(f"{reason}: {self.detail}")

    @property
    def outcome(self) -> Outcome:
        return MEANING[self.reason][0] or Outcome.FAILURE
