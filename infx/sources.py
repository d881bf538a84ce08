"""Sources: the facts of `resolve source` for one pull request, from GitHub, git and the store."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from typing import Any

from infx.draft import Change
from infx.edge.checkout import added_entries
from infx.edge.git import Git
from infx.edge.tree import states
from infx.equal import Mark
from infx.errors import BadInput, CouldNotTell, InfxError, Refused
from infx.event import LabelChange, PullRequest, Run
from infx.matrix.compare import differing
from infx.matrix.fingerprint import Ground
from infx.matrix.planner import Request, make
from infx.matrix.points import Origin
from infx.matrix.recipes import Recipes
from infx.plan import Plan
from infx.point import EVAL, Point
from infx.read.thresholds import thresholds
from infx.results import older
from infx.results.accuracy import Thresholds
from infx.results.measured import Files, candidate
from infx.rules import Rules
from infx.source import Authorisation, Candidate, SourceFacts
from infx.state import State
from infx.sweeps import Sweep, Sweeps

SOON_S = 14 * 24 * 3600
"""Before artifacts end, people are warned for so long."""


@dataclass(frozen=True, kw_only=True)
class Sources:
    """Everything that the facts of one pull request come from."""

    git: Git
    rules: Rules
    sweeps: Sweeps
    pull: PullRequest
    default_branch: str
    now: float = 0.0
    """Unix seconds; artifacts that end soon after are a warning. 0 leaves that out."""
    looked: list[Sweep] = field(default_factory=list, compare=False)
    """What the last facts were made from, with the results that their ledgers hold."""

    def facts(
        self,
        asked: Sequence[Authorisation],
        *,
        everything: bool = False,
        only: Collection[int] | None = None,
    ) -> SourceFacts:
        """Facts with the commands `asked`. Of runs that the newest command does not name, only what GitHub
        lists is looked at, unless `everything` is asked for. `only`: besides the named runs look into no
        others than these."""
        bare = self._bare(asked)
        try:
            plan = self.wanted
            named = {*(bare.current.runs if bare.current else ()), *(only or ())}
            narrow = not everything and (bool(named) or only is not None)
            found = self.of(named=named, only_named=narrow) if plan.points else []
            self.looked[:] = found
            return replace(
                bare,
                wanted=tuple(Mark.of(point) for point in plan.points),
                candidates=tuple(self._candidate(sweep) for sweep in found),
                excluded_nodes=excluded(self.state),
                added_evals=self.added_evals if plan.points else (),
            )
        except InfxError as problem:
            return replace(bare, trouble=problem.what)

    def of(self, *, named: Collection[int], only_named: bool) -> list[Sweep]:
        """As `Sweeps.of` of the pull request, with plan and ledger for runs of older tooling too."""
        found = self.sweeps.of(self.pull, named=named, only_named=only_named)
        return [self._told(sweep) for sweep in found]

    def look(self, run: Run) -> Sweep:
        """As `Sweeps.look`."""
        return self._told(self.sweeps.look(run))

    def _told(self, sweep: Sweep) -> Sweep:
        """A run that recorded no plan gets the one that its commit makes, and a ledger of its rows."""
        if not sweep.rows.there or sweep.plan:
            return sweep
        run = sweep.run
        try:
            self.git.bring(run.head_sha)
            labels = run.title.labels if run.title else self._labels_at(run.created_at)
            plan = self._plan(self._change(run.head_sha, tuple(labels)))
            made = older.ledger(run, plan, sweep.rows, self._thresholds(run.head_sha))
            told = replace(sweep, plan=plan, ledger=made, older=tuple(sorted(labels)))
        except CouldNotTell as problem:
            return replace(sweep, trouble=problem.what)
        except (BadInput, Refused) as problem:
            return replace(sweep, broken=f"it recorded no plan, and its commit makes none: {problem.what}")
        self.sweeps.known[run.id, run.attempt] = told
        return told

    def _labels_at(self, when: str) -> tuple[str, ...]:
        """Labels of the pull request when a run was created that does not name them itself."""
        return older.labels_at(self._label_changes, when)

    @cached_property
    def _label_changes(self) -> list[LabelChange]:
        return self.sweeps.github.label_changes(self.pull.number)

    def _thresholds(self, commit: str) -> Thresholds:
        path = self.rules.layout.path(self.rules.layout.thresholds)
        text = (self.git.show(commit, path) or b"{}").decode("utf-8", "replace")
        return thresholds(text, where=path)

    def _bare(self, asked: Sequence[Authorisation]) -> SourceFacts:
        return SourceFacts(
            repository=self.sweeps.github.repository,
            default_branch=self.default_branch,
            pr=self.pull.number,
            head_sha=self.pull.head_sha,
            labels=self.pull.labels,
            wanted=(),
            authorisations=tuple(asked),
        )

    @cached_property
    def change(self) -> Change:
        return self._change(self.pull.head_sha, self._widening)

    def _change(self, head: str, labels: Collection[str]) -> Change:
        """What a commit of the pull request changes on its target."""
        return Change(
            git=self.git,
            rules=self.rules,
            base=self.pull.base_sha,
            head=head,
            labels=labels,
            repository=self.sweeps.github.repository,
            pr=self.pull.number,
        )

    @property
    def _widening(self) -> tuple[str, ...]:
        """Labels of the pull request without those that only narrow its plan."""
        known = self.rules.labels.modifiers
        narrow = {name for name, one in known.items() if one.resume or one.evals_only or one.fast}
        return tuple(label for label in self.pull.labels if label not in narrow)

    @cached_property
    def sides(self) -> tuple[State, State]:
        return self.change.sides

    @cached_property
    def grounds(self) -> tuple[Ground, Ground]:
        """What recipes stand on, at the merge base and at the head."""
        before, after = (Recipes(state, self.rules).ground for state in self.sides)
        return before, after

    @property
    def state(self) -> State:
        """The repository at the head."""
        return self.sides[1]

    @cached_property
    def wanted(self) -> Plan:
        """The yardstick: the pull request's plan at its merge base."""
        return self._plan(self.change)

    @cached_property
    def added_evals(self) -> tuple[str, ...]:
        """Evals that the target asks for since the merge base; none where the two cannot be merged."""
        tree = self.git.merged(self.pull.base_sha, self.pull.head_sha) if self._behind else ""
        try:
            after = states(self.git, [tree], layout=self.rules.layout)[0] if tree else self.state
            if after.objects == self.state.objects:
                return ()
            known = {Mark.of(point).place for point in self.wanted.points}
            evals = [point for point in self._plan(self.change, after).points if point.mode == EVAL]
        except (BadInput, Refused):
            return ()
        return tuple(f"{point.key} {point.title}" for point in evals if Mark.of(point).place not in known)

    @property
    def _behind(self) -> bool:
        return self.change.fork != self.pull.base_sha

    def _plan(self, change: Change, after: State | None = None) -> Plan:
        """The plan of a change; `after` stands for its head in its place."""
        before, head = change.sides
        origin = Origin(
            repository=change.repository, pr=change.pr, head_sha=head.commit, merge_base=before.commit
        )
        entries = added_entries(self.git, change.changelog, base=before.commit, head=head.commit)
        request = Request(
            entries=entries, base=before, head=after or head, labels=change.labels, origin=origin
        )
        return make(request, self.rules)

    def _candidate(self, sweep: Sweep) -> Candidate:
        about: dict[str, Any] = {
            "in_pull": self._in_pull(sweep),
            "labels": sweep.older or (tuple(sorted(sweep.run.title.labels)) if sweep.run.title else ()),
            "broken": sweep.broken,
            "trouble": sweep.trouble,
            "expires": ending(sweep.expires, self.now),
        }
        if sweep.plan is None or sweep.ledger is None:
            return Candidate(run=sweep.run, **about)
        compare = Comparison(sources=self, plan=sweep.plan)
        made = candidate(
            sweep.run, sweep.plan, sweep.ledger, wanted=self.wanted, files=compare.files, **about
        )
        return made if sweep.older is None else replace(made, plan=None)

    def _in_pull(self, sweep: Sweep) -> bool:
        """What was measured is a commit of the pull request, and not one that was rewritten."""
        sha = sweep.plan.head_sha if sweep.plan else sweep.run.head_sha
        return self.git.attempt("merge-base", "--is-ancestor", sha, self.pull.head_sha).code == 0


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """One run's ground against that of the head."""

    sources: Sources
    plan: Plan

    def files(self, point: Point) -> Files:
        """Where the ground of `point` differs; nothing named when the old commit cannot be had any more, and
        then nothing counts as drift."""
        if self.old is None:
            return Files()
        base, head = self.sources.grounds
        recipe, shared = differing(point, self.old, head)
        now = differing(point, base, head)[1]
        then = differing(point, self.fork, self.old)[1] if self.fork else shared
        return Files(recipe=recipe, shared=shared, own=tuple(sorted(set(shared) & {*now, *then})))

    @cached_property
    def old(self) -> Ground | None:
        return self._ground(self.plan.head_sha)

    @cached_property
    def fork(self) -> Ground | None:
        """Merge base of the pull request at that time."""
        return self._ground(self.plan.merge_base)

    def _ground(self, sha: str) -> Ground | None:
        git, rules = self.sources.git, self.sources.rules
        try:
            git.bring(sha)
            return Recipes(states(git, [git.resolve(sha)], layout=rules.layout)[0], rules).ground
        except (BadInput, CouldNotTell):
            return None


def ending(expires: str, now: float) -> str:
    """The date `expires`, when it is near."""
    if not expires or not now:
        return ""
    left = datetime.fromisoformat(expires).timestamp() - now
    return expires[:10] if left < SOON_S else ""


def excluded(state: State) -> tuple[str, ...]:
    """Nodes whose cluster record excludes them."""
    found: set[str] = set()
    for record in state.clusters.values():
        nodes = record.get("excluded_nodes") if isinstance(record, Mapping) else None
        found.update(str(node) for node in nodes or ())
    return tuple(sorted(found))
