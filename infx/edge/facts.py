"""Facts: what the event decision needs to be asked of GitHub, and no more."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from infx.edge.api import Denied
from infx.edge.github import GitHub
from infx.event import PullRequest, Run, Title, Webhook
from infx.facts import Answer, Facts, Reuse, Role
from infx.labels import Group
from infx.lineage import LABELLING, OPENING, PUSHING, Call, call
from infx.rules import Rules

T = TypeVar("T")
May = Callable[[Role, str], Answer]
"""`infx.policy.permit.may` with the rules filled in."""


@dataclass(frozen=True, kw_only=True)
class Gatherer:
    """Looks facts up for one repository under one policy. At most five requests an event, plus pages."""

    github: GitHub
    rules: Rules
    may: May
    runs: Callable[[PullRequest], Sequence[Run]]
    """Sweep runs of the pull request: those of its branch, and those that were dispatched for it."""
    read_message: Callable[[str], str] | None = None
    """Reads the message of a head where git has it; GitHub is asked when there is no other way."""

    def gather(
        self,
        webhook: Webhook,
        *,
        run_id: int | None = None,
        attempt: int = 1,
        message: str | None = None,
        reuse: Reuse = Reuse.NONE,
    ) -> Facts:
        """Facts of one event. `message` is the head's, where git has it at hand. An event that is not about
        sweeps costs no request, nor does the sweep's own side of a push: control ends what a push made stale.
        Nor does the opening of a pull request without a label: nothing can have started before it.
        The token of a sweep's own run may not look at runs and pull requests of a
        private repository: a first attempt then leaves that to control, a re-run is refused."""
        title = webhook.title
        if title is None or self._idle(webhook, title):
            return Facts(webhook=webhook, run_id=run_id, attempt=attempt)
        lenient = run_id is not None and attempt == 1
        new = run_id is None and title.action == "opened" and call(title, self.rules.labels) == Call.PREVIEW
        pushed = lenient and title.action == "synchronize"
        asked = title.pr and not pushed and not new
        live = self._look(self.github.pull, title.pr, lenient=lenient) if asked else None
        asks_head = title.action in PUSHING or title.action in LABELLING
        if message is None and asks_head and webhook.pull and webhook.pull.head_repo:
            message = (self.read_message or self.github.commit_message)(title.head_sha)
        return Facts(
            webhook=webhook,
            run_id=run_id,
            attempt=attempt,
            live=live,
            message=message,
            may_label=self._may_label(webhook, title, lenient=lenient),
            may_grant=self._may_grant(webhook, title),
            reuse=reuse,
            runs=self._listed(live, title, lenient=lenient) if live else None,
        )

    def _look(self, ask: Callable[..., T], *words: Any, lenient: bool) -> T | None:
        try:
            return ask(*words)
        except Denied as no:
            if lenient and no.status in (403, 404):
                return None
            raise

    def _idle(self, webhook: Webhook, title: Title) -> bool:
        acts = title.action in ("closed", "one-off") or webhook.base_changed
        return not acts and call(title, self.rules.labels) == Call.NOTHING

    def _listed(self, pull: PullRequest, title: Title, *, lenient: bool) -> tuple[Run, ...] | None:
        found = self._look(self.runs, pull, lenient=lenient)
        return None if found is None else tuple(run for run in found if run.pr == title.pr)

    def _may_label(self, webhook: Webhook, title: Title, *, lenient: bool) -> Answer | None:
        """Asked of who changed a label, and where a pull request opens with a primary one of who set that."""
        primaries = self.rules.labels.primaries_on(title.labels)
        brought = title.action in OPENING and primaries and not (webhook.pull and webhook.pull.fork)
        if title.action not in LABELLING and not brought:
            return None
        ask = self.github.label_setter
        setter = self._look(ask, title.pr, primaries[0], lenient=lenient) if brought else ""
        login = setter or webhook.sender
        return self.may(self.github.role(login), self.rules.label_authority) if login else Answer.UNKNOWN

    def _may_grant(self, webhook: Webhook, title: Title) -> Answer | None:
        """Asked only when the grant label is there; whoever set it last answers for it."""
        book = self.rules.labels
        grants = sorted(book.grants & title.labels)
        if not grants:
            return None
        setting = title.action == "labeled" and book.group(title.label) == Group.GRANT
        login = webhook.sender if setting else self.github.label_setter(title.pr, grants[0])
        return self.may(self.github.role(login), self.rules.grant_authority) if login else Answer.UNKNOWN
