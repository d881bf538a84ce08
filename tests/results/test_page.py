"""The page shows what is there, says what is missing, and runs nothing."""

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import infx.results
from infx.record import Outcome
from infx.results.chart import Dot, Series, axis, chart
from infx.results.page import Run, page
from infx.results.tally import Facts, ledger
from tests import builders as build
from tests.say.samples import h200

TEMPLATE = (Path(infx.results.__file__).parent / "page.html").read_text()


def shown(plan: Any, *records: Any) -> str:
    done = ledger(plan, records, Facts(run_id=build.RUN, attempt=1))
    return page(TEMPLATE, Run(plan=plan, ledger=done, address="https://github.test/runs/500"))


class Tags(HTMLParser):
    """Open and closing tags, and every address."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: set[str] = set()
        self.addresses: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.addresses += [
            value or "" for name, value in attrs if name in ("src", "href") or name.startswith("on")
        ]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_whole_sweep_is_on_the_page() -> None:
    plan = h200()
    text = shown(plan, *(build.record(point) for point in plan.points))
    assert "9 of 9 points valid · 1 of 1 evals valid" in text
    assert text.count("<circle") == 2 * 9
    for fact in (build.HEAD, build.BASE, plan.digest, "lmsysorg/sglang:v0.5.16", "h200-dgxc_03", "97.57%"):
        assert fact in text
    assert "Simulated" not in text


def test_a_sweep_without_results_says_what_is_missing() -> None:
    text = shown(build.plan(), build.record(build.point(1), Outcome.FAILURE, reason="engine-died"))
    assert "invalid(engine-died)" in text
    assert "missing(no-artifact)" in text
    assert "<svg" not in text


def test_simulated_numbers_are_marked() -> None:
    point = build.point(1)
    record = build.record(point, result=build.throughput_row(framework="sim"))
    assert "Simulated: these numbers" in shown(
        build.plan(point, reusable=False, modifiers=("agentx-fast",)), record
    )


def test_nothing_from_outside_and_no_script() -> None:
    hostile = build.point(1, key='"><script src=//evil.test></script>', task=None)
    record = build.record(hostile, node="<img src=x onerror=alert(1)>", notes=("</table><iframe>",))
    tags = Tags(shown(build.plan(hostile, repository="<b>$title"), record))
    assert tags.open == []
    assert tags.addresses == []
    assert not tags.names & {"script", "img", "iframe", "b", "link"}


@pytest.mark.parametrize("value", [0.0, 1.0, 7.3, 999.0, 123456.0, 3e-4, 1e300])
def test_the_axis_ends_at_or_above_the_largest_value(value: float) -> None:
    made = axis("x", [value, value / 2])
    assert made.ticks[0] == 0
    assert made.top >= value * (1 - 1e-9)
    assert 2 <= len(made.ticks) <= 7


def test_dots_stay_inside_the_chart() -> None:
    dots = [Dot(x=x, y=y, label=f"C{x:.0f}", hover="<&>") for x, y in ((1, 1000.0), (50, 3), (7, 7))]
    svg = ElementTree.fromstring(chart([Series(name="k", dots=dots)], x="<x>", y="y", best="high"))
    circles = svg.findall(".//circle")
    assert len(circles) == 3
    assert all(
        72 <= float(one.attrib["cx"]) <= 612 and 20 <= float(one.attrib["cy"]) <= 348 for one in circles
    )
    assert [one.attrib["class"] for one in circles] == ["dot", "dot", "dot"]


def test_many_dots_carry_their_names_on_hover_only() -> None:
    dots = [Dot(x=at + 1, y=at + 1, label=f"C{at}", hover="h") for at in range(50)]
    text = chart([Series(name="k", dots=dots)], x="x", y="y", best="low")
    assert not re.findall(r'class="name"', text)
    assert text.count('class="dot beaten"') == 0
