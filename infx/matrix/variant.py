"""Recipe files: `base`, `override_*` and zip variants become flat documents.

A file without `base` is one variant. `override_NAME` is laid over `base`. `zip_override_NAME` gives one
variant per element: every list in it has the same length, and a plain value holds for all of them.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from infx.errors import BadInput

ROLES = ("aggregated", "prefill", "decode")
COUNTS = ("agg_workers", "prefill_workers", "decode_workers")
OVERRIDE, ZIP = "override_", "zip_override_"


def variants(document: Mapping[str, Any], *, where: str) -> dict[str, Mapping[str, Any]]:
    """Variant (`""`, `override_a`, `zip_override_b[0]`) → its flat document. BadInput on a broken zip, and on
    a section that is no mapping."""
    found = _variants(_mapping(document, where=where), where=where)
    for name, flat in found.items():
        _sound(flat, where=f"{where}: {name}" if name else where)
    return found


def _variants(document: Mapping[str, Any], *, where: str) -> dict[str, Mapping[str, Any]]:
    if "base" not in document:
        return {"": document}
    base = _mapping(document["base"], where=f"{where}: base")
    found: dict[str, Mapping[str, Any]] = {}
    for name, over in document.items():
        if not isinstance(name, str):
            raise BadInput(f"the key {name!r:.40} is not text", where=where, todo="quote it")
        if name.startswith(OVERRIDE):
            found[name] = overlay(base, _mapping(over, where=f"{where}: {name}"))
        elif name.startswith(ZIP):
            for number, layer in enumerate(_unzip(over, where=f"{where}: {name}")):
                found[f"{name}[{number}]"] = overlay(base, layer)
        elif name != "base":
            raise BadInput(
                f"{name!r} is not a variant", where=where, todo=f"name it {OVERRIDE}… or {ZIP}…, or move it"
            )
    return found or {"": base}


def choose(
    document: Mapping[str, Any], variant: str, row: Mapping[str, Any], *, where: str
) -> tuple[str, Mapping[str, Any]]:
    """The one variant a row runs: the named one, else the one that matches. BadInput on none or several."""
    found = variants(document, where=where)
    if variant:
        if variant not in found:
            raise BadInput(f"no variant {variant!r}", where=where, todo=f"use one of {', '.join(found)}")
        return variant, found[variant]
    hits = [name for name, flat in found.items() if matches(flat, row)]
    if len(hits) == 1:
        return hits[0], found[hits[0]]
    what = f"{len(hits)} variants match" if hits else "no variant matches"
    tried = ", ".join(name or "(whole file)" for name in hits or found)
    raise BadInput(f"{what} a row: {tried}", where=where, todo="name the variant behind a colon")


def matches(flat: Mapping[str, Any], row: Mapping[str, Any]) -> bool:
    """True unless what the recipe states about topology, load, offload or image differs from the row."""
    stated = {
        "conc": flat.get("CONC"),
        "image": _image(flat.get("model") or {}),
        "kv-offloading": flat.get("KV_OFFLOADING"),
        **_workers(flat.get("resources") or {}),
    }
    return all(want is None or _asked(row, name, want) for name, want in stated.items())


def overlay(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """`over` laid over `base`: mappings merge, null removes, everything else replaces."""
    merged = dict(base)
    for name, value in over.items():
        if value is None:
            merged.pop(name, None)
        elif isinstance(value, Mapping) and isinstance(merged.get(name), Mapping):
            merged[name] = overlay(merged[name], value)
        else:
            merged[name] = value
    return merged


def _unzip(over: Any, *, where: str) -> list[Mapping[str, Any]]:
    layer = _mapping(over, where=where)
    lengths = {path: len(values) for path, values in _lists(layer)}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{path} has {length}" for path, length in lengths.items())
        raise BadInput(f"lists of unequal length: {told}", where=where, todo="give them equal lengths")
    count = next(iter(lengths.values()), 1)
    return [_mapping(_pick(layer, number), where=where) for number in range(count)]


def _lists(value: Any, path: str = "") -> Iterator[tuple[str, list[Any]]]:
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _lists(inner, f"{path}.{name}" if path else str(name))
    elif isinstance(value, list):
        yield path, value


def _pick(value: Any, number: int) -> Any:
    if isinstance(value, Mapping):
        return {name: _pick(inner, number) for name, inner in value.items()}
    return value[number] if isinstance(value, list) else value


def _sound(flat: Mapping[str, Any], *, where: str) -> None:
    """BadInput unless the sections that matching and starting read are of the kind that they expect."""
    _part(flat, "model", where=where)
    backend, front = (_part(flat, name, where=where) for name in ("backend", "frontend"))
    config = _part(backend, f"{backend.get('type')}_config", where=f"{where}: backend")
    for role in ROLES:
        _part(config, role, where=f"{where}: backend")
        _part(backend, f"{role}_environment", where=f"{where}: backend")
    for name in ("args", "environment"):
        _part(front, name, where=f"{where}: frontend")
    resources = _part(flat, "resources", where=where)
    for name in COUNTS:
        count = resources.get(name)
        if count is not None and (type(count) is not int or count < 0):
            raise BadInput(
                f"{name} is {count!r:.40}", where=f"{where}: resources", todo="give a whole number"
            )


def _part(section: Mapping[str, Any], name: str, *, where: str) -> Mapping[str, Any]:
    value = section.get(name)
    return {} if value is None else _mapping(value, where=f"{where}: {name}")


def _image(model: Mapping[str, Any]) -> str | None:
    """The container when it is an image reference; a cluster's own alias (`dynamo-sglang`) states nothing."""
    container = str(model.get("container", ""))
    return container if ":" in container else None


def _workers(resources: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "prefill.num-worker": resources.get("prefill_workers"),
        "decode.num-worker": resources.get("decode_workers"),
        "prefill.tp": resources.get("gpus_per_prefill"),
        "decode.tp": resources.get("gpus_per_decode"),
        "tp": resources.get("gpus_per_agg"),
    }


def _asked(row: Mapping[str, Any], name: str, want: Any) -> bool:
    outer, _, inner = name.partition(".")
    have = (row.get(outer) or {}).get(inner) if inner else row.get(outer)
    if have is None:
        return True
    return want in have if isinstance(have, list | tuple) else str(have) == str(want)


def _mapping(value: Any, *, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise BadInput("not a mapping", where=where, todo="write `name: value` lines")
    return value
