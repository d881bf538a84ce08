"""`infx ingest`: what landed on the default branch is published, exactly once, from authorised runs."""

import argparse
import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

from infx import skip
from infx.audit import Audit
from infx.edge import files, gha, landed, settings
from infx.edge import store as records
from infx.edge.github import connect
from infx.edge.world import World
from infx.errors import BadInput, CouldNotTell, InfxError, Refused
from infx.facts import Answer
from infx.landing import Landing, Place, Push
from infx.policy import permit, publishing
from infx.publish import Outcome, Publisher, publisher
from infx.read import facts as documents
from infx.read.place import At
from infx.recover import recover
from infx.results.landed import aggregates
from infx.say.words import code, plural
from infx.verdict import exit_number

EXAMPLE = """examples:
  infx ingest                           in ingest.yml: publishes what the push, or the dispatch, is about
  infx ingest --dry-run                 what would be published of everything that the audit misses
  infx ingest --dry-run --commit 1f2e3d4
  infx ingest recover                   starts ingest.yml for everything that the audit misses, and waits
  infx ingest recover --commit 1f2e3d4  for one merge; needs role maintain or admin"""
OUT = "infx-out"
NOTHING = "nothing-to-publish: no changelog entry landed"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("what", nargs="?", choices=["recover"], help="start the workflow for what was missed")
    parser.add_argument("--commit", metavar="SHA", default="", help="of this merge alone")
    parser.add_argument("--dry-run", action="store_true", help="decide and show, write nothing")
    parser.add_argument("--json", action="store_true", help="print the decisions as JSON")


def run(args: argparse.Namespace, world: World) -> int:
    """0 when everything that landed is published, 1 when something is refused, 3 when nobody could tell."""
    ingest = Ingest(world, publisher(connect(world.env), settings.load(world.cwd), world))
    if args.what == "recover" and not args.dry_run:
        return recover(ingest.at, commit=args.commit)
    outcomes = ingest.looked(args.commit) if args.dry_run else ingest.published()
    if args.json:
        world.say(json.dumps([one.decision.as_json() for one in outcomes], indent=1))
    return ingest.told(outcomes, quiet=args.json)


class Ingest:
    """One run of the workflow, or one look at what it would do."""

    def __init__(self, world: World, at: Publisher) -> None:
        self.world, self.at = world, at
        self.branch = at.github.default_branch()

    def looked(self, commit: str) -> list[Outcome]:
        """Decisions alone."""
        return [self.at.outcome(group) for group in self.at.groups(self.missed(commit))]

    def published(self) -> list[Outcome]:
        """What this run is for. Refused when it may not publish at all."""
        allowed = publishing.may(self.place, self.at.rules)
        if not allowed.go:
            error = CouldNotTell if allowed.kind == Answer.UNKNOWN else Refused
            raise error(allowed.reason)
        found = self.pushed(self.push) if self.push else self.missed(self.asked)
        outcomes = [self.publish(self.at.outcome(group)) for group in self.at.groups(found)]
        self.leave(outcomes)
        if self.push:
            self.remember(self.push)
        return outcomes

    # -- what it is about

    @cached_property
    def event(self) -> At:
        return At(gha.event(self.world), "event")

    @cached_property
    def push(self) -> Push | None:
        if self.world.env.get("GITHUB_EVENT_NAME") != "push":
            return None
        return Push(before=self.event["before"].text(""), after=self.event["after"].text())

    @cached_property
    def asked(self) -> str:
        """Commit that a dispatch names; everything that was missed when empty."""
        inputs = self.event["inputs"]
        return "" if inputs.absent else inputs["commit"].text("").strip()

    @property
    def place(self) -> Place:
        env = self.world.env
        path = env.get("GITHUB_WORKFLOW_REF", "").split("@")[0].removeprefix(f"{self.at.github.repository}/")
        names = {env.get("GITHUB_ACTOR", ""), env.get("GITHUB_TRIGGERING_ACTOR", "")} - {""}
        dispatched = env.get("GITHUB_EVENT_NAME") == "workflow_dispatch"
        return Place(
            workflow=path,
            event=env.get("GITHUB_EVENT_NAME", ""),
            ref=env.get("GITHUB_REF", ""),
            default_branch=self.branch,
            actors={name: self.may(name) for name in names} if dispatched else {},
        )

    def may(self, login: str) -> Answer:
        rules = self.at.rules
        return permit.may(self.at.github.role(login), rules.grant_authority, rules)

    def pushed(self, push: Push) -> list[Landing]:
        git = self.at.git
        if skip.marked(git.message(push.after)):
            self.world.note(f"infx: {skip.MARKER} counts on pull requests only and is ignored here")
        since = landed.start(git, push)
        return landed.landings(git, self.at.changelog, since=since, until=push.after)

    def missed(self, commit: str) -> list[Landing]:
        """Entries of one commit of the default branch, or all that the audit finds without rows."""
        git = self.at.git
        if not commit:
            return Audit(at=self.at, tip=self.tip).missed()
        sha = git.resolve(commit)
        line = landed.commits(git, self.at.changelog, since="", until=self.tip)
        found = landed.landings(git, self.at.changelog, since=landed.parent(git, sha), until=sha)
        if sha not in line or not found:
            todo = "name a commit that `infx audit --json` shows"
            raise BadInput(f"no changelog entry landed on {self.branch} with {commit[:40]}", todo=todo)
        return found

    @cached_property
    def tip(self) -> str:
        """Tip of the default branch, as this clone knows it."""
        git = self.at.git
        known = git.attempt("rev-parse", "--verify", "--quiet", f"refs/remotes/origin/{self.branch}")
        return known.text.strip() or git.resolve("HEAD")

    # -- publishing

    def publish(self, outcome: Outcome) -> Outcome:
        """Write the rows, show it at the commit, and tell the other repository; one at a time, so that what
        fails here leaves the others alone."""
        run = self.world.env.get("GITHUB_RUN_ID", "0")
        pr = outcome.decision.details.get("pr", "?")
        try:
            done = self.at.write(outcome, why=f"rows of #{pr} at {outcome.commit[:12]}, run {run}")
            self.at.announce(done)
        except InfxError as problem:
            kind = "could-not-tell" if problem.exit_code == CouldNotTell.exit_code else "refused"
            bad = replace(outcome.decision, go=False, kind=kind, reason=problem.sentence)
            done = replace(outcome, decision=bad)
        gha.reported(self.world, lambda: self.at.show(done))
        return done

    def remember(self, push: Push) -> None:
        """Write down, for the audit, that this push was looked at: one without a run leaves no such line."""
        line = {"before": push.before, "run": gha.number(self.world.env, "GITHUB_RUN_ID", 0)}
        why = f"push {push.after[:12]} was looked at"
        self.at.store.put({records.PUSHES: {push.after: line}}, why=why, once=True)

    def leave(self, outcomes: Sequence[Outcome]) -> None:
        """Files that the workflow keeps as artifacts."""
        out = self.world.cwd / OUT
        rows = [row for one in outcomes if one.decision.go for row in one.rows]
        entries = [found.entry for one in outcomes for found in one.entries if found.entry]
        for path, document in aggregates(self.push, rows, entries).items():
            files.write_json(out / path, document)
        for one in outcomes:
            if one.looked:
                name = f"facts/{one.looked.facts.pr}.json"
                files.write_json(out / name, documents.write(one.looked.source))

    def told(self, outcomes: Sequence[Outcome], *, quiet: bool) -> int:
        """One line each where people look; the worst exit number."""
        lines = [line(one) for one in outcomes] or [NOTHING]
        for one in lines:
            gha.untrusted(self.world, one)
            if not quiet:
                self.world.say(one)
        gha.summary(self.world, "\n".join(f"- {code(one, limit=1000)}" for one in lines))
        return max((exit_number(one.decision) for one in outcomes), default=0)


def line(one: Outcome) -> str:
    """`published: #7: 9 of 9 points from runs 500 and 501; 9 rows are new (1f2e3d4c5b6a)`."""
    new = f"; {plural(one.added, 'new row')}" if one.rows else ""
    return f"{one.decision.kind}: {one.decision.reason}{new} ({one.commit[:12]})"
