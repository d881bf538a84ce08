"""Draft: from two commits to the gate's answer, the plan and its preview: one way, for jobs and people."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from infx import pinned
from infx.decision import Decision
from infx.edge import shell
from infx.edge.checkout import added_entries
from infx.edge.git import Git
from infx.edge.registry import Registry
from infx.edge.tree import states, versions
from infx.equal import Mark
from infx.errors import BadInput
from infx.event import Title
from infx.matrix import oneoff
from infx.matrix.changed import affected, changes
from infx.matrix.planner import Request, make
from infx.matrix.points import Origin
from infx.matrix.preview import Preview, preview
from infx.matrix.review import review
from infx.plan import Plan
from infx.policy.changelog import Facts, Fault, Kind, bytes_fault, gate
from infx.read.appended import read_appended
from infx.rules import Rules
from infx.say.words import plural
from infx.state import State
from infx.versions import Versions


@dataclass(frozen=True, kw_only=True)
class Change:
    """One change against its target, under the labels of its pull request."""

    git: Git
    rules: Rules
    base: str
    """Target: a ref or commit."""
    head: str
    labels: Collection[str] = ()
    repository: str = ""
    pulls: str = ""
    """Address of pull requests, `https://github.com/o/r/pull`; empty leaves links unjudged."""
    pr: int | None = None
    on_target: bool = False
    registry: Registry | None = None
    """Where images are looked up; None looks nothing up."""

    @property
    def changelog(self) -> str:
        return self.rules.layout.path(self.rules.layout.changelog)

    @cached_property
    def fork(self) -> str:
        """Merge base of both."""
        return self.git.merge_base(self.base, self.head)

    @cached_property
    def sides(self) -> tuple[State, State]:
        """State at the merge base and at the head."""
        before, after = states(self.git, [self.fork, self.git.resolve(self.head)], layout=self.rules.layout)
        return before, after


@dataclass(frozen=True, kw_only=True)
class Draft:
    """What a change would measure."""

    plan: Plan
    preview: Preview


def one_off(git: Git, title: Title, rules: Rules) -> Plan:
    """The plan of a one-off. No gate is asked: nothing of it is ever published. BadInput without a key."""
    if not title.key:
        raise BadInput("a one-off names no config key", where="key", todo="give the input `key`")
    return single(git, oneoff.OneOff(keys=(title.key,), conc=title.conc or None), title.head_sha, rules)


def single(git: Git, asked: oneoff.OneOff, commit: str, rules: Rules) -> Plan:
    """The plan of config keys at one commit. BadInput when they name nothing to measure."""
    (head,) = states(git, [git.resolve(commit)], layout=rules.layout)
    return oneoff.plan(asked, head, rules)


def judge(change: Change) -> Decision:
    """The changelog gate. Bytes first: what stands in a broken file is not read."""
    git, base, head = change.git, change.git.resolve(change.base), change.git.resolve(change.head)
    found = versions(git, change.changelog, base=base, head=head)
    facts = Facts(pulls=change.pulls, pr=change.pr, on_target=change.on_target)
    if bytes_fault(found) is not None:
        alone = len(git.changed_files(change.fork, head)) == 1
        return gate(found, replace(facts, alone=alone), ())
    return _judge_entries(change, facts, found)


def _judge_entries(change: Change, facts: Facts, found: Versions) -> Decision:
    """The rest of the gate: what the entries cover is compared with what changed."""
    before, after = change.sides
    facts = replace(
        facts,
        keys=tuple(after.catalog.configs),
        changed=affected(changes(before, after, rules=change.rules)),
        modifiers=frozenset(change.labels),
        max_entries=change.rules.max_entries,
    )
    entries, kind, sentence = read_appended(
        found.added.decode(), line=found.base.count(b"\n") + 1, where=change.changelog
    )
    return gate(found, facts, Fault(kind=Kind(kind), reason=sentence) if kind else entries)


def draft(
    change: Change, *, accepted: Collection[Mark] = (), unfit: Mapping[str, str] | None = None
) -> Draft:
    """Plan and preview; `accepted` as in `planner.make`, `unfit` are poisoned nodes, each with why.

    Refused when the entries cannot be met; BadInput when a file is missing or broken.
    """
    before, after = change.sides
    origin = Origin(
        repository=change.repository, pr=change.pr, head_sha=after.commit, merge_base=before.commit
    )
    entries = added_entries(change.git, change.changelog, base=before.commit, head=after.commit)
    request = Request(entries=entries, base=before, head=after, labels=change.labels, origin=origin)
    plan = make(request, change.rules, accepted=accepted)
    seen = review(plan, before, after, rules=change.rules)
    broken = shell.faults(_changed_scripts(before, after))
    missing, unsure = _images(plan, after, change.registry)
    golden = pinned.look(plan, after, change.rules)
    seen = replace(
        seen,
        problems=(*broken, *missing, *golden.problems, *seen.problems),
        warnings=(*seen.warnings, *golden.warnings, *unsure, *_poisoned(plan, after, unfit or {})),
    )
    shown = preview(plan, after.catalog, rules=change.rules, base=before.catalog, review=seen)
    return Draft(plan=plan, preview=shown)


def _images(plan: Plan, after: State, registry: Registry | None) -> tuple[list[str], list[str]]:
    """Keys whose image is missing, and those of which nobody could tell. A local driver pulls no image."""
    local = {label for label, record in after.clusters.items() if record.get("driver") == "local"}
    keys = {
        str(point.row["image"]): point.key for point in reversed(plan.points) if point.runner not in local
    }
    missing, unsure = [], []
    for name, look in (registry.look(keys) if registry else {}).items():
        if look.answer == "missing":
            missing.append(f"{keys[name]}: the registry has no image {name}; correct the tag or push it")
        elif look.answer == "unknown":
            unsure.append(f"{keys[name]}: could not tell whether the image {name} exists: {look.why}")
    return missing, unsure


def _poisoned(plan: Plan, after: State, unfit: Mapping[str, str]) -> Iterator[str]:
    """Pools that have fewer nodes than they name: the rest of the jobs waits for the others."""
    for pool in dict.fromkeys(point.runner for point in plan.points):
        names = after.catalog.runners.labels.get(pool, ())
        for node in (name for name in names if name in unfit):
            yield f"{pool}: {node}, one of {plural(len(names), 'node')}, is poisoned ({unfit[node]})"


def _changed_scripts(before: State, after: State) -> dict[str, bytes]:
    return {
        path: data
        for path, data in after.files.items()
        if path.endswith(".sh") and before.objects.get(path) != after.objects[path]
    }


def broken(made: Draft) -> Decision:
    """The plan stands, but a GPU would only find out what is wrong with it."""
    return Decision(
        decision="plan",
        go=False,
        kind="broken",
        reason="; ".join(made.preview.problems),
        details=made.preview.as_json(),
    )
