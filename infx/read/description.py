"""Description: the text of a pull request, read as its template was meant to be filled in."""

import re

from infx.description import Change, Description, Disclosure, Item
from infx.event import BODY_LIMIT

TOOLS = (
    *("cursor", "copilot", "github copilot", "claude code", "codex", "windsurf", "aider", "cline", "chatgpt"),
    *("gemini cli", "amp", "devin", "jules", "opencode", "zed", "continue", "vs code", "tabnine", "an agent"),
    *("ai assistant", "ai", "llm", "agent", "coding agent"),
)
"""Names that say through what a model was used, not which."""
_COMMENT = re.compile(r"<!--(?! *infx:).*?-->", re.S)
_HEADING = re.compile(r"^ {0,3}#{1,6} +(.+?) *#*$", re.M)
_TICK = re.compile(r"^ {0,3}[-*+] +\[([ xX])\] *(.*)$", re.M)
_MARK = re.compile(r"<!-- *infx:([a-z]+) *-->")
_NONE = re.compile(
    r"\b(no|without( any)?) ai( (was )?(model|tool)?s?)?( were| was)? ?(used|involved)?\b|未使用", re.I
)
_UNSURE = re.compile(r"\b(not|un) ?-?verifiable|cannot be verified|无法核实", re.I)
_VERSION = re.compile(r"\d")
"""A model is named with its version."""
_EMPTY = re.compile(r"^\W*(models?( and roles?)?:?)?\W*$", re.I)


def read(text: str) -> Description:
    """Total: every text is some description. Comments of the template count for nothing."""
    body = _COMMENT.sub("", text[:BODY_LIMIT].replace("\r\n", "\n"))
    ticks = [(mark.lower() == "x", rest) for mark, rest in _TICK.findall(body)]
    marked = [(on, found[1]) for on, rest in ticks if (found := _MARK.search(rest))]
    return Description(
        disclosure=disclosure(section(body, "disclosure")),
        kinds=frozenset(kind for on, rest in ticks if on and (kind := _kind(rest))),
        ticked=frozenset(Item(name) for on, name in marked if on and name in set(Item)),
        from_template=bool(marked),
    )


def section(body: str, word: str) -> str:
    """Text below the first heading that holds `word`, up to the next heading; `""` without one."""
    headings = list(_HEADING.finditer(body))
    for place, heading in enumerate(headings):
        if word in heading[1].lower():
            end = headings[place + 1].start() if place + 1 < len(headings) else len(body)
            return body[heading.end() : end]
    return ""


def disclosure(text: str) -> Disclosure:
    """What the part about AI models says."""
    lines = [
        line.partition(":")[2] if line.lower().lstrip(" -*").startswith("models and") else line
        for line in text.splitlines()
    ]
    said = [line.strip(" -*\t") for line in lines if not _EMPTY.match(line)]
    if not said:
        return Disclosure.MISSING
    whole = " ".join(said)
    if _NONE.search(whole):
        return Disclosure.NONE_USED
    if _UNSURE.search(whole):
        return Disclosure.NOT_VERIFIABLE
    named = [line for line in said if _VERSION.search(line) and not _tool(line)]
    return Disclosure.NAMED if named else Disclosure.TOOL_ONLY


def _tool(line: str) -> bool:
    """Nothing but a tool stands before the role: `Cursor 2.1: wrote it`."""
    name = re.sub(r"[\d.]+|\bv(?=\d)|version", "", line.split(":")[0].split("(")[0]).strip(" ,;.").lower()
    return name in TOOLS


def _kind(rest: str) -> Change | None:
    words = rest.strip().lower()
    return next((kind for kind in Change if words.startswith(kind)), None)
