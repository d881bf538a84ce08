"""The wheel, and the wheel made of the sdist, work where there is no checkout."""

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from infx.edge import shipped
from infx.forge import sample
from infx.starter import PIECES

ROOT = Path(__file__).parent.parent
BUILD = "from setuptools import build_meta as b; import sys; print(getattr(b, sys.argv[1])(sys.argv[2]))"


def build(kind: str, source: Path, out: Path) -> Path:
    done = subprocess.run(
        [sys.executable, "-c", BUILD, f"build_{kind}", str(out)],
        cwd=source,
        capture_output=True,
        text=True,
        check=True,
    )
    return out / done.stdout.split()[-1]


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """By what they were made of; of a copy, since setuptools leaves its work beside the sources."""
    folder = tmp_path_factory.mktemp("package")
    source = folder / "source"
    sample.repository(ROOT, source)
    sdist = build("sdist", source, folder)
    with tarfile.open(sdist) as archive:
        archive.extractall(folder / "unpacked", filter="data")
    (unpacked,) = (folder / "unpacked").iterdir()
    (folder / "second").mkdir()
    made = {"checkout": build("wheel", source, folder), "sdist": build("wheel", unpacked, folder / "second")}
    for name, wheel in made.items():
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder / "site" / name)
    return {name: folder / "site" / name for name in made}


def infx(site: Path, folder: Path, *words: str) -> str:
    env = {**os.environ, "PYTHONPATH": str(site)}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "infx", *words], cwd=folder, env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("made_of", ["checkout", "sdist"])
def test_a_package_initialises_a_repository(wheels: dict[str, Path], tmp_path: Path, made_of: str) -> None:
    site = wheels[made_of]
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    infx(site, tmp_path, "init")
    written = {piece.path for piece in PIECES if (tmp_path / piece.path).is_file()}
    assert written == {piece.path for piece in PIECES}
    assert os.access(tmp_path / ".github/actions/setup/bin/infx", os.X_OK)


@pytest.mark.parametrize("made_of", ["checkout", "sdist"])
def test_a_package_knows_its_commit(wheels: dict[str, Path], tmp_path: Path, made_of: str) -> None:
    said = infx(wheels[made_of], tmp_path, "--version")
    commit = (wheels[made_of] / "infx" / "commit").read_text()
    assert len(commit) == 40
    assert commit[:12] in said
    assert wheels[made_of] / "infx" != shipped.PACKAGE
