"""Environments: which refs may deploy to them, who approves, and their own secrets and variables.

The value of the setting is JSON: empty for no rule, `{"branches": null}` for protected branches only,
`{"branches": {"3": "release/*", "4": "refs/tags/v*"}}` for patterns of one's own by id, those of tags in
full; beside them `wait_timer` (minutes),
`reviewers` (`[{"type": "User", "id": 7}]`) and `prevent_self_review`.
"""

from infx.forge import settings
from infx.forge.database import Row, pack, unpack
from infx.forge.problem import not_found
from infx.forge.site import Json
from infx.forge.visit import Visit

Patterns = dict[str, str]
"""Id (a JSON key, so text) → pattern."""


def has_rule(row: Row) -> bool:
    return "branches" in rules(row)


def rules(row: Row) -> Json:
    kept: Json = unpack(row["value"]) or {}
    return kept


def patterns(row: Row) -> Patterns | None:
    """Patterns of one's own; None where there are none to keep."""
    kept: Patterns | None = rules(row).get("branches")
    return kept


def held(at: Visit, name: str, kind: str) -> str:
    """`kind_of` an environment of the repository; 404 when there is no such environment."""
    row = settings.find(at, "environment", name)
    if not row:
        raise not_found()
    return kind_of(row["name"], kind)


def kind_of(name: str, kind: str) -> str:
    """Under what kind of setting an environment keeps its own secrets (`secret`) or variables."""
    return f"{kind} of {name.lower()}"


def put(at: Visit, name: str, *, policy: Json | None, more: Json | None = None) -> None:
    """Make or change; `policy` as in the API. Patterns stay while the policy stays `custom`."""
    old = settings.find(at, "environment", name)
    value: Json = dict(more or {})
    if policy is not None:
        custom = bool(policy.get("custom_branch_policies"))
        value["branches"] = (patterns(old) if old else None) or {} if custom else None
    settings.put(at, "environment", name, value=pack(value))


def add_pattern(at: Visit, row: Row, pattern: str) -> int:
    """Id of the pattern, the old one when it is there already."""
    kept = patterns(row) or {}
    found = next((number for number, one in kept.items() if one == pattern), None)
    if found:
        return int(found)
    number = max(map(int, kept), default=0) + 1
    keep(at, row, {**kept, str(number): pattern})
    return number


def keep(at: Visit, row: Row, kept: Patterns) -> None:
    settings.put(at, "environment", row["name"], value=pack({**rules(row), "branches": kept}))


def remove_pattern(at: Visit, row: Row, number: str) -> bool:
    """False when there is none of that id."""
    kept = dict(patterns(row) or {})
    if kept.pop(number, None) is None:
        return False
    keep(at, row, kept)
    return True


def restricted(at: Visit) -> dict[str, list[str]]:
    """Environments with a branch rule, and the patterns that each lets in."""
    found = {}
    for row in at.db.rows(settings.SETTING, at.repo["id"], "environment"):
        if has_rule(row):
            own = patterns(row)
            found[row["name"]] = protected(at) if own is None else list(own.values())
    return found


def protected(at: Visit) -> list[str]:
    sql = "SELECT branch FROM protection WHERE repo = ?"
    return [row["branch"] for row in at.db.rows(sql, at.repo["id"])]
