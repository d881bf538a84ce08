"""States of commits, read from git objects: one listing a commit, and one process for all their contents."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from typing import Any

from infx.edge.git import Git
from infx.edge.world import World
from infx.errors import BadInput
from infx.read import tables, yaml
from infx.read.config import read_catalog
from infx.recipe import Catalog
from infx.rules import Layout
from infx.state import State
from infx.versions import Versions

YAML = (".yaml", ".yml")


class Documents(Mapping[str, Any]):
    """Path → parsed YAML, parsed when it is first asked for: most files never are."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self.files = {path: data for path, data in files.items() if path.endswith(YAML)}
        self.parsed: dict[str, Any] = {}

    def __getitem__(self, path: str) -> Any:
        if path not in self.parsed:
            self.parsed[path] = yaml.load(self.files[path], where=path)
        return self.parsed[path]

    def __contains__(self, path: object) -> bool:
        return path in self.files

    def __iter__(self) -> Iterator[str]:
        return iter(self.files)

    def __len__(self) -> int:
        return len(self.files)


def states(git: Git, commits: Sequence[str], *, layout: Layout) -> list[State]:
    """State of each commit, the head last. BadInput with file and line when a config of one is broken."""
    listings = [_listing(git, commit, layout) for commit in commits]
    contents = _contents(git, list(zip(commits, listings, strict=True)))
    made: list[State] = []
    for commit, listing in zip(commits, listings, strict=True):
        same = next((state for state in made if state.objects == listing), None)
        try:
            made.append(replace(same, commit=commit) if same else _state(commit, listing, contents, layout))
        except BadInput as error:
            if commit == commits[-1] or not error.where:
                raise
            # The file in the work tree may be right: the way git writes it says that another one is meant.
            raise BadInput(error.what, where=f"{commit[:12]}:{error.where}", todo=error.todo) from None
    return made


def versions(git: Git, changelog: str, *, base: str, head: str) -> Versions:
    """The changelog at `head`, at the target's tip `base` and at their merge base."""
    fork = git.merge_base(base, head)
    found = git.blobs([(commit, changelog) for commit in (fork, base, head)])
    merge_base, target, own = (data or b"" for data in found)
    return Versions(merge_base=merge_base, target=target, head=own)


def remind(git: Git, world: World, *, head: str, layout: Layout) -> None:
    """Say which files of the work tree an answer about the commit `HEAD` does not count."""
    files = git.uncommitted(*_places(layout), layout.path(layout.changelog)) if head == "HEAD" else []
    if files:
        more = f" and {len(files) - 1} more" if len(files) > 1 else ""
        world.note(f"infx: not committed, so not counted: {files[0]}{more}")


def _listing(git: Git, commit: str, layout: Layout) -> dict[str, str]:
    return git.tree(commit, *_places(layout))


def _places(layout: Layout) -> list[str]:
    """Files and folders that a state is made of."""
    names = [*layout.masters, layout.runners, layout.clusters, layout.features, layout.golden]
    return [layout.path(name) for name in (*names, layout.scripts, layout.lock)]


def _contents(git: Git, listings: Iterable[tuple[str, Mapping[str, str]]]) -> dict[str, bytes]:
    """Object id → bytes; an object that both commits hold is read once."""
    places = {oid: (commit, path) for commit, listing in listings for path, oid in listing.items()}
    return {
        oid: data
        for oid, data in zip(places, git.blobs(list(places.values())), strict=True)
        if data is not None
    }


def _state(commit: str, listing: Mapping[str, str], contents: Mapping[str, bytes], layout: Layout) -> State:
    files = {path: contents[oid] for path, oid in listing.items() if oid in contents}
    below = {path: data for path, data in files.items() if _under(path, layout.path(layout.scripts))}
    clusters = _optional(files, layout.path(layout.clusters), tables.records)
    masters = [_named(files, commit, layout.path(name)) for name in layout.masters]
    return State(
        commit=commit,
        catalog=_with(clusters, read_catalog(masters, _named(files, commit, layout.path(layout.runners)))),
        files=below,
        documents=Documents(below),
        golden=dict(_golden(files, layout.path(layout.golden))),
        clusters=clusters,
        features=_optional(files, layout.path(layout.features), tables.features),
        lock=listing.get(layout.path(layout.lock), ""),
        objects=listing,
    )


def _with(clusters: Mapping[str, Any], catalog: Catalog) -> Catalog:
    """The catalog with the labels that only our own cluster records have."""
    own = {
        label: tuple(map(str, record["nodes"]))
        for label, record in clusters.items()
        if isinstance(record, Mapping) and isinstance(record.get("nodes"), list)
    }
    labels = {**own, **catalog.runners.labels}
    return replace(catalog, runners=replace(catalog.runners, labels=labels))


def _named(files: Mapping[str, bytes], commit: str, path: str) -> tuple[str, bytes]:
    if path not in files:
        raise BadInput(f"commit {commit[:12]} has no file {path}", todo="add it, or correct the layout")
    return path, files[path]


def _golden(files: Mapping[str, bytes], folder: str) -> Iterator[tuple[str, Any]]:
    """Curves by name; a file holds one model key with the curve below it."""
    for path, data in files.items():
        if _under(path, folder) and path.endswith(YAML):
            yield PurePosixPath(path).stem, tables.curve(data, where=path)


def _optional(files: Mapping[str, bytes], path: str, read: Callable[..., Mapping[str, Any]]) -> Any:
    """A config of ours as `read` understands it; empty when the commit has no such file."""
    return read(files[path], where=path) if path in files else {}


def _under(path: str, folder: str) -> bool:
    return path.startswith(f"{folder}/")
