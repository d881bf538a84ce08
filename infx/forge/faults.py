"""Faults on demand: rules in one line each say what goes wrong, where, and how often.

    KIND TARGET [times=N] [skip=N] [chance=P] [seconds=S] [status=N]

Requests: TARGET is `METHOD /path`, both with `*` (`POST */issues/*/comments`; paths as GitHub's docs write
them).

    slow              waits `seconds`, then answers
    error_before      answers `status` (502) and does nothing
    error_after       does what was asked, and answers `status` (502)
    lost              does what was asked, and closes the connection without a word
    broken_page       answers with the first half of the body
    truncated         closes the connection in the middle of the body (artifacts: `GET /_blobs/*`)
    primary_limit     403, no requests left in this hour
    secondary_limit   403 with `Retry-After: seconds`

Deliveries: TARGET is `event.action` with `*` (`workflow_run.completed`, `push`).

    duplicate         is delivered twice
    late              is delivered after `seconds`
    reordered         is delivered after the one that follows it, or after `seconds` (1) when none does
    skewed            every time in it is off by `seconds` (the clock of another server of GitHub's)
    dropped           is never delivered

`times` is how often a rule strikes (1; 0: always), `skip` how many matches pass before it, `chance` how
likely a match counts. Chances come from one seed, and each kind of request has its own: the n-th comment
meets the same faults whatever happens beside it, under whatever number.
"""

import random
import re
import shlex
import threading
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from fnmatch import fnmatchcase
from typing import Any

from infx.errors import BadInput
from infx.forge.ports import Event

REQUESTS = (
    "slow",
    "error_before",
    "error_after",
    "lost",
    "broken_page",
    "truncated",
    "primary_limit",
    "secondary_limit",
)
DELIVERIES = ("duplicate", "late", "reordered", "skewed", "dropped")
NUMBERS = {"times": int, "skip": int, "status": int, "chance": float, "seconds": float}
NUMBER = re.compile(r"[0-9a-f]{40}|\d+")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@dataclass(kw_only=True)
class Rule:
    kind: str
    target: str
    """`METHOD /path` or `event.action`."""
    times: int = 1
    skip: int = 0
    chance: float = 1.0
    seconds: float = 1.0
    status: int = 502
    hits: list[str] = field(default_factory=list)
    """What it struck, oldest first."""

    @property
    def spent(self) -> bool:
        return 0 < self.times <= len(self.hits)


def parse(text: str) -> Rule:
    """One line of the language above."""
    words = shlex.split(text)
    kind, targets = words[0] if words else "", [word for word in words[1:] if "=" not in word]
    if kind not in REQUESTS + DELIVERIES:
        raise BadInput(f"{kind!r} is no fault", todo=f"choose one of {', '.join(REQUESTS + DELIVERIES)}")
    if len(targets) != (2 if kind in REQUESTS else 1):
        raise BadInput(
            f"{text!r} has no target", todo="write `METHOD /path` or `event.action` behind the kind"
        )
    return Rule(kind=kind, target=" ".join(targets), **numbers(text, words[1:]))


def numbers(text: str, words: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign:
            continue
        try:
            found[name] = NUMBERS[name](value)
        except (KeyError, ValueError):
            raise BadInput(
                f"{word!r} is no option of a fault", where=text, todo=f"use {', '.join(NUMBERS)}"
            ) from None
    return found


class Faults:
    """The rules of one forge. Safe from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._seed = 0
        self._met: Counter[tuple[int, str]] = Counter()
        self.rules: list[Rule] = []

    def seed(self, number: int) -> None:
        """Start the chances anew."""
        with self._lock:
            self._seed = number
            self._met.clear()

    def add(self, text: str) -> Rule:
        """`hits` of the rule that comes back shows what it struck."""
        rule = parse(text)
        with self._lock:
            self.rules.append(rule)
        return rule

    def clear(self) -> None:
        with self._lock:
            self.rules.clear()

    def request(self, method: str, path: str) -> list[Rule]:
        """Rules that strike this request. The path goes without the prefix of the API."""
        return self._strike(REQUESTS, f"{method} {path}") if self.rules else []

    def delivery(self, event: Event) -> list[Rule]:
        """Rules that strike this delivery."""
        action = event.payload.get("action")
        return self._strike(DELIVERIES, f"{event.name}.{action}" if action else event.name)

    def _strike(self, kinds: tuple[str, ...], what: str) -> list[Rule]:
        with self._lock:
            known = enumerate(self.rules)
            return [rule for place, rule in known if rule.kind in kinds and self._meets(place, rule, what)]

    def _meets(self, place: int, rule: Rule, what: str) -> bool:
        if rule.spent or not fnmatchcase(what, rule.target) or not self._likely(place, rule, what):
            return False
        if rule.skip:
            rule.skip -= 1
            return False
        rule.hits.append(what)
        return True

    def _likely(self, place: int, rule: Rule, what: str) -> bool:
        """The same for the n-th request of a kind; ids and commits do not make another kind of it."""
        if rule.chance >= 1:
            return True
        kind = NUMBER.sub("#", what)
        self._met[place, kind] += 1
        return random.Random(f"{self._seed} {place} {kind} {self._met[place, kind]}").random() < rule.chance


def skewed(event: Event, seconds: float) -> Event:
    """The event as a server with another clock would tell it."""
    return replace(event, payload=shifted(event.payload, timedelta(seconds=seconds)))


def shifted(value: Any, by: timedelta) -> Any:
    if isinstance(value, Mapping):
        return {name: shifted(one, by) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [shifted(one, by) for one in value]
    if isinstance(value, str) and TIME.fullmatch(value):
        moment = datetime.strptime(value, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
        return (moment + by).strftime("%Y-%m-%dT%H:%M:%SZ")
    return value
