"""Owners: who owns which path by a CODEOWNERS file, as GitHub documents it (docs: About code owners)."""

import re
from collections.abc import Mapping, Sequence
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
    regex: re.Pattern[str]
    literal: str = ""
    """The path or name that the pattern is, when nothing in it is a wildcard."""
    anchored: bool = False
    """The literal starts at the root; otherwise it is the name of anything anywhere."""
    folder: bool = False
    """Only what lies below a folder of that name."""

    @property
    def catch_all(self) -> bool:
        return self.pattern in CATCH_ALL


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
        best = self._literally(path)
        for at in self._wild:
            if at <= best:
                break
            if self.rules[at].regex.search(path):
                best = at
                break
        return self.rules[best] if best >= 0 else None

    def of(self, path: str) -> tuple[str, ...]:
        """Owners of `path`; empty when nobody owns it."""
        rule = self.rule(path)
        return rule.owners if rule else ()

    def _literally(self, path: str) -> int:
        """Position of the last rule without wildcards that matches, -1 for none. By name, not by trying:
        thousands of rules are asked about thousands of paths."""
        parts = path.split("/")
        best = -1
        for count in range(1, len(parts) + 1):
            inside = count < len(parts)
            for table, name in ((self._paths, "/".join(parts[:count])), (self._names, parts[count - 1])):
                for at in reversed(table.get(name, ())):
                    if at <= best:
                        break
                    if inside or not self.rules[at].folder:
                        best = at
                        break
        return best

    @cached_property
    def _wild(self) -> Sequence[int]:
        """Positions of the rules with wildcards, last first."""
        return [at for at in range(len(self.rules) - 1, -1, -1) if not self.rules[at].literal]

    @cached_property
    def _paths(self) -> Mapping[str, list[int]]:
        return self._table(anchored=True)

    @cached_property
    def _names(self) -> Mapping[str, list[int]]:
        return self._table(anchored=False)

    def _table(self, *, anchored: bool) -> Mapping[str, list[int]]:
        found: dict[str, list[int]] = {}
        for at, rule in enumerate(self.rules):
            if rule.literal and rule.anchored == anchored:
                found.setdefault(rule.literal, []).append(at)
        return found
