"""configs/clusters.yaml → runner label → Cluster."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from infx.cluster import Cluster
from infx.errors import BadInput
from infx.read import yaml

PORTS = 65536
HIGHEST = 10**9
"""Neither seconds, gibibytes nor counts of a cluster record are larger."""
PARTS = ("limits", "load", "slurm")
"""Fields of a record that hold numbers of their own."""
FROM_ONE = {"slurm.gpus_per_node", "load.waves"}
"""Numbers by which something is divided or multiplied; the others may be zero."""


def clusters(text: str, *, where: str = "configs/clusters.yaml") -> Mapping[str, Cluster]:
    """Records by runner label. BadInput with the place of the first wrong field."""
    from pydantic import TypeAdapter, ValidationError

    value = yaml.load(text, where=where)
    if not isinstance(value, dict) or not isinstance(value.get("clusters"), dict):
        raise BadInput("there is no mapping `clusters`", where=where, todo="map runner labels to records")
    _keys(value["clusters"], "clusters", where=where)
    try:
        # Through JSON: strict mode takes mappings for dataclasses there, and YAML's dates become text.
        found = TypeAdapter(dict[str, Cluster]).validate_json(json.dumps(value["clusters"], default=str))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise BadInput(f"{place}: {first['msg']}", where=where, todo="correct the field") from error
    for label, record in found.items():
        for place, number in _numbers(record):
            least, most = span(place)
            if not least <= number <= most:
                raise BadInput(
                    f"{label}.{place} is {number}", where=where, todo=f"give a number from {least} to {most}"
                )
    return found


def span(place: str) -> tuple[int, int]:
    """Least and greatest value of the number at `place` of a record, such as `load.waves`."""
    return int(place in FROM_ONE), PORTS - 1 if place == "port" else HIGHEST


def _keys(value: Any, path: str, *, where: str) -> None:
    """BadInput at the first key that is not text: JSON would take `null` for the text `null`."""
    if isinstance(value, list):
        for one in value:
            _keys(one, path, where=where)
    if not isinstance(value, dict):
        return
    for name, one in value.items():
        if not isinstance(name, str):
            raise BadInput(f"{path}: the key {name!r:.40} is not text", where=where, todo="quote it")
        _keys(one, f"{path}.{name}", where=where)


def _numbers(record: Any, path: str = "") -> Iterator[tuple[str, int | float]]:
    """Place and value of every number of a record, but not of requests' own fields."""
    for name, value in vars(record).items():
        if isinstance(value, int | float) and not isinstance(value, bool):
            yield path + name, value
        elif name in PARTS:
            yield from _numbers(value, f"{name}.")


def clusters_schema() -> dict[str, Any]:
    """JSON Schema of `clusters.yaml`."""
    from pydantic import TypeAdapter

    shape = TypeAdapter(dict[str, Cluster]).json_schema(ref_template="#/$defs/{model}")
    definitions = shape.pop("$defs")
    for name, part in (("Cluster", ""), *((one.title(), f"{one}.") for one in PARTS)):
        for field, one in definitions[name]["properties"].items():
            if one.get("type") in ("integer", "number"):
                one["minimum"], one["maximum"] = span(part + field)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Clusters",
        "type": "object",
        "properties": {"clusters": shape},
        "required": ["clusters"],
        "$defs": definitions,
    }
