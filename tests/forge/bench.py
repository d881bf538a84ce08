"""An engine that starts runs for what starts a sweep, and does none of their work."""

import random
from collections import Counter
from collections.abc import Sequence

from infx.forge.ports import Event, Run, Store
from tests.forge.recorder import Recorder

STARTS = ("pull_request.labeled", "pull_request.synchronize")
LATE, TWICE = 0.15, 0.15
"""Shares of deliveries that misbehave."""


def kind(event: Event) -> str:
    """`pull_request.labeled`, `push`, …"""
    action = event.payload.get("action")
    return f"{event.name}.{action}" if action else event.name


class Bench(Recorder):
    """Implements `infx.forge.ports.Engine`.

    With a `seed`, deliveries come twice, or late and in the wrong order: when `turn` was called twice.
    """

    def __init__(self, store: Store) -> None:
        super().__init__()
        self._store = store
        self._held: list[Event] = []
        self._late: list[Event] = []
        self._met: Counter[str] = Counter()
        self._seed = ""
        self.causes: dict[int, Event] = {}
        """What started each run."""

    @property
    def unruly(self) -> bool:
        return bool(self._seed)

    def behave(self, seed: str) -> None:
        """Without a seed, deliveries are as they should be."""
        self._seed = seed
        self._met.clear()

    def deliver(self, event: Event) -> Sequence[int]:
        chance = self._chance(kind(event))
        if chance < LATE:
            self._held.append(event)
            return ()
        self._take(event)
        if chance < LATE + TWICE:
            self._take(event)
        return ()

    def _chance(self, name: str) -> float:
        """The same for the n-th delivery of a kind, whatever came in between."""
        self._met[name] += 1
        return random.Random(f"{self._seed} {name} {self._met[name]}").random() if self._seed else 1.0

    def turn(self) -> None:
        """What was held back before the last turn arrives, newest first."""
        late, self._late, self._held = self._late, self._held, []
        for event in reversed(late):
            self._take(event)

    @property
    def holding(self) -> bool:
        return bool(self._held or self._late)

    def _take(self, event: Event) -> None:
        known = any(event is one for one in self.events)
        self.events.append(event)
        if not known and kind(event) in STARTS:
            self._start(event)

    def _start(self, event: Event) -> None:
        pull = event.payload["pull_request"]
        run = Run(
            id=0,
            repository=event.repository,
            workflow=".github/workflows/sweep.yml",
            name="Sweep",
            title=pull["title"],
            event=event.name,
            action=event.payload["action"],
            payload=event.payload,
            actor=event.actor,
            triggering_actor=event.actor,
            head_branch=pull["head"]["ref"],
            head_sha=pull["head"]["sha"],
            ref=event.ref,
            sha=event.sha,
            pull_requests=(event.payload["number"],),
        )
        run = self._store.add_run(run)
        self.causes[run.id] = event
        self._store.tell("workflow_run", "requested", run)

    def finish(self, run_id: int, conclusion: str) -> None:
        run = self._store.change_run(run_id, status="completed", conclusion=conclusion)
        self._store.tell("workflow_run", "completed", run)

    def cancel(self, run_id: int) -> None:
        self.finish(run_id, "cancelled")

    def rerun(self, run_id: int, *, failed_only: bool, job_id: int | None = None, actor: str = "") -> None:
        run = self._store.run(run_id)
        self._store.change_run(
            run_id, attempt=run.attempt + 1, status="queued", conclusion=None, triggering_actor=actor
        )
