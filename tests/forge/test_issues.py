"""Labels, comments, reactions and the timeline, through PyGithub."""

import pytest
from github import GithubException

from tests.forge.client import REPO

pytestmark = pytest.mark.forge


def test_each_label_is_told_once(world, will, pull):
    will.get_pull(pull).add_to_labels("full-sweep-fail-fast", "agentx-fast")
    will.get_pull(pull).add_to_labels("agentx-fast")
    world.forge.settle()
    assert world.recorder.kinds == ["pull_request.labeled"] * 2
    names = [event.payload["label"]["name"] for event in world.recorder.events]
    shown = [label["name"] for label in world.recorder.events[0].payload["pull_request"]["labels"]]
    assert (names, shown) == (["full-sweep-fail-fast", "agentx-fast"], ["full-sweep-fail-fast"])


def test_setting_labels_tells_removals_and_additions(world, will, pull):
    will.get_pull(pull).add_to_labels("a", "b")
    will.get_pull(pull).set_labels("b", "c")
    will.get_pull(pull).remove_from_labels("b")
    world.forge.settle()
    told = [(event.payload["action"], event.payload["label"]["name"]) for event in world.recorder.events]
    assert told[2:] == [("unlabeled", "a"), ("labeled", "c"), ("unlabeled", "b")]
    assert [label.name for label in will.get_pull(pull).labels] == ["c"]


def test_labels_keep_case_and_ignore_it(will, pull):
    will.create_label("Sweep ⚡", "ff0000")
    will.get_pull(pull).add_to_labels("sweep ⚡")
    assert [label.name for label in will.get_pull(pull).labels] == ["Sweep ⚡"]
    will.get_pull(pull).remove_from_labels("SWEEP ⚡")
    assert will.get_pull(pull).labels == []


def test_comments_live_and_are_told(world, will, pull):
    comment = will.get_pull(pull).create_issue_comment("/use 7")
    comment.edit("/use none")
    comment.edit("/use none")
    comment.delete()
    world.forge.settle()
    assert world.recorder.kinds == ["issue_comment.created", "issue_comment.edited", "issue_comment.deleted"]
    edited = world.recorder.events[1].payload
    assert edited["changes"] == {"body": {"from": "/use 7"}}
    assert "pull_request" in edited["issue"]
    assert list(will.get_pull(pull).get_issue_comments()) == []


def test_an_edit_by_another_keeps_the_author_and_shows_the_sender(world, will, pull):
    comment = will.get_pull(pull).create_issue_comment("mine")
    world.at("olga").edit_comment(comment.id, "theirs")
    payload = world.recorder.events[-1].payload
    assert (payload["comment"]["user"]["login"], payload["sender"]["login"]) == ("will", "olga")


def test_only_authors_and_writers_change_a_comment(world, will, pull):
    comment = will.get_pull(pull).create_issue_comment("mine")
    path = f"/repos/{REPO}/issues/comments/{comment.id}"
    assert world.client("rita")("PATCH", path, {"body": "x"}).status == 403
    assert world.client("mia")("PATCH", path, {"body": "x"}).status == 200


@pytest.mark.parametrize(("body", "status"), [("x" * 65536, 201), ("x" * 65537, 422), (" ", 422), (7, 422)])
def test_comment_bodies_are_bounded(world, pull, body, status):
    answer = world.client("rita")("POST", f"/repos/{REPO}/issues/{pull}/comments", {"body": body})
    assert answer.status == status


def test_reactions_count_once(will, pull):
    comment = will.get_pull(pull).create_issue_comment("hello")
    comment.create_reaction("rocket")
    reaction = comment.create_reaction("rocket")
    assert [one.content for one in comment.get_reactions()] == ["rocket"]
    comment.delete_reaction(reaction.id)
    assert list(comment.get_reactions()) == []
    with pytest.raises(GithubException):
        comment.create_reaction("thumbs")


def test_timeline_holds_what_happened_in_order(world, will, pull):
    will.get_pull(pull).add_to_labels("a")
    will.get_pull(pull).create_issue_comment("hi")
    will.get_pull(pull).edit(title="New")
    kinds = [event.event for event in will.get_issue(pull).get_timeline()]
    assert sorted(kinds) == ["commented", "committed", "labeled", "renamed"]
    assert [event.event for event in will.get_issue(pull).get_events()] == ["labeled", "renamed"]


def test_plain_issues_share_the_count(world, will, pull):
    issue = will.create_issue("A question", body="why?", labels=["q"])
    world.forge.settle()
    assert issue.number == pull + 1
    assert world.recorder.kinds == ["issues.opened", "issues.labeled"]
    assert [one.number for one in will.get_issues()] == [pull + 1, pull]
