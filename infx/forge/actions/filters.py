"""GitHub's filter patterns for branches, tags and paths (docs: filter pattern cheat sheet)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

SPECIAL = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "?", "+": "+"}
TOKEN = re.compile(r"\\.|\*\*/|\*\*|\*|\?|\+|\[[^\]]*\]|.", re.DOTALL)


@lru_cache(maxsize=1024)
def pattern(glob: str) -> re.Pattern[str]:
    """`*` stops at a slash, `**` does not; `?` and `+` repeat the character before; `[]` is a class."""
    parts = []
    for token in TOKEN.findall(glob):
        if token in SPECIAL:
            parts.append(SPECIAL[token])
        elif len(token) > 1 and token[0] == "[":
            parts.append(token)
        else:
            parts.append(re.escape(token[-1]))
    return re.compile("".join(parts), re.DOTALL)


def matches(name: str, globs: Sequence[str]) -> bool:
    """The last pattern that matches decides; `!` in front takes out again."""
    verdict = False
    for glob in globs:
        if pattern(glob.removeprefix("!")).fullmatch(name):
            verdict = not glob.startswith("!")
    return verdict


def words(value: Any) -> list[str]:
    """A filter's value, which may be one word or a list."""
    return [] if value is None else [str(item) for item in (value if isinstance(value, list) else [value])]


def name_passes(name: str, config: Mapping[str, Any], kind: str) -> bool:
    """`branches` and `branches-ignore`, or the same for `tags`."""
    if kind in config:
        return matches(name, words(config[kind]))
    return not matches(name, words(config.get(f"{kind}-ignore")))


def paths_pass(changed: Iterable[str], config: Mapping[str, Any]) -> bool:
    """`paths`: any changed path matches. `paths-ignore`: any changed path does not match."""
    if "paths" in config:
        return any(matches(path, words(config["paths"])) for path in changed)
    if "paths-ignore" in config:
        return any(not matches(path, words(config["paths-ignore"])) for path in changed)
    return True
