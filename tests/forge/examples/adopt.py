"""Objects as GitHub writes them become rows of the forge, with their own ids and times."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from infx.forge import tokens
from infx.forge.actor import Actor
from infx.forge.commit import Person
from infx.forge.forge import Forge
from infx.forge.site import Json
from tests.forge.client import Client

HOME = "octocat/Hello-World"
FIRST = {"README.md": "hello\n", "notes/a.txt": "one\ntwo\n"}


def stamp(text: str | None) -> str | None:
    """Any of GitHub's spellings of a time as the tables have it."""
    if not text:
        return None
    return datetime.fromisoformat(text).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def users(value: Any) -> Iterator[Json]:
    """Every user, bot and organization in an example."""
    if isinstance(value, dict):
        if isinstance(value.get("login"), str) and isinstance(value.get("id"), int):
            yield value
        for one in value.values():
            yield from users(one)
    elif isinstance(value, list):
        for one in value:
            yield from users(one)


def distinct(value: Any) -> Any:
    """A copy in which two people do not share an id: the examples make everybody number 1."""
    copy = json.loads(json.dumps(value))
    taken: dict[str, int] = {}
    for one in users(copy):
        login = one["login"].lower()
        free = one["id"] if one["id"] not in taken.values() else 9000 + len(taken)
        one["id"] = taken.setdefault(login, free)
    return copy


@dataclass
class Adopt:
    """One forge, and the repository that the example speaks of."""

    forge: Forge
    home: str = HOME
    trunk: str = "main"
    caller: str = ""
    """Who asks, instead of the owner of the repository."""
    numbers: dict[str, int] = field(default_factory=dict)

    @property
    def at(self) -> Any:
        return self.forge.at(self.home, self.owner).at

    @property
    def owner(self) -> str:
        return self.home.partition("/")[0]

    @property
    def actor(self) -> Actor:
        return self.forge.at(self.home, self.owner)

    @property
    def client(self) -> Client:
        return Client(self.forge.api, tokens.user_token(self.forge.site, self.caller or self.owner))

    def put(self, table: str, **columns: Any) -> int:
        return int(self.forge.site.db.insert(table, **columns))

    @property
    def app(self) -> Client:
        """A client with the token of an App that may do everything."""
        held = dict.fromkeys(("checks", "statuses", "contents", "pull_requests", "issues"), "write")
        return Client(self.forge.api, self.forge.app(self.home, "octoapp", **held))

    def write(self, path: str, body: Json) -> None:
        """PUT what people would put there."""
        where = path[1:] if path.startswith("//") else f"/repos/{self.home}{path}"
        answer = self.client("PUT", where, body)
        assert answer.status < 300, answer.json

    def user(self, one: Json | None) -> str | None:
        """The login, once the user is there with that id."""
        if not one:
            return None
        site, login = self.forge.site, one["login"]
        if login not in self.numbers:
            site.add_user(login, kind=one.get("type") or "Organization")
            changes = {"id": one["id"], "created_at": stamp(one.get("created_at")) or site.stamp()}
            site.db.run(
                "UPDATE users SET id = ?, created_at = ?, name = ? WHERE login = ?",
                *changes.values(),
                one.get("name") or login,
                login,
            )
            site._users.clear()
            self.numbers[login] = one["id"]
        return str(login)

    def people(self, value: Any) -> None:
        for one in users(value):
            self.user(one)

    def member(self, org: str, one: Json) -> str:
        login = self.user(one)
        self.forge.member(org, str(login))
        self.forge.member(org, self.owner)
        return str(login)

    def team(self, org: str, one: Json) -> int:
        known = ("id", "name", "slug", "description")
        if self.forge.site.db.row("SELECT 1 FROM teams WHERE id = ?", one["id"]):
            return int(one["id"])
        made = stamp(one.get("created_at")) or self.forge.site.stamp()
        return self.put("teams", org=org, created_at=made, **{name: one[name] for name in known})

    def org(self, login: str) -> str:
        """An organization that the owner of the repository belongs to."""
        self.user({"login": login, "id": 7700, "type": "Organization"})
        self.forge.member(login, self.owner)
        return login

    def repository(self, name: str, one: Json | None = None, number: int = 0, branch: str = "") -> None:
        """The repository of that name with some files, and with the id that the example gives it."""
        self.home, self.trunk = name, branch or (one or {}).get("default_branch", "main")
        if self.owner not in self.numbers:
            self.user({"login": self.owner, "id": 8800, "type": "User"})
            del self.numbers[self.owner]  # whoever of that name comes in the example takes the place
        self.forge.create_repo(name)
        self.at.bare("symbolic-ref", "HEAD", f"refs/heads/{self.trunk}")
        self.forge.configure(name, default_branch=self.trunk)
        if number and not one:
            self.forge.site.db.run("UPDATE repos SET id = ? WHERE full_name = ?", number, name)
        if one:
            known = {
                "id": one["id"],
                "description": one.get("description"),
                "private": bool(one.get("private")),
                "created_at": stamp(one.get("created_at")) or self.forge.site.stamp(),
                "updated_at": stamp(one.get("updated_at")) or self.forge.site.stamp(),
            }
            places = ", ".join(f"{column} = ?" for column in known)
            repo = self.forge.site.repo(name)
            self.forge.site.db.run(f"UPDATE repos SET {places} WHERE id = ?", *known.values(), repo["id"])
        self.actor.push(self.trunk, FIRST, message="first")

    def commit(self, one: Json, branch: str = "", files: Json | None = None) -> str:
        """A commit with this message, author and time on top of a branch; its SHA, which cannot be kept."""
        bare, ref = self.at.bare, f"refs/heads/{branch or self.trunk}"
        tip = bare.ref(ref) or bare.ref(f"refs/heads/{self.trunk}")
        blobs = [
            (path, bare.write_blob(text.encode()), "100644")
            for path, text in (files or {"file1.txt": f"{one['message']}\n"}).items()
        ]
        tree = bare.put_all(bare.commit(tip).tree, blobs)
        who = [self.person(one[side]) for side in ("author", "committer")]
        sha = bare.write_commit(tree, (tip,), one["message"], author=who[0], committer=who[1])
        bare.set_ref(ref, sha)
        self.forge.at(self.home, self.owner).pushed()
        return str(sha)

    def signs(self, one: Json) -> None:
        """Author and committer of a commit as REST shows it, known by the addresses in it."""
        for side in ("author", "committer"):
            login = self.user(one[side])
            email = one["commit"][side]["email"]
            self.forge.site.db.run("UPDATE users SET email = ? WHERE login = ?", email, login)

    def person(self, one: Json) -> Person:
        return Person(one["name"], one["email"], int(datetime.fromisoformat(one["date"]).timestamp()))

    @property
    def repo(self) -> int:
        return int(self.forge.site.repo(self.home)["id"])


def described(value: Any, name: str) -> Json | None:
    """The fullest object of that repository in an example."""
    found = [one for one in places(value) if one.get("full_name") == name]
    return max(found, key=len, default=None)


def places(value: Any) -> Iterator[Json]:
    if isinstance(value, dict):
        if "full_name" in value and "owner" in value:
            yield value
        for one in value.values():
            yield from places(one)
    elif isinstance(value, list):
        for one in value:
            yield from places(one)


def repository_in(value: Any) -> str:
    """The repository that an example speaks of, by name or by its addresses."""
    first = re.search(r'"repository": {.*?"full_name": "([^"]+)"', json.dumps(value, sort_keys=True))
    named = [first[1]] if first else [one["full_name"] for one in places(value)]
    if named:
        return str(named[0])
    found = re.search(r"/repos/([\w.-]+/[\w.-]+)", json.dumps(value))
    return found[1] if found else HOME
