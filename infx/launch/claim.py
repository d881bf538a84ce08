"""Claim: what a cell holds outside its own processes, written before it is taken, for teardown."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from infx.edge import files
from infx.errors import BadInput

FILE = "claim.json"
PATTERN = "claim*.json"
LIMIT = 4096


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One container or job."""

    driver: str
    name: str
    image: str = ""
    """Image of a container, which can also hand over files of other users."""
    member: str = ""
    """Which of the cell's engines it is for, when there are several."""

    @property
    def file(self) -> str:
        return f"claim-{self.member}.json" if self.member else FILE


def write(out: Path, claim: Claim) -> None:
    """The cell whose results go to `out` holds this."""
    files.write_json(out / claim.file, dict(vars(claim)))


def drop(out: Path, claim: Claim) -> None:
    (out / claim.file).unlink(missing_ok=True)


def below(folder: Path) -> Iterator[tuple[Path, Claim]]:
    """Results folders and claims that were not dropped; unreadable ones are left out."""
    for path in sorted(folder.glob(f"*/{PATTERN}")):
        try:
            yield path.parent, Claim(**files.read_json(path, limit=LIMIT))
        except (BadInput, TypeError):
            continue
