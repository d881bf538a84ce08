"""History: recorded changes of benchmark configs, from a git bundle with tags `<step>-base` and `<step>`."""

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from infx.edge import files, proc
from infx.edge.git import Git
from infx.errors import BadInput

BUNDLE = "data-history.bundle"
INDEX = "index.jsonl"
FAMILY = "history"
"""Steps of the main line; the others are proposals and examples."""


def steps(folder: Path) -> list[str]:
    """Names of the recorded changes of the main line, oldest first."""
    lines = files.read_text(folder / INDEX).splitlines()
    try:
        found = [json.loads(line) for line in lines if line.strip()]
        return sorted(str(one["step"]) for one in found if one["family"] == FAMILY)
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(
            "not an index of steps", where=str(folder / INDEX), todo="check INFX_ORACLE"
        ) from error


@contextmanager
def unbundled(folder: Path) -> Iterator[Git]:
    """The recorded repository, as long as it is looked at."""
    with tempfile.TemporaryDirectory(prefix="infx-history-") as place:
        words = ["git", "clone", "--quiet", "--bare", str((folder / BUNDLE).resolve()), place]
        done = proc.run(words, timeout_s=300)
        if done.code != 0:
            raise BadInput(
                f"not a git bundle: {done.complaint}", where=str(folder / BUNDLE), todo="check INFX_ORACLE"
            )
        yield Git(Path(place))
