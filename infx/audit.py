"""Audit: the entries of the target branch beside the store of record."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from infx.edge import landed
from infx.edge import store as files
from infx.landing import Landing
from infx.policy.audit import Audited, AuditFacts
from infx.policy.changelog import covered
from infx.publish import Publisher


@dataclass(frozen=True, kw_only=True)
class Audit:
    """One look at one tip of the target branch."""

    at: Publisher
    tip: str

    def facts(self, *, active: bool) -> AuditFacts:
        """`active`: a run of the ingest workflow has not ended yet."""
        return AuditFacts(
            entries=tuple(self.audited(one) for one in self.landings),
            unseen=tuple(self.unseen()),
            active=active,
        )

    def missed(self) -> list[Landing]:
        """Landings of which no row is published."""
        return [one for one in self.landings if not self.rows(one)]

    @cached_property
    def landings(self) -> list[Landing]:
        """From policy's `audit-from` on."""
        changelog, after = self.at.changelog, self.at.rules.audit_from
        return landed.audited(self.at.git, changelog, after=after, until=self.tip)

    def audited(self, landing: Landing) -> Audited:
        return Audited(
            commit=landing.commit,
            link=landing.link,
            keys=landing.entry.config_keys if landing.entry else (),
            rows=self.rows(landing),
            looked_at=landing.commit in self.seen,
            fault=landing.fault,
        )

    def rows(self, landing: Landing) -> int:
        """Published rows of the config keys that the entry names; of an unreadable one, all of its merge."""
        found = self.view(files.published(landing.commit)).values()
        keys = [str(row.get("key")) for row in found]
        named = covered([landing.entry], sorted(set(keys))) if landing.entry else set(keys)
        return sum(key in named for key in keys)

    @cached_property
    def view(self) -> Callable[[str], dict[str, files.Value]]:
        """The store as it is at this moment."""
        return self.at.store.view()

    @cached_property
    def pushes(self) -> dict[str, str]:
        """Where the target was after each push that a run looked at → where it was before, oldest first."""
        return {after: str(push.get("before", "")) for after, push in self.view(files.PUSHES).items()}

    @cached_property
    def seen(self) -> set[str]:
        """Commits in pushes that a run looked at."""
        return set(self._covered(self._line))

    @cached_property
    def _line(self) -> list[str]:
        """Commits since the first push that a run looked at: before it, there was nothing to look."""
        git, first = self.at.git, next(iter(self.pushes.values()), self.tip)
        since = first if landed.contains(git, first, self.tip) else ""
        return landed.line(git, since=since, until=self.tip)

    def _covered(self, line: list[str]) -> Iterable[str]:
        places = {commit: number for number, commit in enumerate(line)}
        for after, before in self.pushes.items():
            if after in places:
                # A `before` beyond the line is where the first push began, or history that was rewritten.
                first = next(iter(self.pushes)) == after
                begin = places.get(before, -1 if first else places[after] - 1)
                yield from line[begin + 1 : places[after] + 1]

    def unseen(self) -> list[str]:
        """Commits that touch what is measured and that no run looked at."""
        if not self._line:
            return []
        git, paths = self.at.git, landed.measured(self.at.rules.layout)
        since = landed.parent(git, self._line[0])
        touched = landed.commits(git, *paths, since=since, until=self.tip)
        return [commit for commit in touched if commit not in self.seen]
