"""Assessment: what becomes of each sign-off, by the rules in their order and by what the checks found."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from infx.event import BODY_LIMIT
from infx.facts import Answer
from infx.ownership import Right, required, right
from infx.signoff import GOOD, Assessed, Finding, Grade, Kind, SignoffFacts, Statement

GHOST = "ghost"
"""What GitHub shows in the place of a deleted account."""
KEPT = frozenset({*GOOD, Kind.NEW_HEAD})
"""What stands on its head without another look; a rejection may have been mended."""
Findings = Mapping[str, Sequence[Finding]]
"""Key of a statement → what the checks found."""


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What became of one sign-off."""

    key: str
    author: str
    kind: Kind
    reason: str
    head: str
    """Commit that was assessed."""
    digest: str = ""
    covers: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    known: bool = False
    """It is what was recorded before, so nothing is to be told again."""

    @property
    def good(self) -> bool:
        return self.kind in GOOD

    def as_json(self) -> dict[str, Any]:
        checks = [shown(one) for one in self.findings]
        named = {"signoff": self.key, "author": self.author, "kind": str(self.kind), "reason": self.reason}
        return {**named, "head": self.head, "covers": list(self.covers), "checks": checks}


def outstanding(facts: SignoffFacts) -> tuple[Statement, ...]:
    """Sign-offs that the checks have to look at: everything that is not decided without them."""
    if not asked(facts):
        return ()
    return tuple(one for one in facts.statements if _before(one, facts) is None)


def verdicts(facts: SignoffFacts, findings: Findings) -> tuple[Verdict, ...]:
    """One for each sign-off there is, and one for each that was and is gone."""
    if not asked(facts):
        return tuple(_withdrawn(facts))
    stated = [_before(one, facts) or _checked(one, facts, findings.get(one.key)) for one in facts.statements]
    return (*_withdrawn(facts), *stated)


def asked(facts: SignoffFacts) -> bool:
    """A sign-off is looked at only where one is needed, and nothing keeps it from being judged."""
    return facts.open and not facts.draft and not facts.trouble and bool(required(facts))


def _before(one: Statement, facts: SignoffFacts) -> Verdict | None:
    """What can be said without the checks; None when they have to look."""
    earlier = _earlier(one, facts)
    if earlier and earlier.head == facts.head_sha and earlier.kind in KEPT and not _foreign(one):
        return _recorded(earlier)
    mine = right(one.author, facts)
    for rule in (_unusable, _not_an_owner):
        if said := rule(one, mine, facts):
            return _verdict(one, facts, *said, mine=mine)
    if earlier and earlier.kind == Kind.EDITED and not one.editor:
        return _verdict(one, facts, earlier.kind, earlier.reason, mine=mine)
    if one.stale:
        text = f"written before {facts.head_sha[:7]} was pushed; look again and sign again"
        return _verdict(one, facts, Kind.NEW_HEAD, text, mine=mine)
    signed = _signed_head(one, facts)
    if signed != facts.head_sha and not _same_diff(signed, facts):
        text = f"signed at {signed[:7]}, the diff is another one at {facts.head_sha[:7]}"
        return _verdict(one, facts, Kind.NEW_HEAD, f"{text}; look again and sign again", mine=mine)
    if earlier and earlier.kind in GOOD and earlier.head != facts.head_sha:
        text = f"assessed {earlier.head[:7]}, effective diff unchanged at {facts.head_sha[:7]}"
        return _verdict(one, facts, Kind.CARRIED, text, mine=mine)
    return None


def _foreign(one: Statement) -> bool:
    """Somebody else changed the words last."""
    return bool(one.editor) and one.editor.lower() != one.author.lower()


def _unusable(one: Statement, mine: Right, facts: SignoffFacts) -> tuple[Kind, str] | None:
    """What is wrong with the text itself, whoever owns what."""
    if one.author == GHOST:
        return Kind.DELETED_ACCOUNT, "the account that wrote it was deleted"
    if one.length > BODY_LIMIT:
        return Kind.TOO_LONG, f"{one.length} characters are more than the {BODY_LIMIT} that a comment holds"
    if _foreign(one):
        return Kind.EDITED, f"@{one.editor} changed the words of @{one.author}; only the owner's own count"
    return None


def _not_an_owner(one: Statement, mine: Right, facts: SignoffFacts) -> tuple[Kind, str] | None:
    if mine.answer == Answer.UNKNOWN:
        what = f"whether @{one.author} stands behind {', '.join(mine.unsure)}"
        return Kind.COULD_NOT_TELL, f"could not tell {what}; list the team in teams.yaml or give an App token"
    if mine.answer == Answer.YES:
        return None
    first = required(facts)[0]
    return Kind.NOT_AN_OWNER, f"not-an-owner of {first.path} ({', '.join(first.owners)})"


def _checked(one: Statement, facts: SignoffFacts, findings: Sequence[Finding] | None) -> Verdict:
    """What the signer line and the checks say."""
    mine, found = right(one.author, facts), tuple(findings or ())

    def verdict(kind: Kind, reason: str) -> Verdict:
        return _verdict(one, facts, kind, reason, mine=mine, findings=found)

    failed = [finding for finding in found if finding.grade == Grade.FAIL]
    unknown = [finding for finding in found if finding.grade == Grade.UNKNOWN]
    if failed:
        texts = "; ".join(f"{finding.check}: {finding.what}" for finding in failed)
        return verdict(Kind.FAILED, texts)
    if not one.signer:
        return verdict(Kind.NO_SIGNER, "the line `Signed: @login` is missing")
    if one.signer.lower() != one.author.lower():
        return verdict(Kind.OTHER_SIGNER, f"signed as @{one.signer}, written by @{one.author}")
    if unknown or not found:
        texts = "; ".join(f"{finding.check}: {finding.what}" for finding in unknown)
        return verdict(Kind.COULD_NOT_TELL, texts or "the checks could not look at it")
    return verdict(Kind.PASSED, _summary(found))


def _summary(found: Sequence[Finding]) -> str:
    counts = {grade: sum(one.grade == grade for one in found) for grade in Grade}
    return ", ".join(f"{count} {grade}" for grade, count in counts.items() if count)


def _verdict(
    one: Statement,
    facts: SignoffFacts,
    kind: Kind,
    reason: str,
    *,
    mine: Right,
    findings: tuple[Finding, ...] = (),
) -> Verdict:
    return Verdict(
        key=one.key,
        author=one.author,
        kind=kind,
        reason=reason,
        head=facts.head_sha,
        digest=one.digest,
        covers=mine.covers if kind in GOOD else (),
        findings=findings,
    )


def _earlier(one: Statement, facts: SignoffFacts) -> Assessed | None:
    """The newest verdict on this text: that of this head before any of another head."""
    same = [old for old in facts.assessed if (old.key, old.digest) == (one.key, one.digest)]
    here = [old for old in same if old.head == facts.head_sha]
    return next(reversed(here or same), None)


def _signed_head(one: Statement, facts: SignoffFacts) -> str:
    """The commit that the person saw."""
    same = [old for old in facts.assessed if (old.key, old.digest) == (one.key, one.digest)]
    seen = [old.head for old in same if old.kind != Kind.NEW_HEAD]
    return one.commit or next(reversed(seen), facts.head_sha)


def _same_diff(old: str, facts: SignoffFacts) -> bool:
    digest = facts.diffs.get(old, "")
    return bool(digest) and digest == facts.diffs.get(facts.head_sha)


def _recorded(old: Assessed) -> Verdict:
    return Verdict(
        key=old.key,
        author=old.author,
        kind=old.kind,
        reason=old.reason,
        head=old.head,
        digest=old.digest,
        covers=old.covers,
        known=True,
    )


def _withdrawn(facts: SignoffFacts) -> Iterator[Verdict]:
    """Sign-offs that were deleted, dismissed, or whose words are no sign-off any more."""
    standing = {one.key for one in facts.statements}
    last = {old.key: old for old in facts.assessed}
    for key, old in last.items():
        if key not in standing:
            yield Verdict(
                key=key,
                author=old.author,
                kind=Kind.WITHDRAWN,
                reason="deleted, dismissed, or no sign-off any more",
                head=facts.head_sha,
                known=old.kind == Kind.WITHDRAWN,
            )


def shown(one: Finding) -> dict[str, Any]:
    return {"check": one.check, "grade": str(one.grade), "what": one.what, "evidence": list(one.evidence)}
