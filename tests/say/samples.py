"""The situations whose texts are kept as snapshots in this folder."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from infx.aftermath import Looked, Merge
from infx.assessment import Verdict
from infx.blocker import Topic
from infx.check import Check
from infx.compared import Compared
from infx.decision import Decision
from infx.description import Description, DescriptionFacts
from infx.edge import settings
from infx.event import JobView, PullRequest, Run
from infx.failure import FailureFacts
from infx.ledger import Ledger
from infx.matrix.changed import Change
from infx.matrix.preview import Preview
from infx.matrix.preview import preview as make_preview
from infx.plan import Plan
from infx.policy import aftermath as follow
from infx.policy import checks, failure
from infx.policy.blocking import blocking, of_pull, of_reviews, of_sweep
from infx.policy.description import advise
from infx.recipe import Runners
from infx.record import Outcome
from infx.results.about import rows
from infx.results.against import against
from infx.results.tally import Facts, ledger
from infx.say import aftermath, hints, notice, preview, signoff, status, welcome
from infx.say import blocking as says
from infx.say.comment import compose
from infx.say.welcome import Welcome
from infx.signoff import Claim, Finding, Grade, Kind, Place, SignoffFacts, Statement
from infx.touched import Size
from tests import builders as build

LINKS = status.Links(
    run="https://github.test/octo/bench/actions/runs/500",
    performance="https://pages.test/inference?unofficialRun=500",
    accuracy="https://pages.test/evaluation?unofficialRun=500",
)
SIGNATURES = settings.signatures(Path(__file__).parents[2], settings.parse(""))
CACHE: dict[str, Any] = {"kv-offloading": "dram", "kv-offload-backend": {"name": "hicache"}}


@dataclass(frozen=True)
class Config:
    """The little that a preview reads of a config."""

    model_prefix: str
    runner: str


@dataclass(frozen=True)
class Catalog:
    configs: dict[str, Config]
    runners: Runners


def h200() -> Plan:
    """The pull request of the first real input: 9 points and 1 eval."""
    points = [build.point(conc) for conc in (1, 4, 8, 12, 16)]
    points += [build.point(conc, **CACHE) for conc in (4, 8, 12, 16)]
    return build.plan(*points, build.point(16, task="gsm8k", reason="highest concurrency of its group"))


def shown(plan: Plan, done: Ledger, state: str = "completed") -> status.Status:
    run = Run(id=build.RUN, status=state, head_sha=build.HEAD)
    return status.Status(run=run, plan=plan, ledger=done, blockers=blocking(done), links=LINKS)


def complete() -> str:
    plan = h200()
    done = ledger(plan, [build.record(point) for point in plan.points], Facts(run_id=build.RUN, attempt=1))
    return compose("", *status.sections(shown(plan, done)))


def beside(plan: Plan, faster: float, slower: float) -> Compared:
    """A run beside one on main: every other point got faster, the rest slower."""
    sides = []
    for factors in ((faster, slower), (1.0, 1.0)):
        records = [
            build.record(one, result=build.published_row(one.concurrencies[0], tput_per_gpu=1000.0 * factor))
            for one, factor in zip(plan.points, factors * len(plan.points), strict=False)
        ]
        done = ledger(plan, records, Facts(run_id=build.RUN, attempt=1))
        sides.append(rows(plan, done)[0])
    return against(*sides)


def compared() -> str:
    plan = build.plan(*(build.point(conc) for conc in (1, 4, 16, 64)))
    done = ledger(plan, [build.record(point) for point in plan.points], Facts(run_id=build.RUN, attempt=1))
    return compose("", *status.sections(replace(shown(plan, done), compared=beside(plan, 1.2, 0.9))))


def waiting() -> str:
    """H200: no GPU here, so the canary's job stays queued."""
    plan = h200()
    job = JobView(id=1, name="canary", status="queued", labels=("cluster:h200-dgxc",))
    facts = Facts(run_id=build.RUN, attempt=1, finished=False, jobs={plan.points[0].id: job})
    old = compose("", preview.section(planned(plan)))
    return compose(old, *status.sections(shown(plan, ledger(plan, [], facts), "in_progress")))


def failed() -> str:
    """One point fails under fail-fast, and one artifact is missing."""
    plan = h200()
    ok, bad = plan.points[:3], plan.points[3]
    records = [build.record(point) for point in ok]
    records.append(build.record(bad, Outcome.FAILURE, reason="server-crash"))
    done = ledger(plan, records, Facts(run_id=build.RUN, attempt=1))
    return compose("", *status.sections(shown(plan, done)))


def canary_failed() -> str:
    plan = h200()
    records = [build.record(plan.points[0], Outcome.TIMEOUT, reason="canary-timeout")]
    blocked = {plan.points[0].key: "canary C1: timeout; next candidate C4: no record"}
    done = ledger(plan, records, Facts(run_id=build.RUN, attempt=1, blocked=blocked))
    return compose("", *status.sections(shown(plan, done)))


def viewed(plan: Plan) -> Preview:
    """The preview of `plan` where every label has three runners and every key is known."""
    labels: dict[str, tuple[str, ...]] = {point.runner: ("a", "b", "c") for point in plan.points}
    configs = {
        point.key: Config(model_prefix=point.row["model-prefix"], runner=point.runner)
        for point in plan.points
    }
    catalog: Any = Catalog(configs=configs, runners=Runners(labels=labels, hardware={}))
    return make_preview(plan, catalog, rules=settings.parse(""), base=catalog)


PUSHED = (
    Change(key="m1-fp8-h200-sglang", added=("C8", "C16"), removed=("C4",)),
    Change(key="m2-fp8-h200-sglang", recipe=("C4",)),
    Change(key="m3 <b>@all</b>", gone=True, removed=("C1",)),
    Change(key="only-shared", shared=("C1",)),
)
"""What a push changed of a plan."""


def planned(plan: Plan | None, **fields: Any) -> preview.Planned:
    decision = Decision(decision="event", go=True, kind="start", reason="labelled full-sweep-fail-fast")
    shown = None if plan is None else viewed(plan)
    given = {"head": build.HEAD, "order": (40, 1), "decision": decision, "preview": shown}
    return preview.Planned(**{**given, **fields})


def plan_only() -> str:
    decision = Decision(decision="event", go=False, kind="no-label", reason="no sweep label is on")
    return compose("", preview.section(planned(h200(), decision=decision)))


def clash() -> str:
    reason = "two primary labels: full-sweep-enabled, full-sweep-fail-fast"
    decision = Decision(decision="event", go=False, kind="clash", reason=reason)
    return compose("", preview.section(planned(None, decision=decision)))


def moved() -> str:
    """A newer head is planned while the results are of the older one."""
    return compose(complete(), preview.section(planned(h200(), head="bbb2" + "0" * 36)))


def greeting(**fields: Any) -> Welcome:
    given = {"owners": {"@octo/h200": 3, "@ann": 1}, "paths": 4, "labels": settings.parse("").labels}
    more = {
        "contact": "#benchmarks",
        "checklist": "PR_REVIEW_CHECKLIST.md",
        "docs": "https://github.test/docs",
    }
    return Welcome(**{**given, **more, **fields})


def size(added: int = 14, removed: int = 1, *, at_least: bool = False) -> Size:
    return Size(folder="infx", added=added, removed=removed, at_least=at_least)


def quiet() -> str:
    """One comment for everything."""
    head, order = build.HEAD, (40, 1)
    decision = Decision(decision="event", go=False, kind="preview", reason="no sweep label")
    pull = PullRequest(number=7, open=True, head_sha=head, base_sha=build.BASE, base_ref="main", draft=True)
    said = DescriptionFacts(said=Description(from_template=True), keys=True, entry=True, primaries=0)
    advice = advise(said, settings.parse(""))
    return compose(
        "",
        preview.section(planned(h200(), decision=decision)),
        *says.sections(Topic.PULL, of_pull(pull, behind=3), head=head, order=order),
        *says.sections(Topic.SWEEP, of_sweep(decision, points=10), head=head, order=order),
        *says.sections(
            Topic.REVIEWS,
            of_reviews([], author="ann", bots=()),
            head=head,
            order=order,
            notes=says.uncovered([("rabbit[bot]", "bbb2" + "0" * 36)]),
        ),
        hints.section(advice, ("infx/errors.py",), head=head, order=order),
        notice.section(size(), head=head, order=order, quiet=True),
        welcome.section(greeting(), head=head, order=order),
    )


def repaired() -> str:
    """A connection was dropped, and the failed job is run again."""
    plan = h200()
    bad = plan.points[3]
    records = [build.record(one) for one in plan.points if one != bad]
    records.append(build.record(bad, Outcome.FAILURE, reason="client-failed"))
    done = ledger(plan, records, Facts(run_id=build.RUN, attempt=1))
    cause = failure.decide(
        FailureFacts(step="warmup", log="ECONNRESET", server_alive=True), settings.parse(""), SIGNATURES
    )
    blockers = blocking(done, failures={bad.id: cause}, again=True)
    more = replace(
        shown(plan, done), blockers=blockers, failures=[(bad.title, cause)], again="rerun-failed-jobs"
    )
    return compose("", *status.sections(more))


def looked(name: str, conclusion: str | None, *, attempt: int = 1, cause: Decision | None = None) -> Looked:
    check = Check(
        name=name,
        status="completed" if conclusion else "in_progress",
        conclusion=conclusion,
        url=f"https://github.test/job/{len(name)}",
        attempt=attempt,
        run=9,
    )
    standing = checks.standing(check, settings.parse("").checks)
    return Looked(check=check, standing=standing, failure=cause, earlier=("failure",) * (attempt - 1))


def after(*found: Looked) -> str:
    merge = Merge(sha="5" * 40, pr=7, author="ann", at="2026-07-01T12:00:00Z")
    return aftermath.body(aftermath.Shown(merge=merge, looked=found, decision=follow.decide(found, age_s=60)))


def merged_red() -> str:
    cause = failure.decide(
        FailureFacts(step="checkout", seconds=9, runner="mi355x_00", log="EACCES rmdir"),
        settings.parse(""),
        SIGNATURES,
    )
    return after(
        looked("ingest / publish", "failure", attempt=2, cause=cause), looked("control / decide", "success")
    )


def signed() -> str:
    """A verdict with every grade, and what a stranger tried to write into it."""
    statement = Statement(
        place=Place.COMMENT,
        id=9,
        author="owner-nv",
        digest="d",
        url="https://github.test/octo/bench/pull/7#issuecomment-9",
        claims=(Claim(item="code-quality", ticked=True),),
    )
    grades = {
        "template-current": (Grade.PASS, "all 16 items are there", ()),
        "code-quality": (Grade.HUMAN, "3 files to read", ()),
        "sweep-green": (
            Grade.PASS,
            "9 of 9 points valid",
            ("https://github.test/octo/bench/actions/runs/5",),
        ),
        "golden-acceptance": (Grade.WARN, "measured elsewhere than it is used", ("nvfp4 on B300 | fp8",)),
        "recipe-linked": (Grade.UNKNOWN, "could not tell: not reachable", ("`<img src=x>` @everyone",)),
        "no-engine-patch": (Grade.FAIL, "an engine is patched; write docs/waiver/7.md", ("a.sh:3: patch",)),
        "draft-model": (Grade.NA, "no separate draft model", ()),
    }
    verdict = Verdict(
        key=statement.key,
        author="owner-nv",
        kind=Kind.FAILED,
        reason="no-engine-patch: an engine is patched; write docs/waiver/7.md",
        head=build.HEAD,
        findings=tuple(
            Finding(check=name, grade=grade, what=what, evidence=pieces)
            for name, (grade, what, pieces) in grades.items()
        ),
    )
    facts = SignoffFacts(
        repository="octo/bench",
        pr=7,
        head_sha=build.HEAD,
        base_ref="main",
        base_sha=build.BASE,
        faults=("line 4: invalid pattern !a",),
    )
    section = signoff.section(verdict, facts, statement, order=(40, 1))
    return compose("", section, mark=signoff.mark(statement.key))


SAMPLES: dict[str, Callable[[], str]] = {
    "welcome": lambda: welcome.body(greeting()),
    "welcome-fork": lambda: welcome.body(greeting(fork=True, owners={}, contact="", docs="")),
    "package": lambda: notice.body(size(at_least=True)),
    "package-fork": lambda: notice.body(replace(size(), fork=True)),
    "quiet": quiet,
    "repaired": repaired,
    "merged-green": lambda: after(looked("ingest / publish", "success"), looked("ci / checks", "success")),
    "merged-running": lambda: after(looked("ingest / publish", None), looked("ci / checks", "success")),
    "merged-red": merged_red,
    "signed": signed,
    "complete": complete,
    "compared": compared,
    "waiting": waiting,
    "failed": failed,
    "canary-failed": canary_failed,
    "plan-only": plan_only,
    "clash": clash,
    "moved": moved,
    "pushed": lambda: compose("", preview.section(planned(h200(), moved=PUSHED, since="ccc3" + "0" * 36))),
    "pushed-same": lambda: compose("", preview.section(planned(h200(), moved=(), since="ccc3" + "0" * 36))),
}
