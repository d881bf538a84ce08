"""Remarks: everything that people said in a pull request, wherever GitHub keeps it."""

from collections.abc import Iterator
from dataclasses import dataclass

from infx.edge.github import GitHub
from infx.event import Comment, Remark
from infx.read.place import At

DESCRIPTION = 20_000
"""Characters of a description that are looked at."""
PENDING = "PENDING"
"""A review that its author has not submitted yet."""


@dataclass(frozen=True, kw_only=True)
class About:
    """What a pull request says of itself."""

    opened: str
    """Day, ISO 8601."""
    description: str


def about(github: GitHub, number: int) -> About:
    path = f"/repos/{github.repository}/pulls/{number}"
    at = At(github.api.get(path), path)
    return About(opened=at["created_at"].text("")[:10], description=at["body"].text("")[:DESCRIPTION])


def remarks(github: GitHub, number: int) -> tuple[Remark, ...]:
    """All of them, oldest first in each place. A page that cannot be had raises: half a list is no list."""
    return (
        *(of_comment(one) for one in github.comments(number)),
        *reviews(github, number),
        *inline(github, number),
    )


def of_comment(one: Comment) -> Remark:
    return Remark(
        place="comment",
        id=one.id,
        node=one.node,
        body=one.body,
        author=one.author,
        author_id=one.author_id,
        bot=one.author_type == "Bot" or one.author.endswith("[bot]"),
        at=one.updated_at or one.created_at,
        url=one.url,
    )


def reviews(github: GitHub, number: int) -> Iterator[Remark]:
    for at in github.listed(f"/pulls/{number}/reviews"):
        if at["state"].text("") != PENDING:
            yield _remark("review", at, at["submitted_at"].text(""))


def inline(github: GitHub, number: int) -> Iterator[Remark]:
    for at in github.listed(f"/pulls/{number}/comments"):
        yield _remark("inline", at, at["updated_at"].text("") or at["created_at"].text(""))


def head_since(github: GitHub, sha: str, context: str) -> str:
    """When the first status of `context` was written on a commit, which is when it was pushed."""
    listed = github.listed(f"/commits/{sha}/statuses")
    times = [at["created_at"].text("") for at in listed if at["context"].value == context]
    return min(filter(None, times), default="")


def open_pulls(github: GitHub) -> list[tuple[int, str]]:
    """Number and head of every open pull request."""
    listed = github.listed("/pulls", state="open")
    return [(at["number"].integer(), at["head"]["sha"].text()) for at in listed]


def _remark(place: str, at: At, when: str) -> Remark:
    user = At({}, at.where) if at["user"].absent else at["user"]
    login = user["login"].text("ghost")
    return Remark(
        place=place,
        id=at["id"].integer(),
        node=at["node_id"].text(""),
        body=at["body"].text(""),
        author=login,
        author_id=user["id"].integer(0),
        bot=user["type"].text("User") == "Bot" or login.endswith("[bot]"),
        at=when,
        url=at["html_url"].text(""),
        commit=at["commit_id"].text("") if place == "review" else "",
        dismissed=at["state"].text("") == "DISMISSED",
    )
