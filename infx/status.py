"""Status: what main would do with a pull request's head, shown before the merge."""

from collections.abc import Mapping
from typing import Any

from infx.decision import Decision
from infx.desk import Desk
from infx.edge import store
from infx.edge.git import Git
from infx.edge.github import GitHub
from infx.edge.store import Store, access
from infx.edge.world import World
from infx.errors import BadInput, CouldNotTell, Refused
from infx.event import PullRequest
from infx.facts import Reuse
from infx.lineage import Lineage
from infx.policy import readiness, source
from infx.rules import Rules
from infx.source import Kind, ReadinessFacts


def desk_of(
    github: GitHub,
    rules: Rules,
    world: World,
    number: int,
    *,
    pull: PullRequest | None = None,
    default_branch: str = "",
) -> Desk:
    """The desk of one pull request, with its head fetched as objects. `pull` and `default_branch` where they
    were looked up before."""
    if number < 1:
        raise BadInput(f"there is no pull request {number}", todo="give its number")
    token, server = (
        world.env.get("GITHUB_TOKEN", ""),
        world.env.get("GITHUB_SERVER_URL", "https://github.com"),
    )
    git = Git(world.cwd, env={**world.env, **access(token, server)})
    seen = pull or github.pull(number)
    if git.attempt("cat-file", "-e", f"{seen.head_sha}^{{commit}}").code != 0:
        git.fetch(f"refs/pull/{number}/head")
    return Desk(
        github=github,
        git=git,
        store=Store(git=git, branch=rules.layout.results_branch),
        rules=rules,
        pull=seen,
        default_branch=default_branch,
        now=world.now(),
    )


def facts(desk: Desk) -> ReadinessFacts:
    """Everything about every run of the pull request, looked up now."""
    return ReadinessFacts(source=desk.sources.facts(desk.asked, everything=True), sweeping=_sweeping(desk))


def show(desk: Desk) -> Decision:
    """Decide the status of the head, and write it when it changed."""
    answer = decided(desk, thorough=True)
    if desk.pull.open and desk.github.statuses(desk.pull.head_sha).get(readiness.CONTEXT) != _line(answer):
        tell(desk, answer)
    return answer


def decided(desk: Desk, *, thorough: bool) -> Decision:
    """What the status has to say. Where nothing authorised covers the head, a `thorough` look goes into every
    run; any other only into those that are known or held, which costs no request."""
    if (sweeping := _sweeping(desk)) and not thorough:
        return readiness.pending(sweeping)
    known = {run for run, _ in desk.known}
    looked = desk.sources.facts(desk.asked, only={*known, *taken_over(desk)})
    found = source.decide(looked, desk.rules)
    if thorough and not found.go:
        looked = desk.sources.facts(desk.asked, everything=True)
        found = source.decide(looked, desk.rules)
    return readiness.decide(found, ReadinessFacts(source=looked, sweeping=sweeping))


def tell(desk: Desk, answer: Decision) -> None:
    """Write the status. CouldNotReport when that fails."""
    state, text = _line(answer)
    desk.github.set_status(desk.pull.head_sha, readiness.CONTEXT, state=state, description=text)


def _line(answer: Decision) -> tuple[str, str]:
    return answer.extra["state"], answer.reason


def taken_over(desk: Desk) -> frozenset[int]:
    """Runs whose points a resumed sweep of this head left out."""
    record: Mapping[str, Any] = desk.view(store.accepted(desk.pull.number)).get(desk.pull.head_sha, {})
    return frozenset(int(point["run"]) for point in record.get("points", ()))


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
        return reuse(desk) if desk.records else Reuse.NONE
    except (CouldNotTell, Refused):
        return Reuse.NONE


def _sweeping(desk: Desk) -> int | None:
    """The newest run of this head that still measures."""
    head, runs = desk.pull.head_sha, desk.sources.sweeps.runs(desk.pull)
    active = Lineage(runs=runs, book=desk.rules.labels).sweeps(None)
    mine = [run.id for run in active if head in (run.head_sha, run.title.head_sha if run.title else "")]
    return max(mine, default=None)
