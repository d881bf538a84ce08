"""The page shows what is there, says what is missing, and asks for nothing from outside."""

import base64
import gzip
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import infx.results
from infx import press
from infx.compared import Change, Compared, Finding
from infx.flat import flat
from infx.record import Outcome
from infx.results import pack, spec
from infx.results.page import PARTLY, SIMULATED, Frame, Mark, Page, document, latest, page
from infx.results.tally import Facts, ledger
from infx.results.words import CHINESE
from tests import builders as build
from tests.say.samples import h200
from tests.shelving import publication

FOLDER = Path(infx.results.__file__).parent
TEMPLATE, SCRIPT = ((FOLDER / f"page.{kind}").read_text() for kind in ("html", "js"))
FRAME = Frame(template=TEMPLATE, css="", js="", vega="")


def shown(plan: Any, *records: Any) -> str:
    done = ledger(plan, records, Facts(run_id=build.RUN, attempt=1))
    return page(FRAME, press.of_run(plan, done, address="https://github.test/runs/500"))


def data(text: str) -> dict[str, Any]:
    """What the script of the page gets."""
    found = re.search(r'id="data">([^<]*)<', text)
    assert found
    read: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(found[1])))
    return read


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
        if tag not in ("meta", "br", "link", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_a_whole_sweep_is_on_the_page() -> None:
    plan = h200()
    text = shown(plan, *(build.record(point) for point in plan.points))
    assert "9 of 9 points valid · 1 of 1 evals valid" in text
    assert data(text)["count"] == 10
    for fact in (build.HEAD, build.BASE, plan.digest, "lmsysorg/sglang:v0.5.16", "h200-dgxc_03"):
        assert fact in text
    assert "Simulated" not in text.split("<script")[0]


@pytest.mark.parametrize(
    ("clients", "banner"),
    [(["aiperf"], ""), (["infx-simulator"], SIMULATED), (["aiperf", "infx-simulator"], PARTLY)],
    ids=len,
)
def test_simulated_rows_are_told_apart(clients: list[str], banner: str) -> None:
    rows = [flat(publication(4 + at, row={"client": one})) for at, one in enumerate(clients)]
    head = page(FRAME, press.of_all(rows, marks=[])).split("<script")[0]
    assert [one for one in (SIMULATED, PARTLY) if f">{one}<" in head] == ([banner] if banner else [])


def test_a_sweep_without_results_says_what_is_missing() -> None:
    text = shown(build.plan(), build.record(build.point(1), Outcome.FAILURE, reason="engine-died"))
    assert "invalid(engine-died)" in text
    assert "missing(no-artifact)" in text
    assert "Incomplete: 3 of 3 planned points have no valid result." in text
    assert data(text)["count"] == 0


def test_simulated_numbers_are_marked() -> None:
    point = build.point(1)
    record = build.record(point, result=build.throughput_row(framework="sim"))
    text = shown(build.plan(point, reusable=False, modifiers=("agentx-fast",)), record)
    assert "Simulated: these numbers" in text.split("<script")[0]
    assert "Never published: agentx-fast." in text


def test_text_of_a_pull_request_is_never_markup() -> None:
    hostile = build.point(1, key='"><script src=//evil.test></script>', task=None)
    row = build.throughput_row(image="</script><script>alert(1)</script>")
    record = build.record(
        hostile, result=row, node="<img src=x onerror=alert(1)>", notes=("</table><iframe>",)
    )
    tags = Tags(shown(build.plan(hostile, repository="<b>$title"), record))
    assert tags.open == []
    assert tags.addresses == ["data:,", "https://github.test/runs/500"]
    assert not tags.names & {"img", "iframe", "b"}


def test_a_row_that_cannot_be_shown_is_named_and_costs_no_other() -> None:
    one, two = build.point(1), build.point(4)
    bad = build.record(two, result={**build.throughput_row(4), "conc": "many"})
    text = shown(build.plan(one, two), build.record(one), bad)
    assert "1 row could not be read: qwen3.5-fp8-h200-sglang-agentic-mtp C4: " in text
    assert data(text)["count"] == 1


def index(*ones: Any, **fields: Any) -> Page:
    return Page(kind="index", title="t", lead="l", rows=[flat(one) for one in ones], facts={}, **fields)


def test_numbers_keep_five_digits_and_times_their_second() -> None:
    row = {"tput_per_gpu": 1234.56789, "median_ttft": 0.000123456789, "result_time": 1_789_990_123.5}
    found = document(index(publication(4, row=row)))
    value = {name: (column.get("v") or column["d"])[0] for name, column in found["row"].items()}
    assert value["tput_per_gpu"] == pytest.approx(1234.56789, rel=1e-5)
    assert value["median_ttft"] == pytest.approx(0.000123456789, rel=1e-5)
    assert value["result_time"] == 1_789_990_123.5


@pytest.mark.parametrize("values", [[1, 1, True, 1.0, None], ["a", "b", "c"], [[1], [1], [2]], [0.1] * 5, []])
def test_columns_give_back_what_they_took(values: list[Any]) -> None:
    made = pack.column(values)
    back = made["v"] if "v" in made else [made["d"][at] for at in made["i"]]
    assert [json.dumps(one) for one in back] == [json.dumps(one) for one in values]


def test_nested_fields_travel_by_dotted_names() -> None:
    found = document(index(publication(4, row={"request_metrics": {"ttft": {"p95": 0.5}}, "warnings": []})))
    assert "request_metrics.ttft.p95" in found["row"]
    assert "warnings" in found["row"]


def test_the_newest_of_a_series_is_on_the_charts() -> None:
    rows = [flat(publication(4, merge)) for merge in range(3)] + [flat(publication(16))]
    assert latest(rows) == [2, 3]
    assert document(index(publication(4), publication(4, 1)))["newest"] == [1]


def test_two_values_without_an_order_are_both_shown_and_named() -> None:
    one, other = (flat(publication(4, row={"tput_per_gpu": rate})) for rate in (100.0, 120.0))
    shown_ = press.of_all([one, other], marks=[])
    assert document(shown_)["newest"] == [0, 1]
    assert shown_.banners == (
        ["Several values, and nothing tells which is newer, so all are shown: C4 · " + one.curve + "."]
    )


def test_the_frontier_is_marked_for_every_chart() -> None:
    rows = [
        flat(publication(conc, row={"median_e2el": float(conc), "tput_per_gpu": 10.0 * conc}))
        for conc in (1, 2, 4)
    ]
    beaten = flat(publication(8, row={"median_e2el": 5.0, "tput_per_gpu": 1.0}))
    by_name = {chart.name: spec.edges(chart, [*rows, beaten]) for chart in spec.CHARTS}
    assert by_name["latency"] == [0, 1, 2]
    assert by_name["energy"] == []


def test_verdicts_stand_on_the_page() -> None:
    found = Finding(name="C4 <b>", verdict=Change.CANNOT_TELL, change=0.034, low=-0.01, high=0.08, chance=0.1)
    text = page(
        FRAME, index(publication(4), compared=Compared(points=(found,), curves=(), fresh=0, scope="Run 500."))
    )
    assert 'data-t="Compared with main"' in text
    assert "+3.4%" in text
    assert "-1.0% … +8.0%" in text
    assert 'data-t="cannot tell"' in text
    assert "C4 &lt;b&gt;" in text


def test_changelog_entries_travel_as_marks() -> None:
    marks = [Mark(at=1.0, text="Update", link="https://github.test/pull/1", keys=("a*",))]
    assert document(index(publication(4), marks=marks))["marks"] == [
        {"at": 1.0, "text": "Update", "link": "https://github.test/pull/1", "keys": ("a*",)}
    ]


def test_every_word_of_the_page_has_its_chinese() -> None:
    said = set(re.findall(r'data-t="([^"$]+)"', TEMPLATE)) | set(spec.TITLES.values())
    said |= set(re.findall(r'\bt\("([^"]+)"\)', SCRIPT))
    said |= set(
        re.findall(r'^    "?([a-zA-Z/ ]+)"?: \[', SCRIPT.split("const COLUMNS")[1].split("};")[0], re.M)
    )
    assert said - set(CHINESE) == set()
    assert len(said) > 30


@pytest.mark.parametrize("chart", spec.CHARTS, ids=lambda chart: chart.name)
def test_a_picture_s_specification_has_its_points(chart: spec.Chart) -> None:
    rows = [
        flat(publication(conc, row={"power_valid": 1, "joules_per_output_token": 0.3})) for conc in (1, 4)
    ]
    made = spec.drawn(chart, rows)
    assert len(made["data"]["values"]) == 2
    assert made["encoding"]["color"]["scale"]["domain"] == [rows[0].curve]
