"""Case: one event about one pull request, with everything that the rows of the gate ask of it."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from infx.event import PullRequest, Run, Title
from infx.facts import Facts
from infx.labels import Group
from infx.lineage import Call, Lineage, call
from infx.rules import Rules

ASSUMPTIONS = {
    "live": "the pull request is still as the event says",
    "message": "the head commit carries no skip word",
    "may_label": "the sender may start GPU jobs",
    "reuse": "no reuse is authorised",
    "runs": "no other run of this pull request exists",
    "points": "the plan is not empty",
    "gpu_hours": "the plan is within max-gpu-hours",
}
"""What a `go` rests on where nobody looked."""


@dataclass(frozen=True)
class Case:
    """`title` is the title of the sweep run that the event starts."""

    facts: Facts
    rules: Rules
    title: Title

    @cached_property
    def call(self) -> Call:
        return call(self.title, self.rules.labels)

    @cached_property
    def pull(self) -> PullRequest | None:
        """As the event shows it; a dispatch shows none, so there it is the live one."""
        return self.facts.webhook.pull or self.facts.live

    @property
    def dispatched(self) -> bool:
        return self.facts.webhook.dispatch is not None

    @property
    def granting(self) -> bool:
        """Somebody has just set the label that approves the GPU budget."""
        granted = self.rules.labels.group(self.title.label) == Group.GRANT
        return granted and self.title.action == "labeled"

    @cached_property
    def lineage(self) -> Lineage:
        runs = [run for run in self.facts.runs or () if run.pr == self.title.pr]
        return Lineage(runs=runs, book=self.rules.labels)

    @cached_property
    def own(self) -> Run | None:
        """The run that this event started, where control can see it already."""
        return self.lineage.own(self.title)

    @property
    def own_id(self) -> int | None:
        return self.facts.run_id or (self.own.id if self.own else None)

    @property
    def overtaken(self) -> bool:
        """A later event has changed head or sweep labels since."""
        live, book = self.facts.live, self.rules.labels
        return live is not None and (
            live.head_sha != self.title.head_sha
            or book.sweep_labels(live.labels) != book.sweep_labels(self.title.labels)
        )

    def sweeps(self) -> list[Run]:
        """Active sweeps older than this event; none when nobody can say what is older, because the own run
        cannot be seen and a later event has overtaken this one."""
        if self.own_id is None and self.overtaken:
            return []
        return self.lineage.sweeps(self.own_id)

    def newer_dispatch(self) -> Run | None:
        """A later sweep that control dispatched: two events that overlap see nothing of each other."""
        later = [run for run in self.lineage.runs if run.event == "workflow_dispatch"]
        own = self.facts.run_id
        return replace(self.lineage, runs=later).newer_sweep(own) if own else None

    def seen(self, *, go: bool) -> dict[str, Any]:
        """Inputs that the decision looked at, and on a go what it assumed."""
        book, title, pull = self.rules.labels, self.title, self.pull
        unasked = [text for fact, text in ASSUMPTIONS.items() if getattr(self.facts, fact) is None]
        return {
            "event": self.facts.webhook.name,
            "action": title.action,
            "pr": title.pr,
            "label": title.label,
            "labels": sorted(title.labels),
            "primaries": list(book.primaries_on(title.labels)),
            "modifiers": list(book.modifiers_on(title.labels)),
            "head_sha": title.head_sha,
            "base_sha": title.base_sha,
            "draft": bool(pull and pull.draft),
            "fork": bool(pull and pull.fork),
            "own_run": self.own_id,
            "assumed": unasked if go else [],
        }


def quoted(*names: str) -> str:
    """Names from a pull request as `"a" and "b"`: unprintable characters escaped, long names cut."""
    return " and ".join(f'"{repr(name)[1:-1]:.60}"' for name in names)
