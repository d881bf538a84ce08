"""Ownership: which touched files need a sign-off, and which of them a person may sign for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from infx.facts import Answer
from infx.signoff import Owned, SignoffFacts


@dataclass(frozen=True, kw_only=True)
class Right:
    """What one person may sign for."""

    answer: Answer
    covers: tuple[str, ...] = ()
    """Patterns of CODEOWNERS whose touched files this person speaks for."""
    unsure: tuple[str, ...] = ()
    """Owners of whom nobody could tell whether the person stands behind them."""


def required(facts: SignoffFacts) -> tuple[Owned, ...]:
    """Touched files of somebody other than an admin or the core team."""
    exempt = {name.lower() for name in facts.exempt}
    return tuple(one for one in facts.owned if any(owner.lower() not in exempt for owner in one.owners))


def right(login: str, facts: SignoffFacts) -> Right:
    """What `login` may sign for. A file with owners of its own needs one of them; a file that only the
    catch-all matches is covered by whoever owns anything here."""
    needed = required(facts)
    general = [one for one in needed if one.catch_all]
    answers = {owners: _behind(login, owners, facts) for owners in {one.owners for one in needed}}
    mine = [one for one in needed if answers[one.owners] == Answer.YES]
    unsure = tuple(
        owner
        for owners, answer in answers.items()
        if answer == Answer.UNKNOWN
        for owner in owners
        if _stands(login, owner, facts) == Answer.UNKNOWN
    )
    if mine:
        own = [one for one in mine if not one.catch_all]
        return Right(answer=Answer.YES, covers=patterns([*own, *general]), unsure=unsure)
    return Right(answer=Answer.UNKNOWN if unsure else Answer.NO, unsure=unsure)


def uncovered(facts: SignoffFacts, covered: Iterator[str] | Sequence[str]) -> tuple[Owned, ...]:
    """What needs a sign-off and has none, one file of each pattern."""
    done = set(covered)
    left: dict[str, Owned] = {}
    for one in required(facts):
        if label(one) not in done:
            left.setdefault(label(one), one)
    return tuple(left.values())


def patterns(found: Sequence[Owned]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(label(one) for one in found))


def label(one: Owned) -> str:
    """`/configs/nvidia-master.yaml (line 3)`: two lines may have one pattern."""
    return f"{one.pattern} (line {one.line})"


def _behind(login: str, owners: Sequence[str], facts: SignoffFacts) -> Answer:
    """Whether a person is one of several owners."""
    answers = {_stands(login, owner, facts) for owner in owners}
    if Answer.YES in answers:
        return Answer.YES
    return Answer.UNKNOWN if Answer.UNKNOWN in answers else Answer.NO


def _stands(login: str, owner: str, facts: SignoffFacts) -> Answer:
    """A login is itself, whole and in any case; of a team or an address somebody has to know."""
    if owner.startswith("@") and "/" not in owner:
        return Answer.YES if owner[1:].lower() == login.lower() else Answer.NO
    told = (
        one.answer
        for one in facts.memberships
        if (one.owner.lower(), one.login.lower()) == (owner.lower(), login.lower())
    )
    return next(told, Answer.UNKNOWN)
