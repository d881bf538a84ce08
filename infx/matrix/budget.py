"""Host memory that a row may use for KV offload."""

from infx.errors import Refused
from infx.recipe import AgenticItem, Config, Engine, Hardware, Runners, Search

_MOST_MIB = 2_861_022
"""3 TB in MiB: more than this is never handed out."""
_MIB = 1_048_576
_GB = 10**9


def dram_gb(entry: Search, item: AgenticItem, *, config: Config, runners: Runners) -> int:
    """GB (10⁹ bytes, rounded down) for the GPUs of one engine or prefill worker; 0 without offload.

    Refused when the runner has no hardware record or the engine does not fit its nodes.
    """
    if entry.offload is None or item.dram_utilization is None:
        return 0
    hardware = runners.hardware.get(config.runner)
    if hardware is None:
        raise _refused(
            config,
            f"offload to DRAM, but runner `{config.runner}` has no hardware record",
            todo="add it under `hardware` in the runners file",
        )
    share, parts = item.dram_utilization.as_integer_ratio()
    bytes_of_node = min(hardware.available_cpu_dram_mib, _MOST_MIB) * _MIB
    gpus = _gpus_on_node(config, entry, hardware)
    return bytes_of_node * share * gpus // (parts * hardware.gpus_per_node * _GB)


def _gpus_on_node(config: Config, entry: Search, hardware: Hardware) -> int:
    """GPUs of one node that share the budget."""
    node = hardware.gpus_per_node
    if isinstance(entry.topology, Engine):
        if entry.topology.gpus > node:
            raise _refused(
                config,
                f"an engine of {entry.topology.gpus} GPUs on nodes of {node}",
                todo="lower tp, pp or pcp-size",
            )
        return entry.topology.gpus
    gpus = entry.topology.prefill.gpus
    if gpus < 1 or (gpus % node if gpus > node else node % gpus):
        raise _refused(
            config,
            f"a prefill worker of {gpus} GPUs does not tile nodes of {node}",
            todo="choose a size that divides a node or is a multiple of it",
        )
    return min(gpus, node)


def _refused(config: Config, what: str, *, todo: str) -> Refused:
    return Refused(what, where=f"{config.file}: {config.key}", todo=todo)
