"""/sweep resume measures what is missing."""

from infx.command import Form
from infx.desk import Desk, Order, Outcome
from infx.edge import store
from infx.edge.store import Store
from infx.equal import Mark
from infx.event import Title
from infx.handled import Kind
from infx.policy import source
from infx.read import noun
from infx.read.place import At
from infx.source import Kind as Ruled
from infx.sweeps import documents
from infx.union import Share, coverage

FORM = Form(
    words="/sweep resume",
    usage="/sweep resume",
    example="/sweep resume",
    help="measure only the points that have no accepted result",
    topic="sweep resume",
)


def answer(desk: Desk, order: Order) -> Outcome:
    """Dispatch a sweep of what is missing; the points that are there are written down for its plan job."""
    facts = desk.sources.facts((), everything=True)
    if facts.trouble:
        return Outcome(go=False, kind=Kind.COULD_NOT_TELL, reason=f"could not tell: {facts.trouble}")
    if desk.rules.paused:
        return Outcome(go=False, kind=Kind.PAUSED, reason=f"paused: {desk.rules.paused}")
    shares = source.available(facts, desk.rules)
    missing = [share for share in shares if not share.taken]
    if not missing:
        return Outcome(go=True, kind=Kind.NOTHING_MISSING, reason="nothing is missing, so nothing starts")
    if not desk.rules.labels.primaries_on(desk.pull.labels):
        return Outcome(go=False, kind=Kind.NO_LABEL, reason="set a primary label first: it says how to sweep")
    if moved := desk.moved(order.at):
        return Outcome(go=False, kind=Ruled.HEAD_MOVED, reason=moved)
    _write(desk, shares)
    _dispatch(desk)
    text = f"{coverage(shares).text} are there; a sweep of the other {len(missing)} starts"
    return Outcome(go=True, kind=Kind.RESUMED, reason=text)


def _write(desk: Desk, shares: tuple[Share, ...]) -> None:
    """Marks and provenance of what need not be measured again, for the plan job of the sweep."""
    points = [
        {"mark": noun.write(share.wanted), "run": share.taken.run, "sha": share.taken.measured.sha}
        for share in shares
        if share.taken
    ]
    taken = {share.taken.run for share in shares if share.taken}
    results = {store.held(one.run.id): documents(one) for one in desk.sources.looked if one.run.id in taken}
    accepted = {store.accepted(desk.pull.number): {desk.pull.head_sha: {"points": points}}}
    desk.store.put({**results, **accepted}, why=f"accepted points of #{desk.pull.number}")


def _dispatch(desk: Desk) -> None:
    """The sweep of exactly this head, from the default branch's files."""
    title = Title(
        pr=desk.pull.number,
        action="resume",
        head_sha=desk.pull.head_sha,
        base_sha=desk.sources.wanted.merge_base,
        labels=frozenset({*desk.pull.labels, *_label(desk)}),
    )
    desk.sources.sweeps.dispatch(title, desk.branch)


def _label(desk: Desk) -> list[str]:
    """The label under which a plan leaves out what is there."""
    known = desk.rules.labels.modifiers
    return [name for name, one in known.items() if one.resume][:1]


def accepted_at(kept: Store, title: Title) -> tuple[Mark, ...]:
    """What a resumed sweep leaves out, as the command wrote it down; nothing for any other."""
    if title.action != "resume":
        return ()
    file = store.accepted(title.pr)
    record = kept.read(file).get(title.head_sha, {})
    return tuple(noun.read(Mark, point["mark"]) for point in At(record, file)["points"].items())
