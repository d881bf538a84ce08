"""Form: the file of a recorded life, JSON lines in gzip; bounded to read, and written whole or not at all."""

import gzip
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infx.edge import files
from infx.errors import BadInput

Json = dict[str, Any]
VERSION = 1
HOME = "https://forge.invalid"
"""Stands for the site's address in every text of the file."""
API = f"{HOME}/api/v3"
TOTAL = 64 * 1024 * 1024
"""Bytes of all lines, unpacked."""
TODO = "give a file that `infx forge record` or `infx forge serve --record` wrote"


@dataclass(frozen=True, kw_only=True)
class Life:
    """Entries in the order in which they happened, each with `kind`: `request` or `event`."""

    source: str
    """`forge` or `github`."""
    at: str
    """When the recording began."""
    complete: bool
    """False when the bound was reached and what came after is missing."""
    entries: Sequence[Json]

    def of(self, kind: str) -> list[Json]:
        return [entry for entry in self.entries if entry["kind"] == kind]


def write(path: Path, life: Life) -> None:
    head = {
        "kind": "life",
        "version": VERSION,
        "source": life.source,
        "at": life.at,
        "complete": life.complete,
    }
    lines = [json.dumps(entry, ensure_ascii=False) for entry in (head, *life.entries)]
    files.write_bytes(path, gzip.compress("".join(f"{line}\n" for line in lines).encode("utf-8", "replace")))


def read(path: Path) -> Life:
    """BadInput, with the line, for what is no recorded life."""
    lines = unpack(files.read_bytes(path), where=str(path)).splitlines()
    entries = [entry(line, where=f"{path}:{number}") for number, line in enumerate(lines, 1)]
    if not entries or entries[0]["kind"] != "life" or entries[0].get("version") != VERSION:
        raise BadInput(f"no recorded life of version {VERSION}", where=str(path), todo=TODO)
    head = entries[0]
    facts = {name: str(head.get(name, "")) for name in ("source", "at")}
    return Life(**facts, complete=bool(head.get("complete")), entries=entries[1:])


def unpack(data: bytes, *, where: str) -> str:
    inside = zlib.decompressobj(wbits=31)
    try:
        text = inside.decompress(data, TOTAL)
    except zlib.error as error:
        raise BadInput(f"not a gzip file ({error})", where=where, todo=TODO) from error
    if inside.unconsumed_tail:
        raise BadInput(f"more than {TOTAL} bytes unpacked", where=where, todo=TODO)
    if not inside.eof:
        raise BadInput("the file ends too early", where=where, todo="fetch it again")
    return files.decode(text, where=where)


FIELDS: dict[str, dict[str, type]] = {
    "life": {},
    "request": {"method": str, "path": str, "query": str, "status": int, "headers": dict},
    "event": {"name": str, "payload": dict},
}


def entry(line: str, *, where: str) -> Json:
    found = files.parse_json(line, where=where)
    fields = FIELDS.get(str(found.get("kind"))) if isinstance(found, dict) else None
    if fields is None:
        raise BadInput("no entry of a recorded life", where=where, todo=TODO)
    for name, wanted in fields.items():
        if not isinstance(found.get(name), wanted):
            raise BadInput(f"{name} is missing or of the wrong type", where=where, todo=TODO)
    return dict(found)
