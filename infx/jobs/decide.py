"""`infx job decide`: the decision of one event. In a sweep it writes the plan; for control it acts."""

import argparse
from dataclasses import replace
from pathlib import Path

from infx.commands.resume import accepted_at
from infx.control import Control
from infx.decider import Decider, told
from infx.decision import Decision
from infx.draft import Change, broken, draft, judge, one_off
from infx.edge import artifacts, files, gha, settings
from infx.edge.world import World
from infx.equal import Mark
from infx.event import Title
from infx.facts import Facts
from infx.matrix import split
from infx.plan import Plan
from infx.policy.gate import decide
from infx.read import facts as facts_document
from infx.read import payload
from infx.rules import Rules
from infx.verdict import Kind
from infx.watch import Watch

EXAMPLE = """example:
  GITHUB_EVENT_PATH=event.json GITHUB_TOKEN=… infx job decide"""
RECORDED = Path("infx-in/plan")
"""Where a re-run finds the plan of the first attempt."""
CHECKED = frozenset({Kind.SKIPPED, Kind.REUSE})
"""Answers that measure nothing, and whose changelog and plan have to be right all the same."""
GATED = CHECKED | {Kind.START, Kind.PREVIEW}
"""Answers after which the changelog gate may turn the run red."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument(
        "--apply", action="store_true", help="control: cancel, dispatch and comment as the decision says"
    )


def run(args: argparse.Namespace, world: World) -> int:
    webhook = payload.read(gha.event(world), where="event", name=world.env.get("GITHUB_EVENT_NAME", ""))
    if not args.apply:
        return Sweep(world, webhook).run()
    act = Watch if webhook.name == "schedule" else Control
    return act(world, webhook).run()


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
        if decision.kind not in GATED:
            return decision, recorded if decision.kind == Kind.REPEAT else None
        if title.action == "one-off":
            return decision, one_off(self.git, title, rules) if decision.go else None
        change = self.change(title, rules)
        gate = judge(change)
        if not gate.go:
            return gate, None
        if not decision.go:
            return (self.checked(change) if decision.kind in CHECKED else None) or decision, None
        made = draft(change, accepted=self.left_out(facts, title, rules), unfit=self.unfit(rules))
        hours = made.plan.gpu_hours
        before = self.spent(facts, rules, hours)
        facts = replace(facts, points=len(made.plan.points), gpu_hours=hours, gpu_hours_before=before)
        self.keep(facts)
        decision = decide(facts, rules)
        if decision.go and made.preview.problems:
            return broken(made), None
        return decision, made.plan if decision.go else None

    def left_out(self, facts: Facts, title: Title, rules: Rules) -> tuple[Mark, ...]:
        """Points that are there already, for a sweep that measures only the rest: as the command wrote them
        down, or as they are looked up for the label."""
        if title.action == "resume":
            return accepted_at(self.store(rules), title)
        return self.accepted(facts.live or self.webhook.pull, title.labels, rules)

    def checked(self, change: Change) -> Decision | None:
        """What is wrong with a plan that is not run now: main publishes by it, or a label starts it later."""
        made = draft(change)
        return broken(made) if made.preview.problems else None

    def keep(self, facts: Facts) -> None:
        """The facts, so that anybody can take the decision again with `infx explain event`."""
        files.write_json(self.world.cwd / "infx-out/facts/facts.json", facts_document.write(facts))

    def leave(self, decision: Decision, plan: Plan | None) -> int:
        if plan is not None:
            files.write_json(self.world.cwd / "infx-out/plan/plan.json", plan.as_json())
        gha.outputs(self.world, outputs(plan))
        return told(self.world, decision)


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
