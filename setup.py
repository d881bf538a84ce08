"""What pyproject.toml cannot say: a built package knows its commit, and carries what `infx init` writes."""

import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

ROOT = Path(__file__).parent
COMMIT = ROOT / "infx" / "commit"
"""In an sdist only: a checkout asks git."""


def commit() -> str:
    """Commit of this checkout, or the one that an sdist was made of; `""` when neither is known."""
    if not (ROOT / ".git").exists():
        return COMMIT.read_text().strip() if COMMIT.exists() else ""
    done = subprocess.run(["git", "-C", str(ROOT), "rev-parse", "HEAD"], capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def carried() -> Iterator[str]:
    """Files outside the package that `infx init` writes; `infx/starter.py` lists them and imports nothing."""
    place = importlib.util.spec_from_file_location("starter", ROOT / "infx" / "starter.py")
    starter = importlib.util.module_from_spec(place)
    sys.modules["starter"] = starter
    place.loader.exec_module(starter)
    return (piece.source for piece in starter.PIECES if ":" not in piece.source)


class BuildPy(build_py):
    """Editable installs leave the checkout as it is."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        package = Path(self.build_lib) / "infx"
        (package / "commit").write_text(commit())
        for path in carried():
            target = package / "carried" / path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, target)


class Sdist(sdist):
    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        (Path(base_dir) / "infx" / "commit").write_text(commit())


setup(cmdclass={"build_py": BuildPy, "sdist": Sdist})
