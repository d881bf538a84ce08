"""configs/clusters.yaml → runner label → Cluster."""

import json
from collections.abc import Mapping
from typing import Any

from infx.cluster import Cluster
from infx.errors import BadInput
from infx.read import yaml


def clusters(text: str, *, where: str = "configs/clusters.yaml") -> Mapping[str, Cluster]:
    """Records by runner label. BadInput with the place of the first wrong field."""
    from pydantic import TypeAdapter, ValidationError

    value = yaml.load(text, where=where)
    if not isinstance(value, dict) or not isinstance(value.get("clusters"), dict):
        raise BadInput("there is no mapping `clusters`", where=where, todo="map runner labels to records")
    try:
        # Through JSON: strict mode takes mappings for dataclasses there, and YAML's dates become text.
        return TypeAdapter(dict[str, Cluster]).validate_json(json.dumps(value["clusters"], default=str))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise BadInput(f"{place}: {first['msg']}", where=where, todo="correct the field") from error


def clusters_schema() -> dict[str, Any]:
    """JSON Schema of `clusters.yaml`."""
    from pydantic import TypeAdapter

    shape = TypeAdapter(dict[str, Cluster]).json_schema(ref_template="#/$defs/{model}")
    definitions = shape.pop("$defs")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Clusters",
        "type": "object",
        "properties": {"clusters": shape},
        "required": ["clusters"],
        "$defs": definitions,
    }
