"""Every recorded case, in process: the same rows, and a refusal where there was one."""

from collections.abc import Callable
from typing import Any

import pytest

from infx.cli import parser_for
from infx.edge import proc
from infx.edge.checkout import Paths, added_entries, catalog_at
from infx.edge.git import Git
from infx.errors import InfxError
from infx.jobs.generate import options
from infx.matrix import generate, plan, schema
from infx.recipe import Catalog
from tests.oracle.recorded import BUNDLE, STEPS, bag, cases

pytestmark = pytest.mark.oracle
PATHS = Paths(
    masters=("configs/amd-master.yaml", "configs/nvidia-master.yaml"), runners="configs/runners.yaml"
)
CHANGELOG = "perf-changelog.yaml"


@pytest.fixture(scope="session")
def states(tmp_path_factory: pytest.TempPathFactory) -> Git:
    root = tmp_path_factory.mktemp("recorded") / "data"
    done = proc.run(["git", "clone", "--quiet", "--no-checkout", str(BUNDLE), str(root)])
    assert done.code == 0, done.complaint
    return Git(root)


@pytest.fixture
def catalog(states: Git) -> Callable[[str], Catalog]:
    """Catalog of a tag; each state is read once a test."""
    read: dict[str, Catalog | InfxError] = {}

    def at(tag: str) -> Catalog:
        if tag not in read:
            try:
                read[tag] = catalog_at(states, states.resolve(tag), paths=PATHS)
            except InfxError as problem:
                read[tag] = problem
        found = read[tag]
        if isinstance(found, InfxError):
            raise found
        return found

    return at


def rows(flags: list[str], head: Callable[[], Catalog]) -> Any:
    args = parser_for(["matrix", "generate"]).parse_args(["matrix", "generate", *flags])
    chosen = options(args)
    if set(args.config_files) != set(PATHS.masters):
        raise InfxError("a master file that no state has")
    if isinstance(chosen, generate.FullSweep):
        jobs = generate.full_sweep(head(), chosen)
    else:
        jobs = generate.test_config(head(), chosen)
    schema.check(jobs)
    return [job.row for job in jobs]


def sweep(case: dict[str, Any], states: Git, catalog: Callable[[str], Catalog]) -> Any:
    base, head = case["base"], case["head"]
    flags = {word.removeprefix("--").replace("-", "_"): True for word in case["flags"]}
    found = plan.sweep(
        added_entries(states, CHANGELOG, base=states.resolve(base), head=states.resolve(head)),
        catalog(head),
        refs=(base, head),
        flags=plan.Flags(**flags),
        base=lambda: catalog(base),
    )
    schema.check([*found.throughput, *found.evals])
    return found.as_json()


def answer(case: dict[str, Any], states: Git, catalog: Callable[[str], Catalog]) -> Any:
    """Multiset of the output, or what was refused."""
    try:
        if case["kind"] == "changelog":
            return bag(sweep(case, states, catalog))
        return bag(rows(case["flags"], lambda: catalog(case["head"])))
    except (InfxError, SystemExit) as refusal:
        return f"refused: {refusal}"


@pytest.mark.parametrize("step", STEPS)
def test_step_is_identical(step: str, states: Git, catalog: Callable[[str], Catalog]) -> None:
    for case in cases(step):
        got = answer(case, states, catalog)
        what = f"{case['kind']} {case['flags']}"
        if case["status"]:
            assert isinstance(got, str), f"{what} should be refused: {case['reason']}"
        else:
            assert got == bag(case["output"]), what
