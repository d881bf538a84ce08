"""`infx runners --tend`: a poisoned runner is recorded, taken out where the token may, and comes back."""

import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from infx import tend
from infx.cli import main
from infx.draft import Change, draft
from infx.edge import settings
from infx.edge.api import Denied
from infx.edge.git import Git
from infx.edge.store import POISONED, Store, lines
from infx.edge.survey import Survey
from infx.edge.world import World
from infx.errors import BadInput
from infx.fleet import Ended
from infx.jobs import runners
from infx.poison import Care, Mark, Move
from tests.jobs.test_protected import REPO, Place, R, commit
from tests.repo import MASTER, Repo, entry

pytestmark = pytest.mark.forge
NODE, POOL, PROBE = "local_0", "cluster:local", "infx-probe-local_0"


class Ward:
    """A repository of one registered runner, on which cells ended as the test says."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.place, self.folder, self.ended, self.probed = (
            Place(folder),
            folder,
            list[Ended](),
            dict[str, str](),
        )
        self.place.init()
        commit(self.place)
        assert self.place.git("push", "-q", "origin", "main").returncode == 0
        self.place.forge.runner(NODE, [POOL], repo=REPO)
        monkeypatch.setattr(runners, "ended", lambda github, rules: self.ended)
        monkeypatch.setattr(runners, "proven", lambda github, ended: ended)
        monkeypatch.setattr(runners, "probed", lambda github, run: self.probed)

    def infx(self, *words: str, token: str = "", **env: str) -> str:
        out, outputs = (self.folder / name for name in ("out", "outputs"))
        known = {"GITHUB_REPOSITORY": REPO, "GITHUB_API_URL": self.place.forge.api, "FORGE_ACTOR": "olga"}
        given = {**known, "GITHUB_TOKEN": token or self.place.token, "GITHUB_OUTPUT": str(outputs), **env}
        with out.open("w+") as stream:
            world = World(env=given, cwd=self.place.clone, out=stream, err=stream)
            assert main(("runners", *words), world) in (0, 1, 3), out.read_text()
        return out.read_text()

    @property
    def labels(self) -> list[str]:
        (runner,) = self.place.client("GET", f"{R}/actions/runners").json["runners"]
        return [label["name"] for label in runner["labels"] if label["type"] == "custom"]

    @property
    def mark(self) -> Mark:
        store = Store(git=Git(self.place.clone), branch="infx-results")
        return Mark.from_json(store.read(POISONED)[NODE])

    @property
    def probe(self) -> str:
        """The newest output of the step."""
        return (self.folder / "outputs").read_text().splitlines()[-2]

    def state(self) -> str:
        (node,) = json.loads(self.infx("--json"))["details"]["nodes"]
        return f"{node['state']}: {node['why']}"

    def poison(self, run: int) -> None:
        self.ended.insert(0, Ended(node=NODE, reason="runner-poisoned", run=run))


@pytest.fixture
def ward(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ward]:
    made = Ward(tmp_path, monkeypatch)
    yield made
    made.place.forge.close()


def test_a_poisoned_runner_is_out_until_a_clean_probe(ward: Ward) -> None:
    ward.poison(5)
    assert "it lost cluster:local" in ward.infx("--tend")
    assert (ward.labels, ward.probe) == ([PROBE], f'[{{"node": "{NODE}", "pool": "{POOL}"}}]')
    assert ward.state().startswith("poisoned: its preflight in run 5 found what it could not mend; lost")
    ward.probed = {NODE: "failure"}
    assert "0 runners changed" in ward.infx("--tend")
    ward.probed = {NODE: "success"}
    assert "is well again and has cluster:local" in ward.infx("--tend")
    assert (ward.labels, ward.probe, ward.mark.standing) == ([POOL], "[]", False)
    ward.ended, ward.probed = [], {}
    assert ward.state().startswith("idle")
    assert "0 runners changed" in ward.infx("--tend")


def test_a_token_that_sees_no_runner_leaves_a_mark(ward: Ward) -> None:
    """A cell that succeeds on the node afterwards says that it is well."""
    ward.place.forge.role(REPO, "wanda", "write")
    token = ward.place.forge.user("wanda")
    ward.poison(5)
    assert "its labels stay on" in ward.infx("--tend", token=token)
    assert (ward.labels, ward.mark.standing, ward.mark.labels) == ([POOL], True, ())
    assert "its labels may still be on" in ward.state()
    ward.ended.insert(0, Ended(node=NODE, reason="", run=6))
    assert "local_0 is well again\n" in ward.infx("--tend", token=token)
    assert (ward.labels, ward.mark.standing) == ([POOL], False)


def test_another_token_sees_runners_and_the_jobs_own_writes_the_rest(ward: Ward) -> None:
    token = ward.place.forge.user("wanda")
    ward.place.forge.role(REPO, "wanda", "write")
    ward.poison(5)
    ward.infx("--tend", token=token, INFX_RUNNERS_TOKEN=ward.place.token)
    assert ward.labels == [PROBE]


def test_a_person_gives_the_labels_back(ward: Ward) -> None:
    ward.poison(5)
    ward.infx("--tend")
    ward.infx("--admit", NODE)
    assert (ward.labels, ward.mark.standing) == ([POOL], False)
    assert "0 runners changed" in ward.infx("--tend")


def test_labels_that_may_not_be_taken_stay_and_the_mark_says_so(
    ward: Ward, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(*words: Any) -> None:
        raise Denied(403, "no", where="PUT")

    monkeypatch.setattr("infx.edge.survey.Survey.relabel", denied)
    ward.poison(5)
    assert "may not take its labels" in ward.infx("--tend")
    assert (ward.labels, ward.mark.labels, ward.mark.standing) == ([POOL], (), True)


def test_a_label_that_is_off_already_is_known_and_comes_back(
    ward: Ward, monkeypatch: pytest.MonkeyPatch
) -> None:
    """404 is the answer to a repetition of what was done already."""
    survey, off = Survey.unlabel, list[str]()

    def unlabel(self: Survey, runner: int, label: str) -> None:
        survey(self, runner, label)
        off.append(label)
        raise Denied(404, "no", where="DELETE")

    monkeypatch.setattr(Survey, "unlabel", unlabel)
    ward.poison(5)
    ward.infx("--tend")
    assert (off, ward.labels, ward.mark.labels) == ([POOL], [PROBE], (POOL,))
    ward.probed = {NODE: "success"}
    ward.infx("--tend")
    assert (off, ward.labels, ward.mark.standing) == ([POOL, PROBE], [POOL], False)


def test_a_refusal_halfway_keeps_what_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Mark] = []

    def unlabel(runner: int, label: str) -> None:
        if label == "c":
            raise Denied(403, "no", where="DELETE")

    survey: Any = SimpleNamespace(relabel=lambda *_: None, unlabel=unlabel)
    world: Any = SimpleNamespace(note=lambda _: None)
    tender = tend.Tender(world=world, github=cast(Any, None), survey=survey, store=cast(Any, None))
    monkeypatch.setattr(tend.Tender, "write", lambda self, mark: written.append(mark))
    mark = Mark(node="n1", why="w", run=5, labels=("a", "b", "c"))
    done = tender.done(Move(care=Care.TAKE, mark=mark, runner=1, labels=("b", "c")))
    assert done is not None
    assert (done.labels, done.mark.labels, written[-1].labels) == (("b",), ("a", "b"), ("a", "b"))


GOOD = {"node": "n1", "why": "w", "run": 5, "labels": ["pool"], "standing": True}


@pytest.mark.parametrize(
    "bad",
    [
        {"labels": "pool"},
        {"labels": [["pool"]]},
        {"labels": ["a\nb"]},
        {"labels": None},
        {"node": "n2"},
        {"node": "n1\n"},
        {"why": 1},
        {"run": "5"},
        {"run": -1},
        {"run": True},
        {"standing": "no"},
        {"other": 1},
    ],
)
def test_a_record_that_is_none_is_named_and_stops_no_plan(bad: dict[str, Any]) -> None:
    store: Any = SimpleNamespace(read=lambda _: {"n1": GOOD | bad})
    with pytest.raises(BadInput, match=r"poisoned\.jsonl: the record of node 'n1'"):
        tend.marks(store)
    assert tend.unfit(store) == {}
    good: Any = SimpleNamespace(read=lambda _: {"n1": GOOD})
    assert tend.unfit(good) == {"n1": "w"}


def test_a_line_of_deep_nesting_is_no_record() -> None:
    deep = b'{"key": "n1", "value": ' + b"[" * 100_000
    with pytest.raises(BadInput, match=r"poisoned\.jsonl:1: not a record"):
        list(lines(deep, where=POISONED))


def test_only_a_node_that_github_names_is_believed() -> None:
    """A record is written by code of a pull request."""
    jobs = [SimpleNamespace(runner="n1", name="k C4", conclusion="failure")]
    github: Any = SimpleNamespace(jobs=lambda run, every_attempt=False: jobs if run == 5 else [])
    told = [Ended(node=node, reason="runner-poisoned", run=run) for node in ("n1", "n2") for run in (5, 6)]
    assert list(tend.proven(github, told)) == [told[0]]


def test_probes_of_a_run_are_read_by_name() -> None:
    names = {"probe n1": "success", "probe n2": "failure", "probe n3": None, "digest": "success"}
    jobs = [SimpleNamespace(name=name, conclusion=one) for name, one in names.items()]
    github: Any = SimpleNamespace(jobs=lambda run: jobs)
    assert tend.probed(github, 5) == {"n1": "success", "n2": "failure"}
    assert tend.probed(github, 0) == {}


def test_a_plan_warns_of_a_poisoned_node(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    changelog = repo.read("perf-changelog.yaml") + entry("m1-fp8-h200-sglang")
    master = MASTER.replace("[4, 8]", "[4, 16]")
    repo.commit({"configs/nvidia-master.yaml": master, "perf-changelog.yaml": changelog})
    change = Change(git=Git(tmp_path), rules=settings.load(tmp_path), base="main", head="HEAD")
    assert not any("poisoned" in one for one in draft(change).preview.warnings)
    warnings = draft(change, unfit={"n2": "full disk", "n9": "x"}).preview.warnings
    assert "cluster:h200-dgxc: n2, one of 2 nodes, is poisoned (full disk)" in warnings
