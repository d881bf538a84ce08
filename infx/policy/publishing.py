"""Publishing: may this run publish at all, and what does one landed pull request publish?"""

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from infx import source
from infx.decision import Decision
from infx.entry import Entry
from infx.facts import Answer
from infx.landing import Place, PublishFacts, Result
from infx.publication import Publication
from infx.rules import Rules

CONTEXT = "infx/published"
"""Name of the status on a merge commit."""
SHOWN = 5
"""Most names in one sentence."""
PROVENANCE = ("run", "attempt", "node", "sha")


class Kind(StrEnum):
    """Every answer about one landed pull request, beside the kinds of `resolve source`."""

    PUBLISHED = "published"
    NOTHING = "nothing-to-publish"
    NO_PULL = "no-pull-request"
    """The entry names no pull request, and its commit belongs to none."""
    UNREADABLE = "unreadable-entry"
    ENTRY_CHANGED = "entry-changed"
    """The entry on the target branch asks for something else than the one that was reviewed."""
    EMPTY = "empty-ingest"
    INCOMPLETE = "incomplete"
    """An accepted point has no row."""
    NO_PROVENANCE = "empty-provenance"


def may(place: Place, rules: Rules) -> Decision:
    """Only the ingest workflow of the default branch publishes: on push, or dispatched by who may recover."""
    if place.workflow != rules.layout.ingest_workflow or place.ref != f"refs/heads/{place.default_branch}":
        here = f"{place.workflow or 'no workflow'} on {place.ref or 'no branch'}"
        only = f"only {rules.layout.ingest_workflow} on {place.default_branch} publishes"
        return _may(Answer.NO, f"{only}, and here is {here}; start it with `infx ingest recover`")
    if place.event == "push":
        return _may(Answer.YES, "a push to the default branch")
    if place.event != "workflow_dispatch":
        return _may(Answer.NO, f"an event {place.event or '(none)'} publishes nothing")
    answers = set(place.actors.values()) or {Answer.UNKNOWN}
    who = " and ".join(f"@{login}" for login in sorted(place.actors)) or "nobody known"
    if Answer.NO in answers:
        return _may(Answer.NO, f"recovery needs role {rules.grant_authority} or more; {who} asked")
    if Answer.UNKNOWN in answers:
        return _may(Answer.UNKNOWN, f"could not tell the role of {who}; nothing was published")
    return _may(Answer.YES, f"{who} recovers")


def _may(answer: Answer, reason: str) -> Decision:
    return Decision(decision="publish", go=answer == Answer.YES, kind=answer, reason=reason)


def decide(facts: PublishFacts) -> Decision:
    """Whether the rows of `rows` may be published, and if not, what there is to do."""
    fault = _untold(facts) or _entries(facts) or _source(facts) or _results(facts.results)
    if fault:
        return _answer(facts, *fault)
    runs = facts.source.reason.removeprefix("main will publish ")
    return _answer(facts, Kind.PUBLISHED, f"#{facts.pr}: {runs}")


def rows(facts: PublishFacts) -> list[Publication]:
    """One publication a point that has an accepted result."""
    by = facts.source.details
    who = {"comment": by["comment"], "by": by["by"], "at": facts.authorised_at}
    return [
        Publication(
            point=one.accepted["point"],
            key=one.accepted["key"],
            title=one.accepted["title"],
            mode=one.accepted["mode"],
            task=one.task,
            pr=facts.pr,
            merge=facts.commit,
            merged_at=facts.at,
            run=one.accepted["run"],
            attempt=one.accepted["attempt"],
            node=one.accepted["node"],
            sha=one.accepted["sha"],
            fingerprint=one.fingerprint,
            planned=one.planned,
            match=one.accepted["match"],
            accepted_changed=facts.accept_changed,
            authorisation=who,
            row=one.row or {},
        )
        for one in facts.results
    ]


def differing(one: Entry, other: Entry) -> list[str]:
    """Fields in which two entries differ; where their link points does not count."""
    mine, theirs = one.as_json(), other.as_json()
    names = sorted({*mine, *theirs} - {"pr-link"})
    return [name for name in names if mine.get(name) != theirs.get(name)]


Fault = tuple[Kind | source.Kind, str]


def _untold(facts: PublishFacts) -> Fault | None:
    """Nothing is known of the entries either."""
    if facts.source.kind != source.Kind.COULD_NOT_TELL:
        return None
    return source.Kind.COULD_NOT_TELL, f"#{facts.pr}: {facts.source.reason}; run it again"


def _entries(facts: PublishFacts) -> Fault | None:
    """What landed must be what the pull request proposed."""
    for landing in facts.entries:
        if landing.entry is None:
            return Kind.UNREADABLE, f"#{facts.pr}: {landing.fault}"
        found = [differing(landing.entry, one) for one in facts.proposed]
        if not found or all(found):
            nearest = min(found, key=lambda names: len(names)) if found else ["everything"]
            names = " and ".join(nearest)
            text = f"#{facts.pr}: the entry that landed differs in {names} from what its head proposes"
            return Kind.ENTRY_CHANGED, f"{text}; append a new entry in a pull request of its own"
    return None


def _source(facts: PublishFacts) -> Fault | None:
    found = facts.source
    if found.kind == source.Kind.NOT_NEEDED:
        return Kind.NOTHING, f"#{facts.pr}: {found.reason}"
    if found.go:
        return None
    there = " ".join(map(str, found.details.get("available", {}).get("runs", ()))) or "<run_id>"
    repair = f"write /use {there} on #{facts.pr}, then `infx ingest recover --commit {facts.commit[:12]}`"
    return source.Kind(found.kind), f"#{facts.pr}: {found.reason}; {repair}"


def _results(results: Sequence[Result]) -> Fault | None:
    """Every accepted point has a row with its provenance, and there is at least one."""
    if not results:
        return Kind.EMPTY, "0 valid rows; a green job is no result"
    lacking = [one for one in results if not one.row]
    if len(lacking) == len(results):
        return Kind.EMPTY, f"0 rows of {len(results)} accepted points: neither artifacts nor store hold them"
    if lacking:
        counts = Counter(one.bucket for one in lacking)
        told = ", ".join(f"{number} {bucket}" for bucket, number in sorted(counts.items()))
        names = ", ".join(str(one.accepted["title"]) for one in lacking[:SHOWN])
        return Kind.INCOMPLETE, f"accepted points without a row: {told} ({names})"
    for one in results:
        empty = [name for name in PROVENANCE if not one.accepted.get(name)]
        empty += [] if one.fingerprint and all(one.fingerprint.values()) else ["fingerprint"]
        if empty:
            text = f"{one.accepted['key']} {one.accepted['title']} has no {' and no '.join(empty)}"
            return Kind.NO_PROVENANCE, text
    return None


def _answer(facts: PublishFacts, kind: Kind | source.Kind, reason: str) -> Decision:
    go = kind in (Kind.PUBLISHED, Kind.NOTHING)
    buckets: Mapping[str, Any] = Counter(one.bucket for one in facts.results) if go else {}
    return Decision(
        decision="ingest",
        go=go,
        kind=kind,
        reason=reason,
        details={"pr": facts.pr, "commit": facts.commit, "rows": dict(buckets)},
    )
