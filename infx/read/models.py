"""configs/models.yaml → Models. Strict: an unknown field, a wrong day or a turned window is refused."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from infx.errors import BadInput
from infx.models import Engine, Model, Models, Scenario, Window
from infx.read import yaml
from infx.read.place import At, nearest

WINDOW = ("from", "until")


def models(text: str | bytes, *, where: str = "configs/models.yaml") -> Models:
    """The file; BadInput names field and place."""
    value = yaml.load(text, where=where)
    at = At({} if value is None else value, where)
    known(at, ("models", "scenarios", "engines"))
    return Models(
        models={prefix: model(one) for prefix, one in section(at["models"]).items()},
        scenarios={name: scenario(one) for name, one in section(at["scenarios"]).items()},
        engines={name: engine(one) for name, one in section(at["engines"]).items()},
    )


def model(at: At) -> Model:
    known(at, ("name", *WINDOW, "checkpoints", "precisions", "scenarios", "drafts"))
    return Model(
        name=at["name"].text(),
        window=window(at),
        checkpoints=at["checkpoints"].texts(),
        precisions=windows(at["precisions"]),
        scenarios=windows(at["scenarios"]),
        drafts={name: one.text() for name, one in section(at["drafts"]).items()},
    )


def scenario(at: At) -> Scenario:
    known(at, ("name", *WINDOW, "arms"))
    return Scenario(name=at["name"].text(), window=window(at), arms=windows(at["arms"]))


def engine(at: At) -> Engine:
    known(at, ("name", "first", "images", "recipes"))
    return Engine(
        name=at["name"].text(),
        first=at["first"].flag(False),
        images=at["images"].texts(),
        recipes=at["recipes"].texts(),
    )


def windows(at: At) -> dict[str, Window]:
    """Name → its window; a name alone (`fp8:`) has no bound."""
    found = {}
    for name, one in section(at).items():
        if not one.absent:
            known(one, WINDOW)
        found[name] = Window() if one.absent else window(one)
    return found


def window(at: At) -> Window:
    found = Window(since=day(at["from"]), until=day(at["until"]))
    if found.since and found.until and found.since > found.until:
        raise BadInput(f"{at.path} ends before it begins", where=at.where, todo="correct `from` or `until`")
    return found


def day(at: At) -> str:
    """YAML reads `2026-07-01` as a date and "2026-07-01" as text; both mean the day."""
    if at.absent:
        return ""
    try:
        return (at.value if type(at.value) is date else date.fromisoformat(at.text())).isoformat()
    except ValueError:
        raise at.fail("a day such as 2026-07-01") from None


def section(at: At) -> dict[str, At]:
    return {} if at.absent else at.fields()


def known(at: At, names: Iterable[str]) -> None:
    for name in at.fields():
        if name not in names:
            place = f"{at.path}.{name}" if at.path else name
            raise BadInput(
                f'unknown field "{place}"{nearest(name, names)}', where=at.where, todo="correct or remove it"
            )


def models_schema() -> dict[str, Any]:
    """JSON Schema of `models.yaml`."""
    text, texts = {"type": "string"}, {"type": "array", "items": {"type": "string"}}
    days: dict[str, Any] = {name: {"type": "string", "format": "date"} for name in WINDOW}
    table = {"type": "object", "additionalProperties": {**closed(days), "type": ["object", "null"]}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Models",
        "description": "Models, scenarios and engines that may be submitted, and from when",
        **closed(
            {
                "models": {
                    "type": "object",
                    "additionalProperties": closed(
                        {
                            "name": text,
                            **days,
                            "checkpoints": texts,
                            "precisions": table,
                            "scenarios": table,
                            "drafts": {"type": "object", "additionalProperties": text},
                        },
                        needs="name",
                    ),
                },
                "scenarios": {
                    "type": "object",
                    "additionalProperties": closed({"name": text, **days, "arms": table}, needs="name"),
                },
                "engines": {
                    "type": "object",
                    "additionalProperties": closed(
                        {"name": text, "first": {"type": "boolean"}, "images": texts, "recipes": texts},
                        needs="name",
                    ),
                },
            }
        ),
    }


def closed(fields: Mapping[str, Any], *, needs: str = "") -> dict[str, Any]:
    """An object with these fields and no other."""
    required = {"required": [needs]} if needs else {}
    return {"type": "object", "properties": dict(fields), "additionalProperties": False, **required}
