"""`infx job decide`: the decision of one event. In a sweep it writes the plan; for control it acts."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from infx import scope
from infx.commands.resume import accepted_at
from infx.decider import Decider
from infx.decision import Decision
from infx.draft import Draft, broken, draft, judge
from infx.edge import archive, artifacts, files, gha, settings, sticky
from infx.edge.world import World
from infx.errors import CouldNotReport, CouldNotTell, InfxError
from infx.event import Run, Title
from infx.facts import Facts
from infx.lineage import LABELLING
from infx.matrix import split
from infx.plan import Plan
from infx.policy import readiness
from infx.policy.gate import decide
from infx.read import facts as facts_document
from infx.read import payload
from infx.rules import Rules
from infx.say import comment, preview, words
from infx.status import decided, tell
from infx.verdict import FAILS, Kind

EXAMPLE = """example:
  GITHUB_EVENT_PATH=event.json GITHUB_TOKEN=… infx job decide"""
RECORDED = Path("infx-in/plan")
"""Where a re-run finds the plan of the first attempt."""
PLANNED = frozenset(
    {Kind.START, Kind.DISPATCH, Kind.PREVIEW, Kind.SKIPPED, Kind.FORK, Kind.CLASH, Kind.REPLAN}
)
"""Answers after which people want to see the plan."""
GATED = frozenset({Kind.START, Kind.PREVIEW, Kind.SKIPPED})
"""Answers after which the changelog gate may turn the run red."""
SWEEPING = frozenset({Kind.START, Kind.DISPATCH})
"""Answers after which a sweep of the head runs."""
SILENT = frozenset({Kind.IGNORED, Kind.NO_OP})
"""Answers that are not worth a word in the conversation."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument(
        "--apply", action="store_true", help="control: cancel, dispatch and comment as the decision says"
    )


def run(args: argparse.Namespace, world: World) -> int:
    webhook = payload.read(gha.event(world), where="event", name=world.env.get("GITHUB_EVENT_NAME", ""))
    return Control(world, webhook).run() if args.apply else Sweep(world, webhook).run()


class Sweep(Decider):
    """The `plan` job: decides, plans, and leaves both as artifacts for every later job."""

    def run(self) -> int:
        title = self.webhook.title
        if title is None:
            return self.leave(decide(Facts(webhook=self.webhook), settings.load(self.world.cwd)), None)
        self.fetch(title)
        # The target's policy: a change may not lift its own ceilings.
        rules = settings.at(self.git, title.base_sha)
        recorded = artifacts.plan_at(self.world.cwd / RECORDED) if self.attempt > 1 else None
        if recorded and (recorded.pr or 0, recorded.head_sha) != (title.pr, title.head_sha):
            recorded = None  # a cell of the first attempt may have put another one in its place
        facts = self.gather(rules, run_id=self.run_id, message=self.git.message(title.head_sha))
        facts = replace(facts, plan_recorded=recorded is not None)
        decision, plan = self.planned(facts, title, rules=rules, recorded=recorded)
        return self.leave(decision, plan)

    def planned(
        self, facts: Facts, title: Title, *, rules: Rules, recorded: Plan | None
    ) -> tuple[Decision, Plan | None]:
        """The final answer, and the plan when it is go."""
        decision = decide(facts, rules)
        self.keep(facts)
        if decision.kind == Kind.REPEAT:
            return decision, recorded
        if decision.kind not in GATED:
            return decision, None
        change = self.change(title, rules)
        gate = judge(change)
        if not gate.go:
            return gate, None
        if not decision.go:
            return decision, None
        made = draft(change, accepted=accepted_at(self.store(rules), title))
        facts = replace(facts, points=len(made.plan.points), gpu_hours=made.plan.gpu_hours)
        self.keep(facts)
        decision = decide(facts, rules)
        if decision.go and made.preview.problems:
            return broken(made), None
        return decision, made.plan if decision.go else None

    def keep(self, facts: Facts) -> None:
        """The facts, so that anybody can take the decision again with `infx explain event`."""
        files.write_json(self.world.cwd / "infx-out/facts/facts.json", facts_document.write(facts))

    def leave(self, decision: Decision, plan: Plan | None) -> int:
        if plan is not None:
            files.write_json(self.world.cwd / "infx-out/plan/plan.json", plan.as_json())
        gha.outputs(self.world, outputs(plan))
        return told(self.world, decision)


class Control(Decider):
    """The `control` workflow: default-branch code that acts on what the decision names."""

    def run(self) -> int:
        title, rules = self.webhook.title, settings.load(self.world.cwd)
        if title is None:
            told(self.world, decide(Facts(webhook=self.webhook), rules))
            return 0
        facts = self.merging(self.gather(rules, run_id=None), title)
        if self.webhook.base_changed:
            facts = replace(facts, points_changed=self.points_changed(facts, title, rules))
        decision = decide(facts, rules)
        for run_id in decision.extra["cancels"]:
            ended = self.github.cancel(run_id)
            self.world.note(f"run {run_id}: {'cancelled' if ended else 'had ended already'}")
        self.announce(rules)
        if decision.kind in SWEEPING:
            self.readiness(facts, rules, readiness.pending(None))
        made, decision = self.drafted(title, rules, decision=decision)
        code = 0
        if decision.kind == Kind.DISPATCH and made is not None:
            decision = self.dispatch(title, rules, made.plan, meant=decision)
            code = exit_code(decision)
        if decision.kind not in SILENT:
            self.show(title, decision, made, runs=facts.runs or ())
        if decision.kind not in SWEEPING | SILENT:
            self.readiness(facts, rules, None)
        told(self.world, decision)
        return code

    def announce(self, rules: Rules) -> None:
        """Whether the head needs a sign-off. A status that fails changes no decision."""
        pull, title = self.webhook.pull, self.webhook.title
        anew = self.webhook.action in scope.ANEW or self.webhook.base_changed
        if pull is None or title is None or not (pull.open and anew):
            return
        try:
            self.fetch(title)
            scope.announce(self.github, self.git, rules, pull)
        except InfxError as problem:
            gha.error(self.world, problem.sentence)

    def readiness(self, facts: Facts, rules: Rules, answer: Decision | None) -> None:
        """The status of the head before the merge: `answer`, else what is decided now. A status that fails
        changes no decision."""
        pull = facts.live
        if pull is None or not pull.open:
            return
        try:
            if self.webhook.title and answer is None:
                self.fetch(self.webhook.title)
            desk = self.desk(rules, pull)
            # A head that was just pushed has no status yet.
            fresh = self.webhook.action == "synchronize"
            tell(desk, answer or decided(desk, thorough=False), fresh=fresh)
        except InfxError as problem:
            gha.error(self.world, problem.sentence)

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
        if decision.kind not in PLANNED:
            return None, decision
        try:
            self.fetch(title)
            change = self.change(title, rules)
            gate = judge(change)
            made = draft(change) if gate.go else None
        except InfxError as problem:
            return None, Decision(decision="event", go=False, kind="gate", reason=problem.sentence)
        return made, decision if gate.go else gate

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

    def show(self, title: Title, decision: Decision, made: Draft | None, *, runs: Sequence[Run] = ()) -> None:
        """The plan part of the status comment. A comment that fails changes no decision."""
        planned = preview.Planned(
            head=title.head_sha,
            order=(self.run_id, self.attempt),
            decision=decision,
            preview=made.preview if made else None,
        )
        section = preview.section(planned)
        topic = sticky.Topic(mark=comment.STATUS, render=lambda old: comment.compose(old, section))
        # Every older head had its plan shown since its run was created. A person who labels may wait until
        # the whole conversation was searched for copies.
        older = [run for run in runs if (run.title or run).head_sha != title.head_sha]
        shown = max((run.created_at for run in older), default="")
        whole = self.webhook.action in LABELLING
        try:
            sticky.put_all(self.github, title.pr, [topic], since=shown, whole=whole)
        except CouldNotReport as problem:
            gha.error(self.world, problem.sentence)


def outputs(plan: Plan | None) -> dict[str, str]:
    """What later jobs of the run obey; without a plan none of them starts."""
    if plan is None:
        return {"go": "false", "canary": "[]", "fail-fast": "false", "head-sha": "", "seal": ""}
    canaries = [plan.by_id[key.canary] for key in plan.keys if key.canary]
    return {
        "go": "true",
        "canary": split.output(canaries),
        "fail-fast": str(plan.fail_fast).lower(),
        "head-sha": plan.head_sha,
        "seal": plan.seal,
    }


def told(world: World, decision: Decision) -> int:
    """Say the decision where people look; the exit number of a step that is red when it is no."""
    text = f"{decision.kind}: {decision.reason}"
    gha.untrusted(world, text)
    gha.summary(world, f"### {decision.kind}\n\n{words.code(decision.reason, words.REASON)}\n")
    return exit_code(decision)


def exit_code(decision: Decision) -> int:
    """1 for a refusal, 3 when nothing could be told, else 0."""
    if decision.go:
        return 0
    if decision.kind == Kind.COULD_NOT_TELL:
        return CouldNotTell.exit_code
    refused = decision.decision != "event" or decision.kind in FAILS
    return 1 if refused else 0
