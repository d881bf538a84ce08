"""`infx forge demo`: one pull request from label to results, on this machine, by the real workflow files."""

import argparse
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from infx.edge import archive, files, proc
from infx.edge.git import Git
from infx.edge.github import GitHub
from infx.edge.world import World
from infx.errors import BadInput, CouldNotTell, Refused
from infx.event import Run
from infx.forge import sample
from infx.forge.forge import Forge
from infx.forge.serve import HOSTED, HOSTED_RUNNERS, with_act
from infx.ledger import Ledger

FOLDER = Path(".infx/demo")
REPOSITORY = "infx-dev/infx"
SWEEP = ".github/workflows/sweep.yml"
MASTER = "configs/demo-master.yaml"
CHANGES = (("isl: 512", "isl: 384"), ("conc-list: [1, 2, 4, 8]", "conc-list: [1, 2, 4, 6]"))
"""What the pull request changes: one line of each demo key."""
POOL = "cluster:local"
POOL_SIZE = 2
PATIENCE_S = 600
LABEL = "full-sweep-fail-fast"
ARTIFACT_LIMIT = 32 * 1024 * 1024


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "example: infx forge demo --keep"
    parser.add_argument("--keep", action="store_true", help="leave the embedded GitHub up until interrupted")


def run(args: argparse.Namespace, world: World) -> int:
    """0 when every point of the sweep is valid."""
    folder = world.cwd / FOLDER
    shutil.rmtree(folder, ignore_errors=True)
    source = sample.repository(world.cwd, folder / "clone")
    with Forge.start(folder / "forge", with_act(folder / "forge", world)) as forge:
        demo = Demo(world, folder, source, forge)
        ledger = demo.life()
        if args.keep:
            world.say(f"\nthe embedded GitHub stays up at {forge.url}/{REPOSITORY}/pulls; Ctrl-C ends it")
            world.out.flush()
            while True:
                time.sleep(3600)
    return 0 if ledger.complete else Refused.exit_code


class Demo:
    """One life of one pull request."""

    def __init__(self, world: World, folder: Path, source: Git, forge: Forge) -> None:
        self.world, self.folder, self.source, self.forge = world, folder, source, forge
        self.began = world.now()
        forge.create_repo(REPOSITORY, source.root)
        token = forge.user("mia")
        forge.role(REPOSITORY, "mia", "maintain")
        self.mia = forge.at(REPOSITORY, "mia")
        self.github = GitHub(REPOSITORY, token, forge.api)
        self._runners()

    def _runners(self) -> None:
        clients = self.world.env.get("INFX_CLIENTS", str(self.world.cwd / ".venv-clients"))
        env = {"INFX_PYTHON": sys.executable, "INFX_CLIENTS": clients}
        for number in range(HOSTED_RUNNERS):
            self.forge.runner(f"hosted_{number}", [HOSTED], hosted=True, env=env)
        for number in range(POOL_SIZE):
            self.forge.runner(f"local_{number}", [POOL], env=env)

    def life(self) -> Ledger:
        """Opened, labelled, swept; the ledger of the sweep."""
        self.step("a contributor changes two config keys and adds the changelog entry")
        self.push_change()
        number = self.mia.open_pull("shorter-input", title="Shorter input for the demo keys")
        self.step(
            f"pull request #{number} is open, and its first sweep measures nothing; a maintainer sets {LABEL}"
        )
        self.mia.label(number, LABEL)
        sweep = self.watch()
        self.step("the pull request's status comment")
        self.world.say(self.status(number))
        return self.results(sweep)

    def step(self, text: str) -> None:
        self.world.say(f"\n[{self.world.now() - self.began:5.1f} s] {text}")
        self.world.out.flush()

    def push_change(self) -> None:
        """The change as a contributor makes it: an edit, `infx changelog new`, a commit, a push."""
        path = self.source.root / MASTER
        text = files.read_text(path)
        for old, new in CHANGES:
            if old not in text:
                raise BadInput(
                    f"{old!r} is gone", where=MASTER, todo="put it back, or change the demo's CHANGES"
                )
            text = text.replace(old, new)
        files.write_text(path, text)
        self.source("checkout", "--quiet", "-b", "shorter-input")
        sample.commit(self.source, "Shorter input")
        words = [
            "changelog",
            "new",
            "--base",
            "main",
            "--description",
            "Shorter input, to see the curve move",
        ]
        env = {**self.world.env, "GITHUB_REPOSITORY": REPOSITORY}
        done = proc.run([sys.executable, "-m", "infx", *words], cwd=self.source.root, env=env)
        if done.code != 0:
            raise Refused(f"infx changelog new: {done.complaint}", todo="see docs/matrix.md")
        sample.commit(self.source, "Changelog entry")
        bare = self.forge.store.repository(REPOSITORY).git_dir
        self.source("push", "--quiet", str(bare), "shorter-input")
        self.mia.pushed()

    def watch(self) -> Run:
        """Show every job as it moves, until the sweep and what follows it have come to rest."""
        seen: dict[int, str] = {}
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            idle = self.forge.wait_idle(0.5)
            for line in self.moved(seen):
                self.world.say(line)
                self.world.out.flush()
            if idle:
                return max(self.sweeps(), key=lambda run: run.id)
        raise CouldNotTell(f"the sweep did not end within {PATIENCE_S} s", todo=f"look at {self.forge.url}")

    def sweeps(self) -> list[Run]:
        return self.github.runs(SWEEP)

    def moved(self, seen: dict[int, str]) -> Iterator[str]:
        """One line for each job that is in another state than `seen` says; skipped ones are left out."""
        for run in reversed(self.sweeps()):
            for job in self.github.jobs(run.id):
                state = job.conclusion or job.status
                if state != "skipped" and seen.get(job.id) != state:
                    seen[job.id] = state
                    at = self.world.now() - self.began
                    yield f"[{at:5.1f} s]   sweep {run.id}  {job.name:<45} {state}"

    def status(self, number: int) -> str:
        """The bot's comment, without its hidden marks."""
        bodies = [one.body for one in self.github.comments(number) if one.author == "github-actions[bot]"]
        lines = [line for body in bodies for line in body.splitlines() if not line.startswith("<!--")]
        return "\n".join(f"  {line}" for line in lines)

    def results(self, sweep: Run) -> Ledger:
        """Keep report and ledger of the sweep beside the forge."""
        stored = {artifact.name: artifact for artifact in self.github.artifacts(sweep.id)}
        if "ledger" not in stored:
            raise Refused(f"run {sweep.id} left no ledger", todo=f"read its jobs in {self.folder}")
        for name in ("ledger", "report"):
            data = self.github.download(stored[name], limit=ARTIFACT_LIMIT)
            for path, content in archive.unpack(data, where=name).items():
                files.write_bytes(self.folder / name / path, content)
        ledger = Ledger.from_json(files.read_json(self.folder / "ledger" / "ledger.json"))
        counts = ", ".join(f"{count} {state}" for state, count in ledger.counts.items())
        self.step(
            f"the ledger of run {sweep.id}: {counts}; results page {self.folder / 'report' / 'index.html'}"
        )
        return ledger
