"""Checks of a sign-off. Every module here is one: its name in `ID`, and `check(subject, sheet)`.

A new check is a new file; where `PR_REVIEW_CHECKLIST.md` has an item of its name it is shown in that place.
"""

import importlib
import pkgutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from infx.signoff import Claim, Finding, Item, Statement
from infx.subject import Subject


@dataclass(frozen=True, kw_only=True)
class Sheet:
    """The template, and what one signer made of it."""

    template: Sequence[Item]
    statement: Statement

    @cached_property
    def claims(self) -> dict[str, Claim]:
        return {claim.item: claim for claim in self.statement.claims}

    @property
    def missing(self) -> list[str]:
        """Items of the template that the signer's text does not have."""
        return [item.id for item in self.template if item.id not in self.claims]

    @property
    def unexplained(self) -> list[str]:
        """Items that are neither ticked nor explained."""
        return [one.item for one in self.claims.values() if not one.ticked and not one.reason]


Check = Callable[[Subject, Sheet], Finding]


@cache
def every() -> dict[str, Check]:
    """Name → check, of every module in this folder."""
    modules: list[Any] = [
        importlib.import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)
    ]
    return {module.ID: module.check for module in modules}


def findings(subject: Subject, sheet: Sheet) -> tuple[Finding, ...]:
    """What every check says, in the order of the checklist; checks without an item come first."""
    order = {item.id: place for place, item in enumerate(sheet.template)}
    names = sorted(every(), key=lambda name: (order.get(name, -1), name))
    return tuple(every()[name](subject, sheet) for name in names)
