"""Status: what main would do with a pull request's head, shown before the merge."""

from dataclasses import replace

from infx.decision import Decision
from infx.desk import Desk
from infx.edge.git import Git
from infx.edge.github import GitHub
from infx.edge.store import Store, access
from infx.edge.world import World
from infx.errors import BadInput, CouldNotTell, Refused
from infx.facts import Reuse
from infx.lineage import Lineage
from infx.policy import readiness, source
from infx.rules import Rules
from infx.source import Kind, ReadinessFacts


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


def facts(desk: Desk) -> ReadinessFacts:
    """Everything about every run of the pull request, looked up now."""
    return ReadinessFacts(source=desk.sources.facts(desk.asked, everything=True), sweeping=_sweeping(desk))


def show(desk: Desk) -> Decision:
    """Decide the status of the head, and write it when it changed."""
    looked = ReadinessFacts(source=desk.sources.facts(desk.asked), sweeping=_sweeping(desk))
    found = source.decide(looked.source, desk.rules)
    if not found.go:
        # What other runs hold matters only now, and costs two requests a run.
        looked = facts(desk)
        found = source.decide(looked.source, desk.rules)
    answer = readiness.decide(found, looked)
    sha, now = desk.pull.head_sha, (answer.extra["state"], answer.reason)
    if desk.pull.open and desk.github.statuses(sha).get(readiness.CONTEXT) != now:
        desk.github.set_status(sha, readiness.CONTEXT, state=now[0], description=now[1])
    return answer


def reuse(desk: Desk) -> Reuse:
    """What the authorised results, if there are any, say about the head at hand. Where GitHub could not tell
    they cover nothing: a pull request is never left with neither a sweep nor a source."""
    if not any(one.valid for one in desk.asked):
        return Reuse.NONE
    found = source.decide(desk.sources.facts(desk.asked), desk.rules)
    if found.kind == Kind.WITHDRAWN:
        return Reuse.NONE
    return Reuse.COVERS if found.go else Reuse.DOES_NOT_COVER


def of_push(desk: Desk) -> Reuse:
    """`reuse` for a push. Most pull requests have no record at all, which costs one look at the store."""
    try:
        if not desk.records:
            return Reuse.NONE
        return reuse(replace(desk, comments=tuple(desk.github.comments(desk.pull.number))))
    except (CouldNotTell, Refused):
        return Reuse.NONE


def _sweeping(desk: Desk) -> int | None:
    """The newest run of this head that still measures."""
    head, runs = desk.pull.head_sha, desk.sources.sweeps.runs(desk.pull)
    active = Lineage(runs=runs, book=desk.rules.labels).sweeps(None)
    mine = [run.id for run in active if head in (run.head_sha, run.title.head_sha if run.title else "")]
    return max(mine, default=None)
