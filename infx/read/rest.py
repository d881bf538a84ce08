"""Rest: answers of GitHub's REST API become the nouns of `infx.event`."""

import re

from infx.event import Artifact, Comment, FileChange, JobView, LabelChange, Review, Run, Step
from infx.facts import Role
from infx.read import title
from infx.read.place import At


def run(at: At) -> Run:
    """A workflow run in its newest attempt; what it was for comes from its title."""
    meant = title.read(at["display_title"].text(""))
    listed = at["pull_requests"].items()
    head = at["head_repository"]
    return Run(
        id=at["id"].integer(),
        attempt=at["run_attempt"].integer(1),
        event=at["event"].text(""),
        path=at["path"].text("").split("@")[0],
        status=at["status"].text("queued"),
        # GitHub shows a missing conclusion as null here and as "" there.
        conclusion=at["conclusion"].text("") or None,
        head_sha=at["head_sha"].text(),
        head_branch=at["head_branch"].text(""),
        head_repo=None if head.absent else head["full_name"].text(""),
        pr=meant.pr if meant else listed[0]["number"].integer() if listed else None,
        title=meant,
        created_at=at["created_at"].text(""),
        url=at["html_url"].text(""),
    )


def job(at: At) -> JobView:
    return JobView(
        id=at["id"].integer(),
        name=at["name"].text(),
        status=at["status"].text("queued"),
        conclusion=at["conclusion"].text("") or None,
        runner=at["runner_name"].text(""),
        labels=at["labels"].texts(),
        attempt=at["run_attempt"].integer(1),
        started_at=at["started_at"].text("") or None,
        completed_at=at["completed_at"].text("") or None,
        url=at["html_url"].text(""),
        steps=tuple(step(one) for one in at["steps"].items()),
    )


def step(at: At) -> Step:
    return Step(
        name=at["name"].text(""),
        status=at["status"].text("queued"),
        conclusion=at["conclusion"].text("") or None,
        started_at=at["started_at"].text("") or None,
        completed_at=at["completed_at"].text("") or None,
    )


def artifact(at: At) -> Artifact:
    source = At({}, at.where) if at["workflow_run"].absent else at["workflow_run"]
    return Artifact(
        id=at["id"].integer(),
        name=at["name"].text(),
        size=at["size_in_bytes"].integer(0),
        expired=at["expired"].flag(False),
        created_at=at["created_at"].text(""),
        expires_at=at["expires_at"].text(""),
        run_id=source["id"].integer(0),
        head_sha=source["head_sha"].text(""),
    )


def comment(at: At) -> Comment:
    """A deleted account has no user any more; GitHub shows it as `ghost`."""
    user = At({}, at.where) if at["user"].absent else at["user"]
    return Comment(
        id=at["id"].integer(),
        node=at["node_id"].text(""),
        body=at["body"].text(""),
        author=user["login"].text("ghost"),
        author_id=user["id"].integer(0),
        author_type=user["type"].text("User"),
        association=at["author_association"].text("NONE"),
        created_at=at["created_at"].text(""),
        updated_at=at["updated_at"].text(""),
        url=at["html_url"].text(""),
        reactions=None if at["reactions"].absent else _reactions(at["reactions"]),
    )


def _reactions(at: At) -> frozenset[str]:
    """Kinds with a count above zero; beside them stand an address and a sum."""
    counts = {name: one.value for name, one in at.fields().items() if name != "total_count"}
    return frozenset(name for name, count in counts.items() if isinstance(count, int) and count > 0)


def review(at: At) -> Review:
    user = At({}, at.where) if at["user"].absent else at["user"]
    return Review(
        author=user["login"].text("ghost"),
        state=at["state"].text("").upper(),
        commit=at["commit_id"].text(""),
        author_type=user["type"].text("User"),
    )


def label_change(at: At) -> LabelChange:
    """Of an event `labeled` or `unlabeled` of an issue; of a label that was deleted since, its name stays."""
    return LabelChange(
        at=at["created_at"].text(""),
        label=at["label"]["name"].text(""),
        on=at["event"].value == "labeled",
        by="" if at["actor"].absent else at["actor"]["login"].text(""),
    )


def file_change(at: At) -> FileChange:
    return FileChange(
        path=at["filename"].text(),
        status=at["status"].text(),
        previous=at["previous_filename"].text(""),
        additions=at["additions"].integer(0),
        deletions=at["deletions"].integer(0),
    )


def role(at: At, login: str) -> Role:
    user = At({}, at.where) if at["user"].absent else at["user"]
    return Role(
        login=login,
        permission=at["permission"].text(),
        role_name=at["role_name"].text("") or None,
        bot=bool(re.search(r"\[bot\]$", login)),
        id=user["id"].integer(0),
    )
