"""Cell: launch → serve → measure → evaluate of one point. What it saw is returned, nothing is judged."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from infx import row
from infx.bench import evals, load, power, tokenizer
from infx.bench.clients import client
from infx.bench.ready import probe
from infx.cluster import Cluster
from infx.launch.base import Driver, Launch, Note
from infx.launch.brake import Brake
from infx.launch.environ import exported, inherited
from infx.launch.leftovers import MARK
from infx.launch.registry import driver_of
from infx.point import EVAL, Point
from infx.reason import Reason, Stopped

Seen = TypeVar("Seen")


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One point on one machine."""

    point: Point
    cluster: Cluster
    root: Path
    """Checkout."""
    out: Path
    """Folder of this point's results; it exists."""
    env: Mapping[str, str]
    python: str
    """A Python with infx's libraries, for scripts that need one."""
    fast_s: int | None
    """Seconds of an agentic profile that was shortened (`agentx-fast`)."""
    note: Note
    script: str = ""
    """Script that starts the engine when it is not the point's own file: made of a recipe file."""

    @property
    def model(self) -> str:
        return str(self.point.row["model"])


def measure(cell: Cell, brake: Brake) -> row.Load | list[row.Score]:
    """Load of a throughput point, scores of an eval point. Stopped with the reason when there is neither."""
    launch = Launch(
        root=cell.root,
        script=cell.script or cell.point.script,
        env=environment(cell),
        out=cell.out,
        port=cell.cluster.port,
        limits=cell.cluster.limits,
    )
    driver = driver_of(cell.cluster)(launch, brake, cell.note)
    if cell.point.mode == EVAL:
        return served(cell, driver, score)
    if not cell.cluster.power:
        return served(cell, driver, drive)
    sampler = power.Sampler(cell.out, runner(cell))
    try:
        seen = served(cell, driver, drive)
    finally:
        trace = sampler.stop()
    return replace(seen, power=trace, boot=power.boot())


def served(cell: Cell, driver: Driver, run: Callable[[Cell, Driver], Seen]) -> Seen:
    """`run` while the engine serves; whatever happens, nothing of the engine is left."""
    try:
        driver.prepare()
        driver.start()
        cell.note("engine started")
        driver.wait_ready(lambda: probe(driver.url, cell.model))
        return run(cell, driver)
    finally:
        driver.stop()
        driver.collect()
        driver.clean_up()


def environment(cell: Cell) -> dict[str, str]:
    """Environment of the engine script: the runner's, the cluster record's, the row's; later ones win."""
    staged = cell.cluster.staged(cell.model)
    if staged and not Path(staged).exists():
        raise Stopped(Reason.MODEL_MISSING, f"{cell.model} is not staged at {staged}")
    return {
        **runner(cell),
        **cell.cluster.env,
        **exported(cell.point.row),
        "MODEL_PATH": staged or cell.model,
        "EVAL_ONLY": "true" if cell.point.mode == EVAL else "false",
        "INFX_PYTHON": cell.python,
    }


def runner(cell: Cell) -> dict[str, str]:
    """The machine's own environment, with the mark by which teardown finds what is left of the cell."""
    return {**inherited(cell.env), MARK: str(cell.out)}


def drive(cell: Cell, driver: Driver) -> row.Load:
    """One run of aiperf."""
    program = client("aiperf", cell.env, cell.root)
    raw = cell.out / "aiperf"
    name, env = tokenizer_of(cell)
    common = load.common(
        program, cell.cluster.load, url=driver.url, model=cell.model, tokenizer=name, out=raw
    )
    found = None
    if "isl" in cell.point.row:
        argv, requests = load.fixed(cell.point, cell.cluster.load)
    else:
        found, sessions = load.read_corpus(cell.root, cell.cluster.load)
        argv, requests = load.agentic(
            cell.point,
            cell.cluster.load,
            sessions=sessions,
            trace=cell.out / "trace.jsonl",
            fast_s=cell.fast_s,
        )
    cell.note(f"measuring {requests or 'as many as possible'} requests")
    try:
        driver.run_client(
            [*common, *argv],
            env={**runner(cell), **env},
            log=cell.out / "client.log",
            progress=progress(raw / "profile_export.jsonl", requests),
        )
    except Stopped as stop:
        raise load.blame(raw, stop) from stop
    return load.outcome(raw, model=cell.model, requested=requests, corpus=found)


def score(cell: Cell, driver: Driver) -> list[row.Score]:
    """One run of lm-eval for each planned concurrency, on one engine."""
    python, task = client("python", cell.env, cell.root), str(cell.point.task)
    scores = []
    for conc in cell.point.concurrencies:
        raw = cell.out / f"{task}_conc{conc}"
        arguments = evals.arguments(
            cell.root, task=task, url=driver.url, model=cell.model, conc=conc, out=raw
        )
        cell.note(f"evaluating {task} at C{conc}")
        driver.run_client(
            [python, *arguments],
            env=evals.environment(runner(cell)),
            log=cell.out / "client.log",
            progress=lambda: f"evaluating {task}",
        )
        scores.append(evals.outcome(raw / "results.json", task=task, conc=conc))
    return scores


def tokenizer_of(cell: Cell) -> tuple[str, dict[str, str]]:
    """Name of the tokenizer, and what the client's environment needs to find it without a network."""
    staged = cell.cluster.staged(cell.model)
    if staged:
        return tokenizer.STAGED, tokenizer.staged(Path(staged), cell.out / "tokenizer")
    if cell.cluster.tokenizer == "bytes":
        return tokenizer.NAME, tokenizer.write(cell.out / "tokenizer")
    return cell.cluster.tokenizer or cell.model, {}


def progress(records: Path, requests: int) -> Callable[[], str]:
    """Counts the client's records as they grow."""
    seen = [0, 0]

    def line() -> str:
        if records.is_file():
            with records.open("rb") as file:
                file.seek(seen[0])
                new = file.read()
            seen[0] += len(new)
            seen[1] += new.count(b"\n")
        return f"{seen[1]} requests done" + (f" ({requests} measured ones planned)" if requests else "")

    return line
