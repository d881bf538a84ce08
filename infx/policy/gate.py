"""Gate: one event, one decision. Rows are tried in order; the first to answer decides."""

from collections.abc import Callable
from typing import Any

from infx import skip
from infx.case import Case, quoted
from infx.decision import Decision
from infx.facts import Answer, Facts, Reuse
from infx.labels import Group
from infx.lineage import LABELLING, OPENING, Call
from infx.rules import Rules
from infx.verdict import GO, Kind, Verdict


def _rerun(case: Case) -> Verdict | None:
    """An old payload is never decided again: the recorded plan is repeated, or nothing."""
    if case.facts.attempt == 1:
        return None
    if problem := _stale(case):
        todo = "set the primary label again to start a sweep"
        return Verdict(Kind.REFUSED_RERUN, f"this re-run cannot repeat its plan: {problem}; {todo}")
    return _paused(case) or Verdict(Kind.REPEAT, "a re-run repeats the recorded plan")


def _stale(case: Case) -> str:
    """Why the recorded plan of a re-run may not be repeated; `""` when it may."""
    if case.call != Call.START and case.title.action != "one-off":
        return "its first attempt was not a sweep"
    if case.facts.plan_recorded is False:
        return "its first attempt left no plan"
    newer = case.lineage.newer_sweep(case.facts.run_id) if case.facts.run_id else None
    if newer:
        return f"run {newer.id} is a newer sweep of this pull request"
    live, book = case.facts.live, case.rules.labels
    if live is None:
        return ""
    if not live.open:
        return "the pull request is closed"
    if live.head_sha != case.title.head_sha:
        return f"the head moved to {live.head_sha[:7]}"
    same = book.primaries_on(live.labels) == book.primaries_on(case.title.labels)
    return "" if same else "the primary label is another one now"


def _closed(case: Case) -> Verdict | None:
    closing, live = case.title.action == "closed", case.facts.live
    if closing and live and live.open:
        return Verdict(Kind.IGNORED, "the pull request was reopened since")
    if closing:
        active = [run for run in case.lineage.older(None) if run.active]
        return Verdict(Kind.CLOSED, "the pull request is closed: its active sweep is cancelled", active)
    if (live and not live.open) or (case.pull and not case.pull.open):
        return Verdict(Kind.CLOSED, "the pull request is closed: nothing starts")
    return None


def _no_call(case: Case) -> Verdict | None:
    """Actions that never start a sweep."""
    action = case.title.action
    if action == "edited" and case.facts.webhook.base_changed:
        return _replan(case)
    if action == "ready_for_review":
        return Verdict(Kind.IGNORED, "becoming ready starts nothing; sign-offs are read again")
    if case.call == Call.NOTHING and action not in LABELLING and action != "one-off":
        return Verdict(Kind.IGNORED, f"{quoted(action)} of a pull request starts and cancels nothing")
    return None


def _replan(case: Case) -> Verdict:
    """A run that already has the new base was started after the change."""
    text, base = "the base branch is another one: the plan is made anew", case.title.base_sha
    if case.facts.points_changed is None:
        return Verdict(Kind.REPLAN, text)
    if not case.facts.points_changed:
        return Verdict(Kind.REPLAN, f"{text}, and its points are the same")
    stale = [run for run in case.sweeps() if run.title is None or run.title.base_sha != base]
    return Verdict(Kind.REPLAN, f"{text}; its points differ, so the active sweep is cancelled", stale)


def _fork(case: Case) -> Verdict | None:
    """A label approves exactly the head that was seen; nothing of the fork's own workflow files counts."""
    pull, title = case.pull, case.title
    if case.call != Call.START or case.dispatched or pull is None or not pull.fork:
        return None
    short = title.head_sha[:7]
    if case.facts.run_id is not None:
        return Verdict(Kind.FORK, "a fork's own runs never measure: control dispatches the sweep of its head")
    if pull.head_repo is None:
        return Verdict(Kind.FORK_GONE, "the head repository was deleted; open a pull request from another")
    if title.action != "labeled":
        older = [run for run in case.sweeps() if run.title and run.title.head_sha != title.head_sha]
        text = f"{short} comes from a fork and needs approval: someone with write access sets the label anew"
        return Verdict(Kind.FORK, text, older)
    if moved := _moved(case):
        return moved
    return _barred(case) or Verdict(Kind.DISPATCH, f"the label approves {short} of the fork", case.sweeps())


def _moved(case: Case) -> Verdict | None:
    live, old = case.facts.live, case.title.head_sha
    if live is None or live.head_sha == old:
        return None
    text = f"the head moved from {old[:7]} to {live.head_sha[:7]}; set the label again"
    return Verdict(Kind.HEAD_MOVED, text)


def _label(case: Case) -> Verdict | None:
    """Labels that are not about sweeps."""
    if case.call != Call.NOTHING or case.title.action not in LABELLING:
        return None
    name, book = case.title.label, case.rules.labels
    group = book.group(name)
    if group != Group.UNKNOWN:
        return Verdict(Kind.IGNORED, f"{quoted(name)} is a {group} label: it starts and cancels nothing here")
    near = book.near(name)
    hint = f"; did you mean {quoted(near)}?" if near else ""
    return Verdict(Kind.IGNORED, f"{quoted(name)} is no label of infx: it starts and cancels nothing{hint}")


def _clash(case: Case) -> Verdict | None:
    live, book = case.facts.live, case.rules.labels
    names = book.clash(live.labels if case.dispatched and live else case.title.labels)
    if not names:
        return None
    todo = "needs a primary label: add one or remove it"
    if names[0] in book.primaries:
        todo = "contradict each other: leave exactly one of them"
    return Verdict(Kind.CLASH, f"{quoted(*names)} {todo}; that needs no commit, and an active sweep goes on")


def _no_label(case: Case) -> Verdict | None:
    if case.call == Call.CANCEL:
        text = "the last sweep label is gone: the active sweep is cancelled"
        return Verdict(Kind.CANCEL, text, case.sweeps())
    if case.call == Call.PREVIEW:
        return Verdict(Kind.PREVIEW, "no sweep label: gate and plan preview only")
    return None


def _dispatched(case: Case) -> Verdict | None:
    """A dispatch waited in a queue: what it was approved for must still be there."""
    live, title = case.facts.live, case.title
    if not case.dispatched or live is None or title.action == "one-off":
        return None
    if moved := _moved(case):
        return moved
    if not case.rules.labels.primaries_on(live.labels):
        return Verdict(Kind.CANCEL, "the primary label was removed before the sweep began")
    if newer := case.newer_dispatch():
        return Verdict(Kind.NO_OP, f"run {newer.id} was dispatched later for the same pull request")
    running = [run for run in case.sweeps() if run.title and run.title.head_sha == title.head_sha]
    if title.action == "resume" and running:
        return Verdict(Kind.NO_OP, f"run {running[-1].id} still measures this head; resume when it has ended")
    return None


def _skip(case: Case) -> Verdict | None:
    """Only for the push or opening that brought the head; a label set afterwards is a person asking."""
    brought = case.title.action in ("opened", "synchronize") or case.facts.webhook.at_opening
    if brought and skip.marked(case.facts.message):
        return Verdict(Kind.SKIPPED, f"the head commit says {skip.MARKER}: the gate runs, GPUs do not")
    return None


def _reuse(case: Case) -> Verdict | None:
    """Only for a push: a label event is how a person forces a sweep."""
    blocked = case.rules.labels.blocking_on(case.title.labels)
    if case.title.action != "synchronize" or case.facts.reuse != Reuse.COVERS or blocked:
        return None
    return Verdict(Kind.REUSE, "an authorised reuse covers this head: no sweep is needed", case.sweeps())


def _silent(case: Case) -> Verdict | None:
    """Reasons for which GitHub itself starts nothing; a run that exists is the proof that it did."""
    if case.facts.run_id is not None or case.dispatched:
        return None
    if case.own:
        text = "GitHub holds the runs until someone with write access approves them"
        return Verdict(Kind.APPROVAL_PENDING, text) if case.own.awaits_approval else None
    if word := skip.github_word(case.facts.message):
        text = f"the head commit says {word}, so GitHub starts nothing; push a commit without it"
        return Verdict(Kind.SKIP_WORD, text)
    pull = case.facts.live or case.pull
    if pull is not None and pull.mergeable is False:
        text = "the pull request conflicts with its base, so GitHub starts nothing; merge the base branch"
        return Verdict(Kind.CONFLICT, text)
    return None


def _same(case: Case) -> Verdict | None:
    if case.title.action not in ("opened", "labeled"):
        return None
    twin = case.lineage.twin(case.title, case.own_id)
    if twin is None:
        return None
    return Verdict(Kind.NO_OP, f"run {twin.id} already is this sweep: same head, base and labels")


def _barred(case: Case) -> Verdict | None:
    """Who asked, and whether GPUs may be used at all."""
    facts, rules = case.facts, case.rules
    asked = case.title.action in LABELLING | OPENING
    name = quoted(case.title.label or rules.labels.primaries_on(case.title.labels)[0]) if asked else ""
    answer = facts.may_grant if case.granting else facts.may_label
    if asked and answer == Answer.NO:
        role = rules.grant_authority if case.granting else rules.label_authority
        text = f"{name} counts from role {role} on; ask someone who has it to set it again"
        return Verdict(Kind.NOT_ALLOWED, text)
    if asked and answer == Answer.UNKNOWN:
        text = f"could not tell the role of who changed {name}; change it again later"
        return Verdict(Kind.COULD_NOT_TELL, text)
    return _paused(case) or _budget(case)


def _paused(case: Case) -> Verdict | None:
    reason = " ".join(case.rules.paused.split())
    return Verdict(Kind.PAUSED, f"sweeps are paused: {reason}") if reason else None


def _budget(case: Case) -> Verdict | None:
    facts, book = case.facts, case.rules.labels
    if facts.points == 0:
        return Verdict(Kind.NOTHING_TO_RUN, "the plan holds no point: nothing changed, or nothing is missing")
    if facts.gpu_hours is None:
        return None
    excess = case.rules.max_gpu_hours.excess(facts.gpu_hours, facts.gpu_hours_before)
    if not excess:
        return Verdict(Kind.IGNORED, "no sweep waits for this label") if case.granting else None
    granted = bool(book.grants & set(case.title.labels))
    if granted and facts.may_grant == Answer.UNKNOWN:
        text = "could not tell who approved the GPU budget; set that label again later"
        return Verdict(Kind.COULD_NOT_TELL, text)
    if granted and facts.may_grant != Answer.NO:
        return None
    names, role = quoted(*sorted(book.grants)), case.rules.grant_authority
    return Verdict(Kind.OVER_BUDGET, f"{excess}: the sweep waits for {names} by role {role} or more")


def _start(case: Case) -> Verdict:
    if case.title.action == "one-off":
        return Verdict(Kind.START, "a bounded one-off run, never publishable")
    sweeps, short = case.sweeps(), case.title.head_sha[:7]
    if case.own_id is None:
        # An equal run may be the own one under a title that cannot be matched.
        sweeps = [run for run in sweeps if run.title and not case.lineage.same(run.title, case.title)]
    names = quoted(*case.rules.labels.primaries_on(case.title.labels)) or f"the {case.title.action} dispatch"
    replaced = " and replaces the active one" if sweeps else ""
    return Verdict(Kind.START, f"{names} starts the sweep of {short}{replaced}", sweeps)


Row = Callable[[Case], Verdict | None]
ROWS: tuple[Row, ...] = (
    _rerun,
    _closed,
    _no_call,
    _fork,
    _label,
    _clash,
    _no_label,
    _dispatched,
    _skip,
    _reuse,
    _silent,
    _same,
    _barred,
)


def decide(facts: Facts, rules: Rules) -> Decision:
    """Total: every event gets exactly one answer. What nobody looked at is assumed, and listed on a go."""
    title = facts.webhook.title
    if title is None:
        return _decision(facts, _other_event(facts), {"event": facts.webhook.name})
    case = Case(facts, rules, title)
    verdict = next((answer for row in ROWS if (answer := row(case)) is not None), None) or _start(case)
    return _decision(facts, verdict, case.seen(go=verdict.kind in GO))


def _other_event(facts: Facts) -> Verdict:
    text = f"{quoted(facts.webhook.name)} is not an event that starts or cancels sweeps"
    if skip.marked(facts.webhook.message):
        text += f"; {skip.MARKER} counts on the head of a pull request only and is ignored here"
    return Verdict(Kind.IGNORED, text)


def _decision(facts: Facts, verdict: Verdict, details: dict[str, Any]) -> Decision:
    """Every run has a group of its own, since GitHub evaluates groups before anybody can decide."""
    return Decision(
        decision="event",
        go=verdict.kind in GO,
        kind=verdict.kind,
        reason=verdict.reason,
        details=details,
        extra={
            "group": f"sweep-{facts.run_id or '<run id>'}",
            "cancels": sorted(run.id for run in verdict.cancels),
        },
    )
