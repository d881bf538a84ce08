"""Staging: results onto the preview page, which is built from the store, or in another repository."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from infx.desk import Desk, Order
from infx.edge import settings, sticky, store
from infx.edge.github import connect
from infx.edge.world import World
from infx.errors import BadInput, CouldNotTell, InfxError, Refused
from infx.ledger import State
from infx.read.place import At
from infx.say import reply
from infx.say.reply import DONE, WAITING
from infx.several import taken_apart
from infx.status import desk_of
from infx.sweeps import Sweep

EVENT = "infx-stage"
"""Type of the `repository_dispatch` that the other repository gets."""
PUBLISHED = "done"
"""How the store calls `DONE`."""
REASON = 300
"""Characters of a reason that are kept."""
TOKEN = "INFX_STAGE_TOKEN"  # the name of a variable


def rows_of(sweeps: Sequence[Sweep]) -> list[tuple[str, Any]]:
    """Point id and row of every valid point; behind the id the concurrency, when the point has several."""
    ledgers = [sweep.ledger for sweep in sweeps if sweep.ledger]
    entries = [entry for ledger in ledgers for entry in ledger.entries if entry.state == State.VALID]
    found: list[tuple[str, Any]] = []
    for entry in entries:
        rows = taken_apart(entry.result) if entry.result else []
        found += [(entry.point if len(rows) == 1 else f"{entry.point}:C{row['conc']}", row) for row in rows]
    return found


def put(desk: Desk, order: Order, sweeps: Sequence[Sweep]) -> str:
    """Rows keyed by run and point, so that a run replaces only itself. `DONE`; `WAITING` for the callback of
    the other repository; else why it failed, which never undoes what the rows were staged for."""
    try:
        previews = {store.preview(sweep.run.id): dict(rows_of([sweep])) for sweep in sweeps}
        desk.store.put(previews, why=f"preview of #{desk.pull.number}")
        if not desk.rules.stage_to:
            return DONE
        # Written first: the answer may be here before the request has come back.
        runs = sorted(sweep.run.id for sweep in sweeps)
        note(desk, order.comment.id, WAITING, runs)
        return ask(desk, order.comment.id, runs)
    except InfxError as problem:
        return problem.what


def ask(desk: Desk, comment: int, runs: Sequence[int]) -> str:
    """`WAITING`, also where the answer was lost: the other repository may have been told, and `resumed` asks
    it again, which shows the same runs once more. Else why it was not told."""
    try:
        _tell(desk, comment, runs)
    except CouldNotTell:
        return WAITING
    except (BadInput, Refused) as problem:
        note(desk, comment, problem.what, runs)
        return problem.what
    # Beside the state, which the callback may have changed meanwhile.
    told = {store.staging(desk.pull.number): {f"{comment} told": {"runs": list(runs)}}}
    desk.store.put(told, why=f"staging of #{desk.pull.number}")
    return WAITING


def resumed(github: sticky.Comments, desk: Desk, *, without: Collection[int]) -> None:
    """Ask again for stagings of earlier comments than `without` of which nobody knows whether the other
    repository was told. CouldNotReport when the reply cannot be mended."""
    if not desk.rules.stage_to:
        return
    known = desk.store.read(store.staging(desk.pull.number))
    for key, value in known.items():
        if key.isdigit() and int(key) not in without and _unsure(known, key):
            state = ask(desk, int(key), value["runs"])
            if state != WAITING:
                _settle(github, desk, int(key), state)


def _unsure(known: Mapping[str, Any], key: str) -> bool:
    told = known.get(f"{key} told", {}).get("runs")
    return bool(known[key]["state"] == WAITING and told != known[key]["runs"])


def note(desk: Desk, comment: int, state: str, runs: Sequence[int]) -> None:
    """Write down how the staging that a comment asked for stands."""
    value = {"state": state or PUBLISHED, "runs": list(runs)}
    files = {store.staging(desk.pull.number): {str(comment): value}}
    desk.store.put(files, why=f"staging of #{desk.pull.number}")


def noted(desk: Desk, comment: int) -> Mapping[str, Any] | None:
    """What was written down last; None when the comment never asked."""
    return desk.view(store.staging(desk.pull.number)).get(str(comment))


def _tell(desk: Desk, comment: int, runs: Sequence[int]) -> None:
    """The other repository reads the rows itself, and calls back with a dispatch of the comment workflow."""
    target, token = desk.rules.stage_to, desk.env.get(TOKEN)
    if not token:
        raise BadInput(
            f"stage-to is {target}, but {TOKEN} is empty", todo="set it in the environment `stage`"
        )
    there = connect({**desk.env, "GITHUB_TOKEN": token})
    payload = {
        "repository": desk.github.repository,
        "pr": desk.pull.number,
        "comment": comment,
        "branch": desk.rules.layout.results_branch,
        "files": [store.preview(run) for run in runs],
        "callback": desk.rules.layout.comment_workflow,
    }
    body = {"event_type": EVENT, "client_payload": payload}
    there.api.create(f"/repos/{target}/dispatches", body, find=None)


def answered(inputs: At, world: World) -> int:
    """What became of a staging elsewhere, written down and replied. BadInput when nothing was asked."""
    number, comment = (_number(inputs[name]) for name in ("pr", "comment"))
    state = DONE if inputs["state"].choice(("staged", "failed")) == "staged" else _why(inputs["reason"])
    github = connect(world.env)
    desk = desk_of(github, settings.load(world.cwd), world, number)
    asked = noted(desk, comment)
    if asked is None:
        raise BadInput(f"comment {comment} staged nothing", where=f"#{number}", todo="check the inputs")
    note(desk, comment, state, asked["runs"])
    _settle(github, desk, comment, state)
    return 0


def caught_up(github: sticky.Comments, desk: Desk, comment: int) -> None:
    """The other repository may have answered before the reply stood there that shows it."""
    if not desk.rules.stage_to:
        return
    found = desk.store.read(store.staging(desk.pull.number)).get(str(comment))
    if found and found["state"] != WAITING:
        state = str(found["state"])
        _settle(github, desk, comment, DONE if state == PUBLISHED else state)


def _settle(github: sticky.Comments, desk: Desk, comment: int, state: str) -> None:
    topic = sticky.Topic(mark=reply.mark(comment), render=lambda old: reply.settled(old, state))
    sticky.put_all(github, desk.pull.number, [topic])


def _number(at: At) -> int:
    text = at.text().strip()
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise at.fail("a number")
    return int(text)


def _why(at: At) -> str:
    """A reason that nobody gives is still no success."""
    text = " ".join(at.text("").split())[:REASON]
    return text if text not in (DONE, WAITING, PUBLISHED) else "it failed, and no reason was given"
