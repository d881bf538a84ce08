"""The slurm driver: the engine is a job on nodes of a cluster, seen from a machine that may submit jobs.

Checkout and results lie on a file system that nodes share. Clients run here and reach the engine by network.
"""

import contextlib
import os
import shutil
import socket
import time
from pathlib import Path

from infx.edge import files
from infx.launch import batch, claim, scheduler
from infx.launch.ask import ask
from infx.launch.base import Driver, Launch, Note
from infx.launch.brake import Brake, until
from infx.launch.claim import Claim
from infx.launch.docker import name_of
from infx.launch.health import healthy
from infx.launch.leftovers import MARK
from infx.launch.process import Guarded, tail
from infx.launch.spot import NOWHERE, Spot
from infx.launch.template import fill
from infx.reason import Reason, Stopped

FOLDER = "slurm"
"""Where job and driver leave words for each other, in the results folder."""
ACCOUNT = "slurm.json"
ENGINE = "engine"
"""What the job's script calls the engine of a point that has one."""
SETTLE_S = 10.0
"""How long Slurm may take to say how a job ended, or that a node is missing."""
PATIENCE_S = 600.0
"""How long the controller may be silent; jobs go on while it is restarted."""
TALK_S = 30.0
"""Seconds between two notes while the job waits for nodes."""
CHATTER = ("srun:", "slurmstepd:")
"""Beginnings of lines that Slurm adds to the engine's own."""


class Slurm(Driver):
    """Submits the script; Slurm's number of the job is known as soon as it was taken."""

    number = ""
    sentinel: Guarded | None = None
    watch: scheduler.Watch | None = None

    def __init__(self, launch: Launch, brake: Brake, note: Note) -> None:
        super().__init__(launch, brake, note)
        self.spots: dict[str, Spot] = {}
        self.well: set[str] = set()

    @property
    def folder(self) -> Path:
        return self.launch.out / FOLDER

    @property
    def name(self) -> str:
        return name_of(self.launch.out)

    @property
    def limit_s(self) -> float:
        return self.launch.limits.clean_up

    def prepare(self) -> None:
        """What nodes have is looked at on the node; here only that there is a controller."""
        done = ask(["scontrol", "ping"], env=self.launch.machine, limit_s=self.limit_s, brake=self.brake)
        if done.code:
            raise Stopped(Reason.LAUNCHER_FAILED, f"scontrol ping: {done.complaint or done.text.strip()}")
        options = fill(self.launch.slurm.srun, self.launch)
        files.empty(self.folder)
        script = batch.script(self.launch, folder=self.folder, options=options)
        files.write_text(self.folder / "job.sh", script)

    def start(self) -> None:
        claim.write(self.launch.out, Claim(driver="slurm", name=self.name))
        # Ends the job by its name, since infx may be killed before it knows the number.
        self.sentinel = Guarded(
            ["sleep", "infinity"],
            cwd=self.launch.out,
            env=self.launch.machine,
            log=self.launch.out / "driver.log",
            after=["scancel", f"--name={self.name}", f"--user={os.getuid()}"],
        )
        env = {**self.launch.machine, **self.launch.env}
        env.pop(MARK, None)  # the job's script is not the engine; it sets the mark for what it starts
        words = [*self.words(), str(self.folder / "job.sh")]
        self.say(f"sbatch {' '.join(words)}")
        self.number = scheduler.submit(words, env=env, limit_s=self.limit_s, brake=self.brake)
        claim.write(self.launch.out, Claim(driver="slurm", name=self.number))
        self.watch = scheduler.Watch(self.number, self.launch.machine, PATIENCE_S)
        self.note(f"Slurm job {self.number}")

    def words(self) -> list[str]:
        """Words of `sbatch` but the script; what the record says comes last and wins."""
        launch = self.launch
        seconds = launch.limits.ready + launch.runs * launch.limits.client + 60
        return [
            *(
                f"--job-name={self.name}",
                f"--comment={launch.out}",
                "--no-requeue",
                f"--nodes={launch.nodes}",
            ),
            *(f"--output={self.log}", "--open-mode=append", f"--time={-(-int(seconds) // 60)}"),
            *fill(launch.slurm.options, launch),
        ]

    def wait_started(self) -> None:
        """Until the job runs and has said where. Waiting is not held against a canary."""
        begin, talked = time.monotonic(), time.monotonic()

        def settled() -> bool:
            nonlocal talked
            if time.monotonic() - talked >= TALK_S:
                talked = time.monotonic()
                self.note(f"waiting for nodes: {self.job.why}")
            if self.job.state in scheduler.PENDING and self.job.why in scheduler.NEVER:
                raise Stopped(Reason.LAUNCHER_FAILED, f"the job cannot start: {self.job.why}")
            return self.told(batch.PLACE) != "" or self.told(batch.FAULT) != "" or self.job.over

        with self.brake.resting():
            if not self.brake.wait(settled, limit_s=self.launch.limits.queue):
                what = f"no nodes within {self.launch.limits.queue:g} s ({self.job.why})"
                raise Stopped(Reason.LAUNCHER_FAILED, what)
        self.place(time.monotonic() - begin)

    def place(self, waited_s: float) -> None:
        """Where the job is. Stopped when it said why it has no engine, or ended without a word."""
        if fault := self.told(batch.FAULT):
            reason, _, detail = fault.partition(" ")
            raise Stopped(Reason(reason), detail)
        if not (place := self.told(batch.PLACE)):
            raise self.death(self.job.code or 1, loading=True)
        hosts: dict[str, str] = {}
        for name, node, port in (line.split() for line in place.splitlines()):
            if node not in hosts:
                hosts[node] = scheduler.address(node, env=self.launch.machine, limit_s=self.limit_s)
            self.spots[name] = Spot(node=node, host=hosts[node], port=int(port))
            self.say(f"{name}: node {node} port {port} address {hosts[node]}")
        self.note(f"{', '.join(hosts)} after {waited_s:.1f} s")

    @property
    def job(self) -> scheduler.Job:
        return self.watch.look() if self.watch else scheduler.Job(state=scheduler.GONE)

    def told(self, name: str) -> str:
        """What the job's script said in a file; empty when it did not."""
        try:
            return (self.folder / name).read_text().strip()
        except OSError:
            return ""

    @property
    def front(self) -> Spot:
        """Where the client's requests go."""
        name = next((one.name for one in self.launch.members if one.front), ENGINE)
        return self.spots.get(name, NOWHERE)

    @property
    def port(self) -> int:
        return self.front.port

    @property
    def url(self) -> str:
        return self.front.url

    @property
    def ports(self) -> dict[str, int]:
        if not self.launch.members:
            return super().ports
        return {f"port {spot.port} of {name}": spot.port for name, spot in self.spots.items()}

    def pending(self) -> str:
        waiting = {name: spot for name, spot in self.spots.items() if name not in self.well | {ENGINE}}
        self.well |= {name for name, spot in waiting.items() if healthy(spot.url)}
        return ", ".join(name for name in waiting if name not in self.well)

    @property
    def gone(self) -> str:
        """Name of the member that ended first; empty when there is one engine, or none ended."""
        name = self.told(batch.CODE).partition(" ")[2]
        return "" if name == ENGINE else name

    def exit_code(self) -> int | None:
        if not self.number:
            return None
        if (code := self.told(batch.CODE).partition(" ")[0]).isdecimal():
            return int(code)
        job = self.job
        return job.code or 1 if job.over else None

    def last_words(self) -> str:
        log = self.launch.out / f"{self.gone}.log" if self.gone else self.log
        lines = [line.strip()[:300] for line in tail(log).split("\n") if line.strip()]
        lines = [line for line in lines if not line.startswith('Try "srun')]
        own = [line for line in lines if not line.startswith(CHATTER)]
        return (own or lines or [""])[-1]

    def tables(self) -> str:
        nodes = list(dict.fromkeys(spot.node for spot in self.spots.values()))
        count = (f"--nodes={len(nodes)}", f"--ntasks={len(nodes)}", "--ntasks-per-node=1")
        words = ("--overlap", f"--jobid={self.number}", *count, f"--nodelist={','.join(nodes)}")
        cat = ("cat", "/proc/net/tcp", "/proc/net/tcp6")
        with contextlib.suppress(Stopped):
            return ask(["srun", *words, *cat], env=self.launch.machine, limit_s=self.limit_s).text
        return ""

    def death(self, code: int, *, loading: bool) -> Stopped:
        """Slurm's word for the end of a job, when it has one, is better than an exit code."""
        with contextlib.suppress(Stopped):
            until(lambda: self.job.over, SETTLE_S)
        state = self.watch.last.state if self.watch else scheduler.GONE
        if state in scheduler.LOST or self.lost():
            return Stopped(Reason.NODE_LOST, f"Slurm job {self.number}: {state.lower()} ({self.nodes})")
        if state in scheduler.LIMIT:
            return Stopped(Reason.TIME_LIMIT, f"Slurm job {self.number} reached its time limit")
        if state == scheduler.CANCELLED:
            return Stopped(Reason.CANCELLED, f"Slurm job {self.number} was cancelled")
        stop = super().death(code, loading=loading)
        return Stopped(stop.reason, f"{self.gone}: {stop.detail}") if self.gone else stop

    @property
    def nodes(self) -> str:
        return self.watch.last.nodes if self.watch else ""

    def lost(self) -> bool:
        """Whether Slurm misses a node of the job."""
        if not self.nodes:
            return False
        with contextlib.suppress(Stopped):
            return scheduler.sick(self.nodes, env=self.launch.machine, limit_s=self.limit_s)
        return False

    def silence(self) -> Stopped | None:
        """A client that fails may be the first to notice that the node is gone; Slurm takes longer."""
        if self.lost():
            return self.death(1, loading=False)
        try:
            socket.create_connection((self.front.host, self.port), timeout=2).close()
        except OSError:
            if until(lambda: self.exit_code() is not None or self.lost(), SETTLE_S):
                return self.death(self.exit_code() or 1, loading=False)
            return Stopped(Reason.ENGINE_DIED, f"the engine at {self.url} does not answer any more")
        return None

    def stop(self) -> None:
        """Asked first, through the job's script, which ends what detached itself; then made to."""
        try:
            if self.watch and not self.watch.last.over:
                self.watch.hurry()
                self.end_job()
        finally:
            if self.sentinel:
                self.sentinel.stop()

    def end_job(self) -> None:
        grace = self.launch.limits.grace
        if self.told(batch.PLACE):
            self.end("--signal=TERM", "--batch", within_s=grace + 1)
            self.end("--signal=KILL", within_s=grace + 2)
        self.end(within_s=grace + 2)
        self.end("--signal=KILL", "--full", within_s=self.limit_s)

    def end(self, *words: str, within_s: float) -> None:
        """One `scancel`, and time for it to have an effect; nothing once the job is over."""
        if not self.job.over:
            self.say(f"scancel {' '.join(words)} {self.number}")
            scheduler.cancel([*words, self.number], env=self.launch.machine, limit_s=self.limit_s)
            until(lambda: self.job.over, within_s)

    def collect(self) -> None:
        """Slurm's own record of the job, and bounded logs."""
        if self.number:
            env, limit_s = self.launch.machine, self.limit_s
            if record := scheduler.account(self.number, env=env, limit_s=limit_s):
                files.write_json(self.launch.out / ACCOUNT, record)
        super().collect()

    def clean_up(self) -> None:
        """Stopped while the job is not over, so that the claim stays for teardown."""
        if self.watch:
            self.watch.close()
            if not self.watch.last.over:
                raise Stopped(Reason.LAUNCHER_FAILED, f"Slurm job {self.number} is {self.watch.last.state}")
        shutil.rmtree(self.folder, ignore_errors=True)
        claim.drop(self.launch.out, Claim(driver="slurm", name=self.name))
