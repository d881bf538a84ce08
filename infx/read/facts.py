"""Facts documents: what `--save-facts` writes and `infx explain TOPIC FACTS.json` takes."""

from typing import Any

from infx.errors import BadInput
from infx.facts import FORMAT, Facts, PermitFacts
from infx.failure import FailureFacts
from infx.read import noun
from infx.read.place import At, nearest
from infx.signoff import SignoffFacts
from infx.source import ReadinessFacts, SourceFacts

TOPICS: dict[str, type[Any]] = {
    "event": Facts,
    "permit": PermitFacts,
    "source": SourceFacts,
    "readiness": ReadinessFacts,
    "signoff": SignoffFacts,
    "failure": FailureFacts,
}
"""Topic → what its document holds. A policy that can be explained has a row here."""


def read(value: Any, topic: str, *, where: str) -> Any:
    """The facts of `topic`. BadInput names the field that is wrong, or the topic that the document has."""
    at = At(value, where)
    if at["format"].integer(FORMAT) > FORMAT:
        raise BadInput("newer format", where=where, todo="update infx")
    found = at["facts"].text("nothing")
    if found != topic:
        hint = nearest(found, TOPICS)
        raise BadInput(
            f"this document holds facts of {found}{hint}", where=where, todo=f"give facts of {topic}"
        )
    fields = {name: one for name, one in at.fields().items() if name not in ("format", "facts")}
    return noun.read(TOPICS[topic], At({name: one.value for name, one in fields.items()}, where))


def write(facts: Any) -> dict[str, Any]:
    """The document of `facts`."""
    topic = next(name for name, kind in TOPICS.items() if isinstance(facts, kind))
    return {"format": FORMAT, "facts": topic, **noun.write(facts)}


def schema(topic: str) -> dict[str, Any]:
    """JSON Schema of the document of `topic`."""
    body = noun.schema(TOPICS[topic])
    head = {"format": {"const": FORMAT}, "facts": {"const": topic}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"facts-{topic}",
        **body,
        "properties": {**head, **body["properties"]},
        "required": ["facts", *body["required"]],
    }
