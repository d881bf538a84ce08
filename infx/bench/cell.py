"""Cell: launch → serve → measure → evaluate of one point. What it saw is returned, nothing is judged."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from infx import row
from infx.bench import evals, load, power, replay, tokenizer
from infx.bench.clients import client
from infx.bench.ready import probe
from infx.cluster import Cluster
from infx.launch import preflight
from infx.launch.base import Driver, Launch, Note
from infx.launch.brake import Brake
from infx.launch.environ import exported, inherited
from infx.launch.leftovers import MARK
from infx.launch.member import Member
from infx.launch.registry import made
from infx.launch.stages import serving
from infx.point import EVAL, Point
from infx.reason import Stopped

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
    tasks: str
    """Folder of accuracy tasks in the checkout."""
    script: str = ""
    """Script that starts the engine when it is not the point's own file: made of a recipe file."""
    members: Sequence[Member] = ()
    """What a recipe file starts when it is more than one engine."""

    @property
    def model(self) -> str:
        return str(self.point.row["model"])


def measure(cell: Cell, brake: Brake) -> list[row.Load] | list[row.Score]:
    """For each concurrency the load of a throughput point, or the score of an eval point. Stopped with the
    reason when there is neither. Power is sampled where there is one window to give it to."""
    client("python" if cell.point.mode == EVAL else "aiperf", cell.env, cell.root)
    ready(cell)
    driver = made(cell.cluster, launch(cell), brake, cell.note)
    if cell.point.mode == EVAL:
        return served(cell, driver, score)
    if not cell.cluster.power or len(cell.point.concurrencies) > 1:
        return served(cell, driver, drive)
    sampler = power.Sampler(cell.out, runner(cell))

    def metered(cell: Cell, driver: Driver) -> list[row.Load]:
        """The sampler ends here: afterwards the driver takes away all that bears the cell's mark."""
        try:
            seen = drive(cell, driver)
        finally:
            trace = sampler.stop()
        return [replace(one, power=trace, boot=power.boot()) for one in seen]

    try:
        return served(cell, driver, metered)
    finally:
        sampler.program.stop()


def served(cell: Cell, driver: Driver, run: Callable[[Cell, Driver], Seen]) -> Seen:
    """`run` while the engine serves; whatever happens, nothing of the engine is left."""
    with serving(driver, lambda url: probe(url, cell.model)):
        return run(cell, driver)


def ready(cell: Cell) -> None:
    """Mend what an earlier job left on the runner. Stopped when it is not fit for a cell."""
    found = preflight.check(cell.root, cell.cluster, env=inherited(cell.env), out=cell.out.parent)
    for one in found:
        cell.note(f"preflight: {one.kind}: {one.what}")
    preflight.fit(found)


def launch(cell: Cell) -> Launch:
    """What the driver is to start."""
    image, cluster = str(cell.point.row.get("image", "")), cell.cluster
    return Launch(
        root=cell.root,
        script=cell.script or cell.point.script,
        machine=runner(cell),
        env=environment(cell),
        out=cell.out,
        port=cluster.port,
        limits=cluster.limits,
        image=cluster.images.get(image, image),
        gpus=cell.point.gpus,
        runs=len(cell.point.concurrencies),
        model_path=cluster.staged(cell.model),
        members=cell.members,
        container=cluster.container,
        slurm=cluster.slurm,
    )


def environment(cell: Cell) -> dict[str, str]:
    """What an engine's script gets on top of the runner's environment; the row wins over the record."""
    return {
        "INFX_PYTHON": cell.python,
        **cell.cluster.env,
        **exported(cell.point.row),
        "MODEL_PATH": cell.cluster.staged(cell.model) or cell.model,
        "EVAL_ONLY": "true" if cell.point.mode == EVAL else "false",
    }


def runner(cell: Cell) -> dict[str, str]:
    """The machine's own environment, with the mark by which teardown finds what is left of the cell."""
    return {**inherited(cell.env), MARK: str(cell.out)}


def drive(cell: Cell, driver: Driver) -> list[row.Load]:
    """A run of aiperf for each concurrency, on one engine."""
    several = len(cell.point.concurrencies) > 1
    return [
        loaded(cell, driver, conc, raw=cell.out / (f"aiperf-c{conc}" if several else "aiperf"))
        for conc in cell.point.concurrencies
    ]


def loaded(cell: Cell, driver: Driver, conc: int, *, raw: Path) -> row.Load:
    """One run of aiperf; its files go to `raw`."""
    program = client("aiperf", cell.env, cell.root)
    name, env = tokenizer_of(cell)
    common = load.common(
        program, cell.cluster.load, url=driver.url, model=cell.model, tokenizer=name, out=raw
    )
    found = None
    if "isl" in cell.point.row:
        argv, requests = load.fixed(cell.point, cell.cluster.load, conc=conc)
    else:
        found, sessions = replay.read(cell.root, cell.cluster.load)
        trace = cell.out / "trace.jsonl" if sessions else cell.root / cell.cluster.load.corpus
        argv, requests = replay.arguments(
            cell.point, cell.cluster.load, sessions=sessions, trace=trace, fast_s=cell.fast_s
        )
    where = f" at C{conc}" if len(cell.point.concurrencies) > 1 else ""
    cell.note(f"measuring {requests or 'as many as possible'} requests{where}")
    seen = progress(raw / "profile_export.jsonl", requests)
    try:
        driver.run_client(
            [*common, *argv],
            env={**runner(cell), **env},
            log=cell.out / "client.log",
            progress=seen,
        )
    except Stopped as stop:
        blamed = load.blame(raw, stop)
        blamed.notes = (f"partial: {seen()}",)
        raise blamed from stop
    return load.outcome(raw, model=cell.model, requested=requests, corpus=found)


def score(cell: Cell, driver: Driver) -> list[row.Score]:
    """One run of lm-eval for each planned concurrency, on one engine."""
    python, task = client("python", cell.env, cell.root), str(cell.point.task)
    scores = []
    for conc in cell.point.concurrencies:
        raw = cell.out / f"{task}_conc{conc}"
        arguments = evals.arguments(
            cell.root / cell.tasks, task=task, url=driver.url, model=cell.model, conc=conc, out=raw
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
