"""Scope: whether a pull request needs a sign-off at all, by the CODEOWNERS file of its target."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from infx.edge.git import Git
from infx.edge.github import GitHub
from infx.errors import BadInput, InfxError
from infx.event import PullRequest
from infx.facts import Answer
from infx.owners import PLACES, Owners
from infx.ownership import required
from infx.policy import permit, signoff
from infx.read import codeowners
from infx.rules import Rules
from infx.signoff import CONTEXT, Owned, SignoffFacts

OWNERS = 20
"""Most owners whose role is asked; beyond, each counts as a vendor's."""
ANEW = frozenset({"opened", "reopened", "synchronize", "ready_for_review"})
"""Actions after which a head needs its first answer, or another one."""
FAULTS = 20
"""Most invalid lines that are told."""


def owners_at(git: Git, commit: str) -> Owners | None:
    """The CODEOWNERS file of a commit; None when it has none."""
    found = git.blobs([(commit, place) for place in PLACES])
    data = next((one for one in found if one is not None), None)
    return None if data is None else codeowners.read(data)


@dataclass(frozen=True, kw_only=True)
class Ownership:
    """Who owns what a pull request touches, by the CODEOWNERS file at one commit of the target."""

    git: Git
    head: str
    target: str

    @cached_property
    def owners(self) -> Owners:
        return owners_at(self.git, self.target) or Owners()

    @cached_property
    def owned(self) -> tuple[Owned, ...]:
        """Both sides of a rename count."""
        fork = self.git.merge_base(self.target, self.head)
        found = []
        for path in self.git.changed_files(fork, self.head):
            rule = self.owners.rule(path)
            if rule and rule.owners:
                found.append(
                    Owned(
                        path=path,
                        pattern=rule.pattern,
                        line=rule.line,
                        owners=rule.owners,
                        catch_all=rule.catch_all,
                    )
                )
        return tuple(found)


def tip(git: Git, branch: str) -> str:
    """Commit of a branch of the repository now, with its objects here."""
    sha = git.tip(branch)
    if not sha:
        raise BadInput(f"there is no branch {branch!r:.80}", todo="look at the pull request's base")
    return sha


def exempt(owned: Sequence[Owned], github: GitHub, rules: Rules) -> tuple[str, ...]:
    """Owners whose files need no sign-off: the core team, and people whose live role is admin."""
    core = {f"@{name.removeprefix('@').lower()}" for name in rules.core_team}
    names = dict.fromkeys(owner for one in owned for owner in one.owners)
    people = [name for name in names if name.startswith("@") and "/" not in name and name.lower() not in core]
    admins = [
        name for name in people[:OWNERS] if permit.may(github.role(name[1:]), "admin", rules) == Answer.YES
    ]
    return (*(name for name in names if name.lower() in core), *admins)


def glance(github: GitHub, git: Git, rules: Rules, pull: PullRequest) -> SignoffFacts:
    """Whether a sign-off is needed at all; no remark is read."""
    target = tip(git, pull.base_ref)
    about = Ownership(git=git, head=pull.head_sha, target=target)
    facts = SignoffFacts(
        repository=github.repository,
        pr=pull.number,
        head_sha=pull.head_sha,
        base_ref=pull.base_ref,
        base_sha=target,
        open=pull.open,
        draft=pull.draft,
        owned=about.owned,
        faults=tuple(
            f"line {one.line}: {one.kind.lower()} {one.word:.60}" for one in about.owners.faults[:FAULTS]
        ),
        trouble=about.owners.trouble,
    )
    return replace(facts, exempt=exempt(facts.owned, github, rules))


def in_use(git: Git, pull: PullRequest) -> bool:
    """The target has code owners at all: where it has none, a status about them would only be in the way."""
    return owners_at(git, tip(git, pull.base_ref)) is not None


def announce(
    github: GitHub, git: Git, rules: Rules, pull: PullRequest, *, opened: bool = False
) -> tuple[str, str] | None:
    """The status of a new head from its first second, as state and text; the sign-off workflow looks at what
    people wrote, which is nothing yet where the pull request has just been `opened`. None where nobody owns
    code and no sign-off is asked for."""
    try:
        if rules.signoff != "required" and not in_use(git, pull):
            return None
        facts = glance(github, git, rules, pull)
        decision = signoff.decide(facts, {}, rules)
        needed = bool(required(facts)) and not facts.draft and not facts.trouble
    except InfxError as problem:
        text = f"could not tell: {problem.what}"[: signoff.LIMIT]
        github.set_status(pull.head_sha, CONTEXT, state="error", description=text)
        return "error", text
    github.set_status(pull.head_sha, CONTEXT, state=decision.extra["state"], description=decision.reason)
    if needed and not opened:
        github.dispatch(
            rules.layout.signoff_workflow,
            github.default_branch(),
            inputs={"pr": str(pull.number), "address": ""},
        )
    return str(decision.extra["state"]), decision.reason
