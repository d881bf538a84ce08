"""`infx doctor`: is a repository set up so that sweeps, reuse and publication work, and safely."""

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence

from infx.charter import CHARTERS
from infx.edge import settings
from infx.edge.github import connect
from infx.edge.survey import Survey
from infx.edge.world import World
from infx.errors import BadInput, InfxError
from infx.finding import Finding, Health
from infx.policy import health
from infx.premises import Premises
from infx.read.clusters import clusters
from infx.read.config import read_catalog, read_runners
from infx.read.workflow import workflow
from infx.rules import Rules
from infx.verdict import exit_number

EXAMPLE = """example:
  GITHUB_REPOSITORY=owner/name GITHUB_TOKEN=… infx doctor

A token of a repository's admin sees everything; what another one may not see is said and breaks nothing.
"""
MARKS = {
    Health.OK: ("✓", "green"),
    Health.WARN: ("!", "yellow"),
    Health.BROKEN: ("✗", "red"),
    Health.UNKNOWN: ("?", "blue"),
}


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("--all", action="store_true", help="show what is right, too")
    parser.add_argument("--json", action="store_true", help="print the decision as JSON")


def run(args: argparse.Namespace, world: World) -> int:
    """1 when something is broken, 3 when the token hides whether anything is."""
    github = connect(world.env)
    survey = Survey(github.api, github.repository)
    rules, faults = policy(survey)
    world.note(f"infx: looking at {github.repository}")
    premises = gather(survey, rules, faults)
    findings = health.examine(premises, rules)
    answer = health.decide(findings, github.repository)
    world.note(f"infx: {github.requests} requests")
    world.say(json.dumps(answer.as_json(), indent=1) if args.json else text(findings, world, every=args.all))
    return exit_number(answer)


def policy(survey: Survey) -> tuple[Rules, Sequence[str]]:
    """The default branch's policy, and why it cannot be read; then the shipped one stands for it."""
    data = survey.file(settings.POLICY)
    try:
        return settings.parse((data or b"").decode("utf-8", "replace")), ()
    except BadInput as problem:
        return settings.parse(""), (problem.sentence,)


def gather(survey: Survey, rules: Rules, faults: Sequence[str]) -> Premises:
    """What settings and files of the default branch say."""
    files = {name: survey.file(f".github/workflows/{name}.yml") for name in CHARTERS}
    layout = rules.layout
    paths = [layout.path(name) for name in (*layout.masters, layout.runners, layout.clusters)]
    contents = {path: survey.file(path) for path in paths}
    runners = contents[layout.path(layout.runners)]
    return survey.premises(
        workflows={name: workflow(data, where=f"{name}.yml") for name, data in files.items() if data},
        configs=[*faults, *_faults(contents, rules)],
        labels_of_runners=_labels(runners) if runners else {},
    )


def _faults(contents: Mapping[str, bytes | None], rules: Rules) -> Iterator[str]:
    layout = rules.layout
    runners, cluster = layout.path(layout.runners), layout.path(layout.clusters)
    yield from (f"{path} is missing" for path, data in contents.items() if data is None)
    masters = [
        (path, data) for path, data in contents.items() if data is not None and path not in (runners, cluster)
    ]
    if (nodes := contents[runners]) is not None:
        yield from _fault(lambda: read_catalog(masters, (runners, nodes)))
    if data := contents[cluster]:
        yield from _fault(lambda: clusters(data.decode("utf-8", "replace"), where=cluster))


def _fault(read: Callable[[], object]) -> Iterator[str]:
    try:
        read()
    except InfxError as problem:
        yield problem.sentence


def _labels(data: bytes) -> Mapping[str, Sequence[str]]:
    """Runner labels and their nodes; empty when the file is broken, which `_faults` says."""
    try:
        return read_runners("runners.yaml", data).labels
    except InfxError:
        return {}


def text(findings: Sequence[Finding], world: World, *, every: bool) -> str:
    """One line a finding, and below it what to do."""
    shown = [one for one in findings if every or one.health != Health.OK]
    lines = []
    for one in shown:
        mark, colour = MARKS[one.health]
        lines.append(f"{world.coloured(mark, colour)} {one.check}: {one.what}")
        lines += [f"    {one.mend}"] if one.mend else []
    fine = sum(one.health == Health.OK for one in findings)
    return "\n".join([*lines, f"{fine} of {len(findings)} checks are right"])
