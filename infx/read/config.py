"""Master configs and `runners.yaml`: text to a Catalog, every rule of the format checked."""

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any

from infx.errors import BadInput
from infx.read import yaml
from infx.read.entries import AGENTIC_POOLS, AGENTIC_SINGLE, FIXED_POOLS, FIXED_SINGLE, ROUTER, search
from infx.read.events import Path
from infx.read.shape import (
    FILLED,
    SWITCH,
    TEXT,
    Field,
    Kind,
    Shape,
    Unknown,
    Wrong,
    listing,
    table,
    whole,
    wrong,
)
from infx.recipe import (
    AGENTIC,
    CLUSTER,
    FIXED,
    AgenticItem,
    Catalog,
    Config,
    FixedItem,
    Hardware,
    Runners,
    Search,
)

FORMAT = 1
"""Newest config format that this reader knows (policy: `format`)."""


def read_catalog(
    masters: Sequence[tuple[str, bytes]], runners: tuple[str, bytes], *, format: int = FORMAT
) -> Catalog:
    """All configs in file order, and the runners; a file is its name for messages and its bytes.

    `format` is what the repository says it is written in. BadInput with `file:line`, key and what is allowed.
    """
    configs: dict[str, Config] = {}
    for name, data in masters:
        with yaml.no_collector():
            for config in _master(name, data, format=format):
                if config.key in configs:
                    raise BadInput(
                        f"config key `{config.key}` is also in {configs[config.key].file}",
                        where=f"{name}:{yaml.line_of(data, (config.key,))}",
                        todo="keep it in one file",
                    )
                configs[config.key] = config
    return Catalog(configs=configs, runners=read_runners(*runners))


def read_runners(name: str, data: bytes) -> Runners:
    """Nodes and hardware by runner label. BadInput with `file:line`."""
    try:
        value = RUNNERS.read(yaml.load(data, where=name))
    except Wrong as problem:
        raise problem.located(data, name) from problem
    hardware = {
        label: Hardware(
            available_cpu_dram_mib=node["available-cpu-dram-mib"], gpus_per_node=node["gpus-per-node"]
        )
        for label, node in (value.get("hardware") or {}).items()
    }
    return Runners(labels=value["labels"], hardware=hardware)


@lru_cache(maxsize=4)
def _master(name: str, data: bytes, *, format: int) -> tuple[Config, ...]:
    """Configs of one file. Kept: base and head of a change hold mostly the same files."""
    return tuple(_configs(name, data, format=format))


def _configs(name: str, data: bytes, *, format: int) -> Iterable[Config]:
    try:
        value = yaml.load(data, where=name)
        if type(value) is not dict:
            raise wrong(value, "must be a mapping of config keys", todo="write {} when there are none")
        for key, config in value.items():
            try:
                yield _config(key, config, file=name)
            except Wrong as problem:
                raise problem.under(str(key)) from None
    except Wrong as problem:
        if format > FORMAT and isinstance(problem, Unknown):
            problem.todo = f"this is the newer format {format}, and this infx reads {FORMAT}: update infx"
        raise problem.located(data, name) from problem


def _config(key: Any, value: Any, *, file: str) -> Config:
    if type(key) is not str:
        raise wrong(key, "a config key must be text", todo="put it in quotes")
    if "*" in key:
        raise Wrong("a config key may not hold `*`", todo="rename it; `*` is the changelog's wildcard")
    config = _shape(value).read(value)
    _check(config)
    where = {"router": config.get("router"), "kv-p2p-transfer": config.get("kv-p2p-transfer")}
    fixed = [
        FixedItem(isl=item["isl"], osl=item["osl"], search=_searches(item, where))
        for item in config["scenarios"].get(FIXED, ())
    ]
    agentic = [
        AgenticItem(dram_utilization=item.get("dram-utilization"), search=_searches(item, where))
        for item in config["scenarios"].get(AGENTIC, ())
    ]
    return Config(
        key=key,
        file=file,
        image=config["image"],
        model=config["model"],
        model_prefix=config["model-prefix"],
        precision=config["precision"],
        framework=config["framework"],
        runner=config["runner"],
        multinode=config["multinode"],
        disagg=config.get("disagg", False),
        fixed=tuple(fixed),
        agentic=tuple(agentic),
        source=value,
    )


def _searches(item: Mapping[str, Any], inherited: Mapping[str, Any]) -> tuple[Search, ...]:
    return tuple(search(entry, inherited) for entry in item["search-space"])


def _shape(value: Any) -> Shape:
    """Single-node or multi-node: `multinode` picks before anything else is looked at."""
    multinode = value.get("multinode", False) if type(value) is dict else False
    if type(multinode) is not bool:
        raise wrong(multinode, "must be true or false").under("multinode")
    return MULTI_NODE if multinode else SINGLE_NODE


def _check(config: Mapping[str, Any]) -> None:
    """Rules between fields of one config."""
    scenarios = config["scenarios"]
    if not any(scenarios.values()):
        raise Wrong("no scenario has an item", todo=f"fill `{FIXED}` or `{AGENTIC}`", at=("scenarios",))
    if scenarios.get(AGENTIC) and not config["runner"].startswith(CLUSTER):
        raise Wrong(
            f"`{AGENTIC}` items need a runner that begins with `{CLUSTER}`",
            todo="name the cluster",
            at=("runner",),
        )
    if not config["multinode"] and config.get("disagg"):
        raise Wrong("a single-node config cannot be disaggregated", todo="set false", at=("disagg",))
    _check_levels(config)


def _check_levels(config: Mapping[str, Any]) -> None:
    """What stands on the config or on its entries, and never on both."""
    entries = list(_entries(config["scenarios"]))
    for name in ("router", "kv-p2p-transfer"):
        for path, entry in entries:
            if config.get(name) is not None and entry.get(name) is not None:
                what = f"`{name}` is on the config and on this entry"
                raise Wrong(what, todo="keep it on one level", at=(*path, name))
    if config.get("disagg") and config.get("kv-p2p-transfer") is None:
        for path, entry in entries:
            if entry.get("kv-p2p-transfer") is None:
                raise Wrong(
                    "`disagg` is true, but neither the config nor this entry has `kv-p2p-transfer`",
                    todo="name the transfer library on the config or on every entry",
                    at=path,
                )


def _entries(scenarios: Mapping[str, Any]) -> Iterable[tuple[Path, Mapping[str, Any]]]:
    for name, items in scenarios.items():
        for at, item in enumerate(items):
            for place, entry in enumerate(item["search-space"]):
                yield ("scenarios", name, at, "search-space", place), entry


def _agentic_item(value: Any) -> dict[str, Any]:
    item = _AGENTIC_ITEM.read(value)
    if item.get("dram-utilization") is None:
        for at, entry in enumerate(item["search-space"]):
            if entry.get("kv-offloading") == "dram":
                raise Wrong(
                    "`dram-utilization` is missing, and an entry offloads to DRAM",
                    todo="add the share of host memory, above 0 and at most 1",
                    at=("search-space", at, "kv-offloading"),
                )
    return item


def _share(value: Any) -> Decimal:
    if type(value) not in (int, float):
        raise wrong(value, "must be a number above 0 and at most 1")
    if not 0 < value <= 1:
        raise wrong(value, "must be above 0 and at most 1")
    return Decimal(repr(value))


def _agentic_entry(value: Any) -> dict[str, Any]:
    pools = type(value) is dict and ("prefill" in value or "decode" in value)
    entry: dict[str, Any] = (AGENTIC_POOLS if pools else AGENTIC_SINGLE).read(value)
    return entry


_SHARE = Kind(_share, {"type": "number", "exclusiveMinimum": 0, "maximum": 1})
_AGENTIC_ENTRY = Kind(_agentic_entry, {"anyOf": [AGENTIC_SINGLE.schema, AGENTIC_POOLS.schema]})
_AGENTIC_ITEM = Shape(
    {
        "dram-utilization": Field(_SHARE, nullable=True, doc="share of the node's memory for KV offload"),
        "search-space": Field(listing(_AGENTIC_ENTRY, what="entries", empty=True), required=True),
    },
    "agentic item",
    dict.fromkeys(("isl", "osl"), "agentic traces have no fixed length"),
)


def _config_shape(fixed: Kind, *, multinode: bool) -> Shape:
    item = Shape(
        {
            "isl": Field(whole(), required=True, doc="input length in tokens"),
            "osl": Field(whole(), required=True, doc="output length in tokens"),
            "search-space": Field(listing(fixed, what="entries", empty=True), required=True),
        },
        "fixed-length item",
    )
    items = listing(Kind(item.read, item.schema), what="items", empty=True)
    agentic = listing(Kind(_agentic_item, _AGENTIC_ITEM.schema), what="items", empty=True)
    scenarios = Shape({FIXED: Field(items), AGENTIC: Field(agentic)}, "set of scenarios")
    texts = {
        "image": "container image of the engine",
        "model": "model id to serve",
        "model-prefix": "short model name, beginning of row names",
        "precision": "precision label of the checkpoint",
        "framework": "serving framework",
        "runner": "runner label",
    }
    fields = {name: Field(TEXT, required=True, doc=doc) for name, doc in texts.items()}
    fields["multinode"] = Field(
        Kind(SWITCH.read, {"const": multinode}), required=True, doc="one node, or pools over several"
    )
    fields["disagg"] = Field(SWITCH, doc="prompts and tokens on separate pools")
    fields["router"] = Field(ROUTER, nullable=True, doc="request router")
    if multinode:
        fields["kv-p2p-transfer"] = Field(FILLED, nullable=True, doc="library that moves KV between pools")
    fields["scenarios"] = Field(Kind(scenarios.read, scenarios.schema), required=True)
    notes = {} if multinode else {"kv-p2p-transfer": "only multi-node configs move KV; leave it out"}
    return Shape(fields, "config", notes)


SINGLE_NODE = _config_shape(FIXED_SINGLE, multinode=False)
MULTI_NODE = _config_shape(FIXED_POOLS, multinode=True)
_HARDWARE = Shape(
    {
        "available-cpu-dram-mib": Field(whole(least=1), required=True, doc="host memory of a node in MiB"),
        "gpus-per-node": Field(whole(least=1), required=True),
    },
    "hardware record",
)
RUNNERS = Shape(
    {
        "labels": Field(table(listing(TEXT, what="node names"), what="label to nodes"), required=True),
        "hardware": Field(
            table(Kind(_HARDWARE.read, _HARDWARE.schema), what="label to hardware"), nullable=True
        ),
    },
    "runners file",
)


def master_schema() -> dict[str, Any]:
    """JSON Schema of a master file."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Master config file",
        "type": "object",
        "propertyNames": {"pattern": "^[^*]*$"},
        "additionalProperties": {
            "if": {"properties": {"multinode": {"const": True}}, "required": ["multinode"]},
            "then": MULTI_NODE.schema,
            "else": SINGLE_NODE.schema,
        },
    }


def runners_schema() -> dict[str, Any]:
    """JSON Schema of `runners.yaml`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Runner labels and hardware",
        **RUNNERS.schema,
    }
