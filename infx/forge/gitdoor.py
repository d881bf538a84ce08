"""Plain git at the door: what a `git push` over the file path moved is noticed as it happens."""

import hmac
import secrets
import shlex
import sys
from pathlib import Path

from infx.edge import files
from infx.forge import protection, pushes, tokens
from infx.forge.problem import not_found, refused
from infx.forge.site import Json, Site
from infx.forge.tokens import JOB_LOGIN
from infx.forge.visit import Caller, Visit

BEFORE, AFTER = "/_pushing", "/_pushed"
HOOKS = ("pre-receive", "post-receive")
RECEIVE = Path(__file__).with_name("receive.py")
SERVICE = "hook.json"


def open_door(site: Site) -> None:
    """Write where the hooks find this forge, and take what was pushed while it was down."""
    service = {"host": site.url.removeprefix("http://"), "key": secrets.token_hex(16)}
    files.write_json(site.folder / SERVICE, service)
    (site.folder / SERVICE).chmod(0o600)
    site.hook_key = service["key"]
    for repo in site.db.rows("SELECT * FROM repos"):
        pushes.notice(Visit(site, repo, Caller(login=repo["owner"], kind="user")))


def install(at: Visit) -> None:
    """The hooks of a new repository. Git calls them there, so the path survives a move of the folder."""
    service = "/".join([*(".." for _ in at.bare.root.relative_to(at.site.folder).parts), SERVICE])
    for name in HOOKS:
        words = [sys.executable, "-S", str(RECEIVE), service, at.repo["full_name"], name]
        hook = at.bare.root / "hooks" / name
        files.write_text(hook, f"#!/bin/sh\nexec {shlex.join(words)}\n")
        hook.chmod(0o755)


def answer(site: Site, path: str, told: Json) -> None:
    """A hook asks or reports; 404 without the key of this forge."""
    if not hmac.compare_digest(str(told.get("key")), site.hook_key):
        raise not_found()
    at = Visit(site, site.repo(str(told.get("repository"))))
    at = Visit(site, at.repo, pusher(at, told))
    if path == AFTER:
        pushes.notice(at)
        return
    if at.caller.by_job:
        tokens.permit(at, "contents:write")
        for moved in told["refs"]:
            pushes.refuse_workflows(at, moved["paths"])
    for moved in told["refs"]:
        refuse_protected(at, moved["ref"], moved["new"])


def refuse_protected(at: Visit, ref: str, new: str) -> None:
    """403 in GitHub's words for what the rules of a branch do not let the pusher do."""
    branch = ref.removeprefix("refs/heads/")
    if branch != ref and (reasons := protection.against_push(at, branch, new)):
        raise refused(f"GH006: Protected branch update failed for {ref}. {' '.join(reasons)}")


def pusher(at: Visit, told: Json) -> Caller:
    """A job, the person that `FORGE_ACTOR` names, else whoever committed last, else the owner."""
    if told.get("GITHUB_ACTIONS") == "true":
        return of_job(at, str(told.get("GITHUB_RUN_ID")), str(told.get("RUNNER_NAME")))
    login = told.get("FORGE_ACTOR") or last_committer(at) or at.repo["owner"]
    return Caller(login=at.site.user(str(login))["login"], kind="user")


def of_job(at: Visit, run: str, runner: str) -> Caller:
    """The job that runs there: a runner has one at a time. Without a token that lives it may do nothing."""
    row = at.db.row(
        "SELECT tokens.* FROM tokens JOIN jobs ON jobs.id = tokens.job "
        "WHERE tokens.run = ? AND jobs.runner = ? AND tokens.ended = 0 ORDER BY jobs.id DESC",
        run,
        runner,
    )
    return tokens.caller(row) if row else Caller(login=JOB_LOGIN, kind="job", repo=at.repo["id"])


def last_committer(at: Visit) -> str | None:
    """Login behind the newest commit of the refs that moved."""
    known = {row["ref"]: row["sha"] for row in at.db.rows("SELECT * FROM refs WHERE repo = ?", at.repo["id"])}
    now = at.bare.refs(*pushes.WATCHED)
    tips = [sha for ref, sha in now.items() if known.get(ref) != sha]
    commits = [at.bare.commit(at.bare.resolve(tip)) for tip in tips]
    newest = max(commits, key=lambda one: one.committer.at, default=None)
    return at.site.by_email(newest.committer.email) if newest else None
