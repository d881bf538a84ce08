"""configs/teams.yaml: who stands behind teams and addresses that own code, where no App may ask GitHub."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from infx.errors import BadInput
from infx.read import yaml
from infx.read.place import At, nearest


@dataclass(frozen=True, kw_only=True)
class Teams:
    """Logins in lower case."""

    teams: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """`org/team` → its members."""
    emails: Mapping[str, str] = field(default_factory=dict)
    """Address → login."""

    def members(self, owner: str) -> frozenset[str] | None:
        """Whoever is behind `@org/team` or an address; None when the file does not say."""
        name = owner.lower()
        if name in self.emails:
            return frozenset({self.emails[name]})
        return self.teams.get(name.removeprefix("@"))


def teams(data: bytes | str, *, where: str = "configs/teams.yaml") -> Teams:
    """The file; BadInput names what is wrong."""
    value = yaml.load(data, where=where)
    at = At({} if value is None else value, where)
    for name in at.fields():
        if name not in ("teams", "emails"):
            known = nearest(name, ("teams", "emails"))
            raise BadInput(f'unknown key "{name}"{known}', where=where, todo="correct or remove it")
    groups = {} if at["teams"].absent else at["teams"].fields()
    people = {} if at["emails"].absent else at["emails"].fields()
    for name, one in groups.items():
        if name.removeprefix("@").count("/") != 1:
            raise one.fail("`org/team` as its name")
    return Teams(
        teams={
            name.removeprefix("@").lower(): frozenset(
                login.removeprefix("@").lower() for login in one.texts()
            )
            for name, one in groups.items()
        },
        emails={name.lower(): one.text().removeprefix("@").lower() for name, one in people.items()},
    )


def teams_schema() -> dict[str, Any]:
    """JSON Schema of `teams.yaml`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Teams",
        "description": "Members of teams and addresses that own code",
        "type": "object",
        "properties": {
            "teams": {
                "type": "object",
                "propertyNames": {"pattern": "^@?[^/]+/[^/]+$"},
                "additionalProperties": {"type": "array", "items": {"type": "string"}},
            },
            "emails": {"type": "object", "additionalProperties": {"type": "string"}},
        },
        "additionalProperties": False,
    }
