"""Chapters: the life of one pull request, one small function for each step of it, in order."""

from infx.edge import archive, files
from infx.edge.store import Store, published
from infx.errors import BadInput, Refused
from infx.event import Run
from infx.forge import sample
from infx.forge.cast import Cast
from infx.ledger import Ledger
from infx.policy.aftermath import LABEL as GREEN
from infx.say import aftermath, comment, welcome
from infx.source import CONTEXT

MASTER = "configs/demo-master.yaml"
CHECKLIST = "PR_REVIEW_CHECKLIST.md"
CHANGES = (("isl: 512", "isl: 384"), ("conc-list: [1, 2, 4, 8]", "conc-list: [1, 2, 4, 6]"))
"""What the pull request changes: one line of each demo key."""
BRANCH, TITLE = "shorter-input", "Shorter input for the demo keys"
LABEL = "full-sweep-fail-fast"
ARTIFACT_LIMIT = 32 * 1024 * 1024
BODY = """## Summary

Shorter input, to see the curve move.

### AI model disclosure

No AI used
"""


def life(cast: Cast) -> bool:
    """Opened, welcomed, labelled, swept, authorised, signed off, merged, published, green."""
    changed(cast)
    number = opened(cast)
    sweep = swept(cast, number)
    whole = measured(cast, sweep)
    used(cast, number, sweep)
    passed = signed(cast, number)
    merge = merged(cast, number)
    ingested(cast, merge)
    return followed(cast, number, merge) and whole and passed


def changed(cast: Cast) -> None:
    """The change as a contributor makes it: an edit, `infx changelog new`, commits, a push."""
    cast.step("Ann changes two config keys and adds the changelog entry")
    path = cast.source.root / MASTER
    text = files.read_text(path)
    for old, new in CHANGES:
        if old not in text:
            raise BadInput(f"{old!r} is gone", where=MASTER, todo="put it back, or change CHANGES")
        text = text.replace(old, new)
    files.write_text(path, text)
    cast.source("checkout", "--quiet", "-b", BRANCH)
    sample.commit(cast.source, "Shorter input")
    cast.infx("matrix", "changed", "--base", "main")
    why = "Shorter input, to see the curve move"
    cast.infx("changelog", "new", "--base", "main", "--description", why)
    sample.commit(cast.source, "Changelog entry")
    cast.source("push", "--quiet", "origin", BRANCH)
    cast.ann.pushed()


def opened(cast: Cast) -> int:
    """The welcome, the plan preview, and what blocks."""
    number = cast.ann.open_pull(BRANCH, title=TITLE, body=BODY)
    cast.step(f"pull request #{number} is open, and its changelog entry can name it")
    cast.infx("changelog", "fix", "--base", "main", "--pr", str(number))
    sample.commit(cast.source, "Changelog link")
    cast.source("push", "--quiet", "origin", BRANCH)
    cast.ann.pushed()
    cast.rest()
    cast.step("the bot's welcome")
    cast.show(number, welcome.MARK, lines=8)
    cast.step("the gate has passed; the status comment holds the plan")
    cast.show(number, comment.STATUS, lines=14)
    return number


def swept(cast: Cast, number: int) -> Run:
    """The canaries first, then everything."""
    cast.step(f"Mia sets {LABEL}: canaries, then the matrix, on a CPU engine")
    cast.mia.label(number, LABEL)
    sweep = cast.watch()
    cast.step("the pull request's status comment")
    cast.show(number, comment.STATUS, lines=30)
    return sweep


def measured(cast: Cast, sweep: Run) -> bool:
    """Keep report, ledger and facts of the sweep beside the forge."""
    stored = {artifact.name: artifact for artifact in cast.github.artifacts(sweep.id)}
    if "ledger" not in stored:
        raise Refused(f"run {sweep.id} left no ledger", todo=f"read its jobs in {cast.folder}")
    for name in ("ledger", "report", "facts"):
        data = cast.github.download(stored[name], limit=ARTIFACT_LIMIT)
        for path, content in archive.unpack(data, where=name).items():
            files.write_bytes(cast.folder / name / path, content)
    ledger = Ledger.from_json(files.read_json(cast.folder / "ledger" / "ledger.json"))
    counts = ", ".join(f"{count} {state}" for state, count in ledger.counts.items())
    page = cast.folder / "report" / "index.html"
    cast.step(f"the ledger of run {sweep.id}: {counts}; results page {page}")
    return ledger.complete


def used(cast: Cast, number: int, sweep: Run) -> None:
    """Main may publish these results."""
    cast.step(f"Mia authorises the results: /use {sweep.id}")
    asked = cast.mia.comment(number, f"/use {sweep.id}")
    cast.rest()
    cast.show(number, f"<!-- infx:reply {asked} -->", lines=6)
    told(cast, number, CONTEXT)


def signed(cast: Cast, number: int) -> bool:
    """The code owner's checklist, each item ticked, and the verdict of the checks; whether it passed."""
    cast.step("Nova, code owner of the configs, reviews and signs off")
    text = files.read_text(cast.source.root / CHECKLIST).partition("---\n")[2]
    cast.nova.review(number, "APPROVE")
    cast.nova.comment(number, text.replace("- [ ]", "- [x]").replace("@your-login", "@nova"))
    cast.rest()
    cast.show(number, "<!-- infx:signoff", lines=14)
    return told(cast, number, "infx/signoff")


def told(cast: Cast, number: int, context: str) -> bool:
    """What a status of the head says; whether it is green."""
    state, text = cast.github.statuses(cast.github.pull(number).head_sha).get(context, ("", "nothing"))
    cast.say(f"  status {context}: {state or 'none'} · {text}")
    return state == "success"


def merged(cast: Cast, number: int) -> str:
    """The supported way to merge, in Mia's clone."""
    cast.step("Mia merges")
    cast.source("checkout", "--quiet", "main")
    cast.infx("merge", str(number), "--poll", "1", "--wait", "5")
    cast.rest()
    cast.source("fetch", "--quiet", "origin")
    return cast.source.resolve("origin/main")


def ingested(cast: Cast, merge: str) -> None:
    """What main published, and that the audit misses nothing."""
    rows = dict(Store(git=cast.source, branch="infx-results").read(published(merge)))
    cast.step(f"ingest published {len(rows)} rows of {merge[:7]}")
    for line in cast.jobs_of(merge):
        cast.say(f"  {line}")


def followed(cast: Cast, number: int, merge: str) -> bool:
    """Every job after the merge."""
    cast.step("what the bot says after the merge")
    cast.show(number, aftermath.MARK, lines=12)
    green = GREEN in cast.github.pull(number).labels
    cast.step(f"#{number} {'has' if green else 'does not have'} the label {GREEN}")
    return green
