"""Flags and variables that a script gives its engine, read as text and never run."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

COMMENT = re.compile(r"(?m)^[ \t]*#.*$")
JOINED = re.compile(r"\\\n")
ARRAY = re.compile(r"=\([^()]*\)")
FLAG = re.compile(
    r"""(?<![\w-])(--[a-z][a-z0-9-]*)(?:[= ][ ]*("(?:\\.|[^"\\])*"|'[^']*'|[^\s"'()|;&-][^\s"'()|;&]*))?"""
)
VARIABLE = re.compile(r"""(?m)^[ \t]*(?:export[ ]+)?([A-Z][A-Z0-9_]*)=("[^"\n]*"|'[^'\n]*'|[^\s;&|()]*)""")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What a script sets; of a flag that stands in several branches, the last value."""

    flags: Mapping[str, str]
    variables: Mapping[str, str]

    @property
    def names(self) -> frozenset[str]:
        return frozenset(self.flags) | frozenset(self.variables)


def settings(script: bytes) -> Settings:
    """Flags and variables of a shell script."""
    text = "\n".join(commands(script))
    flags = {match[1]: _bare(match[2]) for match in FLAG.finditer(text)}
    return Settings(flags=flags, variables={match[1]: _bare(match[2]) for match in VARIABLE.finditer(text)})


def stated(recipe: Mapping[str, Any]) -> Settings:
    """Flags and variables of a flat recipe document: names in capitals are variables, the others flags."""
    flags: dict[str, str] = {}
    variables: dict[str, str] = {}
    for name, value in _leaves(recipe):
        if name.isupper():
            variables[name] = value
        else:
            flags[f"--{name}"] = value
    return Settings(flags=flags, variables=variables)


def _leaves(value: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, inner in value.items():
        if isinstance(inner, Mapping):
            yield from _leaves(inner)
        else:
            yield str(name), str(inner)


def commands(script: bytes) -> list[str]:
    """Lines of a script, each whole: continued lines and arrays are joined, comments are gone."""
    text = COMMENT.sub("", script.decode("utf-8", "replace"))
    text = JOINED.sub(" ", text)
    return ARRAY.sub(lambda array: array[0].replace("\n", " "), text).split("\n")


def clashes(script: bytes) -> Iterator[str]:
    """Flags that one command repeats, or that contradict each other."""
    for command in commands(script):
        seen: dict[str, str] = {}
        for match in FLAG.finditer(command):
            name, value = match[1], _bare(match[2])
            if name in seen:
                yield f"{name} stands twice in one command ({seen[name] or 'set'}, {value or 'set'})"
            for other in _opposites(name):
                if other in seen:
                    yield f"{other} and {name} contradict each other"
            seen[name] = value


def differences(mine: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    """What `mine` has beyond, without or unlike `other`, one text a name."""
    told = []
    for name in sorted(mine.keys() | other.keys()):
        if name not in other:
            told.append(f"+ {name} {mine[name]}".rstrip())
        elif name not in mine:
            told.append(f"- {name} {other[name]}".rstrip())
        elif mine[name] != other[name]:
            told.append(f"{name} {other[name] or 'set'} → {mine[name] or 'set'}")
    return told


def unread(names: frozenset[str], image: str, features: Mapping[str, str]) -> Iterator[str]:
    """Names that a pinned image does not read yet. `features` is name → first image that reads it."""
    for name in sorted(names & features.keys()):
        first = features[name]
        own, since = _version(image), _version(first)
        if image.partition(":")[0] == first.partition(":")[0] and own and since and own < since:
            yield f"{name} is read from {first} on; {image} ignores it"


def _opposites(name: str) -> list[str]:
    """Every flag that takes back what `name` says."""
    found = [name.replace("--no-", "--", 1) if name.startswith("--no-") else "--no-" + name[2:]]
    for one, other in (("--enable-", "--disable-"), ("--disable-", "--enable-")):
        if name.startswith(one):
            found.append(other + name.removeprefix(one))
    return found


def _version(image: str) -> tuple[int, ...]:
    """Numbers of a tag such as `v0.5.16-cu130`; empty for a tag that is no version."""
    match = re.match(r"v?(\d+(?:\.\d+)+)", image.partition(":")[2])
    return tuple(int(part) for part in match[1].split(".")) if match else ()


def _bare(value: str | None) -> str:
    """Without quotes; a whole array that follows a flag is not its value."""
    text = (value or "").strip("\"'")
    return "" if "[@]" in text else text
