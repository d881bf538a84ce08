"""One engine on a memory store with a repository of its own."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from infx.forge.actions.engine import Engine
from infx.forge.actions.parser import Parser
from infx.forge.ports import Repository
from tests.forge_actions.memory import NAME, Memory, Tree, machine, push
from tests.forge_actions.results import Results, serving

WORKFLOWS = Path(__file__).parent / "workflows"


@dataclass
class Bench:
    """What a test of the engine drives and looks at."""

    tree: Tree
    store: Memory
    engine: Engine
    results: Results
    faults: list[str] = field(default_factory=list)

    def begin_of(self, workflow: str, *, files: dict[str, str] | None = None, **more: Any) -> int:
        """Push the text of a workflow and start it; the run's id."""
        sha = self.tree.commit({**(files or {}), ".github/workflows/w.yml": workflow})
        [run] = self.engine.deliver(push(sha, **more))
        return run

    def begin(self, name: str, **more: Any) -> int:
        """The same with a file of `workflows/`."""
        return self.begin_of((WORKFLOWS / f"{name}.yml").read_text(), **more)

    def again(self, run: int) -> int:
        """Deliver the push of `run` once more."""
        [other] = self.engine.deliver(push(self.store.run(run).sha))
        return other

    def result(self, name: str, **more: Any) -> int:
        """`begin`, and wait until nothing goes on."""
        return self._rested(self.begin(name, **more))

    def result_of(self, workflow: str, **more: Any) -> int:
        """`begin_of`, and wait until nothing goes on."""
        return self._rested(self.begin_of(workflow, **more))

    def _rested(self, run: int) -> int:
        assert self.engine.wait_idle(60)
        return run

    def until(self, true: Callable[[], bool], timeout_s: float = 20) -> None:
        end = time.monotonic() + timeout_s
        while not true():
            assert time.monotonic() < end, "it did not happen in time"
            time.sleep(0.02)

    def log_has(self, run: int, name: str, text: str) -> None:
        self.until(lambda: text in self.store.log(run, name))


@pytest.fixture
def results() -> Iterator[Results]:
    with serving() as server:
        yield server


@pytest.fixture
def bench(tmp_path: Path, results: Results, parser: Parser) -> Iterator[Bench]:
    tree = Tree(tmp_path)
    repository = Repository(
        full_name=NAME,
        git_dir=tree.bare,
        default_branch="main",
        owner="acme",
        variables={"PLACE": "lab"},
        secrets={"KEY": "s3cr3t-value"},
    )
    store = Memory(repo=repository, machines=[machine(number) for number in (1, 2, 3, 4)])
    faults: list[str] = []
    engine = Engine(
        store,
        folder=tmp_path / "forge",
        api_url="http://127.0.0.1:1/api/v3",
        results_url=results.url,
        log=faults.append,
        parser=parser,
    )
    yield Bench(tree=tree, store=store, engine=engine, results=results, faults=faults)
    engine.close()
    assert faults == []
