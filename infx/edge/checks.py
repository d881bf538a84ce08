"""Checks of commits on GitHub: runs, jobs of all attempts, check runs and statuses, and why a job failed."""

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import PurePosixPath

from infx.aftermath import Merge
from infx.check import Check
from infx.edge.api import Denied
from infx.edge.github import GitHub
from infx.errors import CouldNotTell, InfxError
from infx.event import JobView, PullRequest, Review, Run, Step
from infx.failure import FailureFacts
from infx.read import payload, rest
from infx.read.place import At

LOG_LIMIT = 16 * 1024 * 1024
"""Bytes of one log; a longer one is not read."""
LOG_END = 20_000
"""Characters of a log's end that are kept: the reason stands there."""
ACTIONS = "github-actions"
"""App whose check runs are the jobs of workflow runs."""
GOOD = ("success", "skipped", "neutral")
_STAMP = re.compile(r"^\ufeff?\d{4}-\d\d-\d\dT[\d:.]+Z ?", re.M)
"""What GitHub puts before every line of a log."""


class Checks:
    """What GitHub shows beside the commits of one repository. Lists are whole or raise."""

    def __init__(self, github: GitHub) -> None:
        self.github, self.api, self._base = github, github.api, f"/repos/{github.repository}"

    def runs(self, sha: str) -> list[Run]:
        """Workflow runs of the commit, whatever started them, in their newest attempt."""
        return [rest.run(at) for at in self.github.listed("/actions/runs", "workflow_runs", head_sha=sha)]

    def jobs(self, run: Run) -> list[JobView]:
        """Jobs of all attempts."""
        return self.github.jobs(run.id, every_attempt=True)

    def others(self, sha: str) -> list[Check]:
        """Check runs of other apps than Actions, and statuses."""
        found = [
            _check(at)
            for at in self.github.listed(f"/commits/{sha}/check-runs", "check_runs")
            if _foreign(at)
        ]
        return found + [
            Check(name=context, conclusion=state) for context, (state, _) in self.github.statuses(sha).items()
        ]

    def rerun_failed(self, run: int) -> bool:
        """Failed jobs of a run once more, with those that need them; False when GitHub will not."""
        return self._again(f"/actions/runs/{run}/rerun-failed-jobs")

    def rerun_job(self, job: int) -> bool:
        """One job once more, with those that need it; False when GitHub will not."""
        return self._again(f"/actions/jobs/{job}/rerun")

    def _again(self, path: str) -> bool:
        """A run that runs again already, is too old or was tried too often is no machine's to mend."""
        try:
            self.api.create(self._base + path, None, find=None)
        except Denied as no:
            if no.status not in (403, 409):
                raise
            return False
        return True

    def open_pulls(self, *, newest: int) -> list[tuple[PullRequest, str]]:
        """The `newest` open pull requests by their last change, each with its time."""
        asked = {"state": "open", "sort": "updated", "direction": "desc"}
        answer = self.api.get(f"{self._base}/pulls", per_page=newest, **asked)
        found = [At(item, "pulls") for item in answer]
        return [(payload.pull_request(at), at["updated_at"].text("")) for at in found]

    def reviews(self, number: int) -> list[Review]:
        """Reviews of a pull request, oldest first."""
        return [rest.review(at) for at in self.github.listed(f"/pulls/{number}/reviews")]

    def merges(self, branch: str, *, newest: int) -> list[Merge]:
        """Merges of pull requests among the `newest` of `branch` that were closed or changed last."""
        asked = {"state": "closed", "base": branch, "sort": "updated", "direction": "desc"}
        answer = self.api.get(f"{self._base}/pulls", per_page=newest, **asked)
        return [one for item in answer if (one := _merge(At(item, "pulls")))]

    def merge_of(self, sha: str) -> Merge | None:
        """The merge that brought the commit; None for a direct push."""
        found = (_merge(at) for at in self.github.listed(f"/commits/{sha}/pulls"))
        return next((one for one in found if one is not None and one.sha == sha), None)

    def evidence(self, job: JobView, others: Iterable[JobView]) -> FailureFacts:
        """What is known of a failed job. `others` are jobs by which its runner is judged."""
        step = failed_step(job)
        waited = 0.0 if job.runner else _seconds(job.started_at, job.completed_at) or 0.0
        failures = {one.id for one in others if one.conclusion not in (*GOOD, None, "cancelled")}
        mine = {one.id for one in others if one.runner == job.runner and job.runner}
        return FailureFacts(
            job=job.name,
            conclusion=job.conclusion or "",
            step=step.name if step else "",
            seconds=_seconds(*(step or job).times) if job.runner else None,
            waited_s=waited,
            runner=job.runner,
            log=self.said(job),
            runner_failures=len((failures & mine) - {job.id}),
            attempt=job.attempt,
        )

    def said(self, job: JobView) -> str:
        """The end of a job's log and its annotations; empty where GitHub has none."""
        notes = [at["message"].text("") for at in self._soft_list(f"/check-runs/{job.id}/annotations")]
        return "\n".join([self._log(job), *notes])[-LOG_END:]

    def _log(self, job: JobView) -> str:
        """A job that no runner took has no log."""
        try:
            data = self.github.fetch(f"/actions/jobs/{job.id}/logs", limit=LOG_LIMIT) if job.runner else b""
        except InfxError:
            return ""
        return _STAMP.sub("", data.decode("utf-8", "replace"))[-LOG_END:]

    def _soft_list(self, path: str) -> Sequence[At]:
        try:
            return list(self.github.listed(path))
        except (Denied, CouldNotTell):
            return ()


def workflow(run: Run) -> str:
    """`ingest` for `.github/workflows/ingest.yml`."""
    return PurePosixPath(run.path).stem


def failed_step(job: JobView) -> Step | None:
    """The first step that did not succeed."""
    return next((step for step in job.steps if step.conclusion not in (*GOOD, None)), None)


def _foreign(at: At) -> bool:
    """Not a job of a workflow run, which is looked at with its run."""
    slug = "" if at["app"].absent else at["app"]["slug"].text("")
    return slug != ACTIONS or "/actions/runs/" not in at["details_url"].text("")


def _check(at: At) -> Check:
    return Check(
        name=at["name"].text(),
        status=at["status"].text("queued"),
        conclusion=at["conclusion"].text("") or None,
        url=at["html_url"].text(""),
        id=at["id"].integer(),
    )


def _merge(at: At) -> Merge | None:
    """None for a pull request that was closed without a merge."""
    if at["merged_at"].absent or at["merge_commit_sha"].absent:
        return None
    return Merge(
        sha=at["merge_commit_sha"].text(),
        pr=at["number"].integer(),
        author="" if at["user"].absent else at["user"]["login"].text(""),
        at=at["merged_at"].text(),
        labels=tuple(label["name"].text() for label in at["labels"].items()),
    )


def _seconds(began: str | None, ended: str | None) -> float | None:
    try:
        return (datetime.fromisoformat(ended or "") - datetime.fromisoformat(began or "")).total_seconds()
    except ValueError:
        return None
