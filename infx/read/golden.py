"""A file of golden acceptance lengths → Curve. docs/golden.md says how one is made."""

import re
from pathlib import PurePosixPath

from infx.errors import BadInput
from infx.golden import THINKING, Curve
from infx.read import yaml
from infx.read.place import At

SOURCE = re.compile(r"^#\s*source run:\s*(https://\S+)\s*$", re.IGNORECASE)

KEY = re.compile(r"[1-9][0-9]{0,2}")
"""A draft length; real ones have one digit or two."""
HIGHEST = 1000
"""No method accepts as many tokens."""


def curve(data: bytes, *, where: str) -> Curve:
    """The one model's curve. BadInput where a key is no draft length or a value no number."""
    text = data.decode("utf-8", "replace")
    head = [line for line in text.split("\n") if line.startswith("#")]
    source = SOURCE.match(text.split("\n", 1)[0])
    models = At(yaml.load(data, where=where), where).fields()
    if len(models) != 1:
        raise At(list(models), where).fail("exactly one model")
    ((model, modes),) = models.items()
    return Curve(
        name=PurePosixPath(where).stem,
        source=source[1] if source else "",
        model=model,
        about=" ".join(line.lstrip("# ") for line in head[1 if source else 0 :]),
        values={mode: _lengths(lengths) for mode, lengths in modes.fields().items() if _mode(mode, where)},
    )


def _mode(name: str, where: str) -> bool:
    if name not in THINKING:
        raise BadInput(f"{name!r} is no thinking mode", where=where, todo=f"write {' or '.join(THINKING)}")
    return True


def _lengths(at: At) -> dict[int, float]:
    found = {}
    for key, value in at.mapping().items():
        number = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= HIGHEST
        if not KEY.fullmatch(str(key)) or not number:
            raise at.fail("draft length: acceptance length")
        if int(key) in found:
            raise BadInput(f"K = {int(key)} is here twice", where=at.where, todo=f"keep one in `{at.path}`")
        found[int(key)] = float(value)
    return found
