"""`infx runners`: labels against registered runners, poisoned nodes, long queues; the operators' digest."""

import argparse
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from infx.cluster import Cluster
from infx.edge import files, gha, http, settings, sticky
from infx.edge.api import Api, Denied
from infx.edge.git import Git
from infx.edge.github import GitHub, connect
from infx.edge.store import POISONED, Store, allowed
from infx.edge.survey import Survey
from infx.edge.world import World
from infx.errors import BadInput, InfxError
from infx.fleet import FINE, Ended, Fleet, Shape, Waiting
from infx.poison import PROBE, Mark, Ward
from infx.policy import fleet as policy
from infx.premises import Runner
from infx.read.clusters import clusters
from infx.read.config import read_runners
from infx.rules import Rules
from infx.say import digest
from infx.say.words import plural
from infx.sweeps import Sweeps
from infx.tend import Tender, marks, probed, probes, proven
from infx.verdict import exit_number

EXAMPLE = """example:
  GITHUB_REPOSITORY=owner/name GITHUB_TOKEN=… infx runners
  infx runners --quarantine h200-dgxc-slurm_2    no job reaches the node any more
  infx runners --admit h200-dgxc-slurm_2         its labels of runners.yaml come back
  infx runners --drain cluster:h200-dgxc         every node of the pool ends what it does and takes no new one
  infx runners --tend                            poisoned nodes lose their labels, well ones get them back

Runners are seen only by a token that may read the repository's administration.
"""
LOOKED = 12
"""Newest sweeps whose ledgers say how nodes did."""
WAITING = ("queued", "waiting", "pending", "requested")
WEBHOOK, SEES = "INFX_CHAT_WEBHOOK", "INFX_RUNNERS_TOKEN"
"""The second is a token that may see runners, and perhaps change their labels."""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    act = parser.add_mutually_exclusive_group()
    act.add_argument("--quarantine", metavar="NODE", help="take the labels from a node")
    act.add_argument("--admit", metavar="NODE", help="give a node its labels back")
    act.add_argument("--drain", metavar="LABEL", help="take the label from every node that has it")
    act.add_argument("--tend", action="store_true", help="take poisoned nodes out, and well ones back in")
    act.add_argument("--digest", action="store_true", help="keep the operators' comment up to date")
    parser.add_argument("--json", action="store_true", help="print the decision as JSON")


def run(args: argparse.Namespace, world: World) -> int:
    """1 when a node or a queue needs a person, 3 when the token hides whether one does."""
    github, rules = connect(world.env), settings.load(world.cwd)
    survey, store = Survey(seeing(github, world), github.repository), kept(world, rules)
    labels = named(world, rules)
    if args.quarantine or args.admit or args.drain:
        moved = _move(args, survey, labels, world)
        return _closed(args.admit, store, world) if args.admit else moved
    if args.tend:
        return _tend(Tender(world=world, github=github, survey=survey, store=store), labels, rules)
    found = gather(github, survey, rules, labels=labels, marks=_known(store, world), world=world)
    answer = policy.decide(found)
    if args.digest:
        _digest(github, found, rules, world)
    world.say(json.dumps(answer.as_json(), indent=1) if args.json else text(found, world))
    return 0 if args.digest else exit_number(answer)


def seeing(github: GitHub, world: World) -> Api:
    """What may see runners: a job's own token never may."""
    token = world.env.get(SEES)
    return Api(token, world.env.get("GITHUB_API_URL") or "https://api.github.com") if token else github.api


def kept(world: World, rules: Rules) -> Store:
    """The store of record, which knows what was found of runners."""
    return Store(git=Git(world.cwd, env=allowed(world.env)), branch=rules.layout.results_branch)


def named(world: World, rules: Rules) -> Mapping[str, Sequence[str]]:
    """Runner label → node names, of runners.yaml and of cluster records."""
    path = rules.layout.path(rules.layout.runners)
    own = {label: record.nodes for label, record in _records(world, rules).items() if record.nodes}
    return {**own, **read_runners(path, files.read_bytes(world.cwd / path)).labels}


def gather(
    github: GitHub,
    survey: Survey,
    rules: Rules,
    *,
    labels: Mapping[str, Sequence[str]],
    marks: Mapping[str, Mark],
    world: World,
) -> Fleet:
    """What GitHub and the newest ledgers show."""
    records = _records(world, rules)
    excluded = frozenset(node for record in records.values() for node in record.excluded_nodes)
    now = ended(github, rules)
    seen = policy.nodes(labels, _runners(survey), ended=now, excluded=excluded, marks=marks)
    late = policy.queues(list(waiting(github, rules)), alert_s=rules.queue_alert * 60, now=world.now())
    return Fleet(
        nodes=tuple(seen),
        queues=tuple(late),
        maintained={label: record.maintenance for label, record in records.items() if record.maintenance},
    )


def _records(world: World, rules: Rules) -> Mapping[str, Cluster]:
    path = rules.layout.path(rules.layout.clusters)
    there = world.cwd / path
    return clusters(files.read_text(there), where=path) if there.exists() else {}


def _runners(survey: Survey) -> Sequence[Runner] | None:
    try:
        return survey.runners()
    except Denied:
        return None


def ended(github: GitHub, rules: Rules) -> Sequence[Ended]:
    """How the newest cells ended, newest run first."""
    sweeps = Sweeps(github, rules.layout.sweep_workflow)
    runs = [run for run in github.runs(sweeps.workflow, newest=LOOKED) if run.status == "completed"]
    ledgers = (sweeps.look(run).ledger for run in runs)
    return [
        Ended(node=entry.node, reason=entry.reason, run=ledger.run_id)
        for ledger in ledgers
        if ledger is not None
        for entry in reversed(ledger.entries)
        if entry.node
    ]


def waiting(github: GitHub, rules: Rules) -> Iterator[Waiting]:
    """Jobs of active sweeps that no runner has taken; a job's wait begins with its run's."""
    for run in github.runs(rules.layout.sweep_workflow, active=True):
        for job in github.jobs(run.id):
            if job.status in WAITING and run.created_at and job.labels:
                since = datetime.fromisoformat(run.created_at).timestamp()
                yield Waiting(name=job.name, labels=job.labels, since=since, run=run.id)


def _closed(node: str, store: Store, world: World) -> int:
    """A person says that the node is well: a mark of it stands no longer."""
    mark = _known(store, world).get(node)
    if mark is not None and mark.standing:
        over = replace(mark, standing=False)
        store.put({POISONED: {node: over.as_json()}}, why=f"{node} is well again")
    return 0


def _known(store: Store, world: World) -> Mapping[str, Mark]:
    """What the store says of nodes; a clone without it shows the rest all the same."""
    try:
        return marks(store)
    except InfxError as problem:
        world.note(f"infx: marks of poisoned runners are not known: {problem.sentence}")
        return {}


def _tend(at: Tender, labels: Mapping[str, Sequence[str]], rules: Rules) -> int:
    """0; the output `probe` names the nodes that are out and should be asked whether they are well."""
    runners, known = _runners(at.survey), marks(at.store)
    ward = Ward(
        labels=labels,
        runners=runners,
        ended=list(proven(at.github, ended(at.github, rules))),
        marks=known,
        probed=probed(at.github, gha.number(at.world.env, "GITHUB_RUN_ID", 0)),
    )
    done = at.tend(ward)
    after = {**known, **{move.mark.node: move.mark for move in done}}
    asked = probes(after, runners, labels)
    gha.outputs(at.world, {"probe": json.dumps(asked)})
    at.world.say(f"{plural(len(done), 'runner')} changed, {len(asked)} to be probed")
    return 0


def _move(args: argparse.Namespace, survey: Survey, labels: Mapping[str, Sequence[str]], world: World) -> int:
    """Labels of runners decide which jobs reach them, so that is what is changed."""
    there = {runner.name: runner for runner in survey.runners()}
    if args.drain:
        if args.drain not in labels:
            raise BadInput(f"no pool {args.drain:.80}", todo=f"give one of {', '.join(labels)}")
        for runner in there.values():
            if args.drain in runner.labels:
                _take(survey, runner, (args.drain,), world)
        return 0
    name = args.quarantine or args.admit
    own = tuple(label for label, nodes in labels.items() if name in nodes)
    if name not in there or not own:
        raise BadInput(f"no registered runner {name:.80} of runners.yaml", todo="infx runners lists them")
    if args.quarantine:
        _take(survey, there[name], own, world)
    else:
        survey.relabel(there[name].id, own)
        if PROBE + name in there[name].labels:
            survey.unlabel(there[name].id, PROBE + name)
        world.note(f"infx: {name} has {', '.join(own)} again")
    return 0


def _take(survey: Survey, runner: Runner, labels: Sequence[str], world: World) -> None:
    for label in labels:
        if label in runner.labels:
            survey.unlabel(runner.id, label)
            world.note(f"infx: {runner.name} lost {label}; infx runners --admit {runner.name} gives it back")


def _digest(github: GitHub, found: Fleet, rules: Rules, world: World) -> None:
    if rules.digest_issue:
        body = digest.comment(found, day=time.strftime("%Y-%m-%d", time.gmtime(world.now())))
        written = sticky.put(github, rules.digest_issue, digest.MARK, render=lambda _: body)
        world.note(f"infx: the digest on #{rules.digest_issue} is {written.change}")
    else:
        world.note("infx: policy names no digest-issue: open an issue, and write its number there")
    if url := world.env.get(WEBHOOK):
        http.post_json(url, {"text": digest.line(found, github.repository)})


def text(found: Fleet, world: World) -> str:
    """One line a node, those that need a person first."""
    lines = [
        f"{queue.label}: {queue.jobs} jobs wait, the oldest for {queue.minutes} min" for queue in found.queues
    ]
    lines += [f"{label}: in maintenance: {why}" for label, why in found.maintained.items()]
    order = list(Shape)
    for node in sorted(found.nodes, key=lambda node: order.index(node.shape)):
        state = world.coloured(f"{node.shape:14}", "green" if node.shape in FINE else "red")
        lines.append(f"{state} {node.name} ({node.label}){': ' if node.why else ''}{node.why}")
    return "\n".join(lines) or "no runner is named"
