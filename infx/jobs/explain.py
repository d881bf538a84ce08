"""`infx explain`: take a decision again from a document, with no network."""

import argparse
import json
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from infx.decision import Decision
from infx.edge import files, settings
from infx.edge.world import World
from infx.errors import BadInput
from infx.event import Webhook
from infx.facts import Facts, PermitFacts
from infx.failure import FailureFacts
from infx.handled import REUSE
from infx.policy import failure, gate, permit, readiness, source
from infx.read import facts as documents
from infx.read import payload
from infx.rules import Rules
from infx.signoff import SignoffFacts
from infx.source import ReadinessFacts, SourceFacts
from infx.verdict import exit_number

Policy = Callable[[Any, Rules, Path], Decision]
"""Facts, rules, and the folder whose tables count."""
POLICIES: dict[str, Policy] = {
    "event": lambda facts, rules, _: gate.decide(facts, rules),
    "permit": lambda facts, rules, _: permit.decide(facts, rules),
    "source": lambda facts, rules, _: source.decide(facts, rules),
    "readiness": lambda facts, rules, _: readiness.decide(source.decide(facts.source, rules), facts),
    "failure": lambda facts, rules, root: failure.decide(facts, rules, settings.signatures(root, rules)),
    "signoff": lambda facts, rules, _: _signed(facts, rules),
}
HOSTED = ("plan", "fanout", "collect")
"""Jobs of a sweep that measure nothing."""
EXAMPLE = """examples:
  infx explain event.json               the webhook payload of a run, $GITHUB_EVENT_PATH
  infx explain event facts.json --json  the artifact `facts` of a run
  infx explain source facts.json       every run, and the rule that it failed
  infx explain source --pr 7            the same, looked up now
  infx explain permit --pr 7            may the author of the newest command do that
  infx explain signoff facts.json       every check of every sign-off
  infx explain failure facts.json      why a job failed, and whether it may be run again
  infx explain failure --pr 7          the same of the newest sweep's first failed job
  infx explain --pr 7                   asks GitHub first: GITHUB_REPOSITORY and GITHUB_TOKEN
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.usage = "infx explain ([TOPIC] FILE | [TOPIC] --pr N) [options]"
    parser.add_argument("what", metavar="[TOPIC] FILE", nargs="*", help=f"topics: {', '.join(POLICIES)}")
    parser.add_argument(
        "--pr",
        metavar="N",
        type=int,
        help="look it up: an event as if its head were pushed",
    )
    parser.add_argument("--save-facts", metavar="FILE", type=Path, help="write the document decided from")
    parser.add_argument(
        "--json", action="store_true", help="print the decision as JSON; `infx schema decision` is its shape"
    )
    parser.add_argument("--event", metavar="NAME", default="", help="event of the payload, else found out")
    parser.add_argument("--policy", metavar="FILE", type=Path, help="policy, else ./configs/policy.yaml")


def run(args: argparse.Namespace, world: World) -> int:
    rules = settings.parse(files.read_text(args.policy)) if args.policy else settings.load(world.cwd)
    topic, facts = _online(args, world, rules) if args.pr else _offline(args, world)
    if args.save_facts:
        files.write_json(world.cwd / args.save_facts, documents.write(facts))
    decision = POLICIES[topic](facts, rules, world.cwd)
    world.say(json.dumps(decision.as_json(), indent=1) if args.json else text(decision))
    return exit_number(decision)


def _offline(args: argparse.Namespace, world: World) -> tuple[str, Any]:
    topic, path = _asked(args.what)
    value = files.parse_json(files.read_text(world.cwd / path), where=path)
    return topic, _facts(value, topic, where=path, name=args.event)


def _online(args: argparse.Namespace, world: World, rules: Rules) -> tuple[str, Any]:
    """Facts of a pull request, looked up now."""
    topic = args.what[0] if args.what else "event"
    if topic not in ONLINE or len(args.what) > 1:
        raise BadInput(
            f"cannot look up {' '.join(args.what)[:80]}", todo=f"give one of {', '.join(ONLINE)} with --pr"
        )
    return topic, ONLINE[topic](args.pr, world, rules)


def _event(number: int, world: World, rules: Rules) -> Facts:
    """As if the head of pull request `number` had just been pushed."""
    from infx.edge import facts as lookup  # late: offline there is nothing to look up
    from infx.edge import github
    from infx.sweeps import Sweeps

    client = github.connect(world.env)
    pull = client.pull(number)
    webhook = Webhook(name="pull_request", action="synchronize", repository=client.repository, pull=pull)
    runs = Sweeps(client, rules.layout.sweep_workflow).runs
    may = partial(permit.may, rules=rules)
    gatherer = lookup.Gatherer(github=client, rules=rules, may=may, runs=runs)
    return gatherer.gather(webhook)


def _source(number: int, world: World, rules: Rules) -> SourceFacts:
    """Every run of the pull request, with what its plan and ledger say."""
    return _readiness(number, world, rules).source


def _readiness(number: int, world: World, rules: Rules) -> ReadinessFacts:
    from infx.edge import github  # late: offline there is nothing to look up
    from infx.status import desk_of, facts

    return facts(desk_of(github.connect(world.env), rules, world, number))


def _permit(number: int, world: World, rules: Rules) -> PermitFacts:
    """Whether whoever wrote the newest command may, by the live role."""
    from infx.commands import FORMS  # late, as above
    from infx.edge import github
    from infx.read import command
    from infx.status import desk_of

    client = github.connect(world.env)
    said = [one for one in client.comments(number) if command.read(one, FORMS).effective]
    if not said:
        raise BadInput("nobody wrote a command", where=f"#{number}", todo="give a document instead of --pr")
    newest = command.read(said[-1], FORMS).effective[-1]
    desk = desk_of(client, rules, world, number)
    return desk.may(said[-1], "", needs=rules.command_authority, literal=newest.topic == REUSE)


def _failure(number: int, world: World, rules: Rules) -> FailureFacts:
    """The first job that failed in the pull request's newest sweep that did; cells before hosted jobs, which
    only sum up."""
    from infx.edge import github  # late: offline there is nothing to look up
    from infx.edge.checks import GOOD, Checks
    from infx.sweeps import Sweeps

    client = github.connect(world.env)
    runs = Sweeps(client, rules.layout.sweep_workflow).runs(client.pull(number))
    ended = sorted((run for run in runs if run.status == "completed"), key=lambda run: -run.id)
    for run in ended:
        jobs = [job for job in client.jobs(run.id) if job.conclusion not in (*GOOD, "cancelled", None)]
        if jobs:
            cells = [job for job in jobs if job.name not in HOSTED]
            return Checks(client).evidence((cells or jobs)[0], jobs)
    raise BadInput("no job of its sweeps failed", where=f"#{number}", todo="give a document instead of --pr")


def _signed(facts: SignoffFacts, rules: Rules) -> Decision:
    from infx.signing import decide  # late: the checks are needed by nobody else

    return decide(facts, rules)


def _signoff(number: int, world: World, rules: Rules) -> SignoffFacts:
    """Every sign-off of the pull request, with what the checks look at."""
    from infx.edge import github  # late: offline there is nothing to look up
    from infx.signing import office

    return office(github.connect(world.env), rules, world, number).whole


ONLINE: dict[str, Callable[[int, World, Rules], Any]] = {
    "event": _event,
    "source": _source,
    "readiness": _readiness,
    "permit": _permit,
    "signoff": _signoff,
    "failure": _failure,
}
"""What `--pr` can look up."""


def _asked(words: list[str]) -> tuple[str, str]:
    if len(words) == 1 and words[0] not in POLICIES:
        return "event", words[0]
    if len(words) != 2 or words[0] not in POLICIES:
        raise BadInput(
            f"cannot explain {' '.join(words)[:80] or 'nothing'}",
            todo=f"give one of {', '.join(POLICIES)}, and one file or --pr N",
        )
    return words[0], words[1]


def _facts(value: Any, topic: str, *, where: str, name: str) -> Any:
    """Facts of `topic`; a bare webhook payload is short for the facts that it holds."""
    if topic == "event" and not (isinstance(value, dict) and "facts" in value):
        return Facts(webhook=payload.read(value, where=where, name=name))
    return documents.read(value, topic, where=where)


def text(decision: Decision) -> str:
    """The same text as in the step summary of the run."""
    answers = {**decision.extra, **decision.details}
    lines = [f"{decision.kind}: {decision.reason}", f"  go: {'yes' if decision.go else 'no'}"]
    runs = _candidates(answers) if decision.decision == "source" else []
    told = {
        name: value for name, value in answers.items() if value != "" and not (runs and name == "refused")
    }
    return "\n".join([*lines, *(f"  {name}: {_shown(value)}" for name, value in told.items()), *runs])


def _candidates(answers: Mapping[str, Any]) -> list[str]:
    """One line for every run that results could come from: that it counts, or the rule that it failed."""
    told = dict.fromkeys(answers["runs"], "counts")
    told |= dict.fromkeys(answers.get("unused", ()), "is not needed: a newer run holds the same points")
    told |= {run: f"{told[run]}, without a recorded plan (legacy)" for run in answers.get("legacy", ())}
    told |= {one["run"]: f"{one['rule']}: {_shown(one['reason'])}" for one in answers["refused"]}
    return [f"  run {run}: {told[run]}" for run in sorted(told, reverse=True)]


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_shown(one)}" for name, one in value.items())
    if isinstance(value, list):
        return "; ".join(_shown(one) for one in value) or "none"
    if value is None or isinstance(value, bool):
        return {None: "none", True: "yes", False: "no"}[value]
    return ascii(value).strip("'")
