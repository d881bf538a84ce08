"""Claim: what a cell holds outside its own processes, written before it is taken, for teardown."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from infx.edge import files
from infx.errors import BadInput

FILE = "claim.json"
LIMIT = 4096


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One container or job."""

    driver: str
    name: str
    image: str = ""
    """Image of a container, which can also hand over files of other users."""


def write(out: Path, claim: Claim) -> None:
    """The cell whose results go to `out` holds this."""
    files.write_json(out / FILE, {"driver": claim.driver, "name": claim.name, "image": claim.image})


def drop(out: Path) -> None:
    (out / FILE).unlink(missing_ok=True)


def below(folder: Path) -> Iterator[tuple[Path, Claim]]:
    """Results folders and claims that were not dropped; unreadable ones are left out."""
    for path in sorted(folder.glob(f"*/{FILE}")):
        try:
            yield path.parent, Claim(**files.read_json(path, limit=LIMIT))
        except (BadInput, TypeError):
            continue
