"""`infx job signoff`: which pull requests an event is about; with `--apply`, the verdicts of one of them."""

import argparse
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from infx.assessment import Verdict, verdicts
from infx.blocked import tell_people
from infx.commands import misplaced
from infx.decision import Decision
from infx.edge import files, gha, remarks, settings, sticky
from infx.edge.github import GitHub, connect
from infx.edge.world import World
from infx.errors import BadInput, InfxError
from infx.event import PullRequest
from infx.policy import signoff as policy
from infx.read import checklist, rest
from infx.read.facts import write
from infx.read.place import At
from infx.rules import Rules
from infx.say import comment, signoff
from infx.signing import Office, Told, artifact, judged, office, write_assessed
from infx.signoff import CONTEXT, Assessed, Kind, SignoffFacts

EXAMPLE = """example:
  GITHUB_EVENT_PATH=event.json GITHUB_TOKEN=… infx job signoff
  INFX_PR=7 GITHUB_EVENT_PATH=event.json GITHUB_TOKEN=… infx job signoff --apply"""
INTAKE = re.compile(r"#(\d{1,9}) (\w{1,20}) (review|inline) (\d{1,18})")
"""Title of an intake run. A pull request may write what it likes there, so it only says where to look."""
ADDRESS = re.compile(
    r"(?P<repo>\S+)/pull/(?P<pr>\d{1,9})(?:/files)?"
    r"#(?:issuecomment-(?P<comment>\d+)|pullrequestreview-(?P<review>\d+)|discussion_r(?P<inline>\d+))"
)
NOT_REQUIRED = "not required"
"""How the status of a head begins that needs no sign-off."""
MOST = 50
"""Most pull requests that one scheduled run looks at."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("--apply", action="store_true", help="write comments, status and record of INFX_PR")


def run(args: argparse.Namespace, world: World) -> int:
    """0 whatever the verdict says: the answer is in the conversation. 3 when nobody could tell."""
    event, name = At(gha.event(world), "event"), world.env.get("GITHUB_EVENT_NAME", "")
    if not args.apply:
        numbers = pulls(event, name, world)
        gha.outputs(world, {"pulls": json.dumps(numbers)})
        world.say(f"pull requests to look at: {', '.join(map(str, numbers)) or 'none'}")
        return 0
    number = gha.number(world.env, "INFX_PR", 0)
    github, rules = connect(world.env), settings.load(world.cwd)
    check_address(event, number, github.repository)
    return Notary(world=world, github=github, rules=rules, number=number, told=told(event, name)).work()


# -- which pull requests


def pulls(event: At, name: str, world: World) -> list[int]:
    """Numbers that the event is about. What cannot be a sign-off is left out before anybody is asked."""
    if name == "issue_comment":
        return [event["issue"]["number"].integer()] if comment_matters(event) else []
    if name == "workflow_run":
        return of_intake(event, world)
    if name == "workflow_dispatch":
        return [given(event)]
    github = connect(world.env)
    return [number for number, head in remarks.open_pulls(github) if needed(github, head)][:MOST]


def needed(github: GitHub, head: str) -> bool:
    """The head's status does not say that no sign-off is needed; one without a status may need one."""
    return not github.statuses(head).get(CONTEXT, ("", ""))[1].startswith(NOT_REQUIRED)


def comment_matters(event: At) -> bool:
    """A comment of a person in a pull request that signs off, or that did before it was changed."""
    said = event["comment"]
    bot = rest.comment(said)
    if event["issue"]["pull_request"].absent or bot.author_type == "Bot" or bot.author.endswith("[bot]"):
        return False
    changes = event["changes"]
    before = "" if changes.absent or changes["body"].absent else changes["body"]["from"].text("")
    return checklist.is_signoff(said["body"].text("")) or checklist.is_signoff(before)


def of_intake(event: At, world: World) -> list[int]:
    intake = rest.run(event["workflow_run"])
    if intake.path != settings.load(world.cwd).layout.intake_workflow:
        return []
    match = INTAKE.fullmatch(event["workflow_run"]["display_title"].text(""))
    return [int(match[1])] if match else []


def given(event: At) -> int:
    """The number that a person typed. BadInput when it is none."""
    text = event["inputs"]["pr"].text("").strip().removeprefix("#")
    if not (text.isascii() and text.isdigit() and 0 < len(text) < 10):
        raise BadInput(f"{text!r:.40} is no number of a pull request", where="pr", todo="give its number")
    return int(text)


def check_address(event: At, number: int, repository: str) -> None:
    """BadInput unless the address that was typed beside the number is of the same pull request."""
    inputs = event["inputs"]
    text = "" if inputs.absent else inputs["address"].text("").strip()
    if not text:
        return
    match = ADDRESS.search(text)
    here = match is not None and match["repo"].lower().endswith(f"/{repository.lower()}")
    if not match or not here or int(match["pr"]) != number:
        raise BadInput(
            f"{text!r:.200} is no comment of #{number}", where="address", todo="give both of one pull request"
        )


def told(event: At, name: str) -> Told:
    """Whose words changed, and who changed them."""
    if name == "issue_comment":
        edited = event["action"].text("") == "edited"
        key = f"comment {event['comment']['id'].integer()}"
        return Told(key=key, editor=event["sender"]["login"].text("") if edited else "", edited=edited)
    if name == "workflow_run":
        match = INTAKE.fullmatch(event["workflow_run"]["display_title"].text(""))
        actor = event["workflow_run"]["actor"]
        edited = match is not None and match[2] == "edited"
        editor = actor["login"].text("") if edited and not actor.absent else ""
        return Told(key=f"{match[3]} {match[4]}" if match else "", editor=editor, edited=edited)
    inputs = event["inputs"]
    match = ADDRESS.search("" if inputs.absent else inputs["address"].text(""))
    place = next((name for name in ("comment", "review", "inline") if match and match[name]), "")
    return Told(key=f"{place} {match[place]}" if match else "", named=True)


# -- the verdicts


@dataclass(kw_only=True)
class Notary:
    """One look at one pull request: every sign-off, the status of the head, and the record."""

    world: World
    github: GitHub
    rules: Rules
    number: int
    told: Told
    code: int = 0
    sha: str = ""
    """Head whose status says what came of it, also when nothing did."""

    def work(self) -> int:
        told_all = False
        try:
            self.look()
            told_all = True
        except InfxError as problem:
            self.fail(problem.what)
            told_all = True
            raise
        finally:
            if not told_all and self.sha:
                self.fail("the verifier stopped without a verdict")
        return self.code

    def look(self) -> None:
        here = office(self.github, self.rules, self.world, self.number, self.told)
        pull = here.desk.pull
        if not pull.open:
            self.world.say(f"#{self.number} is closed")
            return
        self.sha = pull.head_sha
        facts = here.whole
        self.unknown(facts)
        self.misplaced(here)
        files.write_json(self.world.cwd / "infx-out/facts/facts.json", write(facts))
        findings = judged(facts)
        found = [self.anew(one, here) for one in verdicts(facts, findings)]
        self.settle(pull, facts, found, policy.decide(facts, findings, self.rules))

    def anew(self, one: Verdict, here: Office) -> Verdict:
        """What was recorded before is told again where its comment could not be written, or was deleted."""
        if one.known and one.kind != Kind.WITHDRAWN and not here.shows(signoff.mark(one.key)):
            return replace(one, known=False)
        return one

    def unknown(self, facts: SignoffFacts) -> None:
        """An address that a person gave leads to a sign-off."""
        known = {one.key for one in facts.statements}
        if self.told.named and self.told.key and self.told.key not in known:
            self.code = BadInput.exit_code
            gha.error(self.world, f"the address is of no sign-off that stands: {self.told.key}")

    def misplaced(self, here: Office) -> None:
        """Whoever writes a command into a review is told where commands are read."""
        place, _, number = self.told.key.partition(" ")
        if self.told.named or place not in ("review", "inline"):
            return
        said = next((one for one in here.remarks if f"{one.place} {one.id}" == self.told.key), None)
        if said and not said.bot:
            self.report(lambda: misplaced.tell(self.github, self.number, int(number), said.body))

    def settle(
        self, pull: PullRequest, facts: SignoffFacts, found: Sequence[Verdict], decision: Decision
    ) -> None:
        """Record, then tell. What moved meanwhile is told instead, and nothing of it is believed."""
        now = self.github.pull(self.number)
        if now.base_ref != pull.base_ref:
            raise BadInput(
                f"retargeted from {pull.base_ref} to {now.base_ref} while it was checked",
                where=f"#{self.number}",
                todo="the next look takes the new target",
            )
        if now.head_sha != pull.head_sha:
            self.world.say(f"the head moved to {now.head_sha[:7]}; its own run looks at it")
            return
        looked = [one for one in found if not one.known]
        self.record(facts, [one for one in looked if not recorded(one, facts)])
        for one in looked:
            self.report(lambda one=one: self.tell(one, facts))  # type: ignore[misc]
        self.show(decision)
        if self.told.key:
            signed = (str(decision.extra["state"]), decision.reason)
            order = gha.run_order(self.world.env)
            seen = [finding for one in found for finding in one.findings]
            self.report(
                lambda: tell_people(self.github, pull, signed, order=order, rules=self.rules, findings=seen)
            )
        if decision.extra["state"] == "error":
            self.code = 3

    def record(self, facts: SignoffFacts, fresh: Sequence[Verdict]) -> None:
        """All verdicts on this pull request there ever were, into the artifact that the next run reads."""
        if not fresh:
            return
        at = datetime.fromtimestamp(self.world.now(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        new = [assessed(one, at=at, run=gha.number(self.world.env, "GITHUB_RUN_ID", 0)) for one in fresh]
        name = artifact(self.number)
        files.write_text(
            self.world.cwd / f"infx-out/{name}/signoff.json", write_assessed([*facts.assessed, *new])
        )
        gha.outputs(self.world, {"record": name})

    def tell(self, verdict: Verdict, facts: SignoffFacts) -> None:
        statement = next((one for one in facts.statements if one.key == verdict.key), None)
        order = gha.run_order(self.world.env)
        section = signoff.section(verdict, facts, statement, order=order)
        mark = signoff.mark(verdict.key)

        def render(old: str) -> str:
            same = any(one.text == section.text for one in comment.sections(old))
            return old if same else comment.compose(old, section, mark=mark)

        sticky.put(self.github, self.number, mark, render=render)

    def show(self, decision: Decision) -> None:
        """The status of the head, written when it is another one than before."""
        state, text = decision.extra["state"], decision.reason
        gha.untrusted(self.world, f"{state}: {text}")
        if self.github.statuses(self.sha).get(CONTEXT) != (state, text):
            self.report(lambda: self.github.set_status(self.sha, CONTEXT, state=state, description=text))

    def fail(self, what: str) -> None:
        """A head is never left without an answer."""
        if self.sha:
            text = f"could not tell: {what}"[: policy.LIMIT]
            self.report(lambda: self.github.set_status(self.sha, CONTEXT, state="error", description=text))

    def report(self, write_it: Callable[[], object]) -> None:
        """Reporting may fail without changing what was decided."""
        code = gha.reported(self.world, write_it)
        self.code = self.code or code


def recorded(one: Verdict, facts: SignoffFacts) -> bool:
    """The same was said of the same text and head before."""
    return any(
        (old.key, old.digest, old.head, old.kind, old.reason)
        == (one.key, one.digest, one.head, one.kind, one.reason)
        for old in facts.assessed
    )


def assessed(one: Verdict, *, at: str, run: int) -> Assessed:
    return Assessed(
        key=one.key,
        digest=one.digest,
        head=one.head,
        author=one.author,
        kind=one.kind,
        reason=one.reason,
        covers=one.covers,
        at=at,
        run=run,
    )
