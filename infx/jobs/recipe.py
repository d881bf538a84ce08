"""`infx recipe show`: what each point of a config key starts, exactly: commands, environment, files."""

import argparse
import json
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infx.cluster import Cluster
from infx.decision import Decision
from infx.edge import dryrun, files, settings
from infx.edge.git import Git
from infx.edge.tree import remind, states
from infx.edge.world import World
from infx.launch.environ import exported
from infx.matrix import oneoff, roles
from infx.matrix.fingerprint import ground
from infx.matrix.script import path_of
from infx.point import EVAL, Point
from infx.read.clusters import clusters
from infx.rendered import started
from infx.rules import Rules
from infx.say.words import plural
from infx.state import State

EXAMPLE = """example:
  infx recipe show qwen3.5-fp8-h200-sglang-agentic-mtp --conc 4
  infx recipe show 'dsr1-*' --json"""


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("key", nargs="+", metavar="KEY", help="config keys; `*` and `?` make a pattern")
    parser.add_argument("--conc", nargs="+", type=int, metavar="N", help="only these concurrencies")
    parser.add_argument("--evals", action="store_true", help="the eval points too")
    parser.add_argument("--json", action="store_true", help="print it as JSON")


@dataclass(frozen=True, kw_only=True)
class Shown:
    """One point as its runner would start it. `$PORT` is chosen there."""

    point: Point
    driver: str
    env: Mapping[str, str]
    roles: tuple[roles.Role, ...]
    reads: tuple[str, ...]
    """Files of the repository that starting it reads."""

    def as_json(self) -> dict[str, Any]:
        return {
            "key": self.point.key,
            "point": self.point.title,
            "script": self.point.script,
            "driver": self.driver,
            "environment": dict(self.env),
            "roles": [
                {"role": one.name, "count": one.count, "argv": list(one.argv)}
                | {"environment": dict(one.env), "files": dict(one.files)}
                for one in self.roles
            ],
            "reads": list(self.reads),
        }


def run(args: argparse.Namespace, world: World) -> int:
    """0; Refused when a key is unknown. The checkout is read, so that a change can be looked at at once."""
    git, rules = Git(world.cwd), settings.load(world.cwd)
    remind(git, world, head="HEAD", layout=rules.layout)
    (head,) = states(git, [git.resolve("HEAD")], layout=rules.layout)
    conc = tuple(args.conc) if args.conc else None
    plan = oneoff.plan(oneoff.OneOff(keys=tuple(args.key), conc=conc, evals=args.evals), head, rules)
    shower = Shower(head, rules, world.cwd)
    shown = [shower.show(point) for point in plan.points]
    if args.json:
        world.say(json.dumps(decision(shown).as_json(), indent=1))
    else:
        world.say("\n\n".join(text(one) for one in shown))
    return 0


class Shower:
    """Looks at points of one commit, in its checkout."""

    def __init__(self, head: State, rules: Rules, root: Path) -> None:
        self.ground, self.root, self.documents = ground(head, rules), root, head.documents
        path = rules.layout.path(rules.layout.clusters)
        self.clusters = clusters(files.read_text(root / path), where=path)

    def show(self, point: Point) -> Shown:
        known = self.clusters.get(point.runner)
        cluster = known or Cluster(driver="local")
        path = path_of(point.script)
        env = {**cluster.env, **environment(point, cluster)}
        listen = {"LISTEN": ANYWHERE if cluster.driver == "slurm" else HERE}
        recipe = path in self.documents
        made = self.document(point, cluster) if recipe else self.script(point, {**env, **listen})
        reads = (path, *sorted(self.ground.closure(path)))
        return Shown(
            point=point,
            driver=cluster.driver if known else NO_CLUSTER,
            env=env,
            roles=tuple(made),
            reads=reads,
        )

    def document(self, point: Point, cluster: Cluster) -> list[roles.Role]:
        """Roles of a recipe file, with what the cluster puts in other places."""
        path = path_of(point.script)
        return started(self.documents[path], point, cluster, path=path)

    def script(self, point: Point, env: Mapping[str, str]) -> list[roles.Role]:
        """The one role of a script, as the script itself says it."""
        found = dryrun.start(point.script, root=self.root, env={**env, "PORT": "$PORT", **SHOWN})
        return [roles.Role(name="engine", count=1, argv=found.argv, env=found.env, files=found.files)]


HERE, ANYWHERE = "127.0.0.1", "0.0.0.0"
"""Where an engine listens: clients of a Slurm job are on another machine."""
NO_CLUSTER = "no cluster record"
SHOWN = {"INFX_PYTHON": "python3", "INFX_CELL": "$INFX_CELL"}
"""What the runner knows only when it starts."""


def environment(point: Point, cluster: Cluster) -> dict[str, str]:
    """What infx itself exports for the point."""
    model = str(point.row["model"])
    evaluated = "true" if point.mode == EVAL else "false"
    return {
        **exported(point.row),
        "MODEL_PATH": cluster.staged(model) or model,
        "EVAL_ONLY": evaluated,
    }


def text(shown: Shown) -> str:
    """For a terminal, and for files that a review compares."""
    return "\n".join(_lines(shown))


def _lines(shown: Shown) -> Iterator[str]:
    yield f"{shown.point.key} {shown.point.title} ({shown.driver}: {shown.point.script})"
    yield "environment:"
    yield from (f"  {name}={shlex.quote(value)}" for name, value in sorted(shown.env.items()))
    for role in shown.roles:
        yield f"{role.name} × {role.count}:" if role.count != 1 else f"{role.name}:"
        yield from (f"  {name}={shlex.quote(value)}" for name, value in sorted(role.env.items()))
        yield from (f"  {line}" for line in role.command.split("\n"))
        for name, content in role.files.items():
            yield f"  file {name}:"
            yield from (f"    {line}" for line in content.splitlines())
    yield "reads:"
    yield from (f"  {path}" for path in shown.reads)


def decision(shown: list[Shown]) -> Decision:
    return Decision(
        decision="recipe",
        go=True,
        kind="shown",
        reason=plural(len(shown), "point"),
        details={"points": [one.as_json() for one in shown]},
    )
