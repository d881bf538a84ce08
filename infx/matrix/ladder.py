"""Concurrencies of a search entry under the bounds of a command."""

from collections.abc import Iterable
from dataclasses import dataclass

from infx.recipe import Span


@dataclass(frozen=True, kw_only=True)
class Bounds:
    """Limits on concurrency. `listed` is test-config's `--conc`, the others are full-sweep's."""

    step: int = 2
    """Factor between neighbours of a range."""
    least: int | None = None
    most: int | None = None
    listed: frozenset[int] | None = None

    @property
    def impossible(self) -> bool:
        """A bound that no concurrency can meet; skips fixed-length entries altogether."""
        return any(bound is not None and bound <= 0 for bound in (self.least, self.most))


NO_BOUNDS = Bounds()

Conc = Span | tuple[int, ...]


def single_fixed(conc: Conc, bounds: Bounds) -> list[int]:
    """Single-node fixed-length: the bounds move the ends of a range before it is laid out."""
    if not isinstance(conc, Span):
        return clipped(conc, bounds)
    if bounds.impossible or (bounds.least is not None and conc.end < bounds.least):
        return []
    start = conc.start if bounds.least is None else max(conc.start, bounds.least)
    if bounds.most is not None and start > bounds.most:
        return _listed([bounds.most], bounds)
    end = conc.end if bounds.most is None else min(conc.end, bounds.most)
    return _listed(rungs(Span(start=start, end=end), bounds.step), bounds)


def clipped(conc: Conc, bounds: Bounds) -> list[int]:
    """Multi-node fixed-length, and lists: values outside go; the upper bound stands in for all above."""
    if bounds.impossible:
        return []
    values = [one for one in rungs(conc, bounds.step) if bounds.least is None or one >= bounds.least]
    if values and bounds.most is not None:
        values = [one for one in values if one <= bounds.most] or [bounds.most]
    return _listed(values, bounds)


def filtered(conc: Conc, bounds: Bounds) -> list[int]:
    """Agentic: values outside go."""
    values = [
        one
        for one in rungs(conc, bounds.step)
        if (bounds.least is None or one >= bounds.least) and (bounds.most is None or one <= bounds.most)
    ]
    return _listed(values, bounds)


def rungs(conc: Conc, step: int) -> list[int]:
    """A list as it is; a range as start, ×step, … below the end, then the end itself."""
    if not isinstance(conc, Span):
        return list(conc)
    values, at = [], conc.start
    while at < conc.end:
        values.append(at)
        at *= step
    return [*values, conc.end]


def _listed(values: Iterable[int], bounds: Bounds) -> list[int]:
    return [one for one in values if bounds.listed is None or one in bounds.listed]
