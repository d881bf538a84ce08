"""Lineage: the sweep runs of one pull request in order, read from their titles alone.

GitHub numbers runs as they come, so the greatest id is the newest event whatever job looks first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from infx.event import Run, Title
from infx.labels import Group, LabelBook

LABELLING = frozenset({"labeled", "unlabeled"})
PUSHING = frozenset({"opened", "reopened", "synchronize"})
OPENING = frozenset({"opened", "reopened"})
"""Needs no right to push, so the labels that it brings count as if they were set by it."""
DISPATCHED = frozenset({"fork", "resume"})


class Call(StrEnum):
    """What an event calls for by its labels alone."""

    START = "start"
    CANCEL = "cancel"
    """The last sweep label went."""
    CLASH = "clash"
    PREVIEW = "preview"
    """No sweep label."""
    NOTHING = "nothing"
    """Not about sweeps."""


def call(title: Title, book: LabelBook) -> Call:
    """What the event in `title` calls for, before anything is asked of GitHub."""
    if title.action in DISPATCHED:
        return Call.START
    if title.action in LABELLING:
        return _labelled(title, book)
    return _by_labels(title, book) if title.action in PUSHING else Call.NOTHING


def _labelled(title: Title, book: LabelBook) -> Call:
    if book.is_sweep(title.label):
        return _by_labels(title, book)
    granted = book.group(title.label) == Group.GRANT and title.action == "labeled"
    return Call.START if granted and _by_labels(title, book) == Call.START else Call.NOTHING


def _by_labels(title: Title, book: LabelBook) -> Call:
    if book.clash(title.labels):
        return Call.CLASH
    if book.primaries_on(title.labels):
        return Call.START
    return Call.CANCEL if title.action == "unlabeled" else Call.PREVIEW


@dataclass(frozen=True, kw_only=True)
class Lineage:
    """Runs of the sweep workflow for one pull request."""

    runs: Sequence[Run]
    book: LabelBook

    def own(self, title: Title) -> Run | None:
        """The newest run with this very title: the one that the same event started."""
        return max((run for run in self.runs if run.title == title), key=lambda run: run.id, default=None)

    def older(self, run_id: int | None) -> list[Run]:
        """Runs before `run_id`, oldest first; all of them when the own run does not exist yet."""
        return sorted((run for run in self.runs if run_id is None or run.id < run_id), key=lambda run: run.id)

    def bears(self, run: Run) -> bool:
        """Whether the run may measure: its event called for a start, or its title cannot be read."""
        return run.title is None or call(run.title, self.book) == Call.START

    def sweeps(self, run_id: int | None) -> list[Run]:
        """Active runs before `run_id` that may measure."""
        return [run for run in self.older(run_id) if run.active and self.bears(run)]

    def newer_sweep(self, run_id: int) -> Run | None:
        """An active run after `run_id` that may measure."""
        later = (run for run in self.runs if run.id > run_id and run.active and self.bears(run))
        return next(later, None)

    def same(self, one: Title, other: Title) -> bool:
        """Both events want the same sweep: head, base and sweep labels are equal."""
        return (one.head_sha, one.base_sha, self.book.sweep_labels(one.labels)) == (
            other.head_sha,
            other.base_sha,
            self.book.sweep_labels(other.labels),
        )

    def twin(self, title: Title, run_id: int | None) -> Run | None:
        """An active older run that already is this sweep, with nothing else in between.

        GitHub tells an opening with labels several times over. A clash, a cancel or another sweep in
        between means that somebody asked again."""
        for run in reversed(self.older(run_id)):
            if run.title is None:
                return None
            called = call(run.title, self.book)
            if called == Call.NOTHING:
                continue
            if called != Call.START or not self.same(run.title, title):
                return None
            if run.active:
                return run
        return None


def seen(runs: Sequence[Run], head: str, at: str) -> str:
    """Head that a person saw who wrote something `at` a time, where `head` was pushed after that; `""` when
    it was not, or nobody can tell. Times are ISO 8601 in UTC."""
    mine = [run for run in runs if run.title and run.title.head_sha == head and run.created_at]
    if not at or not mine or any(run.created_at <= at for run in mine):
        return ""
    if not any(run.title and run.title.action == "synchronize" for run in mine):
        return ""
    before = [run for run in runs if run.title and run.created_at and run.created_at <= at]
    newest = max(before, key=lambda run: run.id, default=None)
    return newest.title.head_sha if newest and newest.title else ""
