"""Status: what main would do with a pull request's head, shown before the merge."""

from collections.abc import Mapping
from typing import Any

from infx.decision import Decision
from infx.desk import Desk
from infx.edge import settings, store
from infx.edge.git import Git
from infx.edge.github import GitHub
from infx.edge.store import Store, allowed
from infx.edge.world import World
from infx.errors import BadInput, CouldNotTell, Refused
from infx.event import PullRequest, Run
from infx.facts import Reuse
from infx.lineage import Lineage
from infx.policy import readiness, source
from infx.rules import Rules
from infx.source import CONTEXT, Kind, ReadinessFacts


def desk_of(
    github: GitHub,
    rules: Rules,
    world: World,
    pull: int | PullRequest,
    *,
    default_branch: str = "",
) -> Desk:
    """The desk of one pull request, with its head fetched as objects. `pull` is its number, or what was
    looked up before; so is `default_branch`."""
    seen = github.pull(_number(pull)) if isinstance(pull, int) else pull
    git = Git(world.cwd, env=allowed(world.env))
    git.bring(seen.head_sha, f"refs/pull/{seen.number}/head")
    return Desk(
        github=github,
        git=git,
        store=Store(git=git, branch=rules.layout.results_branch),
        rules=rules,
        pull=seen,
        default_branch=default_branch,
        models=settings.models(git, seen.head_sha, rules),
        env=world.env,
        now=world.now(),
    )


def _number(number: int) -> int:
    if number < 1:
        raise BadInput(f"there is no pull request {number}", todo="give its number")
    return number


def facts(desk: Desk) -> ReadinessFacts:
    """Everything about every run of the pull request, looked up now."""
    return ReadinessFacts(source=desk.sources.facts(desk.asked, everything=True), sweeping=_sweeping(desk))


def show(desk: Desk) -> Decision:
    """Decide the status of the head, and write it when it changed."""
    answer = decided(desk, thorough=True)
    if desk.pull.open:
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


def tell(desk: Desk, answer: Decision, *, fresh: bool = False) -> None:
    """Write the status unless it says so already, which need not be asked of a `fresh` answer.
    CouldNotReport when that fails."""
    sha, line = desk.pull.head_sha, (answer.extra["state"], answer.reason)
    if fresh or desk.github.statuses(sha).get(CONTEXT) != line:
        desk.github.set_status(sha, CONTEXT, state=line[0], description=line[1])


def ended(desk: Desk, run: Run, *, began: bool) -> Decision:
    """Write the status after a sweep of the head ended, or `began`. What it measured is in `desk.known`."""
    # Under the label nothing says which runs hold the points that it left out.
    thorough = (
        run.title is not None and run.title.action != "resume" and desk.rules.labels.resumes(run.title.labels)
    )
    if not (began or thorough) and (run.id, run.attempt) in desk.known:
        # It measured, so no other run of this head does: nobody needs to be asked for a list.
        desk.listed[desk.pull.number] = (run,)
    answer = readiness.pending(run.id) if began else decided(desk, thorough=thorough)
    # What the status says now was written when the sweep began.
    tell(desk, answer, fresh=answer.kind != readiness.Kind.SWEEPING or began)
    return answer


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
