"""Owners: who owns which path by a CODEOWNERS file, as GitHub documents it (docs: About code owners)."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

PLACES = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS")
"""Where the file may live, in this order; the first one found counts."""
SIZE_LIMIT = 3 * 1024 * 1024
"""Bytes; a larger file is not loaded, so nothing is owned."""
CATCH_ALL = frozenset({"*", "**", "/**", "**/*"})
"""Patterns that match whatever there is."""


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One valid line. Without owners it takes ownership away."""

    line: int
    pattern: str
    """As people read it: escapes are gone."""
    owners: tuple[str, ...]
    """`@login`, `@org/team` or an e-mail address, as written."""
    regex: Callable[[], re.Pattern[str]]
    """Made when it is asked for: most rules are found without."""
    literal: str = ""
    """The path or name that the pattern is, when nothing else is in it."""
    anchored: bool = False
    """The literal starts at the root; otherwise it is the name of anything anywhere."""
    ending: str = ""
    """How names end that the pattern is about: `.js` of `*.js`."""
    folder: bool = False
    """Only what lies below a folder of that name."""

    @property
    def catch_all(self) -> bool:
        return self.pattern in CATCH_ALL

    def matches(self, path: str) -> bool:
        return self.regex().search(path) is not None


@dataclass(frozen=True, kw_only=True)
class Fault:
    """One line that GitHub skips."""

    line: int
    column: int
    """From 1."""
    kind: str
    """`Invalid pattern` or `Invalid owner`."""
    source: str
    """The line."""
    word: str
    """What is wrong in it."""


@dataclass(frozen=True)
class Owners:
    """A CODEOWNERS file. The last rule that matches a path decides; owners of several rules never add up."""

    rules: tuple[Rule, ...] = ()
    faults: tuple[Fault, ...] = ()
    trouble: str = ""
    """Why the whole file does not count; empty when it does."""

    def rule(self, path: str) -> Rule | None:
        """The rule that decides about `path`; None when no rule matches."""
        best = self._by_name(path)
        for at in self._wild:
            if at <= best:
                break
            if self.rules[at].matches(path):
                best = at
                break
        return self.rules[best] if best >= 0 else None

    def of(self, path: str) -> tuple[str, ...]:
        """Owners of `path`; empty when nobody owns it."""
        rule = self.rule(path)
        return rule.owners if rule else ()

    def _by_name(self, path: str) -> int:
        """Position of the last rule without wildcards that matches, -1 for none. By name, not by trying:
        thousands of rules are asked about thousands of paths."""
        parts = path.split("/")
        best = -1
        for count, part in enumerate(parts, 1):
            inside = count < len(parts)
            places = [("path", "/".join(parts[:count])), ("name", part), ("ending", part.rpartition(".")[2])]
            for place in places:
                for at in reversed(self._index.get(place, ())):
                    if at <= best:
                        break
                    rule = self.rules[at]
                    if (inside or not rule.folder) and part.endswith(rule.ending):
                        best = at
                        break
        return best

    @cached_property
    def _wild(self) -> Sequence[int]:
        """Positions of the rules that have to be tried, last first."""
        return [at for at, rule in reversed(list(enumerate(self.rules))) if not (rule.literal or rule.ending)]

    @cached_property
    def _index(self) -> Mapping[tuple[str, str], list[int]]:
        """By whole path, by name, and by what stands behind the last dot of a name."""
        found: dict[tuple[str, str], list[int]] = {}
        for at, rule in enumerate(self.rules):
            if rule.ending:
                found.setdefault(("ending", rule.ending.rpartition(".")[2]), []).append(at)
            elif rule.literal:
                found.setdefault(("path" if rule.anchored else "name", rule.literal), []).append(at)
        return found
