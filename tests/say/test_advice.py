"""Every reason that infx gives has a next step in both languages."""

import pytest

from infx.blocker import Blocker, Owner
from infx.policy import blocking
from infx.reason import MEANING, Reason
from infx.say import advice

PASSED_ON = {blocking.REUSE, blocking.SIGNOFF}
"""Kinds whose sentence is the text of a status."""
LEDGERS = {reason for reason, (outcome, _) in MEANING.items() if outcome is None}
KINDS = sorted({*LEDGERS, *blocking.OWNERS, blocking.CONFLICT, blocking.NOT_COVERED})


def test_advice_is_for_words_that_exist() -> None:
    assert set(advice.ADVICE) <= {*Reason, *blocking.OWNERS, *advice.NAMED}


@pytest.mark.parametrize("kind", KINDS)
def test_a_known_reason_has_its_own_advice(kind: str) -> None:
    assert kind in advice.ADVICE


@pytest.mark.parametrize("kind", [*advice.ADVICE, "never-heard-of"])
def test_both_languages_name_what_it_is_about(kind: str) -> None:
    blocker = Blocker(kind=kind, owner=Owner.AUTHOR, names=("C1", "C4", "7"))
    for line in (advice.english(blocker), advice.chinese(blocker)):
        assert "{" not in line
        assert kind in line
    if kind not in PASSED_ON:
        assert not advice.chinese(blocker).isascii()
