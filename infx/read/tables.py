"""Configs of ours that planning reads around the recipes: cluster records, engine features, golden curves."""

from collections.abc import Mapping
from typing import Any

from infx.read import yaml
from infx.read.place import At


def records(data: bytes, *, where: str) -> Mapping[str, Mapping[str, Any]]:
    """Runner label → its record, each a mapping; BadInput otherwise. Drivers look at the fields."""
    found = _section(data, "clusters", where=where)
    for record in found.values():
        load = record["load"]
        if not load.absent:
            load.mapping()
    return {label: record.mapping() for label, record in found.items()}


def features(data: bytes, *, where: str) -> Mapping[str, str]:
    """Flag or variable → first image that reads it. BadInput unless both are text."""
    return {name: first.text() for name, first in _section(data, "features", where=where).items()}


def curve(data: bytes, *, where: str) -> Mapping[str, Any]:
    """Thinking mode → draft length → acceptance length, of the one model in the file. BadInput otherwise."""
    models = At(yaml.load(data, where=where), where).fields()
    if len(models) != 1:
        raise At(list(models), where).fail("exactly one model")
    (modes,) = models.values()
    return {mode: lengths.mapping() for mode, lengths in modes.fields().items()}


def features_schema() -> dict[str, Any]:
    """JSON Schema of `features.yaml`."""
    table = {"type": "object", "additionalProperties": {"type": "string"}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Features",
        "description": "Flag or variable of an engine → first image that reads it",
        "type": "object",
        "properties": {"features": table},
        "required": ["features"],
        "additionalProperties": False,
    }


def _section(data: bytes, name: str, *, where: str) -> dict[str, At]:
    document = yaml.load(data, where=where)
    section = At({} if document is None else document, where)[name]
    return {} if section.absent else section.fields()
