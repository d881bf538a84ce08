"""Cast: who takes part in the demo: a repository, people and runners, and eyes for what becomes of it."""

import os
import re
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from infx.edge import files, proc
from infx.edge.checks import Checks
from infx.edge.github import GitHub
from infx.edge.world import World
from infx.errors import CouldNotTell, Refused
from infx.event import Run
from infx.forge import sample
from infx.forge.forge import Forge
from infx.forge.serve import HOSTED, HOSTED_RUNNERS

REPOSITORY = "infx-dev/infx"
SWEEP = ".github/workflows/sweep.yml"
OWNERS = "* @mia\n/configs/ @nova\n/benchmarks/ @nova\n/perf-changelog.yaml @nova\n"
"""Who owns what: Nova signs for the hardware, Mia maintains the rest."""
PEOPLE = {"ann": "write", "nova": "write", "mia": "maintain"}
"""The author, the code owner of the hardware's vendor, and the maintainer."""
POOL = "cluster:local"
POOL_SIZE = 2
PATIENCE_S = 600
BOT = "github-actions[bot]"
_HIDDEN = re.compile(r"<!--.*?-->\n?", re.S)
_FOLD = re.compile(r"<details>.*?</details>\n*", re.S)


class Cast:
    """The stage of one demo."""

    def __init__(self, world: World, folder: Path, forge: Forge) -> None:
        self.world, self.folder, self.forge = world, folder, forge
        self.began = world.now()
        self.source = sample.repository(world.cwd, folder / "clone")
        files.write_text(self.source.root / ".github/CODEOWNERS", OWNERS)
        sample.commit(self.source, "Code owners")
        forge.create_repo(REPOSITORY, self.source.root)
        tokens = {login: forge.user(login) for login in PEOPLE}
        for login, role in PEOPLE.items():
            forge.role(REPOSITORY, login, role)
        self.ann, self.nova, self.mia = (forge.at(REPOSITORY, login) for login in PEOPLE)
        self.token = tokens["mia"]
        self.github = GitHub(REPOSITORY, self.token, forge.api)
        self.source("remote", "add", "origin", str(forge.store.repository(REPOSITORY).git_dir))
        self._runners()

    def _runners(self) -> None:
        clients = self.world.env.get("INFX_CLIENTS", str(self.world.cwd / ".venv-clients"))
        env = {"INFX_PYTHON": sys.executable, "INFX_CLIENTS": clients}
        for number in range(HOSTED_RUNNERS):
            self.forge.runner(f"hosted_{number}", [HOSTED], hosted=True, env=env)
        for number in range(POOL_SIZE):
            self.forge.runner(f"local_{number}", [POOL], env=env)

    # -- what is told

    def say(self, text: str) -> None:
        self.world.say(text)
        self.world.out.flush()

    def step(self, text: str) -> None:
        """One line of the story, with the seconds since its beginning."""
        self.say(f"\n[{self.world.now() - self.began:5.1f} s] {text}")

    def show(self, number: int, begins: str, *, lines: int = 24) -> str:
        """The first screen of one comment of the bot, before anything is unfolded; its whole text."""
        found = [one.body for one in self.github.comments(number) if one.author == BOT]
        body = next((one for one in found if one.startswith(begins)), "")
        plain = _FOLD.sub("", _HIDDEN.sub("", body)).replace("\\_", "_")
        shown = [line for line in plain.splitlines() if line.strip()]
        for line in shown[:lines]:
            self.say(f"  │ {line}")
        if len(shown) > lines:
            self.say(f"  │ … {len(shown) - lines} more lines")
        return body

    # -- what is done

    def infx(self, *words: str) -> str:
        """A command as Mia types it in her clone; its output."""
        env = {
            **{name: self.world.env[name] for name in ("PATH", "HOME", "LANG") if name in self.world.env},
            "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_TOKEN": self.token,
            "GITHUB_API_URL": self.forge.api,
            "FORGE_ACTOR": "mia",
            "PYTHONPATH": os.pathsep.join(path for path in (str(self.world.cwd), *sys.path) if path),
        }
        self.say(f"  $ infx {' '.join(words)}")
        done = proc.run(
            [sys.executable, "-m", "infx", *words], cwd=self.source.root, env=env, timeout_s=PATIENCE_S
        )
        said = done.err.decode(errors="replace") + done.out.decode(errors="replace")
        for line in said.splitlines()[-12:]:
            self.say(f"  │ {line}")
        if done.code != 0:
            raise Refused(f"infx {words[0]}: {done.complaint}", todo=f"look at {self.forge.url}")
        return said

    # -- what becomes of it

    def rest(self) -> None:
        """Until nothing goes on any more."""
        if not self.forge.wait_idle(PATIENCE_S):
            raise CouldNotTell(f"it did not end within {PATIENCE_S} s", todo=f"look at {self.forge.url}")

    def watch(self) -> Run:
        """Show every job of sweeps as it moves, until all has come to rest; the newest sweep."""
        seen: dict[int, str] = {}
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            idle = self.forge.wait_idle(0.5)
            for line in self._moved(seen):
                self.say(line)
            if idle:
                return max(self.sweeps(), key=lambda run: run.id)
        raise CouldNotTell(f"the sweep did not end within {PATIENCE_S} s", todo=f"look at {self.forge.url}")

    def sweeps(self) -> list[Run]:
        return self.github.runs(SWEEP)

    def _moved(self, seen: dict[int, str]) -> Iterator[str]:
        """One line for each job that is in another state than `seen` says; skipped ones are left out."""
        for run in reversed(self.sweeps()):
            for job in self.github.jobs(run.id):
                state = job.conclusion or job.status
                if state != "skipped" and seen.get(job.id) != state:
                    seen[job.id] = state
                    at = self.world.now() - self.began
                    yield f"[{at:5.1f} s]   sweep {run.id}  {job.name:<45} {state}"

    def jobs_of(self, sha: str) -> Sequence[str]:
        """One line for every run of a commit."""
        runs = [run for run in Checks(self.github).runs(sha) if run.event == "push"]
        return [f"{Path(run.path).stem:<12} {run.conclusion or run.status}" for run in runs]
