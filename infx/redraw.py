"""Redraw: the plan of a sweep made once more from its commits, by the code at hand."""

from infx.commands.resume import accepted_at
from infx.draft import Change, draft
from infx.edge.git import Git
from infx.edge.store import Store
from infx.errors import InfxError
from infx.event import Title
from infx.plan import Plan
from infx.rules import Rules


def redraw(git: Git, rules: Rules, title: Title | None, repository: str) -> Plan | None:
    """The plan that the event in `title` starts; what a run made itself costs requests of an hour that the
    whole repository shares. None when it cannot be made, as of a change that is broken."""
    if title is None or _looked_up(title, rules):
        return None
    try:
        git.bring(title.head_sha, f"refs/pull/{title.pr}/head")
        change = Change(
            git=git,
            rules=rules,
            base=title.base_sha,
            head=title.head_sha,
            labels=title.labels,
            repository=repository,
            pr=title.pr,
        )
        left_out = accepted_at(Store(git=git, branch=rules.layout.results_branch), title)
        return draft(change, accepted=left_out).plan
    except InfxError:
        return None


def _looked_up(title: Title, rules: Rules) -> bool:
    """What the sweep left out was looked up when it began, and is not written down."""
    return title.action != "resume" and rules.labels.resumes(title.labels)
