"""`infx sweep run` with a small engine in place of the clients: order, resumption, failures, answers."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from infx import row
from infx.bench import cell as bench
from infx.bench import replay
from infx.cli import main
from infx.edge.world import World
from infx.power import Trace
from infx.reason import Reason, Stopped
from tests.runtime import checkout, load

pytestmark = pytest.mark.process
KEY, REPLAY = "demo-bf16-local-sim", "demo-bf16-local-sim-agentic"
DISAGG = "demo-bf16-local-sim-disagg"


class Machine:
    """A checkout with one machine, whose cells answer at once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.head = checkout(folder)
        self.asked: list[str] = []
        self.broken: dict[str, Reason] = {}
        self.power: Trace | None = None
        self.out, self.err = StringIO(), StringIO()

    def measure(self, cell: bench.Cell, brake: Any) -> list[row.Load]:
        return [self.load(cell, conc) for conc in cell.point.concurrencies]

    def load(self, cell: bench.Cell, conc: int) -> row.Load:
        point = cell.point
        name = f"{point.key} {point.title}"
        self.asked.append(name)
        if name in self.broken:
            raise Stopped(self.broken[name])
        now = 4e9
        corpus = None if "isl" in point.row else replay.read(cell.root, cell.cluster.load)[0]
        whole = dict(load().metrics)
        size = dict.fromkeys(("min", "max", "avg"), point.row.get("isl"))
        if "isl" in point.row:
            whole |= {"input_sequence_length": {"unit": "tokens", **size}}
            whole |= {"output_sequence_length": {"unit": "tokens", "min": 32, "max": 32, "avg": 32}}
        done = max(3 * conc, 10)
        profile = row.Phase(completed=done)
        return load(
            started=now,
            ended=now + 5,
            requested=done,
            profile=profile,
            metrics=whole,
            power=self.power,
            corpus=corpus,
        )

    def run(self, *words: str) -> int:
        self.asked.clear()
        self.out, self.err = StringIO(), StringIO()
        world = World(env={}, cwd=self.folder, out=self.out, err=self.err)
        return main(["sweep", "run", "--out", "out", *words], world)

    def json(self, name: str) -> Any:
        return json.loads((self.folder / "out" / name).read_text())

    @property
    def states(self) -> dict[str, str]:
        return {
            one["title"]: f"{one['state']}({one['reason']})"
            for one in self.json("ledger/ledger.json")["entries"]
        }


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    made = Machine(tmp_path)
    monkeypatch.setattr(bench, "measure", made.measure)
    return made


def test_the_canary_comes_first_and_everything_is_collected(machine: Machine) -> None:
    assert machine.run("--config-key", KEY, "--driver", "local") == 0
    assert machine.asked == [f"{KEY} C{conc}" for conc in (1, 4, 16, 64)]
    assert "canary demo-bf16-local-sim C1" in machine.err.getvalue()
    assert "4 of 4 points are valid" in machine.out.getvalue()
    assert [one["conc"] for one in machine.json("results_bmk/agg_bmk.json")] == [1, 4, 16, 64]
    assert KEY in (machine.folder / "out/report/index.html").read_text()
    plan = machine.json("plan/plan.json")
    assert (plan["head_sha"], plan["reusable"], plan["pr"]) == (machine.head, False, None)


def test_a_second_run_measures_only_what_is_missing(machine: Machine) -> None:
    machine.broken = {f"{KEY} C16": Reason.ENGINE_DIED}
    assert machine.run("--config-key", KEY) == 1
    assert machine.states == {
        "C1": "valid()",
        "C4": "valid()",
        "C16": "invalid(engine-died)",
        "C64": "valid()",
    }
    machine.broken = {}
    assert machine.run("--config-key", KEY) == 0
    assert machine.asked == [f"{KEY} C16"]
    assert "3 points measured before: C1, C4, C64" in machine.err.getvalue()
    assert machine.run("--config-key", KEY, "--again") == 0
    assert len(machine.asked) == 4


def test_a_failed_canary_stops_its_own_key_only(machine: Machine) -> None:
    machine.broken = {f"{KEY} C1": Reason.ENGINE_NOT_READY}
    assert machine.run("--config-key", f"{KEY}*", "--conc", "1", "4") == 1
    assert machine.asked == [f"{KEY} C1", f"{REPLAY} C1", f"{REPLAY} C4"]
    assert f"not released: {KEY}" in machine.err.getvalue()


def test_fail_fast_and_no_canary(machine: Machine) -> None:
    machine.broken = {f"{KEY} C4": Reason.ENGINE_DIED}
    assert machine.run("--config-key", KEY, "--no-canary", "--fail-fast") == 1
    assert machine.asked == [f"{KEY} C1", f"{KEY} C4"]
    assert machine.states["C64"].startswith("not-started")


def test_an_interrupt_is_recorded_and_the_rest_is_not_started(machine: Machine) -> None:
    machine.broken = {f"{KEY} C4": Reason.CANCELLED}
    assert machine.run("--config-key", KEY) == 130
    assert machine.states["C1"] == "valid()"
    assert machine.states["C4"] == "missing(cancelled)"


def test_the_answer_as_json(machine: Machine) -> None:
    assert machine.run("--config-key", KEY, "--conc", "4", "--json") == 0
    answer = json.loads(machine.out.getvalue())
    assert (answer["decision"], answer["go"], answer["kind"]) == ("sweep", True, "complete")
    assert answer["details"]["ledger"]["entries"][0]["title"] == "C4"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--config-key", "demo-bf16-local-sin"], "demo-bf16-local-sin"),
        (["--config-key", KEY, "--conc", "3"], "concurrency 3"),
    ],
)
def test_what_names_nothing_is_bad_input(machine: Machine, words: list[str], says: str) -> None:
    assert machine.run(*words) == 2
    assert says in machine.err.getvalue()


def test_energy_that_is_required_and_withheld_is_missing(machine: Machine) -> None:
    policy = machine.folder / "configs" / "policy.yaml"
    machine.power = Trace(boot="", gpus={}, problem="no driver")
    assert machine.run("--config-key", KEY, "--conc", "1") == 0
    (entry,) = machine.json("ledger/ledger.json")["entries"]
    assert entry["result"]["power_valid"] == 0
    assert entry["notes"][0].startswith("energy withheld: gpu-count 0 of 1 (no driver)")
    policy.write_text(policy.read_text() + f"power:\n  required: ['{KEY[:8]}*']\n")
    assert machine.run("--config-key", KEY, "--conc", "1", "--again") == 1
    assert machine.states == {"C1": "missing(power)"}
    record = next((machine.folder / "out" / "points").glob("*/record.json"))
    assert json.loads(record.read_text())["result"]["tput_per_gpu"] > 0


def test_energy_that_is_required_and_was_never_sampled_is_missing(machine: Machine) -> None:
    """Judged again from the artifacts: a row that says nothing of energy has none."""
    assert machine.run("--config-key", KEY, "--conc", "1") == 0
    (entry,) = machine.json("ledger/ledger.json")["entries"]
    assert "power_valid" not in entry["result"]
    policy = machine.folder / "configs" / "policy.yaml"
    policy.write_text(policy.read_text() + f"power:\n  required: ['{KEY[:8]}*']\n")
    assert machine.run("--config-key", KEY, "--conc", "1") == 1
    assert (machine.asked, machine.states) == ([], {"C1": "missing(power)"})
    assert machine.run("--config-key", KEY, "--conc", "1", "--again") == 1
    assert machine.states == {"C1": "missing(power)"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("default: {gsm8k: 90}\n", "default.gsm8k is 90"),
        ("defaults: {}\n", "only `default` and `models` stand here"),
        ("default: {gpqa: 0.3}\n", "has no threshold for gsm8k of demo"),
        ("default: [\n", "configs/thresholds.yaml"),
    ],
)
def test_an_eval_without_a_threshold_starts_no_engine(machine: Machine, text: str, says: str) -> None:
    (machine.folder / "configs" / "thresholds.yaml").write_text(text)
    assert machine.run("--config-key", REPLAY, "--conc", "8", "--evals", "--no-canary") == 1
    assert machine.asked == [f"{REPLAY} C8"]
    assert machine.states["C8 gsm8k"] == "invalid(no-threshold-for-task)"
    assert says in machine.err.getvalue()


def test_a_corpus_that_is_not_the_records_starts_no_engine(machine: Machine) -> None:
    path = machine.folder / "configs" / "clusters.yaml"
    path.write_text(path.read_text().replace("78174d8d", "00000000"))
    assert machine.run("--config-key", REPLAY, "--conc", "8", "--no-canary") == 1
    assert (machine.asked, machine.states) == ([], {"C8": "invalid(corpus)"})


def test_each_concurrency_of_a_list_has_its_row(machine: Machine) -> None:
    assert machine.run("--config-key", DISAGG) == 0
    rows = machine.json("results_bmk/agg_bmk.json")
    assert [(row["conc"], row["is_multinode"]) for row in rows] == [(2, True), (8, True)]
    assert machine.states == {"C2,8": "valid()"}
    page = (machine.folder / "out" / "report" / "index.html").read_text()
    assert "C2" in page
    assert "C8" in page
    record = next((machine.folder / "out" / "points").glob("*/record.json"))
    assert json.loads(record.read_text())["result"]["conc"] == [2, 8]


def test_a_list_of_which_one_concurrency_was_left_out_is_no_result(machine: Machine) -> None:
    assert machine.run("--config-key", DISAGG) == 0
    path = next((machine.folder / "out" / "points").glob("*/record.json"))
    record = json.loads(path.read_text())
    del record["result"]["by_conc"][1]
    path.write_text(json.dumps(record))
    assert machine.run("--config-key", DISAGG) == 1
    assert machine.states == {"C2,8": "invalid(missing-concurrency)"}


def test_energy_of_a_list_is_not_believed(machine: Machine) -> None:
    """No samples could bear it out, whatever the record of a pull request says."""
    assert machine.run("--config-key", DISAGG) == 0
    path = next((machine.folder / "out" / "points").glob("*/record.json"))
    record = json.loads(path.read_text())
    for one in record["result"]["by_conc"]:
        one |= {"power_valid": 1, "joules_per_output_token": 0.001}
    path.write_text(json.dumps(record))
    assert machine.run("--config-key", DISAGG) == 0
    rows = machine.json("results_bmk/agg_bmk.json")
    assert all("joules_per_output_token" not in row and "power_valid" not in row for row in rows)
