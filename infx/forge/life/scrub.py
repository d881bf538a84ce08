"""Scrub: tokens, e-mail addresses and names leave a life; the same person stays the same pseudonym."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from infx.forge.life.form import HOME, Json

GONE = "***"
TOKENS = re.compile(
    r"gh[oprsu]_\w{16,}|github_pat_\w{20,}|hf_\w{16,}|sk-[\w-]{20,}|xox[abprs]-[\w-]{10,}|AKIA[0-9A-Z]{16}"
    r"|eyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*|-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*-----|\Z)"
    r"|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)",
    re.S,
)
SIGNED = re.compile(
    r"(?i)\b((?:sig|signature|token|access_token|key|password|secret|x-amz-[\w-]+)=)[^&\s\"'<>)]+"
    r"|\b((?:authorization|bearer|token)[:\s]\s*)[\w.~+/-]{16,}=*"
)
EMAIL = re.compile(r"[\w.+-]+(?:\[bot\])?@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,}\b")
MENTION = re.compile(r"(?<![\w/.`-])@(?!person-\d)([A-Za-z\d][A-Za-z\d-]{0,38})(?![\w/-])")
KEPT_NAMES = {"github", "github actions", "web-flow", "ghost"}
FIXED = {
    "action",
    "author_association",
    "conclusion",
    "event",
    "kind",
    "mergeable_state",
    "method",
    "permission",
    "role_name",
    "sha",
    "side",
    "state",
    "status",
    "type",
}
"""Fields whose values are GitHub's own words."""


def scrub(entries: Sequence[Json]) -> list[Json]:
    """The same entries without secrets and people. Names that only free text mentions cannot be known."""
    known = people(entries)
    words = sorted(known, key=len, reverse=True)
    names = re.compile(rf"(?i)(?<![\w-])(?:{'|'.join(map(re.escape, words))})(?![\w-])") if words else None

    def clean(text: str) -> str:
        text = TOKENS.sub(GONE, text)
        text = SIGNED.sub(lambda found: (found[1] or found[2]) + GONE, text)
        text = EMAIL.sub(lambda found: f"{known.get(found[0].lower(), 'somebody')}@users.invalid", text)
        text = names.sub(lambda found: known[found[0].lower()], text) if names else text
        return MENTION.sub("@somebody", text)

    return [cleaned(entry, clean) for entry in entries]


def people(entries: Sequence[Json]) -> dict[str, str]:
    """Pseudonym by login, name and e-mail address, in small letters."""
    known: dict[str, str] = {}
    for names in sorted(found(entries)):
        words = [word.lower() for word in names if word]
        chosen = next(
            (known[word] for word in words if word in known), f"person-{len(set(known.values())) + 1}"
        )
        for word in words:
            known.setdefault(word, chosen)
    return known


def found(value: Any) -> set[tuple[str, ...]]:
    """Login, name and address of every person that is written down as one."""
    return {names for one in dicts(value) if (names := of_user(one) or of_commit(one))}


def of_user(one: Json) -> tuple[str, ...]:
    login, name, email = (text(one, key) for key in ("login", "name", "email"))
    return (login, name, email) if login and one.get("type") == "User" and not kept(login) else ()


def of_commit(one: Json) -> tuple[str, ...]:
    login, name, email = (text(one, key) for key in ("username", "name", "email"))
    if "email" not in one or "type" in one or kept(name) or "[bot]" in login + email:
        return ()
    return (login, name, email)


def kept(name: str) -> bool:
    return not name or name.endswith("[bot]") or name.lower() in KEPT_NAMES


def text(one: Json, key: str) -> str:
    value = one.get(key)
    return value if isinstance(value, str) else ""


def dicts(value: Any) -> Iterator[Json]:
    if isinstance(value, dict):
        yield value
    inner: Iterable[Any] = (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    )
    for one in inner:
        yield from dicts(one)


def cleaned(value: Any, clean: Callable[[str], str], key: str = "") -> Any:
    if isinstance(value, str):
        return value if key in FIXED else clean(value)
    if isinstance(value, list):
        return [cleaned(one, clean, key) for one in value]
    if not isinstance(value, dict):
        return value
    made = {name: cleaned(one, clean, name) for name, one in value.items()}
    return faceless(made) if of_user(value) else made


def faceless(user: Json) -> Json:
    """A user without the number and picture by which GitHub knows the person."""
    number = int(user["login"].rpartition("-")[2])
    face = {"id": number, "node_id": f"U_{number}", "avatar_url": f"{HOME}/avatars/u/{number}"}
    return {**user, **{name: face[name] for name in face if name in user}}
