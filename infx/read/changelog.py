"""Changelog text to entries, and which text a change adds; its bytes are judged elsewhere."""

import re
from collections.abc import Callable
from typing import Any

from infx.entry import Entry
from infx.errors import BadInput, Refused
from infx.read import yaml
from infx.read.shape import TEXT, Field, Kind, Shape, Wrong, choice, listing, whole, wrong
from infx.recipe import SCENARIOS

EVAL_SELECTORS = ("evals-only", "all-evals", "eval-min-prefill-ep")
"""Entry fields that choose evals."""


def read_entries(text: str, *, where: str) -> tuple[Entry, ...]:
    """Entries of a YAML list, none when it is empty. BadInput with `where:line`."""
    value = yaml.load(text, where=where)
    try:
        return () if value is None else _ENTRIES.read(value)
    except Wrong as problem:
        raise problem.located(text, where) from problem


def added(base: bytes, head: bytes, *, diff: Callable[[], str]) -> str:
    """Text that `head` adds to `base`, from git's plain `diff` when `base` is not a prefix of `head`.

    Refused when a line that is not blank was removed or edited. BadInput when the new text is not UTF-8.
    """
    if head.startswith(base):
        try:
            return head[len(base) :].decode("utf-8")
        except UnicodeDecodeError as error:
            raise BadInput("the new changelog text is not UTF-8", todo="save the file as UTF-8") from error
    _, *hunks = re.split(r"^@@.*\n", diff(), flags=re.MULTILINE)
    lines = [line for hunk in hunks for line in re.findall(r".*\n|.+", hunk)]
    for line in lines:
        if line.startswith("-") and line[1:].strip():
            raise Refused(
                f"the changelog line {line[1:].strip()[:80]!r} was removed or edited",
                todo="restore it; new entries go to the end of the file",
            )
    return "".join(line[1:] for line in lines if line.startswith("+"))


def _switch(value: Any) -> bool:
    """true or false, also in words, as the community's tools take it."""
    word = str(value).lower() if isinstance(value, str | int) else ""
    if word in ("true", "yes", "on", "y", "t", "1"):
        return True
    if word in ("false", "no", "off", "n", "f", "0"):
        return False
    raise wrong(value, "must be true or false")


def _entry(value: Any) -> Entry:
    given = _SHAPE.read(value)
    _exclude(given, "append-only", others=EVAL_SELECTORS)
    _exclude(given, "no-evals", others=EVAL_SELECTORS)
    return Entry(**{name.replace("-", "_"): one for name, one in given.items()})


def _exclude(given: dict[str, Any], name: str, *, others: tuple[str, ...]) -> None:
    for other in others:
        if given.get(name) and given.get(other):
            raise Wrong(f"`{name}` and `{other}` contradict each other", todo="keep one of them", at=(name,))


_SWITCH = Kind(_switch, {"type": "boolean"})
_SHAPE = Shape(
    {
        "config-keys": Field(
            listing(TEXT, what="config keys"), required=True, doc="`*` matches any run of characters"
        ),
        "description": Field(listing(TEXT, what="sentences"), required=True),
        "pr-link": Field(TEXT, required=True),
        "evals-only": Field(_SWITCH, doc="no throughput"),
        "all-evals": Field(_SWITCH, doc="evals at every concurrency, no throughput"),
        "append-only": Field(_SWITCH, doc="only points that the base does not have"),
        "no-evals": Field(_SWITCH, doc="no evals; our own field"),
        "eval-min-prefill-ep": Field(
            whole(least=1), nullable=True, doc="multi-node evals from this prefill ep on"
        ),
        "scenario-type": Field(listing(choice(*SCENARIOS), what="scenarios"), nullable=True),
    },
    "changelog entry",
)
_ENTRIES = listing(Kind(_entry, _SHAPE.schema), what="entries", empty=True)


def changelog_schema() -> dict[str, Any]:
    """JSON Schema of `perf-changelog.yaml`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Changelog",
        **_ENTRIES.schema,
    }
