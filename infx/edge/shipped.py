"""Shipped: the files that `infx init` writes, out of a checkout of infx or out of the installed package."""

from pathlib import Path

from infx.edge import files
from infx.edge.git import Git
from infx.starter import Piece

PACKAGE = Path(__file__).parent.parent
ADOPT = "adopt:"


def data(piece: Piece) -> bytes:
    """Content of a piece as it ships."""
    if piece.source.startswith(ADOPT):
        return files.read_bytes(PACKAGE / "adopt" / piece.source.removeprefix(ADOPT))
    carried = PACKAGE / "carried"
    return files.read_bytes((carried if carried.exists() else PACKAGE.parent) / piece.source)


def commit() -> str:
    """Commit of this infx: what git says of a checkout, or what was written when the package was built."""
    root = PACKAGE.parent
    if (root / ".git").exists():
        return Git(root).resolve("HEAD")
    built = PACKAGE / "commit"
    return files.read_text(built).strip() if built.exists() else ""
