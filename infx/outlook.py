"""Outlook: what main would publish of a head, told once a sweep of it began or ended."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from infx.blocked import reuse, tell_reuse
from infx.decision import Decision
from infx.edge import gha
from infx.edge.github import GitHub
from infx.edge.world import World
from infx.errors import InfxError
from infx.event import PullRequest, Run
from infx.lineage import Call, call
from infx.rules import Rules
from infx.say import comment
from infx.status import desk_of, ended
from infx.sweeps import Sweep


@dataclass(kw_only=True)
class Outlook:
    """Told of a sweep that ended; of one that was dispatched also when it began, for no event of the pull
    request told of it."""

    github: GitHub
    rules: Rules
    world: World
    run: Run
    pull: Callable[[int], PullRequest]
    left: dict[tuple[int, int], Sweep]
    """What the run left, as far as it was read."""
    default_branch: str
    written: bool = False
    """It stands in the comment that the caller wrote."""

    def answer(self) -> tuple[PullRequest, Decision] | None:
        """Told as a status; None when this run says nothing about the head, or nobody could tell."""
        run, title = self.run, self.run.title
        began = run.event == "workflow_dispatch" and run.status == "in_progress"
        if title is None or not title.pr or call(title, self.rules.labels) != Call.START:
            return None
        if not (began or run.status == "completed"):
            return None
        try:
            pull = self.pull(title.pr)
            if not (pull.open and pull.head_sha == title.head_sha):
                return None
            desk = desk_of(self.github, self.rules, self.world, pull, default_branch=self.default_branch)
            return pull, ended(replace(desk, known=self.left), run, began=began)
        except InfxError as problem:
            gha.error(self.world, problem.sentence)
            return None

    def sections(self) -> Sequence[comment.Section]:
        """For a comment that is about to be written."""
        self.written = True
        found = self.answer()
        return reuse(*found, gha.run_order(self.world.env)) if found else ()

    def tell(self) -> None:
        """Into the comment, for a run that had nothing else to show."""
        found = None if self.written else self.answer()
        if found is None:
            return
        order, since = gha.run_order(self.world.env), self.run.created_at
        try:
            tell_reuse(self.github, *found, order=order, rules=self.rules, since=since)
        except InfxError as problem:
            gha.error(self.world, problem.sentence)
