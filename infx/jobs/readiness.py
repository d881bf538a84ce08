"""`infx job readiness`: the status of a pull request's head, written when it is another one than before."""

import argparse

from infx.decision import Decision
from infx.desk import Desk
from infx.edge import gha, settings
from infx.edge.git import Git
from infx.edge.github import GitHub, connect
from infx.edge.store import Store, access
from infx.edge.world import World
from infx.errors import BadInput
from infx.lineage import Lineage
from infx.policy import readiness, source
from infx.rules import Rules
from infx.source import ReadinessFacts

EXAMPLE = """example:
  GITHUB_REPOSITORY=o/r GITHUB_TOKEN=… infx job readiness --pr 7"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("--pr", metavar="N", type=int, required=True, help="number of the pull request")


def run(args: argparse.Namespace, world: World) -> int:
    """0 whatever the status says; CouldNotReport when it could not be written."""
    github, rules = connect(world.env), settings.load(world.cwd)
    answer = show(desk_of(github, rules, world, args.pr))
    gha.untrusted(world, f"{answer.extra['state']}: {answer.reason}")
    return 0


def desk_of(github: GitHub, rules: Rules, world: World, number: int) -> Desk:
    """The desk of one pull request, with its head fetched as objects."""
    if number < 1:
        raise BadInput(f"there is no pull request {number}", todo="give its number")
    token, server = (
        world.env.get("GITHUB_TOKEN", ""),
        world.env.get("GITHUB_SERVER_URL", "https://github.com"),
    )
    git = Git(world.cwd, env={**world.env, **access(token, server)})
    pull = github.pull(number)
    if git.attempt("cat-file", "-e", f"{pull.head_sha}^{{commit}}").code != 0:
        git.fetch(f"refs/pull/{number}/head")
    return Desk(
        github=github,
        git=git,
        store=Store(git=git, branch=rules.layout.results_branch),
        rules=rules,
        pull=pull,
        comments=tuple(github.comments(number)),
    )


def show(desk: Desk) -> Decision:
    """Decide the status of the head, and write it when it changed."""
    facts = ReadinessFacts(source=desk.sources.facts(desk.asked, everything=True), sweeping=_sweeping(desk))
    answer = readiness.decide(source.decide(facts.source, desk.rules), facts)
    sha, now = desk.pull.head_sha, (answer.extra["state"], answer.reason)
    if desk.pull.open and desk.github.statuses(sha).get(readiness.CONTEXT) != now:
        desk.github.set_status(sha, readiness.CONTEXT, state=now[0], description=now[1])
    return answer


def _sweeping(desk: Desk) -> int | None:
    """The newest run of this head that still measures."""
    runs = desk.sources.sweeps.runs(desk.pull)
    lineage = Lineage(runs=runs, book=desk.rules.labels)
    head = desk.pull.head_sha
    active = [
        run
        for run in lineage.sweeps(None)
        if run.head_sha == head or (run.title and run.title.head_sha == head)
    ]
    return active[-1].id if active else None
