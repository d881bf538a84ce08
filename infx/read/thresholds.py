"""configs/thresholds.yaml → floors of accuracy scores."""

from typing import Any

from infx.errors import BadInput
from infx.read import yaml
from infx.read.place import At


def thresholds(text: str, *, where: str = "configs/thresholds.yaml") -> dict[str, Any]:
    """Floors by default and by model prefix, as `results.accuracy.Thresholds`; BadInput outside 0 to 1."""
    value = yaml.load(text, where=where)
    if not isinstance(value, dict) or set(value) - {"default", "models"}:
        raise BadInput("only `default` and `models` stand here", where=where, todo="see its first lines")
    found = {"default": value.get("default") or {}, "models": value.get("models") or {}}
    models = At(found["models"], where, "models").fields()
    for place, floors in {"default": At(found["default"], where, "default"), **models}.items():
        for task, floor in ({} if floors.absent else floors.mapping()).items():
            if isinstance(floor, bool) or not isinstance(floor, int | float) or not 0 <= floor <= 1:
                raise BadInput(f"{place}.{task} is {floor!r}", where=where, todo="give a share from 0 to 1")
    return found


def thresholds_schema() -> dict[str, Any]:
    """JSON Schema of `thresholds.yaml`."""
    floors = {"type": "object", "additionalProperties": {"type": "number", "minimum": 0, "maximum": 1}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Thresholds",
        "type": "object",
        "properties": {"default": floors, "models": {"type": "object", "additionalProperties": floors}},
        "additionalProperties": False,
    }
