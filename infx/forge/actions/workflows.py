"""Workflow files of a commit, read from git objects and parsed once a blob."""

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infx.edge.files import decode
from infx.edge.git import Git
from infx.errors import BadInput
from infx.forge.actions.parser import Parser

FOLDER = ".github/workflows"
SIZE_LIMIT = 1024 * 1024
"""Bytes; a larger file is not a workflow but an attempt to stall the parser."""


@dataclass(frozen=True, kw_only=True)
class Workflow:
    """One workflow file. `document` is empty when nothing of it could be read."""

    path: str
    document: Mapping[str, Any]
    errors: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return str(self.document.get("name") or self.path)


class Workflows:
    """Reads and remembers; safe from any thread."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        self._lock = threading.Lock()
        self._known: dict[tuple[str, str], Workflow] = {}

    def at(self, git_dir: Path, commit: str) -> list[Workflow]:
        """Every workflow file of `commit`, by path."""
        git = Git(git_dir)
        blobs = git.tree(commit, FOLDER)
        wanted = sorted(
            path
            for path in blobs
            if path.count("/") == FOLDER.count("/") + 1 and path.endswith((".yml", ".yaml"))
        )
        return [self._read(git, path, blobs[path]) for path in wanted]

    def one(self, git_dir: Path, commit: str, path: str) -> Workflow:
        """BadInput when `commit` has no such workflow file."""
        for workflow in self.at(git_dir, commit):
            if workflow.path == path:
                return workflow
        raise BadInput(f"no workflow file {path} at {commit[:7]}", todo="give the path of a workflow file")

    def _read(self, git: Git, path: str, blob: str) -> Workflow:
        with self._lock:
            known = self._known.get((path, blob))
        if known is None:
            known = self._parsed(path, git("cat-file", "blob", blob))
            with self._lock:
                self._known[path, blob] = known
        return known

    def _parsed(self, path: str, data: bytes) -> Workflow:
        if len(data) > SIZE_LIMIT:
            return Workflow(path=path, document={}, errors=(f"{path} is larger than {SIZE_LIMIT} bytes",))
        try:
            document, errors = self._parser.read(decode(data, where=path), name=path)
        except BadInput as problem:
            return Workflow(path=path, document={}, errors=(problem.sentence,))
        return Workflow(path=path, document=document, errors=tuple(errors))
