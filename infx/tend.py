"""Tend: runners that found themselves unfit are recorded, lose their labels where the token may, and get them
back after a clean probe."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from infx.edge.api import Denied
from infx.edge.github import GitHub
from infx.edge.store import POISONED, Store
from infx.edge.survey import Survey
from infx.edge.world import World
from infx.errors import BadInput, CouldNotTell, InfxError
from infx.fleet import Ended
from infx.poison import PROBE, Care, Mark, Move, Ward
from infx.policy import care
from infx.premises import Runner

NOT_FOUND = 404
JOB = "probe "
"""Start of the name of a probe's job, followed by the node."""


@dataclass(frozen=True, kw_only=True)
class Tender:
    """One look at all runners of a repository."""

    world: World
    github: GitHub
    survey: Survey
    store: Store

    def tend(self, ward: Ward) -> list[Move]:
        """Do what is due; what was done."""
        return [done for move in care.moves(ward) if (done := self.done(move))]

    def done(self, move: Move) -> Move | None:
        """The move as it ended; None when nothing could be done."""
        try:
            made = self.given(move) if move.care == Care.GIVE else self.taken(move)
        except (Denied, CouldNotTell) as problem:
            self.world.note(f"infx: {move.mark.node}: its labels stay as they are: {problem.what}")
            made = None
        if made:
            self.world.note(f"infx: {made.mark.node} {told(made)}")
        return made

    def given(self, move: Move) -> Move:
        """Labels first, so that a crash leaves the mark and the next look tries again."""
        if move.runner:
            self.survey.relabel(move.runner, move.labels)
            self._off(move.runner, PROBE + move.mark.node)
        self.write(move.mark)
        return move

    def taken(self, move: Move) -> Move:
        """The record first, so that a crash leaves no runner without labels that nobody knows of. Where the
        token may see labels and not change them, the record keeps only those that are off, now or since
        an earlier look."""
        self.write(move.mark)
        off: list[str] = []
        try:
            if move.care == Care.TAKE:
                self.survey.relabel(move.runner, [PROBE + move.mark.node])
            for label in move.labels:
                self._off(move.runner, label)
                off.append(label)
        except Denied as no:
            self.world.note(f"infx: {move.mark.node}: the token may not take its labels: {no.what}")
            on = set(move.labels) - set(off)
            kept = replace(move.mark, labels=tuple(one for one in move.mark.labels if one not in on))
            self.write(kept)
            return replace(move, care=Care.TAKE if off else Care.MARK, mark=kept, labels=tuple(off))
        return move

    def _off(self, runner: int, label: str) -> None:
        """Take a label that may be off already, by a request whose answer was lost. Only after
        `relabel`, which shows that the runner is there and the token may change it."""
        try:
            self.survey.unlabel(runner, label)
        except Denied as no:
            if no.status != NOT_FOUND:
                raise

    def write(self, mark: Mark) -> None:
        word = "is poisoned" if mark.standing else "is well again"
        self.store.put({POISONED: {mark.node: mark.as_json()}}, why=f"{mark.node} {word}")


def told(move: Move) -> str:
    """What became of a node, after its name."""
    names = ", ".join(move.labels)
    if move.care == Care.GIVE:
        return f"is well again and has {names}" if names else "is well again"
    return f"is poisoned ({move.mark.why}); {f'it lost {names}' if names else 'its labels stay on'}"


def marks(store: Store) -> dict[str, Mark]:
    """Node → what the store says of it. BadInput names the node whose record is none."""
    return {node: _mark(node, value) for node, value in store.read(POISONED).items()}


def _mark(node: str, value: Mapping[str, Any]) -> Mark:
    try:
        made = Mark.from_json(value)
        if made.node != node:
            raise ValueError("it tells of another node")
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(
            f"the record of node {node[:80]!r} is none of a poisoned runner ({error})"[:200],
            where=POISONED,
            todo="restore the line from history",
        ) from error
    return made


def unfit(store: Store) -> dict[str, str]:
    """Node → why nothing should be planned on it; empty where nobody could tell."""
    try:
        return {node: mark.why for node, mark in marks(store).items() if mark.standing}
    except InfxError:
        return {}


def proven(github: GitHub, ended: Sequence[Ended]) -> Iterator[Ended]:
    """Only what GitHub bears out: code of a pull request writes the records, and could name any node."""
    runners: dict[int, set[str]] = {}
    for one in ended:
        if one.run not in runners:
            runners[one.run] = {job.runner for job in github.jobs(one.run, every_attempt=True)}
        if one.node in runners[one.run]:
            yield one


def probed(github: GitHub, run_id: int) -> dict[str, str]:
    """Node → conclusion of its probe in this run, as far as one ended."""
    jobs = github.jobs(run_id) if run_id else ()
    return {
        job.name.removeprefix(JOB): job.conclusion
        for job in jobs
        if job.name.startswith(JOB) and job.conclusion
    }


def probes(
    found: Mapping[str, Mark], runners: Sequence[Runner] | None, labels: Mapping[str, Sequence[str]]
) -> list[dict[str, Any]]:
    """Nodes to ask whether they are well again, each with a pool of its own; a machine that is off would keep
    its job waiting for a day."""
    awake = {runner.name for runner in runners or () if runner.online}
    return [
        {"node": node, "pool": mark.labels[0]}
        for node, mark in found.items()
        if mark.standing and node in awake and mark.labels and set(mark.labels) <= labels.keys()
    ]
