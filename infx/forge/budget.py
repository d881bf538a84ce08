"""Rate limits: requests of each token, or of a repository's jobs together, in the current hour."""

import threading
from dataclasses import dataclass

from infx.forge.problem import Problem
from infx.forge.site import Json, Site
from infx.forge.visit import Caller

WINDOW_S = 3600


@dataclass
class Spent:
    used: int
    reset: int
    """Unix second at which the window ends."""


class Budget:
    """Counts in memory: a restart of the forge starts a new hour."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._lock = threading.Lock()
        self._spent: dict[str, Spent] = {}

    def _limit(self, caller: Caller) -> int:
        limits = self._site.limits
        return {"user": limits.user, "app": limits.user, "job": limits.job}.get(caller.kind, limits.anonymous)

    def _now(self, caller: Caller) -> Spent:
        name = f"repository {caller.repo}" if caller.by_job else caller.login
        now = int(self._site.now())
        spent = self._spent.get(name)
        if not spent or spent.reset <= now:
            spent = self._spent[name] = Spent(0, now + WINDOW_S)
        return spent

    def take(self, caller: Caller) -> None:
        """Count one request. 403 when the hour's budget is used up."""
        with self._lock:
            spent = self._now(caller)
            if spent.used >= self._limit(caller):
                who = f"user ID {caller.login}" if caller.login else "this address"
                raise Problem(403, f"API rate limit exceeded for {who}.")
            spent.used += 1

    def give_back(self, caller: Caller) -> None:
        """A 304 costs nothing (docs: Best practices for using the REST API)."""
        with self._lock:
            spent = self._now(caller)
            spent.used = max(0, spent.used - 1)

    def state(self, caller: Caller) -> Json:
        with self._lock:
            spent, limit = self._now(caller), self._limit(caller)
            return {"limit": limit, "used": spent.used, "remaining": limit - spent.used, "reset": spent.reset}

    def headers(self, caller: Caller) -> dict[str, str]:
        state = self.state(caller)
        return {
            **{f"X-RateLimit-{name.capitalize()}": str(value) for name, value in state.items()},
            "X-RateLimit-Resource": "core",
        }
