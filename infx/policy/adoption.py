"""Adoption: where a repository has its files, and what init does to each of its own."""

import hashlib
import json
import posixpath
import re
from collections.abc import Collection, Iterator, Mapping

from infx.adopted import Act, Found, Step
from infx.errors import BadInput
from infx.recipe import Config
from infx.starter import EXAMPLES, LOCK, PIECES, Kept, Piece

MASTER = re.compile(r"(?:(?P<root>.+)/)?configs/(?P<name>[\w.-]+-master\.ya?ml)")
GOLDEN = ("configs/golden-al", "golden_al_distribution")
ORDER = ("nvidia", "amd")
"""Masters that stand first, as the community's generator reads them."""
HEADER = re.compile(
    rb"^# infx (?P<version>[^,\n]+) wrote this file, digest (?P<digest>[0-9a-f]{16}); .*\n", re.M
)


def found(paths: Collection[str], *, root: str | None, audit_from: str = "") -> Found:
    """Where `paths`, the repository's files, hold configs. BadInput when two folders could be meant."""
    matches = [match for path in sorted(paths) if (match := MASTER.fullmatch(path))]
    roots = {match["root"] or "" for match in matches if not _ours(match["name"])}
    if root is None and len(roots) > 1:
        told = ", ".join(sorted(one or "." for one in roots))
        raise BadInput(f"master configs stand in {len(roots)} folders ({told})", todo="name one with --root")
    base = (next(iter(roots), "") if root is None else root).strip("/")
    names = [match["name"] for match in matches if (match["root"] or "") == base]
    return Found(
        root=base,
        masters=tuple(f"configs/{name}" for name in sorted(names, key=_order)),
        golden=next((one for one in GOLDEN if _holds(paths, posixpath.join(base, one))), ""),
        audit_from=audit_from,
    )


def _ours(name: str) -> bool:
    return f"configs/{name}" == EXAMPLES


def _order(name: str) -> tuple[int, str]:
    vendor = name.partition("-")[0]
    return (ORDER.index(vendor) if vendor in ORDER else len(ORDER), name)


def _holds(paths: Collection[str], folder: str) -> bool:
    return any(path.startswith(f"{folder}/") for path in paths)


def policy(where: Found, *, example: bool) -> str:
    """Text of `configs/policy.yaml`: only what differs from the policy that ships."""
    masters = [*where.masters, *([EXAMPLES] if example and EXAMPLES not in where.masters else [])]
    layout = {
        "root": where.root,
        "masters": f"[{', '.join(masters)}]" if masters else "",
        "golden": where.golden if where.golden != GOLDEN[0] else "",
        "lock": LOCK,
    }
    lines = [
        "# What differs from the policy that ships with infx. `infx schema policy` has every key.",
        "format: 1",
        "layout:",
        *(f"  {name}: {value}" for name, value in layout.items() if value),
    ]
    if where.audit_from:
        lines += [
            "# Entries after this one must have a publication.",
            f"audit-from: {where.audit_from}",
        ]
    if example:
        lines += [
            "durations:",
            "  # Seconds of a cell of the demo engine on two busy cores; a canary gets twice that.",
            "  recorded: { demo-bf16-local-sim: 30, demo-bf16-local-sim-agentic: 30 }",
        ]
    return "\n".join(lines) + "\n"


def models(template: str, configs: Collection[Config]) -> str:
    """Text of `configs/models.yaml`: a row for each model that the repository measures already."""
    lines = []
    for prefix in dict.fromkeys(config.model_prefix for config in configs):
        if f"\n  {prefix}:" in template:
            continue
        own = [config for config in configs if config.model_prefix == prefix]
        checkpoints = dict.fromkeys(config.model for config in own)
        precisions = dict.fromkeys(config.precision for config in own)
        lines += [
            f"  {json.dumps(prefix)}:",
            f"    name: {json.dumps(prefix)}",
            f"    checkpoints: {json.dumps([*checkpoints])}",
            f"    precisions: {{ {', '.join(f'{json.dumps(one)}: ' for one in precisions)} }}",
        ]
    return template.replace("# @MODELS@\n", "".join(f"{line}\n" for line in lines))


def place(piece: Piece, root: str) -> str:
    """Path of a piece from the repository's root."""
    return posixpath.join(root, piece.path) if piece.rooted else piece.path


def steps(
    shipped: Mapping[str, bytes],
    present: Mapping[str, bytes],
    *,
    where: Found,
    version: str,
    upgrade: bool,
    example: bool,
) -> Iterator[Step]:
    """What becomes of each file. `shipped` and `present` are content by path from the repository's root."""
    for piece in PIECES:
        if piece.kept == Kept.EXAMPLE and not example:
            continue
        path = place(piece, where.root)
        now, new = present.get(path), shipped[path]
        if piece.kept == Kept.MANAGED:
            yield _managed(path, now, stamped(new, version), upgrade=upgrade)
        elif now is None:
            yield Step(path=path, act=Act.WRITE, why="not there yet", data=new)
        else:
            yield Step(path=path, act=Act.OWN, why="the repository's own, left as it is")


def _managed(path: str, now: bytes | None, new: bytes, *, upgrade: bool) -> Step:
    if now is None:
        return Step(path=path, act=Act.WRITE, why="not there yet", data=new)
    header = HEADER.search(now)
    if header is None:
        why = "there is a file of this name that infx did not write; rename it, and run init again"
        return Step(path=path, act=Act.FOREIGN, why=why)
    if bare(now) == bare(new):
        return Step(path=path, act=Act.SAME, why="up to date")
    changed = mark(bare(now)) != header["digest"].decode()
    if changed and header["digest"].decode() == mark(bare(new)):
        return Step(path=path, act=Act.CHANGED, why="of this version, with changes made here")
    was = header["version"].decode("utf-8", "replace")
    if not upgrade:
        return Step(path=path, act=Act.LOCAL, why=f"of infx {was}; `infx init --upgrade` brings the new one")
    if changed:
        return Step(path=path, act=Act.MERGE, why=f"of infx {was}, with changes made here", data=new)
    return Step(path=path, act=Act.UPGRADE, why=f"of infx {was}, unchanged since", data=new)


def base(path: str) -> str:
    """Where the shipped content of a file that has changes of both sides is kept, for the next upgrade."""
    return f".github/infx/base/{path.replace('/', '__')}"


def stamped(content: bytes, version: str) -> bytes:
    """`content` with the line that says which version wrote it, after a `#!` line if there is one."""
    line = f"# infx {version} wrote this file, digest {mark(content)}; `infx init --upgrade` renews it.\n"
    first, rest = content.split(b"\n", 1) if content.startswith(b"#!") else (b"", content)
    return (first + b"\n" if first else b"") + line.encode() + rest


def bare(content: bytes) -> bytes:
    """`content` without that line."""
    return HEADER.sub(b"", content, count=1)


def mark(content: bytes) -> str:
    """Digest of what was written, without the line that says so."""
    return hashlib.sha256(content).hexdigest()[:16]
