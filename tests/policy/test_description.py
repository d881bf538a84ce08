"""Advice compares what is said with what is known, and can be switched off rule by rule."""

from dataclasses import replace
from typing import Any

import pytest

from infx.description import Change, Description, DescriptionFacts, Disclosure, Item, Rule
from infx.edge import settings
from infx.policy.description import advise

RULES = settings.parse("")
WHOLE = Description(
    disclosure=Disclosure.NAMED,
    kinds=frozenset({Change.CONFIGURATION}),
    ticked=frozenset(Item),
    from_template=True,
)


def facts(**fields: Any) -> DescriptionFacts:
    said = {
        name: fields.pop(name)
        for name in ("disclosure", "kinds", "ticked", "from_template")
        if name in fields
    }
    given = {"keys": True, "entry": True, "primaries": 1, "ready": True, "configs": True, "docs": False}
    return DescriptionFacts(said=replace(WHOLE, **said), **{**given, **fields})


def rules_of(given: DescriptionFacts) -> list[str]:
    return [str(one.rule) for one in advise(given, RULES)]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (facts(), []),
        (facts(disclosure=Disclosure.NONE_USED), []),
        (facts(disclosure=Disclosure.NOT_VERIFIABLE), []),
        (facts(disclosure=Disclosure.TOOL_ONLY), ["disclosure"]),
        (facts(disclosure=Disclosure.MISSING), ["disclosure"]),
        (facts(kinds=frozenset()), ["kind"]),
        (facts(configs=False), ["kind"]),
        (facts(kinds=frozenset({Change.DOCUMENTATION})), ["kind"]),
        (facts(kinds=frozenset({Change.OTHER}), only_docs=True, docs=True), ["kind"]),
        (facts(ticked=frozenset(Item) - {Item.TESTED}), ["tested"]),
        (facts(ticked=frozenset(Item) - {Item.DOCUMENTATION}), ["documentation"]),
        (facts(ticked=frozenset(Item) - {Item.DOCUMENTATION}, docs=True), []),
        (facts(entry=False), ["entry"]),
        (facts(keys=False), ["entry"]),
        (facts(ticked=frozenset(Item) - {Item.ENTRY}), ["entry"]),
        (facts(keys=None), []),
        (facts(primaries=0), ["label"]),
        (facts(primaries=2), ["label"]),
        (facts(ready=False), ["reuse"]),
        (facts(ready=None), []),
        (facts(from_template=False, kinds=frozenset(), ticked=frozenset()), []),
    ],
)
def test_advice_is_given_where_words_and_facts_differ(given: DescriptionFacts, expected: list[str]) -> None:
    assert rules_of(given) == expected


@pytest.mark.parametrize("rule", Rule)
def test_each_rule_can_be_switched_off(rule: Rule) -> None:
    worst = facts(
        disclosure=Disclosure.MISSING,
        kinds=frozenset(),
        ticked=frozenset({Item.ENTRY, Item.LABEL, Item.REUSE}),
        entry=False,
        primaries=0,
        ready=False,
    )
    assert rules_of(worst) == list(Rule)
    off = settings.parse(f"advice: {{{rule}: false}}")
    left = list(advise(worst, off))
    assert [one.rule for one in left] == [one for one in Rule if one != rule]
    assert all(one.key == f"advice.{one.rule}" for one in left)
