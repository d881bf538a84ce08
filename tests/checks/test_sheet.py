"""The registry of checks, and what they say of the text itself."""

import pkgutil

import infx.checks
from infx.checks import every, findings
from infx.read.checklist import template
from tests.checks.subjects import ROOT, look, sheet, subject

TEMPLATE = template((ROOT / "PR_REVIEW_CHECKLIST.md").read_text())


def test_every_module_is_a_check_and_every_item_has_one() -> None:
    names = [found.name for found in pkgutil.iter_modules(infx.checks.__path__)]
    assert len(names) == len(every()) == 18
    assert {item.id for item in TEMPLATE} <= set(every())


def test_findings_stand_in_the_order_of_the_checklist() -> None:
    ids = [item.id for item in TEMPLATE]
    found = [one.check for one in findings(subject(), sheet(*ids))]
    assert [name for name in found if name in ids] == ids
    assert found[:2] == ["template-current", "ticked-or-explained"]


def test_a_missing_item_is_named() -> None:
    found = look("template-current", subject(), sheet("a", "b", b=None))
    assert (found.grade, found.what) == ("FAIL", "an old or shortened template: b missing")
    assert look("template-current", subject(), sheet("a", "b")).grade == "PASS"


def test_what_is_not_ticked_needs_a_reason() -> None:
    found = look("ticked-or-explained", subject(), sheet("a", "b", "c", a=False, b="not served here"))
    assert (found.grade, found.what) == ("FAIL", "neither ticked nor explained: a")
    found = look("ticked-or-explained", subject(), sheet("a", "b", b="not served here"))
    assert (found.grade, found.evidence) == ("PASS", ("b: not served here",))


def test_code_quality_is_for_people() -> None:
    assert look("code-quality", subject()).grade == "HUMAN"
