"""Download: the artifacts of one run into a folder, a few at a time; one that fails costs no other."""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Protocol

from infx.edge import archive, files
from infx.edge.artifacts import Problem
from infx.errors import BadInput, CouldNotTell, InfxError
from infx.event import Artifact

AT_ONCE = 8
"""Downloads at the same time, and archives in memory."""
LIMIT = 64 * 1024 * 1024
"""Bytes of one zipped artifact; results with their raw files have a few MB."""
WANTED = ("record.json", "plan.json")
"""Files that are kept: raw files of the client are not needed to collect."""


class GitHub(Protocol):
    """The part of `infx.edge.github.GitHub` that this module needs."""

    def download(self, artifact: Artifact, *, limit: int) -> bytes: ...


def into(folder: Path, github: GitHub, artifacts: Iterable[Artifact]) -> list[Problem]:
    """Wanted files of each artifact below `folder/<name>/`, and what could not be had, by name.

    CouldNotTell when artifacts are there but none could be fetched: that is an outage, not missing data.
    """
    problems: list[Problem] = []
    count = 0
    for artifact, result in fetched(github, artifacts):
        count += 1
        if isinstance(result, InfxError):
            problems.append(Problem(artifact=artifact.name, what=result.what, lost=True))
        else:
            for path, data in result.items():
                files.write_bytes(folder / artifact.name / path, data)
    if count and len(problems) == count:
        raise CouldNotTell(
            f"none of {count} artifacts could be fetched: {problems[0].what}", todo="try again"
        )
    return problems


def fetched(
    github: GitHub, artifacts: Iterable[Artifact]
) -> Iterator[tuple[Artifact, dict[str, bytes] | InfxError]]:
    """Wanted files of each artifact, or why there are none, in order. No more than eight are under way."""
    waiting: deque[tuple[Artifact, Future[dict[str, bytes]]]] = deque()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for artifact in artifacts:
            waiting.append((artifact, pool.submit(_one, github, artifact)))
            if len(waiting) == AT_ONCE:
                yield _done(*waiting.popleft())
        while waiting:
            yield _done(*waiting.popleft())


def _one(github: GitHub, artifact: Artifact) -> dict[str, bytes]:
    if "/" in artifact.name or artifact.name in ("", ".", ".."):
        raise BadInput("its name leaves the folder", where=artifact.name[:80])
    data = github.download(artifact, limit=LIMIT)
    found = archive.unpack(data, where=f"artifact {artifact.name}")
    return {path: found[path] for path in WANTED if path in found}


def _done(
    artifact: Artifact, future: "Future[dict[str, bytes]]"
) -> tuple[Artifact, dict[str, bytes] | InfxError]:
    try:
        return artifact, future.result()
    except InfxError as problem:
        return artifact, problem
