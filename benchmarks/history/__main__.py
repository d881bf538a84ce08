"""`python -m benchmarks.history OUT [ROWS]` writes the page of a history, marked as simulated.

Changes are those of the recorded sweeps (INFX_ORACLE), else a history of our own.
"""

import os
import sys
from pathlib import Path

from benchmarks.history.changes import own, recorded
from benchmarks.history.made import shown
from infx import press


def main(out: str, least: str = "2000") -> None:
    folder = Path(os.environ.get("INFX_ORACLE", "../shared/oracle"))
    changes = list(recorded(folder)) or list(own())
    page = Path(out) / "index.html"
    press.write(page, shown(changes, least=int(least)), os.environ)
    sys.stdout.write(f"{page}\n")


main(*sys.argv[1:])
