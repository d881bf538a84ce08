"""Health of a repository: each check looks at one part of its premises and says how to mend it."""

from collections.abc import Callable, Collection, Iterator, Sequence

from infx.charter import CHARTERS, Charter
from infx.decision import Decision
from infx.finding import Finding, Health
from infx.palette import paints
from infx.premises import LEVELS, Environment, Premises, Runner, Workflow
from infx.rules import Rules
from infx.source import CONTEXT

ACTIONS_APP = 15368
"""Id of the app that GitHub Actions posts statuses and checks as (docs: Rulesets, required status checks)."""
HELD = "all_external_contributors"
"""GitHub's word for: runs of everybody outside the repository wait for an approval."""

Check = Callable[[Premises, Rules], Iterator[Finding]]


def examine(premises: Premises, rules: Rules) -> Sequence[Finding]:
    """Every finding, in the order of CHECKS."""
    return tuple(finding for check in CHECKS for finding in check(premises, rules))


def decide(findings: Sequence[Finding], repository: str) -> Decision:
    """`go` when nothing is broken; what could not be seen is said and breaks nothing."""
    count = {health: sum(one.health == health for one in findings) for health in Health}
    told = ", ".join(f"{number} {health}" for health, number in count.items() if number)
    broken, unseen = count[Health.BROKEN], count[Health.UNKNOWN]
    return Decision(
        decision="doctor",
        go=not broken,
        kind=Health.BROKEN if broken else Health.UNKNOWN if unseen else Health.OK,
        reason=told or "nothing was looked at",
        details={"repository": repository, "findings": [one.as_json() for one in findings]},
    )


def labels(premises: Premises, rules: Rules) -> Iterator[Finding]:
    wanted = paints(rules.labels)
    if premises.labels is None:
        yield _unseen("labels", "issues: read")
        return
    there = {name.lower(): name for name in premises.labels}
    for paint in wanted:
        name = paint.name if paint.name in premises.labels else there.get(paint.name.lower())
        if name is None:
            yield _bad("labels", f"label {paint.name} is missing", "infx init --labels")
        elif name != paint.name:
            what = f"label {paint.name} stands as {name}, and names are compared exactly"
            yield _bad("labels", what, f"rename it on GitHub to {paint.name}")
        elif premises.labels[name].lower() != paint.color:
            what = f"label {name} has the colour {premises.labels[name]}, not {paint.color}"
            yield Finding(check="labels", health=Health.WARN, what=what, mend="set the colour, or leave it")
    if all(premises.labels.get(paint.name, "").lower() == paint.color for paint in wanted):
        yield _fine("labels", f"all {len(wanted)} labels are there")


def workflows(premises: Premises, rules: Rules) -> Iterator[Finding]:
    if premises.workflows is None:
        yield _unseen("workflows", "contents: read")
        return
    for name, charter in CHARTERS.items():
        here = premises.workflows.get(name)
        if here is None:
            yield _bad("workflows", f".github/workflows/{name}.yml is missing", "infx init")
            continue
        faults = list(_faults(here, charter))
        for fault in faults:
            yield _bad("workflows", f"{name}.yml: {fault}", "infx init --upgrade, or take the change back")
        if not faults:
            yield _fine("workflows", f"{name}.yml listens to and may do what it should")


def _faults(here: Workflow, charter: Charter) -> Iterator[str]:
    if here.fault:
        yield here.fault
        return
    if missing := charter.events - here.events:
        yield f"does not listen to {', '.join(sorted(missing))}"
    if more := here.events - charter.events:
        yield f"listens to {', '.join(sorted(more))} too"
    for scope in sorted(here.permissions.keys() | charter.permissions.keys()):
        may, should = here.permissions.get(scope, "none"), charter.permissions.get(scope, "none")
        if LEVELS.index(may) > LEVELS.index(should):
            yield f"may {may} {scope}, where {should} is enough"
        elif LEVELS.index(may) < LEVELS.index(should):
            yield f"may {may} {scope}, but needs {should}"
    if charter.environment and charter.environment not in here.environments:
        yield f"no job uses the environment {charter.environment}"
    for action in here.unpinned:
        yield f"{action} is not pinned to a commit"


def configs(premises: Premises, rules: Rules) -> Iterator[Finding]:
    if premises.configs is None:
        yield _unseen("configs", "contents: read")
        return
    for fault in premises.configs:
        yield _bad("configs", fault, "correct it on the default branch")
    if not premises.configs:
        yield _fine("configs", "policy, master configs, runners and clusters can be read")


def access(premises: Premises, rules: Rules) -> Iterator[Finding]:
    """What a job's token may by default, and whose runs wait for a person."""
    path = "Settings → Actions → General"
    if premises.token is None:
        yield _unseen("token", "administration: read")
    elif premises.token != "read":
        yield _bad("token", "a job's token may write by default", f"{path} → Workflow permissions: read")
    else:
        yield _fine("token", "a job's token may only read by default")
    if premises.approves:
        yield _bad("token", "a job's token may approve pull requests", f"{path}: switch it off")
    if premises.private:
        return
    if premises.forks is None:
        yield _unseen("fork approval", "administration: read")
    elif premises.forks != HELD:
        what = f"runs of forks wait for approval only under the rule {premises.forks}"
        yield _bad("fork approval", what, f"{path} → require approval for all external contributors")
    else:
        yield _fine("fork approval", "runs of every external contributor wait for approval")


def secrets(premises: Premises, rules: Rules) -> Iterator[Finding]:
    if premises.secrets is None:
        yield _unseen("secrets", "secrets: read")
    elif premises.secrets:
        what = f"every workflow can read {', '.join(premises.secrets)}"
        yield _bad("secrets", what, "move them into an environment with branch rules")
    else:
        yield _fine("secrets", "no secret is open to every workflow")


def environments(premises: Premises, rules: Rules) -> Iterator[Finding]:
    wanted = sorted({charter.environment for charter in CHARTERS.values() if charter.environment})
    if premises.environments is None:
        yield _unseen("environments", "actions: read")
        return
    there = {one.name: one for one in premises.environments}
    for name in wanted:
        yield _environment(name, there.get(name), premises.default_branch)


def _environment(name: str, here: Environment | None, branch: str) -> Finding:
    mend = f"Settings → Environments → {name}: allow only the branch {branch}"
    if here is None:
        return _bad("environments", f"there is no environment {name}", mend)
    if here.branches is None:
        return _bad("environments", f"every branch may use the environment {name}", mend)
    if others := sorted(set(here.branches) - {branch}):
        return _bad("environments", f"{', '.join(others)} may use the environment {name}", mend)
    return _fine("environments", f"only {branch} may use {name}")


def groups(premises: Premises, rules: Rules) -> Iterator[Finding]:
    """Whether the GPU runners' groups are closed to other repositories and workflows."""
    if premises.groups is None:
        yield _unseen("runner groups", "an organisation's administration")
        return
    sweep = rules.layout.sweep_workflow
    for group in premises.groups:
        where = f"Organisation → Settings → Actions → Runner groups → {group.name}"
        if group.every_repository:
            what = f"group {group.name} is open to every repository"
            yield _bad("runner groups", what, f"{where}: name the repositories")
        elif group.workflows is None:
            what = f"any workflow may use group {group.name}"
            yield _bad("runner groups", what, f"{where}: allow only {sweep} of the default branch")
        elif not any(sweep in one for one in group.workflows):
            what = f"group {group.name} is not open to {sweep}"
            yield _bad("runner groups", what, f"{where}: allow it")
        else:
            yield _fine(
                "runner groups", f"group {group.name} is open to {len(group.workflows)} workflows only"
            )


def pool(premises: Premises, rules: Rules) -> Iterator[Finding]:
    """Labels of runners.yaml that no registered runner carries."""
    if premises.runners is None:
        yield _unseen("runners", "administration: read")
        return
    for label in premises.labels_of_runners:
        carrying = [one for one in premises.runners if label in one.labels]
        online = sum(one.online for one in carrying)
        yield _pool(label, carrying, online)


def _pool(label: str, carrying: Collection[Runner], online: int) -> Finding:
    if not carrying:
        mend = "register one, or take the label out of runners.yaml"
        return Finding(check="runners", health=Health.WARN, what=f"no runner carries {label}", mend=mend)
    if not online:
        what = f"all {len(carrying)} runners with {label} are offline"
        return Finding(check="runners", health=Health.WARN, what=what, mend="start one: infx runners")
    return _fine("runners", f"{label}: {online} of {len(carrying)} runners online")


def merging(premises: Premises, rules: Rules) -> Iterator[Finding]:
    path = f"Settings → Branches → {premises.default_branch}"
    if premises.queue:
        yield _bad("merge queue", "the merge queue is on, and infx merge does not support it", f"{path}: off")
    if premises.required is None:
        yield _unseen("required statuses", "administration: read")
        return
    mine = next((one for one in premises.required if one.context == CONTEXT), None)
    if mine is None:
        what = f"{CONTEXT} is not required, so a merge can lose results"
        yield Finding(check="required statuses", health=Health.WARN, what=what, mend=f"{path}: require it")
    elif mine.app is None:
        what = f"{CONTEXT} is accepted from anybody who may write a status"
        mend = f"{path}: expect it from GitHub Actions (app {ACTIONS_APP})"
        yield Finding(check="required statuses", health=Health.WARN, what=what, mend=mend)
    elif mine.app != ACTIONS_APP:
        mend = f"{path}: expect it from GitHub Actions (app {ACTIONS_APP})"
        yield _bad(
            "required statuses", f"{CONTEXT} is expected from app {mine.app}, which never sends it", mend
        )
    else:
        yield _fine("required statuses", f"{CONTEXT} is required, from GitHub Actions")


def owners(premises: Premises, rules: Rules) -> Iterator[Finding]:
    if not premises.owned:
        what = "there is no CODEOWNERS file, so no sign-off is ever asked for"
        mend = "add .github/CODEOWNERS with an owner a vendor"
        yield Finding(check="CODEOWNERS", health=Health.WARN, what=what, mend=mend)
        return
    if premises.owners is None:
        yield _unseen("CODEOWNERS", "contents: read")
        return
    for fault in premises.owners:
        yield _bad("CODEOWNERS", fault, "correct the line; GitHub skips it")
    if not premises.owners:
        yield _fine("CODEOWNERS", "GitHub finds no fault in it")


CHECKS: tuple[Check, ...] = (
    configs,
    labels,
    workflows,
    access,
    secrets,
    environments,
    groups,
    pool,
    merging,
    owners,
)


def _unseen(check: str, needs: str) -> Finding:
    mend = f"use a token with {needs}"
    return Finding(check=check, health=Health.UNKNOWN, what="this token may not see it", mend=mend)


def _bad(check: str, what: str, mend: str) -> Finding:
    return Finding(check=check, health=Health.BROKEN, what=what, mend=mend)


def _fine(check: str, what: str) -> Finding:
    return Finding(check=check, health=Health.OK, what=what)
