"""Members: the engines and the frontend of a point that needs several processes, and the place of each. Pure.

Variables that a member gets, beside what every script gets, are in benchmarks/README.md.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

PORTS = ("PORT", "BOOT_PORT", "DIST_PORT")
"""Ports of a member: it serves on the first; engines meet for a transfer on the second, and one engine's own
processes on the third."""


@dataclass(frozen=True, kw_only=True)
class Member:
    """One process, or one engine over several nodes."""

    role: str
    """`prefill`, `decode`, `aggregated` or `frontend`."""
    index: int
    script: str
    """Path of what starts it."""
    gpus: int
    """0 for a frontend."""
    front: bool
    """The client talks to this one."""

    @property
    def name(self) -> str:
        """`prefill-0`; also the name of its log."""
        return f"{self.role}-{self.index}"

    @property
    def prefix(self) -> str:
        """Beginning of the variables that tell the others of it: `PREFILL_0`."""
        return f"{self.role}_{self.index}".upper()


@dataclass(frozen=True, kw_only=True)
class Place:
    """GPUs of a member, counted from the first node of the job."""

    node: int
    nodes: int
    first: int
    """First GPU on each of its nodes."""
    gpus: int
    """On each of its nodes."""

    @property
    def devices(self) -> str:
        return ",".join(str(self.first + one) for one in range(self.gpus))


def places(members: Iterable[Member], gpus_per_node: int) -> list[Place]:
    """In order, node after node. An engine that fits into a node lies on one."""
    found, node, used = [], 0, 0
    for one in members:
        if one.gpus == 0:
            found.append(Place(node=0, nodes=1, first=0, gpus=0))
            continue
        whole = -(-one.gpus // gpus_per_node)
        each = -(-one.gpus // whole)
        if used + each > gpus_per_node:
            node, used = node + 1, 0
        found.append(Place(node=node, nodes=whole, first=used, gpus=each))
        # An engine over several nodes leaves its last one to nobody.
        node, used = (node, used + each) if whole == 1 else (node + whole - 1, gpus_per_node)
    return found


def nodes(members: Iterable[Member], gpus_per_node: int) -> int:
    """Nodes that they take together."""
    return max((one.node + one.nodes for one in places(members, gpus_per_node)), default=1)


def on_node(members: Iterable[Member], gpus_per_node: int) -> int:
    """Most GPUs that they take on one node."""
    return max((one.first + one.gpus for one in places(members, gpus_per_node)), default=0)


def addresses(
    members: Sequence[Member], urls: Mapping[str, str], ports: Mapping[str, Mapping[str, int]]
) -> dict[str, str]:
    """Variables by which each member finds the others; `urls` and `ports` by the members' names."""
    found = {}
    for one in members:
        found[f"{one.prefix}_URL"] = urls[one.name]
        found[f"{one.prefix}_BOOT_PORT"] = str(ports[one.name]["BOOT_PORT"])
    return found
