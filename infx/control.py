"""Control: acts on what the decision about an event names, with code of the default branch."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from infx import scope
from infx.conversation import Conversation, Spoken
from infx.decider import Decider, told
from infx.decision import Decision
from infx.draft import Draft, draft, judge
from infx.edge import archive, artifacts, gha, settings
from infx.edge.tree import states
from infx.errors import CouldNotTell, InfxError
from infx.event import Run, Title
from infx.facts import Facts
from infx.lineage import LABELLING, Lineage
from infx.matrix.changed import Change, changes
from infx.plan import Plan
from infx.policy import readiness
from infx.policy.gate import decide
from infx.read.place import At
from infx.rules import Rules
from infx.status import decided, tell
from infx.verdict import Kind, exit_number

PLANNED = frozenset(
    {Kind.START, Kind.DISPATCH, Kind.PREVIEW, Kind.SKIPPED, Kind.FORK, Kind.CLASH, Kind.REPLAN}
)
"""Answers after which people want to see the plan."""
SWEEPING = frozenset({Kind.START, Kind.DISPATCH})
"""Answers after which a sweep of the head runs."""
SILENT = frozenset({Kind.IGNORED, Kind.NO_OP})
"""Answers that are not worth a plan in the conversation."""
TALKED = frozenset({"edited", "ready_for_review"})
"""Actions that are about what stands in the conversation, whatever they start."""


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What control knows of one event once it has acted."""

    title: Title
    facts: Facts
    decision: Decision
    readiness: Decision | None
    signed: tuple[str, str] | None
    """State and text of the sign-off's status, where it was just written."""


class Control(Decider):
    """The `control` workflow: default-branch code that acts on what the decision names."""

    @cached_property
    def body(self) -> str | None:
        """Text of the pull request, as the event carries it."""
        event = At(gha.event(self.world), "event")
        return None if event["pull_request"].absent else event["pull_request"]["body"].text("")

    def conversation(self, rules: Rules) -> Conversation:
        server = self.world.env.get("GITHUB_SERVER_URL", "")
        pages = f"{server}/{self.github.repository}/blob/{self.branch}" if server and self.branch else ""
        return Conversation(self.github, self.git, rules, self.world.cwd, pages)

    def run(self) -> int:
        title, rules = self.webhook.title, settings.load(self.world.cwd)
        if title is None:
            told(self.world, decide(Facts(webhook=self.webhook), rules))
            return 0
        facts = self.merging(self.gather(rules, run_id=None), title)
        if self.webhook.base_changed:
            facts = replace(facts, points_changed=self.points_changed(facts, title, rules))
        decision = decide(facts, rules)
        signed = self.announce(rules)
        own, answer = self.own(facts, rules), None
        if decision.kind in SWEEPING and (own is None or own.active):
            answer = self.readiness(facts, rules, readiness.pending(own.id if own else None))
        made, said = self.drafted(title, rules, decision=decision)
        if made is not None and decision.kind in SWEEPING:
            decision = said = self.afforded(facts, made, rules, decision=decision)
        for run_id in decision.extra["cancels"]:
            ended = self.github.cancel(run_id)
            self.world.note(f"run {run_id}: {'cancelled' if ended else 'had ended already'}")
        decision = said
        code = 0
        if decision.kind == Kind.DISPATCH and made is not None:
            decision = self.dispatch(title, rules, made.plan, meant=decision)
            code = exit_number(decision)
        if decision.kind not in SWEEPING | SILENT:
            answer = self.readiness(facts, rules, None)
        if decision.kind not in SILENT or self.webhook.action in TALKED:
            seen = Seen(title=title, facts=facts, decision=decision, readiness=answer, signed=signed)
            self.show(seen, rules, made=made)
        told(self.world, decision)
        return code

    def own(self, facts: Facts, rules: Rules) -> Run | None:
        """The sweep run of this event. Where this job came late it may have ended, and report told of it."""
        title = self.webhook.title
        return Lineage(runs=facts.runs or (), book=rules.labels).own(title) if title else None

    def announce(self, rules: Rules) -> tuple[str, str] | None:
        """Whether the head needs a sign-off. A status that fails changes no decision."""
        pull, title = self.webhook.pull, self.webhook.title
        anew = self.webhook.action in scope.ANEW or self.webhook.base_changed
        if pull is None or title is None or not (pull.open and anew):
            return None
        try:
            self.fetch(title)
            opened = self.webhook.action == "opened"
            return scope.announce(self.github, self.git, rules, pull, opened=opened)
        except InfxError as problem:
            gha.error(self.world, problem.sentence)
            return None

    def readiness(self, facts: Facts, rules: Rules, answer: Decision | None) -> Decision | None:
        """The status of the head before the merge: `answer`, else what is decided now; None when nothing
        could be told. A status that fails changes no decision."""
        pull = facts.live or self.webhook.pull
        if pull is None or not pull.open:
            return None
        if facts.runs is None and self.webhook.action == "opened":
            self.listed[pull.number] = ()
        try:
            if self.webhook.title and answer is None:
                self.fetch(self.webhook.title)
            desk = self.desk(rules, pull)
            # A head that was just pushed has no status yet.
            fresh = self.webhook.action in ("opened", "synchronize")
            answer = answer or decided(desk, thorough=False)
            tell(desk, answer, fresh=fresh)
        except InfxError as problem:
            gha.error(self.world, problem.sentence)
        return answer

    def merging(self, facts: Facts, title: Title) -> Facts:
        """GitHub computes `mergeable` late, so git is asked where GitHub does not know yet."""
        if facts.live is None or not facts.live.open or facts.live.mergeable is not None:
            return facts
        try:
            self.fetch(title)
            merges = self.git.merges(title.base_sha, title.head_sha)
        except InfxError:
            return facts
        return replace(facts, live=replace(facts.live, mergeable=merges))

    def drafted(self, title: Title, rules: Rules, *, decision: Decision) -> tuple[Draft | None, Decision]:
        """What would run, from the pull request's files as data; a fault of them becomes the answer."""
        talked = self.webhook.action in TALKED
        if decision.kind not in PLANNED and not talked:
            return None, decision
        try:
            self.fetch(title)
            change = self.change(title, rules)
            gate = judge(change)
            there = self.accepted(self.webhook.pull, title.labels, rules) if gate.go else ()
            made = draft(change, accepted=there, unfit=self.unfit(rules)) if gate.go else None
        except InfxError as problem:
            gate = Decision(decision="event", go=False, kind="gate", reason=problem.sentence)
            made = None
        return made, decision if gate.go or talked else gate

    def afforded(self, facts: Facts, made: Draft, rules: Rules, *, decision: Decision) -> Decision:
        """The decision, or that the sweep waits for a grant: then the active sweep goes on."""
        hours = made.plan.gpu_hours
        before = self.spent(facts, rules, hours)
        if not rules.max_gpu_hours.excess(hours, before):
            return decision
        points = len(made.plan.points)
        return decide(replace(facts, points=points, gpu_hours=hours, gpu_hours_before=before), rules)

    def points_changed(self, facts: Facts, title: Title, rules: Rules) -> bool | None:
        """Whether an active sweep measures other points than a plan at the new base; None when none is active
        or its plan is not there yet."""
        measured = [self.recorded(run.id) for run in facts.runs or () if run.active]
        plans = [plan for plan in measured if plan is not None]
        if not plans:
            return None
        self.fetch(title)
        digest = draft(self.change(title, rules)).plan.digest
        return any(plan.digest != digest for plan in plans)

    def recorded(self, run_id: int) -> Plan | None:
        """The plan that a run left; its bytes come from the pull request."""
        stored = next((one for one in self.github.artifacts(run_id) if one.name == "plan"), None)
        if stored is None:
            return None
        data = self.github.download(stored, limit=artifacts.DOCUMENT_LIMIT)
        held = archive.unpack(data, where=f"plan of run {run_id}").get("plan.json")
        return artifacts.plan(held) if held is not None else None

    def dispatch(self, title: Title, rules: Rules, plan: Plan, *, meant: Decision) -> Decision:
        """Start the sweep of a fork's head from the default branch's files; what became of it."""
        started = Title(
            pr=title.pr,
            action="fork",
            head_sha=title.head_sha,
            base_sha=plan.merge_base,
            labels=title.labels,
        )
        try:
            self.sweeps(rules).dispatch(started, self.branch or self.github.default_branch())
        except CouldNotTell as problem:
            return replace(meant, go=False, kind=Kind.COULD_NOT_TELL, reason=problem.sentence)
        return meant

    @cached_property
    def before(self) -> str:
        """The head that a push replaced; empty for other events, and where its objects are not here."""
        told = At(gha.event(self.world), "event")["before"].text("")
        pushed = self.webhook.action == "synchronize" and re.fullmatch("[0-9a-f]{40,64}", told)
        return told if pushed and self.git.has(told) else ""

    def moved(self, made: Draft | None, title: Title, rules: Rules) -> Sequence[Change] | None:
        """What the push changed of what would run; None when nobody can tell."""
        if made is None or not self.before:
            return None
        try:
            then, now = states(self.git, [self.before, title.head_sha], layout=rules.layout)
            return changes(then, now, rules=rules)
        except InfxError:
            return None

    def show(self, seen: Seen, rules: Rules, *, made: Draft | None) -> None:
        """What people see of it. A comment that fails changes no decision."""
        pull = seen.facts.live or self.webhook.pull
        if pull is None:
            return
        # Every older head had its plan shown since its run was created. A person who labels may wait until
        # the whole conversation was searched for copies.
        older = [run for run in seen.facts.runs or () if (run.title or run).head_sha != pull.head_sha]
        spoken = Spoken(
            action=self.webhook.action,
            pull=replace(pull, head_sha=seen.title.head_sha),
            order=(self.run_id, self.attempt),
            decision=seen.decision,
            preview=made.preview if made else None,
            readiness=seen.readiness,
            signed=seen.signed,
            body=self.body,
            moment=int(self.world.now()),
            planned=seen.decision.kind not in SILENT,
            since=max((run.created_at for run in older), default=""),
            whole=self.webhook.action in LABELLING,
            moved=self.moved(made, seen.title, rules),
            before=self.before,
        )
        try:
            self.conversation(rules).show(spoken)
        except InfxError as problem:
            gha.error(self.world, problem.sentence)
