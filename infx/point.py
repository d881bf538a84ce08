"""Point: one benchmark job. Its identity makes every name; its fingerprint says what is executed."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from infx.canon import digest

Mode = Literal["throughput", "eval"]
THROUGHPUT: Mode = "throughput"
EVAL: Mode = "eval"

NAME_LIMIT = 256
"""Longest artifact name that GitHub takes, in characters."""

QUEUE_FIELDS = frozenset({"priority", "priority-reason", "queue-token", "queue"})
"""Row fields that say when a point runs, not what it runs; never part of identity or fingerprint."""


@dataclass(frozen=True, kw_only=True)
class Fingerprint:
    """What is executed, as three hex SHA-256 values; equal values mean equal work."""

    row: str
    recipe: str
    shared: str

    def as_json(self) -> dict[str, str]:
        return {"row": self.row, "recipe": self.recipe, "shared": self.shared}


def row_fingerprint(row: Mapping[str, Any]) -> str:
    """Digest of the matrix row without concurrency, `exp-name`, priority and queue fields."""
    left_out = QUEUE_FIELDS | {"conc", "exp-name"}
    return digest({name: value for name, value in row.items() if name not in left_out})


@dataclass(frozen=True, kw_only=True)
class Point:
    """One recipe at one concurrency, or (multi-node fixed-sequence) with its list of concurrencies."""

    key: str
    """Config key that the row comes from."""
    mode: Mode
    task: str | None
    """Accuracy task of an eval point (`gsm8k`); None for throughput."""
    row: Mapping[str, Any]
    """The matrix row as emitted, field names of the community."""
    fingerprint: Fingerprint
    script: str
    """Repository path of the script or recipe variant that the row resolves to."""
    reason: str
    """Why this point is in the plan."""
    duration_s: int
    """Expected seconds on the runner, recorded or assumed."""

    @property
    def identity(self) -> dict[str, Any]:
        """Everything two different points differ in; travels inside every artifact."""
        row = {name: value for name, value in self.row.items() if name not in QUEUE_FIELDS}
        return {"key": self.key, "mode": self.mode, "task": self.task, "row": row}

    @cached_property
    def id(self) -> str:
        """First 16 hex digits of the identity's digest."""
        return digest(self.identity)[:16]

    @property
    def concurrencies(self) -> tuple[int, ...]:
        """Concurrencies of the row; one value except for multi-node fixed-sequence rows."""
        conc = self.row["conc"]
        return tuple(conc) if isinstance(conc, list | tuple) else (conc,)

    @property
    def runner(self) -> str:
        """Label that the job asks of a runner."""
        return str(self.row["runner"])

    @property
    def hardware(self) -> str:
        """Runner type without prefix and node index: `cluster:h200-dgxc` is `h200-dgxc`."""
        return re.sub(r"_\d+$", "", self.runner.removeprefix("cluster:"))

    @property
    def multinode(self) -> bool:
        return "prefill" in self.row

    @property
    def offload(self) -> str | None:
        """Name of the KV offload backend; None when KV stays on the GPU."""
        if self.row.get("kv-offloading", "none") == "none":
            return None
        return str((self.row.get("kv-offload-backend") or {}).get("name", self.row["kv-offloading"]))

    @property
    def gpus(self) -> int:
        """GPUs that the job holds."""
        if not self.multinode:
            return _gpus(self.row)
        return sum(pool["num-worker"] * _gpus(pool) for pool in (self.row["prefill"], self.row["decode"]))

    @property
    def title(self) -> str:
        """As people name it: `C4`, `C4 hicache`, `C64 gsm8k`."""
        conc = "C" + ",".join(str(one) for one in self.concurrencies)
        return " ".join(part for part in (conc, self.offload, self.task) if part)

    def artifact(self, kind: str) -> str:
        """`<kind>_<readable prefix>_<id>`: unique over (point, kind) and at most 256 characters."""
        readable = f"{self.key}_{self.title}".replace(" ", "_").replace(",", "-")
        readable = re.sub(r"[^A-Za-z0-9._-]", "-", readable)
        room = NAME_LIMIT - len(kind) - len(self.id) - 2
        return f"{kind}_{readable[:room]}_{self.id}"

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "title": self.title,
            **self.identity,
            "row": dict(self.row),
            "fingerprint": self.fingerprint.as_json(),
            "script": self.script,
            "reason": self.reason,
            "duration_s": self.duration_s,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Point":
        """Inverse of `as_json`; KeyError or TypeError when a field is missing or of another shape."""
        return cls(
            key=value["key"],
            mode=value["mode"],
            task=value["task"],
            row=value["row"],
            fingerprint=Fingerprint(**value["fingerprint"]),
            script=value["script"],
            reason=value["reason"],
            duration_s=value["duration_s"],
        )


def _gpus(pool: Mapping[str, Any]) -> int:
    return int(pool["tp"] * pool.get("pp", 1) * pool.get("pcp-size", 1))
