"""The page of the sweep on a real H200 can be made again from the raw results that were kept."""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median

import pytest

from infx.bench import load
from infx.compared import CALLED
from infx.edge import artifacts
from infx.flat import Flat
from infx.plan import Plan
from infx.results import requests
from infx.results.about import rows
from infx.results.against import against
from infx.row import Request
from tests import evidence


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    made = tmp_path_factory.mktemp("evidence")
    yield made
    shutil.rmtree(made)


@pytest.fixture(scope="module")
def remade(folder: Path) -> str:
    return evidence.remade(folder)


@pytest.fixture(scope="module")
def plan(remade: str, folder: Path) -> Plan:
    found = artifacts.plan_at(folder / "sweep" / "plan")
    assert found is not None
    return found


def measured(folder: Path, plan: Plan) -> list[Flat]:
    ledger = artifacts.ledger((folder / "made" / "ledger" / "ledger.json").read_bytes())
    found, problems = rows(plan, ledger)
    assert (len(found), problems) == (6, [])
    return found


@pytest.mark.node
def test_the_page_is_what_the_raw_results_say_today(remade: str) -> None:
    """After a wanted change: `python -m tests.evidence` writes it anew."""
    assert evidence.told(remade) == evidence.told(evidence.PAGE.read_text())


@pytest.mark.node
def test_it_says_what_is_odd_about_it(remade: str) -> None:
    for note in evidence.NOTES:
        assert note in remade
    assert "Simulated" not in evidence.told(remade)


@pytest.mark.node
def test_every_row_is_made_of_the_client_s_own_files_again(remade: str, folder: Path, plan: Plan) -> None:
    for place, record in evidence.records(evidence.unpacked(folder / "again")).items():
        kept, now = dict(record.result or {}), evidence.row(plan, place, record)
        assert {name: kept[name] for name in kept if name in now} == {
            name: now[name] for name in now if name != "request_error"
        }
        rest = set(kept) - set(now)
        assert all("power" in name or "joules" in name or "energy" in name for name in rest)


@pytest.mark.node
def test_real_requests_tell_how_sure_a_run_is(folder: Path, plan: Plan) -> None:
    """At concurrency 16 they fall into two groups, so that nobody may trust the median of the first token."""
    doubt = {
        one.conc: one.row["request_error"] for one in measured(folder, plan) if one.scenario == "1024_128"
    }
    assert all(doubt[conc]["tput"] < 0.002 for conc in (1, 4, 16))
    assert doubt[64]["tput"] < 0.02
    assert doubt[16]["ttft"] > 0.2 > doubt[4]["ttft"]


@pytest.mark.node
def test_two_halves_of_a_real_run_are_no_change(folder: Path, plan: Plan) -> None:
    """The same engine, one half of its waves beside the other half."""
    halves: list[list[Flat]] = [[], []]
    for row in measured(folder, plan):
        (place,) = (folder / "sweep" / "points").glob(f"*_{row.point}")
        seen = load.outcome(place / "aiperf", model=row.model, requested=0, corpus=None).requests
        inner = sorted(seen, key=lambda one: one.ended)[row.conc : -row.conc]
        middle = len(inner) // 2
        # Half of the requests leave more doubt than all of them.
        doubt = {name: one * 2**0.5 for name, one in requests.errors(seen, row.conc).items()}
        for turn, part in enumerate((inner[:middle], inner[middle:])):
            halves[turn].append(half(row, turn, part, doubt))
    found = against(halves[1], halves[0])
    assert len(found.points) == 24
    assert not [one for one in (*found.points, *found.curves) if one.verdict in CALLED]


@pytest.mark.node
def test_the_same_work_on_another_machine_is_no_change(folder: Path, plan: Plan) -> None:
    again = artifacts.plan_at(evidence.HOME / "again")
    assert again is not None
    kept = artifacts.ledger((evidence.HOME / "again" / "ledger.json").read_bytes())
    other, problems = rows(again, kept)
    assert (len(other), problems) == (6, [])
    one = measured(folder, plan)
    for new, old in ((other, one), (one, other)):
        found = against(new, [replace(row, version=0) for row in old])
        assert len(found.points) == 30
        assert not [one for one in (*found.points, *found.curves) if one.verdict in CALLED]


def half(row: Flat, turn: int, part: Sequence[Request], doubt: Mapping[str, float]) -> Flat:
    """The row that these requests alone would have made."""
    return replace(
        row,
        run=turn,
        published=float(turn),
        tput=sum(one.tokens for one in part) / sum(one.e2el for one in part) * row.conc,
        intvty=1 / median(one.tpot for one in part),
        ttft=median(one.ttft for one in part),
        e2el=median(one.e2el for one in part),
        joules=None,
        body=json.dumps({"request_error": doubt}),
    )
