"""Join: the facts of a merge, and its steps done one by one until it is merged or has to stop."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NoReturn

from infx.decision import Decision
from infx.desk import Desk
from infx.draft import Change, judge
from infx.edge import branch, remote, settings
from infx.edge.api import Denied
from infx.edge.checks import Checks
from infx.edge.git import Git
from infx.edge.github import GitHub
from infx.edge.merges import Merges
from infx.edge.tree import versions
from infx.edge.world import World
from infx.entry import PLACEHOLDER
from infx.errors import BadInput, CouldNotReport, CouldNotTell, Refused
from infx.event import PullRequest, Run
from infx.merge import Joined as Tree
from infx.merge import MergeFacts, Seen, Step, Why
from infx.policy import checks, merging
from infx.rules import Rules
from infx.say import squash
from infx.skip import github_word
from infx.status import decided, desk_of, tell
from infx.verdict import exit_number
from infx.versions import relinked, right

UPDATES = 5
"""Pushes onto the head branch before giving up: each further one follows a push of somebody else."""
UNASKED = Decision(decision="merge", go=False, kind="not-asked", reason="", extra={"state": "error"})
"""Stands where the state of the pull request alone decides; it never lets anything through."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What the caller wants."""

    number: int
    method: str = "squash"
    limit_s: float = 3600.0
    """Longest time of waiting in all."""
    poll_s: float = 15.0


@dataclass(frozen=True, kw_only=True)
class Joiner:
    """One pull request on its way into the target branch. Nothing is remembered between two steps: what is
    done shows in GitHub and git, so a second run goes on where the first one was cut off."""

    world: World
    github: GitHub
    rules: Rules
    asked: Asked
    sleep: Callable[[float], None] = time.sleep

    @cached_property
    def merges(self) -> Merges:
        return Merges(self.github)

    @cached_property
    def login(self) -> str:
        return self.merges.login()

    def run(self) -> Decision:
        """Steps until it is merged. Refused and CouldNotTell say why it is not."""
        waited, told, updates = 0.0, "", 0
        while True:
            look = self.look()
            decision = merging.decide(look)
            step = Step(decision.extra["step"])
            if decision.reason != told:
                told = decision.reason
                self.world.note(f"infx: #{self.asked.number}: {step} ({decision.kind}): {told}")
            if step == Step.DONE:
                return decision
            if step == Step.STOP:
                self.stop(look, decision)
            if step == Step.UPDATE:
                if updates >= UPDATES:
                    self.hurried(look, updates)
                self.update(look)
                updates += 1
            elif step == Step.WAIT or not self.merge(look):
                if waited >= self.asked.limit_s:
                    todo = "run `infx merge` again, it goes on from here"
                    raise Refused(f"{told}; waited {waited / 60:.0f} minutes", todo=todo)
                self.sleep(self.asked.poll_s)
                waited += self.asked.poll_s

    def hurried(self, look: MergeFacts, updates: int) -> NoReturn:
        """Each update was overtaken by a push of somebody else, and the next one would be as well."""
        branches = f"{look.pull.base_ref} or {look.pull.head_ref}"
        raise Refused(
            f"{branches} moved after each of {updates} updates",
            where=f"#{self.asked.number}",
            todo="run `infx merge` again when fewer pushes land; it goes on from here",
        )

    def stop(self, look: MergeFacts, decision: Decision) -> None:
        """Raise the reason, with the bytes for the author of a fork where that is what it takes."""
        if decision.kind == Why.FORK_CHANGELOG:
            self.world.say(look.joined.tail.rstrip("\n"))
        error = CouldNotTell if exit_number(decision) == CouldNotTell.exit_code else Refused
        raise error(f"{decision.kind}: {decision.reason}", where=f"#{self.asked.number}")

    # -- looking

    def look(self) -> MergeFacts:
        """Everything that the next step is decided from, as it is now."""
        desk = desk_of(self.github, self.rules, self.world, self.asked.number)
        pull = desk.pull
        bare = MergeFacts(
            pull=pull,
            login=self.login,
            method=self.asked.method,
            joined=Tree(target=pull.base_sha, behind=False),
            changelog=UNASKED,
            readiness=UNASKED,
        )
        if not pull.open or pull.draft or pull.head_repo is None or merging.by_job(self.login):
            return bare
        if self.merges.queue(pull.base_ref):
            return replace(bare, queue=True)
        target = self.tip(desk.git, pull.base_ref)
        change = self.change(desk, target)
        gate, runs = _gate(change), Checks(self.github).runs(pull.head_sha)
        return replace(
            bare,
            workflow_scope=self.merges.workflow_scope(),
            proposes=tuple(branch.workflows(desk.git, change.fork, pull.head_sha)),
            joined=branch.join(
                desk.git, target=target, head=pull.head_sha, changelog=self.wanted(change, gate)
            ),
            changelog=gate,
            readiness=self.ready(desk),
            gates=tuple(run for run in runs if run.path == self.rules.layout.sweep_workflow),
            checks=tuple(self.seen(pull.head_sha, runs)),
            skip_word=github_word(desk.git.message(pull.head_sha)),
        )

    def seen(self, head: str, runs: Iterable[Run]) -> Iterator[Seen]:
        """Checks of the head, by the same rule as those of the merge commit afterwards."""
        for one in self.merges.checks(head, runs):
            yield Seen(check=one, standing=checks.standing(one, self.rules.checks))

    def tip(self, git: Git, name: str) -> str:
        """Tip of a branch at the remote, with its objects here."""
        sha = git.tip(name)
        if not sha:
            raise BadInput(f"origin has no branch {name}", todo="run this inside a clone of the repository")
        return sha

    def change(self, desk: Desk, target: str) -> Change:
        """The change under the target's policy: it may not lift its own limits."""
        return Change(
            git=desk.git,
            rules=settings.at(desk.git, target),
            base=target,
            head=desk.pull.head_sha,
            labels=desk.pull.labels,
            repository=self.github.repository,
            pulls=remote.pulls(desk.git, self.world),
            pr=desk.pull.number,
        )

    def wanted(self, change: Change, gate: Decision) -> branch.Wanted:
        """The right bytes of the changelog, where what git makes of it is not sure to be right."""
        found = versions(change.git, change.changelog, base=change.base, head=change.head)
        link = f"{change.pulls}/{PLACEHOLDER}"
        repaired = relinked(replace(found, head=right(found)), link, f"{change.pulls}/{change.pr}")
        mends = "right" in gate.extra or (gate.go and link.encode() in found.added)
        conflicts = not change.git.merges(change.base, change.head)
        tail = repaired[len(found.target) :].decode("utf-8", "replace")
        return branch.Wanted(path=change.changelog, right=repaired if mends or conflicts else None, tail=tail)

    def ready(self, desk: Desk) -> Decision:
        """The status before the merge, decided now and shown where GitHub shows another one."""
        answer = decided(desk, thorough=True)
        try:
            tell(desk, answer)
        except CouldNotReport as problem:
            self.world.note(f"infx: {problem.sentence}")
        return answer

    # -- doing

    def update(self, look: MergeFacts) -> None:
        """One push onto the head branch; somebody else's push in between is looked at anew."""
        pull = look.pull
        git = desk_of(self.github, self.rules, self.world, pull.number).git
        verb = f"Merge {pull.base_ref} into {pull.head_ref}" if look.joined.behind else "Repair the changelog"
        made = branch.commit(git, look.joined, head=pull.head_sha, message=verb)
        complaint = branch.push(git, made, branch=pull.head_ref, head=pull.head_sha)
        if complaint:
            if self.again().head_sha != pull.head_sha:
                return
            raise Refused(f"the push to {pull.head_ref} was refused: {complaint}", todo="check the token")
        self.arrived(made)

    def arrived(self, made: str) -> None:
        """Wait until GitHub shows the new head: what it says before is about the old one."""
        for _ in range(max(1, int(self.asked.limit_s / self.asked.poll_s))):
            if self.again().head_sha == made:
                return
            self.sleep(self.asked.poll_s)
        raise CouldNotTell(f"GitHub does not show the head {made[:12]} that was pushed", todo="try again")

    def merge(self, look: MergeFacts) -> bool:
        """Merge exactly the head that was looked at. False when GitHub wants something waited for."""
        pull = look.pull
        try:
            sha = self.merges.merge(
                pull.number, head=pull.head_sha, method=look.method, words=self.words(look)
            )
        except (Denied, CouldNotTell) as problem:
            now = self.again()
            if now.merged:
                return True
            if isinstance(problem, CouldNotTell):
                raise
            if now.head_sha != pull.head_sha or re_tried(problem):
                return False
            raise Refused(problem.what, where=f"#{pull.number}", todo="see the pull request") from problem
        self.world.note(f"infx: #{pull.number}: merged as {sha}")
        return True

    def words(self, look: MergeFacts) -> tuple[str, str] | None:
        """A rebase takes the messages as they are."""
        if look.method == "rebase":
            return None
        git = desk_of(self.github, self.rules, self.world, look.pull.number).git
        span = f"{look.joined.target}..{look.pull.head_sha}"
        listed = git("log", "--no-merges", "--reverse", "--format=%an <%ae>", span).decode("utf-8", "replace")
        authors = list(dict.fromkeys(listed.splitlines()))[1:]
        title = self.merges.title(look.pull.number)
        return squash.words(title, look.pull.number, told=look.readiness.reason, authors=authors)

    def again(self) -> PullRequest:
        return self.github.pull(self.asked.number)


def re_tried(problem: Denied) -> bool:
    """GitHub refuses because of something that is still going on, or the head moved."""
    waits = any(word in problem.what.lower() for word in ("is pending", "is expected", "in progress"))
    return problem.status == 409 or (problem.status == 405 and waits)


def _gate(change: Change) -> Decision:
    """The changelog gate; what it cannot read is for the author to mend."""
    try:
        return judge(change)
    except (BadInput, Refused) as problem:
        return Decision(decision="changelog", go=False, kind="unreadable", reason=problem.sentence)
