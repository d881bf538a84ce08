"""`python -m benchmarks.history OUT [ROWS]` writes the page of a history, marked as simulated, with rows of a
real H200 beside it.

Changes are those of the recorded sweeps (INFX_ORACLE), else a history of our own.
"""

import os
import sys
from pathlib import Path

from benchmarks.history.changes import own, recorded
from benchmarks.history.made import beside, shown
from infx import press
from infx.edge import artifacts
from infx.flat import Flat
from infx.results.about import rows

EVIDENCE = Path(__file__).parents[2] / "docs" / "evidence" / "h200"


def measured() -> list[Flat]:
    """Rows of the sweep on one H200."""
    plan = artifacts.plan_at(EVIDENCE)
    assert plan is not None
    return rows(plan, artifacts.ledger((EVIDENCE / "ledger.json").read_bytes()))[0]


def main(out: str, least: str = "2000") -> None:
    folder = Path(os.environ.get("INFX_ORACLE", "../shared/oracle"))
    changes = list(recorded(folder)) or list(own())
    page = Path(out) / "index.html"
    press.write(page, beside(shown(changes, least=int(least)), measured()), os.environ)
    sys.stdout.write(f"{page}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
