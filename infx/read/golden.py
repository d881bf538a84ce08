"""configs/golden-al/*.yaml → Curve: the numbers, and the comments that say where they come from."""

import re
from pathlib import PurePosixPath

from infx.errors import BadInput
from infx.golden import Curve
from infx.read import tables, yaml
from infx.read.place import At

SOURCE = re.compile(r"https?://\S+/actions/runs/\d+")
MOST = 1000
"""Characters of comments that are kept."""


def golden(data: bytes, *, where: str) -> Curve:
    """The curve of one file. BadInput outside 1 ≤ acceptance length ≤ draft length + 1."""
    modes = tables.curve(data, where=where)
    (model,) = At(yaml.load(data, where=where), where).fields()
    lines = data.decode("utf-8", "replace").splitlines()
    comments = [line.lstrip("# ").rstrip() for line in lines if line.lstrip().startswith("#")]
    first = SOURCE.search(comments[0]) if comments else None
    return Curve(
        name=PurePosixPath(where).stem,
        model=model,
        source=first[0] if first else "",
        said=" ".join(comments)[:MOST],
        values={mode: lengths(At(values, where, mode)) for mode, values in modes.items()},
    )


def lengths(at: At) -> dict[str, float]:
    found = {}
    for name in at.mapping():
        length = At(name, at.where, at.path).integer()
        value = At(at.mapping()[name], at.where, f"{at.path}.{name}").number()
        if not 1 <= value <= length + 1:
            raise BadInput(
                f"{at.path}.{name} is {value:g}", where=at.where, todo=f"give a length from 1 to {length + 1}"
            )
        found[str(length)] = value
    return found
