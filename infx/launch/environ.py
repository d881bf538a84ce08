"""Row → environment of the engine script (the contract in benchmarks/README.md). Pure."""

from collections.abc import Mapping
from typing import Any

SECRETS = ("GITHUB_TOKEN", "ACTIONS_", "INPUT_", "GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_PATH")
"""Beginnings of names that belong to the workflow and never reach an engine or client."""


def exported(row: Mapping[str, Any]) -> dict[str, str]:
    """Every field in capitals with `_` for `-`; nested fields joined by `_`, lists by commas.

    A component (`{name, version}`) is also there by its name alone.

    A new row field thus reaches the script without a line of code. Commas, because a list with spaces is cut
    to its first word where a container boundary splits words.
    """
    found: dict[str, str] = {}
    for name, value in row.items():
        key = name.upper().replace("-", "_")
        if isinstance(value, Mapping):
            found |= {f"{key}_{inner}": text for inner, text in exported(value).items()}
            if "name" in value:
                found[key] = scalar(value["name"])
        else:
            found[key] = scalar(value)
    return found


def scalar(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return ",".join(scalar(one) for one in value)
    return "" if value is None else str(value)


def inherited(env: Mapping[str, str]) -> dict[str, str]:
    """The runner's own environment without the workflow's tokens and files."""
    return {name: value for name, value in env.items() if not name.startswith(SECRETS)}
