"""Eligible: the rules that a run must pass before its points count, in order."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from infx.ledger import State
from infx.lineage import DISPATCHED
from infx.rules import Rules
from infx.source import Authorisation, Candidate, Kind, Measured, SourceFacts
from infx.union import Copy, Share, Terms, unite

SHOWN = 5
"""Most names in one sentence."""


@dataclass(frozen=True, kw_only=True)
class Case:
    """What the rules look at."""

    facts: SourceFacts
    rules: Rules
    asked: Authorisation

    @cached_property
    def terms(self) -> Terms:
        refused = self.facts.excluded_nodes if self.rules.excluded_node == "refuse" else ()
        return Terms(
            drift=self.rules.base_drift == "warn",
            changed=self.asked.accept_changed,
            excluded=frozenset(refused),
        )

    same_entry: bool = True
    """The changelog entry has to be the one that a run was swept for: what is published carries it."""
    alone: dict[int, tuple[Share, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)
    """Run id → what it holds by itself, once a rule asked for it."""

    @cached_property
    def exact(self) -> frozenset[tuple[object, ...]]:
        """What results must be of to count without a question."""
        return frozenset(mark.whole for mark in self.facts.wanted)

    def counts(self, run: Candidate) -> bool:
        """At least one point of the run counts. Most runs hold an equal one, which is quick to see."""
        equal = any(
            point.state == State.VALID
            and point.held
            and point.node not in self.terms.excluded
            and point.mark.whole in self.exact
            for point in run.points
        )
        return equal or any(share.taken for share in self.holds(run))

    def holds(self, run: Candidate) -> tuple[Share, ...]:
        """What one run holds of every planned point."""
        if run.run.id not in self.alone:
            self.alone[run.run.id] = unite(self.facts.wanted, [run], self.terms)
        return self.alone[run.run.id]


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """One run that does not count, and the first rule that it failed."""

    run: int
    rule: Kind
    reason: str

    def as_json(self) -> dict[str, Any]:
        return {"run": self.run, "rule": str(self.rule), "reason": self.reason}


def some(names: Iterable[str]) -> str:
    """`a, b and 3 more`, each once."""
    once = sorted(set(names))
    more = f" and {len(once) - SHOWN} more" if len(once) > SHOWN else ""
    return ", ".join(once[:SHOWN]) + more


def differences(measured: Measured) -> tuple[str, ...]:
    """What makes the planned point another one: files and fields."""
    return (*measured.differs, *measured.own) or measured.drift


def runs_once(facts: SourceFacts) -> list[Candidate]:
    """Each run once, newest first."""
    ordered = sorted(facts.candidates, key=lambda run: run.run.attempt)
    single = {run.run.id: run for run in ordered}
    return [single[number] for number in sorted(single, reverse=True)]


def refused(case: Case) -> tuple[Refusal, ...]:
    """Every run that does not count, with its rule, newest first; then named runs that nobody knows."""
    known = runs_once(case.facts)
    barred = [failed for run in known if (failed := refusal(run, case))]
    strange = sorted(set(case.asked.runs) - {run.run.id for run in known})
    unknown = "no such run in this repository"
    return (*barred, *(Refusal(run=one, rule=Kind.NO_SUCH_RUN, reason=unknown) for one in strange))


def fit(case: Case) -> list[Candidate]:
    """Runs whose points count, newest first: all that are named, else the newest complete green one."""
    passed = [run for run in runs_once(case.facts) if refusal(run, case) is None]
    return passed if case.asked.runs else passed[:1]


def refusal(run: Candidate, case: Case) -> Refusal | None:
    """The first rule that the run fails; None when its points count."""
    for kind, rule in RULES:
        if reason := rule(run, case):
            return Refusal(run=run.run.id, rule=kind, reason=reason)
    return None


def _not_named(run: Candidate, case: Case) -> str:
    return "the command names other runs" if case.asked.runs and run.run.id not in case.asked.runs else ""


def _other_workflow(run: Candidate, case: Case) -> str:
    wanted = case.rules.layout.sweep_workflow
    return "" if run.run.path == wanted else f"it is no run of {wanted}"


def _other_event(run: Candidate, case: Case) -> str:
    known = run.run.event in ("pull_request", "workflow_dispatch")
    return "" if known else f"it was started by {run.run.event}"


def _fork_event(run: Candidate, case: Case) -> str:
    own = run.run.event != "pull_request" or run.run.head_repo == case.facts.repository
    return "" if own else "a fork's own event started it; a label lets the default branch start one"


def _other_branch(run: Candidate, case: Case) -> str:
    own = run.run.event != "workflow_dispatch" or run.run.head_branch == case.facts.default_branch
    return "" if own else f"its workflow is that of {run.run.head_branch}, not of {case.facts.default_branch}"


def _other_pull(run: Candidate, case: Case) -> str:
    if run.plan is None and run.run.pr is None:  # GitHub names none once the pull request is closed
        return ""
    numbers = {run.run.pr} | ({run.plan.pr} if run.plan else set())
    return "" if numbers == {case.facts.pr} else f"it is not a run of #{case.facts.pr}"


def _not_finished(run: Candidate, case: Case) -> str:
    return "" if run.run.status == "completed" else f"it is {run.run.status}"


def _not_approved(run: Candidate, case: Case) -> str:
    """Its plan, written by default-branch code, must be of the head that its inputs approved."""
    if run.run.event != "workflow_dispatch":
        return ""
    title, plan = run.run.title, run.plan
    if title is None or title.action not in DISPATCHED or plan is None:
        return "it is a one-off, or left no plan"
    return "" if title.head_sha == plan.head_sha else "its plan is of another head than was approved"


def _not_reusable(run: Candidate, case: Case) -> str:
    fit = run.plan is None or run.plan.reusable
    return "" if fit else "it measured in a mode that is never published (fast, evals only, or a one-off)"


def _legacy_head(run: Candidate, case: Case) -> str:
    return "" if run.plan or run.in_pull else "it recorded no plan and its commit is not in the pull request"


def _legacy_labels(run: Candidate, case: Case) -> str:
    book = case.rules.labels
    fit = len(book.primaries_on(run.labels)) == 1 and not book.blocking_on(run.labels)
    return "" if run.plan or fit else "it recorded no plan and its labels name no full sweep"


def _empty(run: Candidate, case: Case) -> str:
    return "" if run.points else "it measured nothing"


def _nothing_valid(run: Candidate, case: Case) -> str:
    valid = any(point.state == State.VALID for point in run.points)
    return "" if valid else f"none of its {len(run.points)} points is valid"


def _expired(run: Candidate, case: Case) -> str:
    held = any(point.state == State.VALID and point.held for point in run.points)
    return "" if held else "its results have expired"


def _stopped(run: Candidate, case: Case, kind: Kind) -> list[Copy]:
    """Copies that `kind` keeps from counting, where no point of the run counts."""
    if case.counts(run):
        return []
    return [copy for share in case.holds(run) for copy in share.others if copy.reason == kind]


def _excluded(run: Candidate, case: Case) -> str:
    nodes = some(copy.measured.node for copy in _stopped(run, case, Kind.EXCLUDED))
    return f"it measured on the excluded node {nodes}" if nodes else ""


def _drift(run: Candidate, case: Case) -> str:
    copies = _stopped(run, case, Kind.DRIFT)
    paths = some(path for copy in copies for path in copy.measured.drift)
    return f"the target changed shared files: {paths}" if copies else ""


def _changed(run: Candidate, case: Case) -> str:
    if case.counts(run):
        return ""
    what = some(one for copy in _stopped(run, case, Kind.CHANGED) for one in differences(copy.measured))
    return f"no valid point of it equals a planned one{f'; changed: {what}' if what else ''}"


def _entry(run: Candidate, case: Case) -> str:
    """Only for publication: what would be executed is the same, so nothing needs to be measured again."""
    fields = run.plan.entry if run.plan and case.same_entry and not case.asked.accept_changed else ()
    if not fields:
        return ""
    what = some(fields)
    return f"its changelog entry is another one now ({what}); put it back, or /use with --accept-changed"


def _partial(run: Candidate, case: Case) -> str:
    """Only where a run is chosen: a person who names it may take less."""
    if _pinned(case):
        return ""
    shares = case.holds(run)
    have = sum(share.taken is not None for share in shares)
    return (
        ""
        if have == len(shares)
        else f"it covers {have} of {len(shares)}; to publish that, pin it with /use {run.run.id}"
    )


def _unsuccessful(run: Candidate, case: Case) -> str:
    fit = _pinned(case) or run.run.conclusion == "success"
    return "" if fit else f"it ended in {run.run.conclusion or 'nothing'}; pin it with /use {run.run.id}"


def _pinned(case: Case) -> bool:
    return bool(case.asked.runs) and not case.asked.chosen


RULES: tuple[tuple[Kind, Callable[[Candidate, Case], str]], ...] = (
    (Kind.NOT_NAMED, _not_named),
    (Kind.OTHER_WORKFLOW, _other_workflow),
    (Kind.OTHER_EVENT, _other_event),
    (Kind.FORK_EVENT, _fork_event),
    (Kind.OTHER_BRANCH, _other_branch),
    (Kind.NOT_FINISHED, _not_finished),
    (Kind.COULD_NOT_TELL, lambda run, case: run.trouble),
    (Kind.UNREADABLE, lambda run, case: run.broken),
    (Kind.OTHER_PULL_REQUEST, _other_pull),
    (Kind.NOT_APPROVED, _not_approved),
    (Kind.NOT_REUSABLE, _not_reusable),
    (Kind.EMPTY, _empty),
    (Kind.LEGACY_HEAD, _legacy_head),
    (Kind.LEGACY_LABELS, _legacy_labels),
    (Kind.NOTHING_VALID, _nothing_valid),
    (Kind.EXPIRED, _expired),
    (Kind.EXCLUDED, _excluded),
    (Kind.DRIFT, _drift),
    (Kind.CHANGED, _changed),
    (Kind.ENTRY, _entry),
    (Kind.PARTIAL_COVERAGE, _partial),
    (Kind.UNSUCCESSFUL, _unsuccessful),
)
"""In this order; the first that a run fails is told."""
