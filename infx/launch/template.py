"""Fields in options of a cluster record: `--gres=gpu:{gpus}` becomes `--gres=gpu:8`. Pure.

`image` (as it is known on the nodes), `root` (checkout), `out` (results folder), `gpus` (of the point),
`model_path` (staged checkpoint), `mounts` (all three folders, `host:inside` with commas between them, as
container plugins of Slurm take them), and for Slurm `nodes` and `gpus_on_node`.
"""

import re
from collections.abc import Iterator, Sequence

from infx.launch.base import Launch
from infx.reason import Reason, Stopped

FIELD = re.compile(r"\{([a-z_]+)\}")


def mounts(launch: Launch) -> Iterator[str]:
    """Checkout, results, and the staged checkpoint where there is one, which nobody may write to."""
    yield f"{launch.root}:{launch.root}"
    if not launch.out.is_relative_to(launch.root):
        yield f"{launch.out}:{launch.out}"
    if launch.model_path:
        yield f"{launch.model_path}:{launch.model_path}:ro"


def fill(words: Sequence[str], launch: Launch) -> list[str]:
    """The words with their fields filled in. Stopped with `no-cluster` when one is unknown."""
    values = {
        "image": launch.image,
        "root": launch.root,
        "out": launch.out,
        "gpus": launch.gpus,
        "model_path": launch.model_path,
        "mounts": ",".join(mounts(launch)),
        "nodes": launch.nodes,
        "gpus_on_node": launch.gpus_on_node,
    }

    def value(match: re.Match[str]) -> str:
        if match[1] not in values:
            known = ", ".join(values)
            raise Stopped(Reason.NO_CLUSTER, f"option {match.string!r}: {match[0]} is none of {known}")
        return str(values[match[1]])

    return [FIELD.sub(value, word) for word in words]
