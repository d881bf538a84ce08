"""Maintainer: somebody with a clone of a life's repository, who runs infx in it."""

import io
import json
import os
import subprocess
from pathlib import Path
from typing import Any

from infx.cli import main
from infx.edge.git import Git
from infx.edge.store import Store, published
from infx.edge.world import World
from tests.lives.world import NAME, Life


class Maintainer:
    """A clone of the repository, and somebody with a token who works in it."""

    def __init__(self, life: Life, folder: Path) -> None:
        self.life, self.folder = life, folder
        source = life.store.repository(NAME).git_dir
        subprocess.run(["git", "clone", "-q", str(source), str(folder)], check=True)
        for name, value in (("name", "mia"), ("email", "mia@users.noreply.github.com")):
            self.git("config", f"user.{name}", value)

    def git(self, *words: str) -> str:
        env = {**os.environ, "FORGE_ACTOR": "mia"}
        done = subprocess.run(
            ["git", "-C", str(self.folder), *words], capture_output=True, text=True, check=True, env=env
        )
        return done.stdout.strip()

    def infx(self, *argv: str) -> tuple[int, str, str]:
        """Exit number and both streams of one command."""
        out, err = io.StringIO(), io.StringIO()
        known = {
            "GITHUB_REPOSITORY": NAME,
            "GITHUB_TOKEN": self.life.token,
            "GITHUB_API_URL": self.life.forge.api,
            "FORGE_ACTOR": "mia",
        }
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        code = main(argv, World(env={**kept, **known}, cwd=self.folder, out=out, err=err))
        return code, out.getvalue(), err.getvalue()

    def rows(self, commit: str) -> dict[str, Any]:
        return self.records(published(commit))

    def records(self, file: str) -> dict[str, Any]:
        """Newest records of one file of the store."""
        return dict(Store(git=Git(self.folder), branch="infx-results").read(file))

    def audit(self) -> dict[str, Any]:
        self.git("fetch", "-q", "origin")
        self.git("checkout", "-q", "--detach", "origin/main")
        code, out, _ = self.infx("audit", "--json")
        return {**json.loads(out), "exit": code}
