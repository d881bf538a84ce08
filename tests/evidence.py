"""Evidence: the page of the sweep on a real H200, made again from the raw results that were kept.

`python -m tests.evidence` writes docs/evidence/h200/index.html anew, from what client and sampler wrote, and
through the code that measures, collects and reports today.
"""

import json
import re
import sys
import tarfile
import tempfile
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

from infx.bench import load
from infx.cli import main
from infx.edge import artifacts
from infx.edge.world import World
from infx.plan import Plan
from infx.record import FILE, Record
from infx.results import normalize
from infx.row import Corpus

HOME = Path(__file__).parents[1] / "docs" / "evidence" / "h200"
RAW, PAGE = HOME / "raw.tar.xz", HOME / "index.html"
NOTES = (
    "The weights are random: throughput, latency and power are real, the text is not, and accuracy was not"
    " measured.",
    "The engine is vLLM 0.25.1 from its wheel, not the image that the rows name; in its main library the code"
    " for other GPU generations was overwritten. README.md beside this page tells the rest.",
)
"""What a reader must know that no result holds."""


def unpacked(folder: Path) -> Path:
    """The output folder of the sweep as the machine left it."""
    with tarfile.open(RAW, "r:xz") as archive:
        archive.extractall(folder, filter="data")
    return folder / "sweep"


def records(sweep: Path) -> dict[Path, Record]:
    """Folder of each point → its record as the machine wrote it."""
    found = sorted(sweep.glob(f"points/*/{FILE}"))
    return {path.parent: artifacts.record_of(path.read_bytes(), path.parent.name) for path in found}


def row(plan: Plan, folder: Path, record: Record) -> dict[str, Any]:
    """The published row of a point, made of the client's files anew; energy is judged by collection."""
    kept = dict(record.result or {})
    corpus = Corpus(**kept["corpus"]) if kept.get("corpus") else None
    seen = load.outcome(folder / "aiperf", model=kept["model"], requested=0, corpus=corpus)
    return normalize.load_row(plan.by_id[record.point], seen)


def remade(folder: Path) -> str:
    """The page, by way of `infx job collect` and `infx report`."""
    sweep = unpacked(folder)
    plan = artifacts.plan_at(sweep / "plan")
    assert plan is not None
    for place, record in records(sweep).items():
        known = {**(record.result or {}), **row(plan, place, record)}
        (place / FILE).write_text(json.dumps(replace(record, result=known).as_json()))
    notes = [word for note in NOTES for word in ("--note", note)]
    _infx(folder, "job", "collect", "--plan", "sweep/plan", "--records", "sweep/points", "--out", "made")
    _infx(folder, "report", "--ledger", "made/ledger", "--out", "page", *notes)
    return (folder / "page" / "index.html").read_text()


def _infx(folder: Path, *argv: str) -> None:
    said = StringIO()
    world = World(env={"HOME": str(Path.home())}, cwd=folder, out=said, err=said)
    if main(list(argv), world) != 0:
        raise SystemExit(said.getvalue())


def told(page: str) -> str:
    """What a page says, without the scripts, the style and the vocabulary that every page shares."""
    shared = re.compile(
        r"<script>.*?</script>|<style>.*?</style>|<script[^>]* id=\"(words|specs)\">.*?</script>", re.S
    )
    return shared.sub("", page)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as scratch:
        PAGE.write_text(remade(Path(scratch)))
    sys.stdout.write(f"{PAGE}: {PAGE.stat().st_size} bytes\n")
