"""Pace: GitHub's secondary limits, by the numbers that it documents. A forge keeps them only when asked to.

Docs: Rate limits for the REST API, about secondary rate limits.
"""

import threading
from collections import defaultdict, deque
from collections.abc import Iterator
from contextlib import contextmanager

from infx.forge.problem import Problem
from infx.forge.site import Secondary
from infx.forge.visit import Caller

MINUTE_S, HOUR_S = 60.0, 3600.0
SAFE = ("GET", "HEAD", "OPTIONS")
CONTENT = ("issues", "pulls", "comments", "forks")
"""Words behind the repository under which a POST creates content."""
TOO_FAST = (
    "You have exceeded a secondary rate limit. Please wait a few minutes before you try again. "
    "If you reach out to GitHub Support for help, please include the request ID."
)
Spent = deque[tuple[float, int]]
"""Moment and cost, oldest first."""


class Pace:
    """One count for each caller; safe from any thread."""

    def __init__(self, limits: Secondary | None) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._going: dict[str, int] = defaultdict(int)
        self._points: dict[str, Spent] = defaultdict(deque)
        self._made: dict[str, Spent] = defaultdict(deque)

    @contextmanager
    def admit(self, caller: Caller, method: str, word: str, *, now: float) -> Iterator[None]:
        """403 with `Retry-After` for a caller that is too fast. `word` stands behind the repository."""
        if not self._limits:
            yield
            return
        name = f"repository {caller.repo}" if caller.by_job else caller.login
        with self._lock:
            self._take(self._limits, name, method, makes=method == "POST" and word in CONTENT, now=now)
            self._going[name] += 1
        try:
            yield
        finally:
            with self._lock:
                self._going[name] -= 1

    def _take(self, limits: Secondary, name: str, method: str, *, makes: bool, now: float) -> None:
        if self._going[name] >= limits.concurrent:
            raise too_fast(1)
        cost, points, made = 1 if method in SAFE else 5, self._points[name], self._made[name]
        forget(points, now - MINUTE_S)
        forget(made, now - HOUR_S)
        recent = [moment for moment, _ in made if moment > now - MINUTE_S]
        if sum(one for _, one in points) + cost > limits.points:
            raise too_fast(points[0][0] + MINUTE_S - now)
        if makes and len(recent) >= limits.creations:
            raise too_fast(recent[0] + MINUTE_S - now)
        if makes and len(made) >= limits.hourly:
            raise too_fast(made[0][0] + HOUR_S - now)
        points.append((now, cost))
        if makes:
            made.append((now, 1))


def forget(spent: Spent, before: float) -> None:
    while spent and spent[0][0] <= before:
        spent.popleft()


def too_fast(seconds: float) -> Problem:
    return Problem(403, TOO_FAST, headers={"Retry-After": str(max(1, int(seconds + 1)))})
