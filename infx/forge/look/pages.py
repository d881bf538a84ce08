"""Pages: one function for each kind, from the rows to the HTML."""

from collections.abc import Callable

from starlette.responses import FileResponse, RedirectResponse, Response

from infx.forge import artifacts, issues, pulls, trial
from infx.forge.database import Row
from infx.forge.look import member, paper, show, talk, work
from infx.forge.look.door import HEADERS, Asked
from infx.forge.problem import not_found
from infx.forge.shapes import issue as shapes
from infx.forge.site import Json, Site
from infx.forge.visit import Visit

LISTED = 200
"""Pull requests that a repository's page lists."""


def home(site: Site) -> str:
    """Public repositories with their numbers of open pull requests."""
    counts = "SELECT count(*) FROM issues WHERE repo = repos.id AND pull = 1 AND state = 'open'"
    rows = site.db.rows(f"SELECT *, ({counts}) AS pulls FROM repos WHERE private = 0 ORDER BY full_name")
    return show.page("home", repos=rows, now=site.now())


def page(at: Visit, template: str, **known: object) -> str:
    return show.page(template, repo=at.repo, now=at.site.now(), **known)


def repository(asked: Asked) -> str:
    at = asked.at
    rows = at.db.rows(
        "SELECT issues.*, (SELECT count(*) FROM comments WHERE issue = issues.id) AS comments FROM issues "
        f"WHERE repo = ? ORDER BY state DESC, number DESC LIMIT {LISTED}",
        at.repo["id"],
    )
    found = [{**row, "labels": shapes.labels(at, row["id"])} for row in rows]
    return page(at, "repository", issues=found, tab="pulls")


def runs(asked: Asked) -> str:
    rows = work.runs_of(asked.at)
    return page(asked.at, "runs", runs=rows, tab="actions", live=work.going(rows))


def pull(asked: Asked) -> str:
    """The conversation, of a plain issue too."""
    at = asked.at
    row = issues.find(at, asked.number("number"))
    known = frame(at, row)
    started = work.runs_of_pull(at, row["number"])
    checks = work.checks(at, row["head_sha"]) if row["pull"] else []
    kept = [one for run in started for one in work.artifacts(at, run["id"])]
    shown = {"entries": talk.entries(at, row), "runs": started, "checks": checks, "artifacts": kept}
    return page(at, "pull", **known, **shown, here="talk", live=row["state"] == "open")


def frame(at: Visit, row: Row) -> Json:
    """What every page of a pull request shows at its top and side."""
    row = trial.fresh(at, row) if row["pull"] else row
    changed = at.bare.files(row["base_sha"], row["head_sha"]) if row["pull"] else ()
    head = at.db.row("SELECT * FROM repos WHERE id = ? AND id != ?", row["head_repo"], at.repo["id"])
    return {
        "issue": row,
        "labels": shapes.labels(at, row["id"]),
        "changed": changed,
        "commits": at.bare.distance(row["base_sha"], row["head_sha"]) if row["pull"] else 0,
        "head": f"{head['owner']}:{row['head_ref']}" if head else row["head_ref"],
        "tab": "pulls",
    }


def files(asked: Asked) -> str:
    row = pulls.find(asked.at, asked.number("number"))
    return page(asked.at, "files", **frame(asked.at, row), here="files")


def run(asked: Asked) -> str:
    at = asked.at
    attempt = asked.number("attempt") or None
    row = work.run(at, asked.store, asked.number("run"), attempt)
    newest = asked.store.run_row(row["id"])["attempt"]
    known = {"jobs": work.jobs(at, row), "artifacts": work.artifacts(at, row["id"]), "newest": newest}
    return page(at, "run", run=row, **known, tab="actions", live=row["status"] != "completed")


def job(asked: Asked) -> str:
    """The log, under the steps."""
    at = asked.at
    row = work.job(at, asked.number("run"), asked.number("job"))
    of = work.run(at, asked.store, row["run"], row["attempt"])
    text, cut = paper.read(asked.store.log_path(row["id"]))
    known = {"job": row, "run": of, "jobs": work.jobs(at, of), "blocks": paper.blocks(text), "cut": cut}
    return page(at, "job", **known, tab="actions", live=row["status"] != "completed")


def raw_log(asked: Asked) -> Response:
    path = asked.store.log_path(work.job(asked.at, asked.number("run"), asked.number("job"))["id"])
    if not path.exists():
        raise not_found()
    return FileResponse(path, headers=HEADERS, media_type="text/plain; charset=utf-8")


def kept(asked: Asked) -> Row:
    row = artifacts.find(asked.at, asked.number("artifact"))
    if row["run"] != asked.number("run"):
        raise not_found()
    return row


def artifact(asked: Asked) -> str:
    """What is in it; a page in it is shown at once."""
    row = kept(asked)
    names = member.names(asked.files.path(row["id"]), where=row["name"])
    of = asked.store.run_row(row["run"])
    return page(asked.at, "artifact", artifact=row, members=names, run=of, tab="actions")


def download(asked: Asked) -> Response:
    return RedirectResponse(asked.files.link(kept(asked)["id"], "r"), 302)


def one_member(asked: Asked) -> Response:
    row = kept(asked)
    return member.answer(asked.files.path(row["id"]), str(asked.words["path"]), where=row["name"])


PAGES: dict[str, Callable[[Asked], str | Response]] = {
    "repository": repository,
    "runs": runs,
    "pull": pull,
    "files": files,
    "run": run,
    "job": job,
    "raw_log": raw_log,
    "artifact": artifact,
    "download": download,
    "member": one_member,
}
