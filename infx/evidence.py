"""Evidence: the subject of the checks, from git, from what sweeps left, and from the addresses it names."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from infx.desk import Desk
from infx.edge import patch
from infx.edge.github import GitHub
from infx.edge.remarks import About
from infx.edge.upstream import look
from infx.errors import CouldNotTell, InfxError
from infx.golden import Curve, Stated
from infx.matrix.changed import changes
from infx.matrix.expand import length_name
from infx.matrix.recipes import Recipes
from infx.matrix.script import agentic, hardware, path_of
from infx.models import Models
from infx.pinned import EVAL_SWITCH
from infx.point import EVAL, Point
from infx.policy import golden, source
from infx.read import speculation
from infx.read.golden import curve as read_curve
from infx.read.models import models
from infx.read.thresholds import thresholds
from infx.recipe import AGENTIC
from infx.several import taken_apart
from infx.source import Kind, SourceFacts
from infx.subject import Known, Link, Reuse, Served, Subject, Upstream, Value

ADDRESS = re.compile(r"https?://[^\s<>()\[\]\"'`|]+")
DISAGGREGATED = re.compile(r"disagg|\bPD\b|prefill", re.IGNORECASE)
ADDRESSES = 12
"""Most addresses of a description that are looked up."""
DRAFTING = re.compile(
    r"(?m)^[ \t]*(decoding_type|num_nextn_predict_layers|max_draft_len|speculative_model_dir)[ \t]*:\s*(\S+)"
)
"""How a script tells TensorRT-LLM to speculate, in the options file that it writes."""
WAIVER_LIMIT = 20_000


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """Everything that the subject of one pull request is made from."""

    desk: Desk
    github: GitHub
    about: About
    target: str
    """Tip of the target branch: what a pull request may not change for itself is read there."""
    server: str

    def subject(self) -> Subject:
        """The subject. What cannot be read or looked up becomes its trouble, and no check passes on it."""
        layout, number = self.desk.rules.layout, self.desk.pull.number
        waiver = layout.path(f"{layout.waivers}/{number}.md")
        files = patch.files(self.desk.git, self.fork, self.head)
        mine = any(one.path == waiver and one.status != "removed" for one in files)
        text = self.desk.git.show(self.head, waiver) if mine else None
        places = [layout.path(name) for name in (layout.scripts, *layout.masters)]
        known, fresh = self.models()
        about: dict[str, Any] = {
            "pr": number,
            "runs": f"{self.server}/{self.github.repository}/actions/runs/",
            "opened": self.about.opened,
            "description": self.about.description,
            "files": files,
            "added": patch.added(self.desk.git, self.fork, self.head, *places),
            "links": tuple(self.links(known)),
            "models": known,
            "new_models": fresh,
            "floors": self.floors(),
            "waiver": None if text is None else text.decode("utf-8", "replace")[:WAIVER_LIMIT],
            "waiver_path": waiver,
        }
        try:
            return Subject(**about, **self.measured())
        except (InfxError, LookupError) as problem:
            what = problem.what if isinstance(problem, InfxError) else str(problem)
            return Subject(**about, trouble=what, reuse=Reuse(trouble=what))

    @property
    def head(self) -> str:
        return self.desk.pull.head_sha

    @cached_property
    def fork(self) -> str:
        return self.desk.git.merge_base(self.target, self.head)

    # -- what is planned and measured

    def measured(self) -> dict[str, Any]:
        """What the plan of the pull request serves, and what its sweeps measured."""
        sources = self.desk.sources
        facts = sources.facts(self.desk.asked, everything=True)
        if facts.trouble:
            raise CouldNotTell(facts.trouble)
        before, after = sources.sides
        changed = changes(before, after, rules=self.desk.rules)
        entries = sources.wanted.changelog_metadata.get("entries", ())
        return {
            "served": tuple(self.served()),
            "values": tuple(self.values(facts)),
            "reuse": self.reuse(facts),
            "curves": tuple(self.curves(self.head)),
            "unsourced": tuple(self.unsourced()),
            "recipes": tuple(
                Known(prefix=one.model_prefix, hardware=hardware(one.runner), framework=one.framework)
                for one in after.catalog.configs.values()
            ),
            "append_only": any(entry.get("append-only") for entry in entries),
            "removed": tuple(f"{one.key} {name}" for one in changed for name in one.removed),
            "shared": tuple(f"{one.key}: {', '.join(one.shared)}" for one in changed if one.shared),
        }

    def served(self) -> Iterator[Served]:
        """One for each key, script and image of the plan."""
        before, after = self.desk.sources.sides
        recipes = Recipes(after, self.desk.rules)
        groups: dict[tuple[str, str, str, str], list[Point]] = {}
        for point in self.desk.sources.wanted.points:
            if point.mode != EVAL:
                place = (point.key, point.script, str(point.row["image"]), scenario(point.row))
                groups.setdefault(place, []).append(point)
        for (key, script, image, load), points in groups.items():
            row = points[0].row
            told = recipes.settings(row, script)
            text = after.files.get(path_of(script), b"").decode("utf-8", "replace")
            options = {f"--{name}": value for name, value in DRAFTING.findall(text)}
            stated = Stated(flags={**options, **told.flags}, variables=told.variables)
            shell = path_of(script).endswith(".sh")
            yield Served(
                key=key,
                script=script,
                image=image,
                model=str(row["model"]),
                prefix=str(row["model-prefix"]),
                precision=str(row["precision"]),
                framework=str(row["framework"]),
                hardware=hardware(points[0].runner),
                scenario=load,
                speculates=str(row.get("spec-decoding", "none")),
                disaggregated=bool(row.get("disagg")) or points[0].multinode,
                chat=agentic(row),
                new=key not in before.catalog.configs,
                arms=tuple(dict.fromkeys(point.offload or "none" for point in points)),
                flags=stated.flags,
                variables=stated.variables,
                spoken=speculation.spoken(str(row["framework"]), stated),
                config={name: str(value) for name, value in speculation.config(stated).items()},
                switch=not shell or EVAL_SWITCH.decode() in text,
            )

    def values(self, facts: SourceFacts) -> Iterator[Value]:
        """Every planned point with the newest result that stands for it, authorised or not."""
        shares = source.available(facts, self.desk.rules)
        rows = self.rows()
        for point, share in zip(self.desk.sources.wanted.points, shares, strict=True):
            taken = share.taken
            result = rows.get((taken.run, taken.measured.mark.id), {}) if taken else {}
            for title, conc, row in _each(point, result):
                yield Value(
                    key=point.key,
                    title=title,
                    curve=f"{point.key} {point.offload or ''}".strip(),
                    eval=point.mode == EVAL,
                    task=point.task or "",
                    model=str(point.row["model-prefix"]),
                    image=str(point.row["image"]),
                    conc=conc,
                    run=taken.run if taken else 0,
                    reason=share.reason,
                    score=number(row.get("score")),
                    measured_image=str(row.get("image") or (point.row["image"] if taken else "")),
                    latency=number(row.get("median_e2el")),
                    throughput=number(row.get("tput_per_gpu")),
                )

    def rows(self) -> Mapping[tuple[int, str], Mapping[str, Any]]:
        """Run and point → published row."""
        return {
            (sweep.run.id, entry.point): entry.result
            for sweep in self.desk.sources.looked
            for entry in (sweep.ledger.entries if sweep.ledger else ())
            if entry.result
        }

    def reuse(self, facts: SourceFacts) -> Reuse:
        found = source.decide(facts, self.desk.rules)
        if found.kind == Kind.COULD_NOT_TELL:
            return Reuse(trouble=found.reason)
        runs = found.details.get("available", {}).get("runs", ())
        by = facts.current.author if facts.current and not facts.current.withdraw else ""
        advice = f"/use {' '.join(map(str, runs)) or '<run id of a complete sweep>'}"
        return Reuse(by=by, text=found.reason, covers=found.go, advice=advice)

    # -- what the repository says

    def models(self) -> tuple[Models, tuple[str, ...]]:
        """The target's file, with rows for models that only the pull request has; their prefixes."""
        path = self.desk.rules.layout.path(self.desk.rules.layout.models)
        old, new = (
            models(self.desk.git.show(commit, path) or b"", where=f"{commit[:12]}:{path}")
            for commit in (self.target, self.head)
        )
        fresh = {prefix: one for prefix, one in new.models.items() if prefix not in old.models}
        whole = Models(models={**fresh, **old.models}, scenarios=old.scenarios, engines=old.engines)
        return whole, tuple(fresh)

    def floors(self) -> dict[str, float]:
        path = self.desk.rules.layout.path(self.desk.rules.layout.thresholds)
        text = (self.desk.git.show(self.target, path) or b"").decode("utf-8", "replace")
        found = thresholds(text or "{}", where=path)
        tables = {"default": found["default"], **found["models"]}
        return {
            f"{name} {task}": value for name, table in tables.items() for task, value in (table or {}).items()
        }

    def curves(self, commit: str) -> Iterator[Curve]:
        git, folder = self.desk.git, self.desk.rules.layout.path(self.desk.rules.layout.golden)
        paths = [path for path in git.tree(commit, folder) if path.endswith((".yaml", ".yml"))]
        for path, data in zip(paths, git.blobs([(commit, path) for path in paths]), strict=True):
            yield read_curve(data or b"", where=path)

    def unsourced(self) -> Iterator[str]:
        """Curves that changed without anything that proves them."""
        old = {curve.name: curve for curve in self.curves(self.fork)}
        for curve in self.curves(self.head):
            yield from (fault.sentence for fault in golden.changed(old.get(curve.name), curve))

    def links(self, known: Models) -> Iterator[Upstream]:
        """Addresses of the description at which an engine's project keeps recipes."""
        seen: set[str] = set()
        for line in self.about.description.splitlines():
            for match in ADDRESS.finditer(line):
                address = match[0].rstrip(".,;:!*_")
                ours = any(engine.keeps(address) for engine in known.engines.values())
                if ours and address not in seen and len(seen) < ADDRESSES:
                    seen.add(address)
                    yield Upstream(
                        address=address,
                        state=self.state(address),
                        disaggregated=DISAGGREGATED.search(line.replace(address, "")) is not None,
                    )

    def state(self, address: str) -> Link:
        return look(address, api=self.github.api, server=self.server)


def _each(point: Point, result: Mapping[str, Any]) -> Iterator[tuple[str, int, Mapping[str, Any]]]:
    """Title, concurrency and row of everything that a point measures: of a list of concurrencies each one."""
    if point.mode == EVAL or len(point.concurrencies) == 1:
        yield point.title, point.concurrencies[-1], result
        return
    rows = {row.get("conc"): row for row in taken_apart(result)}
    for conc in point.concurrencies:
        yield f"C{conc}", conc, rows.get(conc, {})


def scenario(row: Mapping[str, Any]) -> str:
    """`8k1k` or `agentic-coding`."""
    return AGENTIC if agentic(row) else length_name(int(row["isl"]), int(row["osl"]))


def number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
