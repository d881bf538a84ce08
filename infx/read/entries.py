"""Search entries of the master configs: four shapes, and the rules inside one entry."""

from collections.abc import Mapping
from typing import Any

from infx.read.shape import FILLED, SWITCH, TEXT, Field, Kind, Shape, Wrong, choice, listing, whole, wrong
from infx.recipe import Component, Engine, Pools, Search, Span, Worker


def search(entry: Mapping[str, Any], inherited: Mapping[str, Any]) -> Search:
    """The noun of a read entry, whose `router` and `kv-p2p-transfer` go before the inherited ones."""
    return Search(
        topology=_pools(entry) if "prefill" in entry else _engine(entry),
        conc=_conc(entry),
        spec_decoding=entry.get("spec-decoding", "none"),
        router=entry["router"] if "router" in entry else inherited["router"],
        kv_p2p_transfer=(
            entry["kv-p2p-transfer"] if "kv-p2p-transfer" in entry else inherited["kv-p2p-transfer"]
        ),
        offload=entry.get("kv-offload-backend"),
    )


def _engine(entry: Mapping[str, Any]) -> Engine:
    return Engine(
        tp=entry["tp"],
        pp=entry.get("pp", 1),
        dcp_size=entry.get("dcp-size", 1),
        pcp_size=entry.get("pcp-size", 1),
        ep=entry.get("ep"),
        dp_attn=bool(entry.get("dp-attn")),
    )


def _pools(entry: Mapping[str, Any]) -> Pools:
    return Pools(prefill=entry["prefill"], decode=entry["decode"])


def _conc(entry: Mapping[str, Any]) -> Span | tuple[int, ...]:
    listed: tuple[int, ...] | None = entry.get("conc-list")
    if listed is not None:
        return listed
    return Span(start=entry["conc-start"], end=entry["conc-end"])


def _checked(shape: Shape) -> Kind:
    """Entries of `shape` that also keep the rules between fields."""

    def read(value: Any) -> dict[str, Any]:
        entry = shape.read(value)
        _check_conc(entry)
        if "tp" in entry:
            _check_dcp(entry)
        if "kv-offload-backend" in shape.fields:
            _check_offload(entry)
        if "prefill" in entry and (entry["prefill"].hardware is None) != (entry["decode"].hardware is None):
            raise Wrong("only one worker names its `hardware`", todo="name it on both workers or on neither")
        return entry

    ways = [{"required": ["conc-start", "conc-end"]}, {"required": ["conc-list"]}]
    return Kind(read, {**shape.schema, "anyOf": ways})


def _check_conc(entry: Mapping[str, Any]) -> None:
    start, end, listed = (entry.get(name) for name in ("conc-start", "conc-end", "conc-list"))
    ranged = start is not None and end is not None
    if ranged == (listed is not None):
        raise Wrong(
            "both a range and a list of concurrencies"
            if ranged
            else "no complete range and no list of concurrencies",
            todo="give `conc-start` with `conc-end`, or `conc-list`",
        )
    if start is not None and end is not None and start > end:
        raise Wrong(f"the range begins at {start} and ends at {end}", todo="swap them", at=("conc-start",))


def _check_dcp(sizes: Mapping[str, Any]) -> None:
    if sizes["tp"] % sizes.get("dcp-size", 1):
        raise Wrong(
            f"tp {sizes['tp']} is not a multiple of dcp-size {sizes['dcp-size']}",
            todo="choose a dcp-size that divides tp",
            at=("dcp-size",),
        )


def _check_offload(entry: Mapping[str, Any]) -> None:
    dram = entry.get("kv-offloading") == "dram"
    if dram and entry.get("kv-offload-backend") is None:
        raise Wrong(
            "`kv-offloading: dram` needs a `kv-offload-backend`", todo="name it", at=("kv-offloading",)
        )
    if not dram and entry.get("kv-offload-backend") is not None:
        raise Wrong(
            "a `kv-offload-backend` without `kv-offloading: dram`",
            todo="remove it or offload",
            at=("kv-offload-backend",),
        )


def _version(value: Any) -> str:
    version: str = FILLED.read(value)
    if version.startswith("image:"):
        raise wrong(
            value, "must be a version, which does not begin with `image:`", todo="give the version number"
        )
    return version


def _component(*, versioned: bool) -> Kind:
    shape = Shape(
        {
            "name": Field(FILLED, required=True),
            "version": Field(
                Kind(_version, {"type": "string", "minLength": 1, "pattern": "^(?!image:)"}),
                required=versioned,
                nullable=not versioned,
            ),
        },
        "component",
    )

    def read(value: Any) -> Component:
        given = shape.read(value)
        return Component(name=given["name"], version=given.get("version"))

    return Kind(read, shape.schema)


def _worker(value: Any) -> Worker:
    given = _WORKER.read(value)
    _check_dcp(given)
    return Worker(**{name.replace("-", "_"): one for name, one in given.items()})


SIZE = whole(least=1)
ROUTER = _component(versioned=True)
_PARALLEL = {
    "pp": Field(SIZE, doc="pipeline stages"),
    "dcp-size": Field(SIZE, doc="decode context parallelism, inside tp"),
    "pcp-size": Field(SIZE, doc="prefill context parallelism"),
}
_WORKER = Shape(
    {
        "num-worker": Field(whole(), required=True, doc="workers of this pool"),
        "tp": Field(whole(), required=True, doc="tensor parallelism of a worker"),
        "ep": Field(whole(), required=True, doc="expert parallelism of a worker"),
        "dp-attn": Field(SWITCH, required=True, doc="data-parallel attention"),
        **_PARALLEL,
        "additional-settings": Field(listing(TEXT, what="texts", empty=True), nullable=True),
        "hardware": Field(FILLED, nullable=True, doc="hardware of this pool when the pools differ"),
    },
    "worker",
)
_CONC = {
    "conc-start": Field(SIZE, nullable=True, doc="first concurrency of a range"),
    "conc-end": Field(SIZE, nullable=True, doc="last concurrency of a range"),
    "conc-list": Field(listing(SIZE, what="concurrencies"), nullable=True, doc="concurrencies one by one"),
}
_ANY = {
    "spec-decoding": Field(choice("mtp", "draft_model", "none"), doc="speculative decoding"),
    "router": Field(ROUTER, nullable=True, doc="request router"),
    **_CONC,
}
_ENGINE = {
    "tp": Field(whole(), required=True, doc="tensor parallelism"),
    **_PARALLEL,
    "ep": Field(whole(), nullable=True, doc="expert parallelism"),
    "dp-attn": Field(SWITCH, nullable=True, doc="data-parallel attention"),
}
_POOLS = {
    "prefill": Field(Kind(_worker, _WORKER.schema), required=True),
    "decode": Field(Kind(_worker, _WORKER.schema), required=True),
    "kv-p2p-transfer": Field(FILLED, nullable=True, doc="library that moves KV between pools"),
}
_BACKEND = Field(_component(versioned=False), nullable=True, doc="what keeps KV in host memory")
_OFFLOADING = choice("none", "dram")
_SINGLE_NOTES = {"kv-p2p-transfer": "only multi-node entries move KV; leave it out"}
_POOL_NOTES = dict.fromkeys(
    ("tp", "ep", "dp-attn", *_PARALLEL), "put it on the workers, `prefill` and `decode`"
)

FIXED_SINGLE = _checked(Shape({**_ENGINE, **_ANY}, "single-node entry", _SINGLE_NOTES))
FIXED_POOLS = _checked(Shape({**_POOLS, **_ANY}, "multi-node entry", _POOL_NOTES))
AGENTIC_SINGLE = _checked(
    Shape(
        {
            **_ENGINE,
            **_ANY,
            "kv-offloading": Field(_OFFLOADING, required=True, doc="where KV goes beside the GPU"),
            "kv-offload-backend": _BACKEND,
        },
        "single-node agentic entry",
        _SINGLE_NOTES,
    )
)
AGENTIC_POOLS = _checked(
    Shape(
        {
            **_POOLS,
            **_ANY,
            "ep": Field(whole(), nullable=True, doc="ignored; the workers have it"),
            "dp-attn": Field(SWITCH, nullable=True, doc="ignored; the workers have it"),
            "kv-offloading": Field(_OFFLOADING, doc="where KV goes beside the GPU"),
            "kv-offload-backend": _BACKEND,
        },
        "multi-node agentic entry",
        _POOL_NOTES,
    )
)
