"""Source: which runs stand for a pull request.

One pure decision for the comment, every push, the status before the merge, and main.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from infx.decision import Decision
from infx.eligible import Case, Refusal, differences, fit, refusal, refused, runs_once, some
from infx.equal import Mark, Match
from infx.facts import Answer
from infx.rules import Rules
from infx.source import GO, Authorisation, Candidate, Kind, SourceFacts
from infx.union import Copy, Share, coverage, runs_of, runs_text, unite

RANK = {kind: number for number, kind in enumerate(Kind)}
"""A later rule was reached by a run that is nearer to counting."""
ANYBODY = Authorisation(comment=0, at="", author="", may=Answer.YES)
"""Stands for a command that names every run there is."""
TOLD = 4
"""Most runs in one reason; all are in the details."""


@dataclass(frozen=True, kw_only=True)
class Found:
    """What an answer is made of."""

    shares: tuple[Share, ...] = ()
    refused: tuple[Refusal, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)


def decide(facts: SourceFacts, rules: Rules) -> Decision:
    """Whose results main would publish, point by point; or why nothing, what there is, and what to do."""
    answer = _before(facts, rules) or _asked(facts, rules)
    if answer.go or facts.trouble:
        return answer
    shares = available(facts, rules)
    there = {"runs": list(runs_of(shares)), "coverage": coverage(shares).as_json()}
    answer = replace(answer, details={**answer.details, "available": there})
    if answer.extra["refused"]:
        return answer
    failed = [one.as_json() for one in _every(facts, rules, answer)]
    return replace(answer, extra={**answer.extra, "refused": failed})


def _before(facts: SourceFacts, rules: Rules) -> Decision | None:
    """What no command can change."""
    if facts.trouble:
        return _answer(Kind.COULD_NOT_TELL, f"could not tell: {facts.trouble}", Found())
    if not facts.wanted:
        return _answer(Kind.NOT_NEEDED, "no config key changes", Found())
    if blocking := rules.labels.blocking_on(facts.labels):
        names = " and ".join(f'"{name}"' for name in blocking)
        return _answer(Kind.BLOCKED, f"label {names} blocks reuse; remove it", Found())
    return None


def _asked(facts: SourceFacts, rules: Rules) -> Decision:
    """What the newest command makes of the runs."""
    asked = facts.current
    if asked is None:
        return _answer(Kind.NOTHING_AUTHORISED, "nothing authorised: /use <run_id>", Found())
    if asked.withdraw:
        text = f"@{asked.author} withdrew with /use none; authorise with /use <run_id>"
        return _answer(Kind.WITHDRAWN, text, Found())
    if facts.seen_head and facts.seen_head != facts.head_sha:
        moved = f"head moved from {facts.seen_head[:7]} to {facts.head_sha[:7]}, repeat the command"
        return _answer(Kind.HEAD_MOVED, moved, Found())
    return _judge(Case(facts=facts, rules=rules, asked=asked))


def _every(facts: SourceFacts, rules: Rules, answer: Decision) -> Iterator[Refusal]:
    """Every candidate where the answer came before any of them was judged: the rule that it fails by itself,
    else what keeps all of them from counting."""
    asked = facts.current
    if asked is None or not asked.runs:
        asked = replace(ANYBODY, runs=tuple(run.run.id for run in facts.candidates))
    case = Case(facts=facts, rules=rules, asked=asked)
    for run in runs_once(facts):
        whole = Refusal(run=run.run.id, rule=Kind(answer.kind), reason=answer.reason)
        yield refusal(run, case) or whole


def available(facts: SourceFacts, rules: Rules) -> tuple[Share, ...]:
    """Every planned point with the result that some run holds of it, authorised or not; for `resume`."""
    every = tuple(run.run.id for run in facts.candidates)
    case = Case(facts=facts, rules=rules, asked=replace(ANYBODY, runs=every), same_entry=False)
    return unite(facts.wanted, fit(case) if every else [], case.terms)


def accepted(facts: SourceFacts, rules: Rules) -> tuple[Mark, ...]:
    """Planned points that need not be measured again."""
    return tuple(share.wanted for share in available(facts, rules) if share.taken)


def _judge(case: Case) -> Decision:
    barred, runs = refused(case), fit(case)
    if doubt := _doubt(case, runs, barred):
        return _answer(Kind.COULD_NOT_TELL, f"could not tell: {doubt}", Found(refused=barred))
    shares = unite(case.facts.wanted, runs, case.terms)
    if not any(share.taken for share in shares):
        return _nothing(barred)
    return _found(case, runs, Found(shares=shares, refused=barred))


def _doubt(case: Case, runs: Sequence[Candidate], barred: Sequence[Refusal]) -> str:
    """A run that could not be looked at, and that would have counted before what was found."""
    newest = runs[0].run.id if runs and not case.asked.runs else 0
    unclear = [one for one in barred if one.rule == Kind.COULD_NOT_TELL and one.run > newest]
    return f"run {unclear[0].run}: {unclear[0].reason}" if unclear else ""


def _nothing(barred: tuple[Refusal, ...]) -> Decision:
    """No point counts: the run that came furthest gives the kind, and the first runs are told."""
    told = sorted(
        (one for one in barred if one.rule != Kind.NOT_NAMED), key=lambda one: (-RANK[one.rule], -one.run)
    )
    if not told:
        return _answer(Kind.NO_CANDIDATE, "no run of this pull request yet", Found(refused=barred))
    texts = [f"run {one.run}: {one.reason}" for one in told[:TOLD]]
    more = [f"{len(told) - TOLD} more"] if len(told) > TOLD else []
    return _answer(told[0].rule, "; ".join(texts + more), Found(refused=barred))


def _found(case: Case, runs: Sequence[Candidate], found: Found) -> Decision:
    """Some points count: all of them, or as many as the person knew of."""
    missing = [share for share in found.shares if not share.taken]
    if case.asked.bound and (lost := [share for share in missing if not _foreseen(share, case.asked)]):
        return _voided(case, lost, found)
    have, by = coverage(found.shares), case.asked.author
    if missing:
        kind, reason = Kind.PARTIAL, f"partial {have.partial}, pinned by @{by}"
    else:
        kind, reason = Kind.COVERS, f"main will publish {have.text} from {runs_text(runs_of(found.shares))}"
    details = {
        "by": by,
        "comment": case.asked.comment,
        "accepted": [_accepted(share, share.taken) for share in found.shares if share.taken],
        "missing": [_missing(share) for share in missing],
        "unused": _unused(case, found),
        "legacy": [run.run.id for run in runs if run.plan is None],
        "warnings": list(_warnings(case, runs, found)),
        "notes": [f"evals that the target added since: {name}" for name in case.facts.added_evals],
    }
    return _answer(kind, reason, Found(shares=found.shares, refused=found.refused, details=details))


def _unused(case: Case, found: Found) -> list[int]:
    """Runs that fail no rule and give no point: a newer one holds the same."""
    every = {run.run.id for run in case.facts.candidates}
    return sorted(every - {one.run for one in found.refused} - set(runs_of(found.shares)), reverse=True)


def _foreseen(share: Share, asked: Authorisation) -> bool:
    """The person was told that this point has no result."""
    return any(mark.work == share.wanted.work for mark in asked.lacking)


def _voided(case: Case, lost: Sequence[Share], found: Found) -> Decision:
    """What was authorised is not what would be published now."""
    reason = lost[0].reason
    kind = Kind(reason) if reason in {str(one) for one in Kind} else Kind.CHANGED
    names = some(share.wanted.title for share in lost)
    text = f"what @{case.asked.author} authorised has no result any more for {names}: /sweep resume or /use"
    details = {"missing": [_missing(share) for share in lost], "by": case.asked.author}
    return _answer(kind, text, Found(refused=found.refused, details=details))


def _accepted(share: Share, copy: Copy) -> dict[str, Any]:
    """Provenance of one accepted point."""
    wanted = share.wanted
    return {
        "point": wanted.id,
        "key": wanted.key,
        "title": wanted.title,
        "mode": wanted.mode,
        "run": copy.run,
        "attempt": copy.measured.attempt,
        "sha": copy.measured.sha,
        "node": copy.measured.node,
        "measured": copy.measured.mark.id,
        "match": str(copy.match),
        "superseded": sum(other.state == "superseded" for other in share.others),
    }


def _missing(share: Share) -> dict[str, Any]:
    return {
        "point": share.wanted.id,
        "key": share.wanted.key,
        "title": share.wanted.title,
        "mode": share.wanted.mode,
        "reason": share.reason,
        "copies": [copy.text for copy in share.others],
        "changed": sorted({what for copy in share.others for what in differences(copy.measured)}),
    }


def _warnings(case: Case, runs: Sequence[Candidate], found: Found) -> Iterator[str]:
    """What a person should know before the merge."""
    copies = [(share.wanted.title, share.taken) for share in found.shares if share.taken]
    missing = [share.wanted.title for share in found.shares if not share.taken]
    if missing:
        yield f"missing: {some(missing)}"
    for title, copy in copies:
        if copy.match == Match.BASE_DRIFT:
            yield f"base drift in {title}: the target changed {some(copy.measured.drift)}"
        if copy.match == Match.CHANGED:
            what = some(differences(copy.measured)) or "its fingerprint"
            yield f"{title} is accepted although changed: {what}"
        if copy.measured.node in case.facts.excluded_nodes:
            yield f"source of {title} measured on an excluded node: {copy.measured.node}"
    for run in runs:
        yield from _about(run)
    for one in found.refused:
        if one.run in case.asked.runs:
            yield f"run {one.run} does not count ({one.rule}): {one.reason}"


def _about(run: Candidate) -> Iterator[str]:
    if not run.in_pull:
        yield f"run {run.run.id} measured {run.run.head_sha[:7]}, a commit that was rewritten since"
    if run.plan is None:
        yield f"run {run.run.id} recorded no plan (legacy)"
    if run.expires:
        yield f"artifacts of run {run.run.id} expire on {run.expires}"


def _answer(kind: Kind, reason: str, found: Found) -> Decision:
    extra = {
        "runs": list(runs_of(found.shares)),
        "coverage": coverage(found.shares).as_json(),
        "refused": [one.as_json() for one in found.refused],
    }
    return Decision(
        decision="source", go=kind in GO, kind=kind, reason=reason, details=found.details, extra=extra
    )
