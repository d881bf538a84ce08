"""Rendered: a point's recipe file as scripts in its results folder, one for each role."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infx.cluster import Cluster
from infx.edge import files
from infx.errors import BadInput
from infx.launch.member import Member
from infx.matrix import roles, variant
from infx.matrix.roles import Role
from infx.matrix.script import path_of
from infx.point import Point
from infx.read import yaml
from infx.reason import Reason, Stopped

RECIPES = (".yaml", ".yml")
SCRIPT = "start.sh"


@dataclass(frozen=True, kw_only=True)
class Rendered:
    """What the driver starts."""

    script: str = ""
    """Of the one engine; empty for a point with a script of its own, or with members."""
    members: tuple[Member, ...] = ()


def rendered(root: Path, point: Point, cluster: Cluster, *, out: Path) -> Rendered:
    """Scripts of the point's recipe file below `out`. Stopped when the file cannot be started."""
    path = path_of(point.script)
    if not path.endswith(RECIPES):
        return Rendered()
    try:
        document = yaml.load(files.read_text(root / path), where=path)
        made = started(document, point, cluster, path=path)
    except BadInput as error:
        raise Stopped(Reason.SCRIPT_MISSING, error.sentence) from error
    if len(made) == 1:
        return Rendered(script=_written(out, made[0]))
    return Rendered(
        members=tuple(
            Member(
                role=role.name,
                index=index,
                script=script,
                gpus=0 if role.name == roles.FRONTEND else gpus(role, point),
                front=role.name == roles.FRONTEND,
            )
            for role in made
            for script in [_written(out / role.name, role)]
            for index in range(role.count)
        )
    )


def started(document: Any, point: Point, cluster: Cluster, *, path: str) -> list[Role]:
    """Roles of the point's variant, with what the cluster puts in other places. BadInput when it has none."""
    model = str(point.row["model"])
    flat = variant.choose(document, point.script.partition(":")[2], point.row, where=path)[1]
    staged = cluster.staged(model) or str((flat.get("model") or {}).get("path", model))
    return roles.roles(roles.overlaid(flat, cluster.overrides(model)), model=model, path=staged)


def gpus(role: Role, point: Point) -> int:
    """GPUs of one engine: what the recipe says, else what the row does."""
    pool = point.row.get(role.name, point.row)
    return role.gpus or int(pool.get("tp", 1) * pool.get("pp", 1) * pool.get("pcp-size", 1))


def _written(folder: Path, role: Role) -> str:
    for name, text in {**role.files, SCRIPT: roles.script(role)}.items():
        files.write_text(folder / name, text)
    return str(folder / SCRIPT)
