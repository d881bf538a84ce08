"""The real workflow files of this repository."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from infx.forge.actions.parser import Parser

FOLDER = Path(__file__).parents[2] / ".github" / "workflows"


@cache
def workflows() -> Mapping[str, Path]:
    """Paths by their plain name."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.yml"))}


@cache
def documents() -> Mapping[str, dict[str, Any]]:
    """As GitHub reads them, anchors and implied conditions filled in."""
    with Parser() as parser:
        return {name: parser.parse(path, name=path.name) for name, path in workflows().items()}
