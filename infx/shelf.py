"""Shelf: the results database of this working folder, and how it is made from the store of record."""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from infx.edge import database, files
from infx.edge.database import Damaged, Source
from infx.edge.git import Git
from infx.edge.store import Store, Value, lines
from infx.edge.world import World
from infx.errors import BadInput
from infx.flat import COLUMNS, Flat, flats
from infx.read.rows import publication
from infx.results import table
from infx.retraction import Retraction

FILE = Path(".infx/results.duckdb")
MOST = 10**9
"""Rows that anybody may ask for."""
FOLDERS = ("published", "retracted")
NOT_SHOWN = {"body", "source", "total", "fingerprint", "authorisation"}
"""Columns that are not printed as they are."""
FILTERS = {
    "model": ("prefix", "model"),
    "hw": ("hw",),
    "framework": ("framework",),
    "precision": ("precision",),
    "scenario": ("scenario",),
    "task": ("task",),
    "key": ("key",),
    "run": ("run",),
    "point": ("point", "series"),
}
"""Option → the columns of which one must hold its value."""


@dataclass(frozen=True, kw_only=True)
class Built:
    """What one build did."""

    commit: str
    files: int
    """Files of the store that were read."""
    rows: int
    problems: tuple[str, ...]
    """Lines that are no records, each with its place; the others were taken."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Where the database is."""
    parser.add_argument("--database", metavar="FILE", type=Path, default=FILE, help=f"else {FILE}")


def filters(parser: argparse.ArgumentParser) -> None:
    """What is looked for."""
    for name, columns in FILTERS.items():
        parser.add_argument(
            f"--{name}",
            dest=f"only_{name}",
            metavar="TEXT",
            action="append",
            help=f"only this {' or '.join(columns)}",
        )
    parser.add_argument(
        "--conc", dest="only_conc", metavar="N", type=int, action="append", help="only this concurrency"
    )
    parser.add_argument("--limit", metavar="N", type=int, default=50, help="most rows, 0 for all (50)")
    parser.add_argument("--json", action="store_true", help="whole rows with provenance, as JSON")


def condition(args: argparse.Namespace) -> tuple[str, list[Any]]:
    """SQL condition and its values."""
    parts, values = ["TRUE"], []
    for name, columns in {**FILTERS, "conc": ("conc",)}.items():
        wanted = getattr(args, f"only_{name}") or ()
        if wanted:
            tests = [f"lower(CAST({column} AS VARCHAR)) = ?" for column in columns for _ in wanted]
            parts.append(f"({' OR '.join(tests)})")
            values += [str(one).lower() for _ in columns for one in wanted]
    return " AND ".join(parts), values


def limit(args: argparse.Namespace) -> str:
    if not 0 <= args.limit <= MOST:
        what = "below 0" if args.limit < 0 else f"above {MOST}"
        raise BadInput(f"--limit {args.limit} is {what}", todo="give 0 for all rows")
    return f"LIMIT {args.limit}" if args.limit else ""


def ask(args: argparse.Namespace, world: World, sql: str, values: Sequence[Any] = ()) -> list[dict[str, Any]]:
    """Rows of a query. A database that is not there, or damaged, is made from the store first."""
    path = world.cwd / args.database
    try:
        return _ask(path, sql, values)
    except (Damaged, BadInput) as problem:
        world.note(f"infx: {problem.what}; making it from the store of record")
        if type(problem) is Damaged:
            database.claim(path)
            path.unlink(missing_ok=True)
        build(path, store(world), world)
        return _ask(path, sql, values)


def _ask(path: Path, sql: str, values: Sequence[Any]) -> list[dict[str, Any]]:
    connection = database.open_read(path)
    try:
        return database.rows(connection, sql, values, path=path)
    finally:
        connection.close()


def whole(one: Mapping[str, Any]) -> dict[str, Any]:
    """A row of the database for JSON: the published row itself, and what is known of it."""
    known = {name: value for name, value in one.items() if name not in NOT_SHOWN}
    documents = {name: json.loads(one[name]) for name in ("fingerprint", "authorisation")}
    return {**known, **documents, "row": json.loads(one["body"])}


def row_of(one: Mapping[str, Any]) -> Flat:
    """A row of the database as it went in."""
    return Flat(**{name: one[name] for name in COLUMNS})


def answer(
    args: argparse.Namespace, world: World, query: tuple[str, list[Any]], columns: Sequence[table.Column]
) -> int:
    """Print the rows of a query, and say how many its limit left out: the query counts them as `total`."""
    found = ask(args, world, f"{query[0]} {limit(args)}", query[1])
    if args.json:
        world.say(json.dumps([whole(one) for one in found], indent=1))
        return 0
    world.say(table.text(found, columns) if found else "no published row fits")
    left = found[0]["total"] - len(found) if found else 0
    if left:
        world.note(f"{left} more; narrow the search, or --limit 0")
    return 0


def store(world: World) -> Store:
    """The store of record of this clone."""
    from infx.edge import settings  # late: reading the database needs no policy

    return Store(git=Git(world.cwd), branch=settings.load(world.cwd).layout.results_branch)


def build(path: Path, records: Store, world: World) -> Built:
    """Bring the database up to what the store holds now: twice, or two at once, is the same as once."""
    if path == world.cwd / FILE:
        files.uncommitted(path.parent)
    with database.building(path):
        try:
            return _build(path, records, world)
        except Damaged as problem:
            world.note(f"infx: {problem.what}; making it again from the store")
            path.unlink(missing_ok=True)
            return _build(path, records, world)


def _build(path: Path, records: Store, world: World) -> Built:
    commit, wanted = records.index(*FOLDERS)
    known = database.blobs(path)
    changed = [name for name, blob in wanted.items() if known.get(name) != blob]
    gone = known.keys() - wanted.keys()
    reader = Reader(world=world, total=len(changed), blobs=wanted)
    if changed or gone or not database.current(path):
        database.build(path, reader.sources(records.raw(commit, changed)), gone, commit=commit)
    return Built(commit=commit, files=reader.done, rows=reader.rows, problems=tuple(reader.problems))


@dataclass(kw_only=True)
class Reader:
    """Files of the store become sources; one line that is no record never costs the others."""

    world: World
    total: int
    blobs: Mapping[str, str]
    done: int = 0
    rows: int = 0
    problems: list[str] = field(default_factory=list)

    def sources(self, files: Iterable[tuple[str, bytes]]) -> Iterator[Source]:
        for path, data in files:
            source = Source(path=path, blob=self.blobs[path])
            if path.startswith("retracted/"):
                yield replace(source, retractions=self._retractions(path, data))
            else:
                found = self._rows(path, data)
                self.rows += len(found)
                yield replace(source, rows=found)
            self.done += 1
            if self.done % 1000 == 0:
                self.world.note(f"{self.done} of {self.total} files, {self.rows} rows")

    def _records(self, path: str, data: bytes) -> Iterator[tuple[str, str, Value]]:
        """Place, key and value of every line that is a record."""
        for number, line in enumerate(data.splitlines(), start=1):
            place = f"{path}:{number}"
            try:
                ((key, value),) = lines(line, where=place)
                yield place, key, value
            except (BadInput, ValueError):
                self.problems.append(f"{place}: not a record of the store")

    def _rows(self, path: str, data: bytes) -> list[Flat]:
        merge = path.removeprefix("published/").removesuffix(".jsonl")
        found: list[Flat] = []
        seen: Counter[str] = Counter()
        for place, key, value in self._records(path, data):
            try:
                one = publication({"merge": merge, "point": key, **value})
                found += flats(one, version=seen[key])
                seen[key] += 1
            except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
                self.problems.append(f"{place}: no published row ({error})"[:300])
        return found

    def _retractions(self, path: str, data: bytes) -> list[Retraction]:
        standing: dict[str, Retraction] = {}
        for place, key, value in self._records(path, data):
            try:
                standing[key] = Retraction.from_json(value)
            except TypeError as error:
                self.problems.append(f"{place}: no withdrawal ({error})"[:300])
        return [one for one in standing.values() if not one.undone]
