"""Claim: what a cell holds outside its own processes, written before it is taken, for teardown."""

from collections.abc import Iterator
from pathlib import Path

from infx.edge import files
from infx.errors import BadInput

FILE = "claim.json"
LIMIT = 4096


def write(out: Path, *, driver: str, name: str) -> None:
    """The cell of `out` holds the container or job `name`."""
    files.write_json(out / FILE, {"driver": driver, "name": name})


def drop(out: Path) -> None:
    (out / FILE).unlink(missing_ok=True)


def below(folder: Path) -> Iterator[tuple[Path, str, str]]:
    """Results folder, driver and name of each claim that was not dropped; unreadable ones are left out."""
    for path in sorted(folder.glob(f"*/{FILE}")):
        try:
            value = files.read_json(path, limit=LIMIT)
            yield path.parent, str(value["driver"]), str(value["name"])
        except (BadInput, KeyError, TypeError):
            continue
