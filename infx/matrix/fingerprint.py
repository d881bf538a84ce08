"""Fingerprints: what is executed for a recipe, as three digests.

Files are found by reading scripts, never by running them: every path in a script that exists in the
repository counts as read by it, whatever a container calls the folder above it.
"""

import hashlib
import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from infx.canon import digest
from infx.cluster import overrides
from infx.matrix.script import agentic, path_of, speculates
from infx.point import Fingerprint, row_fingerprint
from infx.rules import Rules
from infx.state import State

ENDINGS = (b".sh", b".py", b".yaml", b".yml", b".json", b".jinja", b".patch", b".toml", b".txt")
NOT_PATH = (
    bytes(byte if chr(byte).isalnum() or chr(byte) in "._-/" else 32 for byte in range(128)) + b" " * 128
)
"""Every byte that no path holds becomes a space: one pass in C over a whole file."""
IMPORT = re.compile(rb"^[ \t]*(?:from|import)\s+([\w.]+)", re.MULTILINE)
COMMENT = re.compile(rb"^[ \t]*#.*$", re.MULTILINE)
DRAFT = re.compile(
    r"""(?:--speculative-num-steps|--num-speculative-tokens|num_speculative_tokens)["']?[=:\s]+["']?(\d+)"""
)

LAUNCH, LOCK = "launch rules", "clients' lock file"
"""Names of what surrounds a point beside files."""
CORPUS = "corpus"
"""Beginning of the load fields of a cluster record that name the trace corpus."""
NOT_LAUNCH = frozenset({"exporter", "exporter-port", "excluded_nodes", "maintenance", "nodes"})
"""Fields of a cluster record that change where or when a point runs, not what runs."""


@dataclass(frozen=True, kw_only=True)
class Ground:
    """What recipes stand on, at one commit."""

    files: Mapping[str, bytes]
    """Path → content of every file that scripts may read."""
    documents: Mapping[str, Any] = field(default_factory=dict)
    """Path → parsed YAML, for paths in `files`; a path that is missing here counts by its bytes."""
    golden: Mapping[str, Any] = field(default_factory=dict)
    """Name of a golden curve (`qwen3.5_mtp`) → thinking mode → draft length → acceptance length."""
    launch: Mapping[str, Any] = field(default_factory=dict)
    """Runner label → what of its cluster record changes a launch."""
    lock: str = ""
    """Digest of the clients' lock file."""
    corpus: Mapping[str, Any] = field(default_factory=dict)
    """Runner label → trace corpus of its agentic rows: dataset, revision, cap, sub-agents."""
    harness_version: int = 1
    root: str = ""
    """Folder of the repository that scripts take for the root; empty or with a slash at its end."""
    marks: dict[str, str] = field(default_factory=dict, init=False, repr=False, compare=False)
    """Identities computed so far."""

    @cached_property
    def reads(self) -> Mapping[str, frozenset[str]]:
        """Path → files that it names itself."""
        known = frozenset(self.files)
        return {path: _reads(path, data, known, self.root) for path, data in self.files.items()}

    @cached_property
    def readers(self) -> Mapping[str, int]:
        """Path → number of scripts that reach it; a script is a file that no other file reads."""
        read = set().union(*self.reads.values())
        counts: dict[str, int] = {}
        for root in self.files.keys() - read:
            for path in self.closure(root):
                counts[path] = counts.get(path, 0) + 1
        return counts

    def closure(self, script: str) -> frozenset[str]:
        """Every file that running `script` reads, without the script itself."""
        seen: set[str] = set()
        todo = [script]
        while todo:
            new = self.reads.get(todo.pop(), frozenset()) - seen - {script}
            seen |= new
            todo += new
        return frozenset(seen)

    def shared(self, script: str) -> frozenset[str]:
        """Files read by `script` that other recipes read too.

        A file in a folder above the script is a library, whoever else reads it today: otherwise the second
        reader of a library would change the fingerprint of the first.
        """
        return frozenset(
            path
            for path in self.closure(script)
            if self.readers.get(path, 0) > 1
            or (
                script.startswith(posixpath.dirname(path) + "/")
                and posixpath.dirname(path) != posixpath.dirname(script)
            )
        )

    def mark(self, path: str) -> str:
        """Identity of a file: bytes of code, parsed value of YAML, where comments count for nothing."""
        if path not in self.marks:
            parsed = path in self.documents
            code = self.files[path]
            self.marks[path] = digest(self.documents[path]) if parsed else hashlib.sha256(code).hexdigest()
        return self.marks[path]


def ground(state: State, rules: Rules) -> Ground:
    """What recipes of a commit stand on."""
    loads = {label: record.get("load") or {} for label, record in state.clusters.items()}
    return Ground(
        files=state.files,
        documents=state.documents,
        golden=state.golden,
        launch={label: _launch(record) for label, record in state.clusters.items()},
        lock=state.lock,
        corpus={
            label: {name: load[name] for name in sorted(load) if name.startswith(CORPUS)}
            for label, load in loads.items()
        },
        harness_version=rules.harness_version,
        root=rules.layout.path(""),
    )


def fingerprint(row: Mapping[str, Any], script: str, *, ground: Ground, variant: Any = None) -> Fingerprint:
    """The three digests of a row that runs `script`; `variant` is the flat document of a recipe variant.

    An empty `script` (none could be resolved) stands for itself: rows stay comparable between two trees.
    """
    path = path_of(script)
    files = ground.closure(path)
    shared = ground.shared(path)
    recipe = {
        "script": [script, digest(variant) if variant is not None else _own(ground, path)],
        "files": {name: ground.mark(name) for name in files - shared},
        "image": row.get("image"),
        "model": row.get("model"),
        "golden": golden_value(row, path, ground=ground),
        "corpus": ground.corpus.get(str(row.get("runner"))) if agentic(row) else None,
        "harness": ground.harness_version,
    }
    around = surroundings(row, script, ground=ground)
    return Fingerprint(row=row_fingerprint(row), recipe=digest(recipe), shared=digest(around))


def surroundings(row: Mapping[str, Any], script: str, *, ground: Ground) -> dict[str, Any]:
    """What the `shared` digest stands for: name → identity of each file, the launch rules and the lock."""
    return {
        **{name: ground.mark(name) for name in ground.shared(path_of(script))},
        LAUNCH: _for_model(ground.launch.get(str(row.get("runner"))), row),
        LOCK: ground.lock,
    }


def drift(row: Mapping[str, Any], script: str, one: Ground, other: Ground) -> frozenset[str]:
    """Names of what differs in a point's surroundings between two commits."""
    mine, theirs = (surroundings(row, script, ground=ground) for ground in (one, other))
    return frozenset(name for name in mine.keys() | theirs.keys() if mine.get(name) != theirs.get(name))


def golden_value(row: Mapping[str, Any], path: str, *, ground: Ground) -> Any:
    """Acceptance lengths pinned for the draft length that the script states; the whole curve when unclear."""
    if not (speculates(row) and agentic(row)):
        return None
    curve = next((ground.golden[name] for name in _curves(row) if name in ground.golden), None)
    lengths = set(DRAFT.findall(ground.files.get(path, b"").decode("utf-8", "replace")))
    if curve is None or len(lengths) != 1:
        return curve
    (length,) = lengths
    return {
        mode: points.get(int(length), points.get(length))
        for mode, points in curve.items()
        if isinstance(points, Mapping)
    }


def _launch(record: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in record.items() if name not in NOT_LAUNCH}
    load = {name: value for name, value in (record.get("load") or {}).items() if not name.startswith(CORPUS)}
    return {**kept, "load": load}


def _for_model(launch: Mapping[str, Any] | None, row: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Launch rules of one row: where other models are staged is nothing to it."""
    if launch is None:
        return None
    model, found = str(row.get("model")), dict(launch)
    if isinstance(launch.get("models"), Mapping):
        found["models"] = launch["models"].get(model)
    if isinstance(launch.get("override"), Mapping):
        found["override"] = overrides(launch["override"], model) or None
    return found


def _curves(row: Mapping[str, Any]) -> Iterator[str]:
    for joint in "_-":
        yield f"{row.get('model-prefix')}{joint}{row.get('spec-decoding')}"


def _own(ground: Ground, path: str) -> str:
    return ground.mark(path) if path in ground.files else ""


@lru_cache(maxsize=8192)
def _named(path: str, data: bytes) -> frozenset[str]:
    """Every path and module that a file's executed lines name, as written."""
    code = COMMENT.sub(b"", data)
    words = set(code.translate(NOT_PATH).split())
    named = {word.decode() for word in words if word.endswith(ENDINGS)}
    if path.endswith(".py"):
        named |= {match[1].decode().replace(".", "/") + ".py" for match in IMPORT.finditer(code)}
    return frozenset(named)


def _reads(path: str, data: bytes, known: frozenset[str], root: str) -> frozenset[str]:
    found = (_place(name, path, known, root) for name in _named(path, data))
    return frozenset(hit for hit in found if hit and hit != path)


def _place(name: str, reader: str, known: frozenset[str], root: str) -> str | None:
    """What `reader` means by `name`: beside it, from the root, or below a container's folder."""
    tail = name.lstrip("/")
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(reader), tail))
    if beside in known:
        return beside
    while tail:
        place = posixpath.normpath(root + tail)
        if place in known:
            return place
        tail = tail.partition("/")[2]
    return None
