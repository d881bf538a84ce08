"""Pull requests: what they show, what they tell, how they move."""

import pytest
from github import GithubException

from infx.forge.ports import Event
from tests.forge.client import REPO, World

pytestmark = pytest.mark.forge


def last(world: World) -> Event:
    return world.recorder.events[-1]


def test_opening_tells_once_with_the_test_merge(world, will):
    pull = will.create_pull(title="Change a", head="feature", base="main", body="why")
    world.forge.settle()
    event = last(world)
    assert world.recorder.kinds == ["pull_request.opened"]
    assert event.ref == f"refs/pull/{pull.number}/merge"
    assert event.sha == world.at("will").at.bare.ref(event.ref)
    assert event.changed == ("configs/a.yaml",)
    assert (event.conflict, event.fork, event.needs_approval, event.by_job_token) == (False,) * 4


def test_mergeable_is_unknown_until_asked_for(will, pull):
    first, second = will.get_pull(pull), will.get_pull(pull)
    assert (first.mergeable, first.mergeable_state) == (None, "unknown")
    assert (second.mergeable, second.mergeable_state) == (True, "clean")


def test_push_moves_the_head_and_tells_push_before_synchronize(world, will, pull):
    before = will.get_pull(pull).head.sha
    after = world.at("will").push_to_pull(pull, {"b.txt": "1\n"}, message="more")
    assert world.recorder.kinds == ["push", "pull_request.synchronize"]
    assert (last(world).payload["before"], last(world).payload["after"]) == (before, after)
    assert will.get_pull(pull).head.sha == after
    assert last(world).changed == ("b.txt", "configs/a.yaml")


def test_conflict_has_no_test_merge(world, will, pull):
    world.at("will").push("main", {"configs/a.yaml": "a: 3\n"}, message="other")
    world.at("will").label(pull, "x")
    assert last(world).conflict
    assert world.at("will").at.bare.ref(f"refs/pull/{pull}/merge") is None
    will.get_pull(pull)
    assert (will.get_pull(pull).mergeable, will.get_pull(pull).mergeable_state) == (False, "dirty")


def test_a_push_to_the_base_renews_the_test_merge_without_an_event(world, pull):
    world.at("will").push("main", {"c.txt": "c\n"}, message="elsewhere")
    assert world.recorder.kinds == ["push"]
    world.at("will").label(pull, "x")
    bare, event = world.at("will").at.bare, last(world)
    assert bare.commit(event.sha).parents[0] == bare.ref("refs/heads/main")


def test_files_show_renames_both_ways(world, will, pull):
    world.at("will").push_to_pull(pull, {"README.md": None, "READ.md": "infx\n"}, message="rename")
    found = {file.filename: file for file in will.get_pull(pull).get_files()}
    assert (found["READ.md"].status, found["READ.md"].previous_filename) == ("renamed", "README.md")
    assert found["configs/a.yaml"].patch == "@@ -1 +1 @@\n-a: 1\n+a: 2"
    assert set(last(world).changed) == {"READ.md", "README.md", "configs/a.yaml"}


def test_a_fork_brings_its_head_and_waits_for_approval(world, will):
    world.forge.user("eve")
    name = world.forge.at(REPO, "eve").fork()
    world.forge.at(name, "eve").push("patch", {"d.txt": "d\n"}, message="d")
    number = world.forge.at(REPO, "eve").open_pull("eve:patch", title="From outside")
    assert (last(world).fork, last(world).needs_approval) == (True, True)
    assert will.get_pull(number).head.repo.full_name == "eve/infx"
    assert will.get_commit(will.get_pull(number).head.sha).files[0].filename == "d.txt"
    world.forge.at(REPO, "eve").push_to_pull(number, {"e.txt": "e\n"}, message="e")
    assert world.recorder.kinds[-2:] == ["push", "pull_request.synchronize"]
    assert [event.repository for event in world.recorder.events[-2:]] == ["eve/infx", REPO]


@pytest.mark.parametrize(
    ("method", "parents", "subject"),
    [
        ("merge", 2, "Merge pull request #1 from acme/feature"),
        ("squash", 1, "Change a (#1)"),
        ("rebase", 1, "change a"),
    ],
)
def test_merging_in_three_ways(world, will, pull, method, parents, subject):
    result = will.get_pull(pull).merge(merge_method=method)
    commit = will.get_commit(result.sha)
    world.forge.settle()
    assert (len(commit.parents), commit.commit.message.splitlines()[0]) == (parents, subject)
    assert will.get_contents("configs/a.yaml").decoded_content == b"a: 2\n"
    assert world.recorder.kinds == ["pull_request.closed", "push"]
    assert world.recorder.events[0].payload["pull_request"]["merged"] is True


def test_merge_refuses_a_head_that_moved(will, pull):
    with pytest.raises(GithubException) as caught:
        will.get_pull(pull).merge(sha="0" * 40)
    assert caught.value.status == 409


def test_merge_refuses_a_conflict_and_a_second_merge(world, will, pull):
    world.at("will").push("main", {"configs/a.yaml": "a: 3\n"}, message="other")
    assert world.client("will")("PUT", f"/repos/{REPO}/pulls/{pull}/merge").status == 405


def test_a_plain_push_that_holds_the_head_merges(world, will, pull):
    head = will.get_pull(pull).head.sha
    will.get_git_ref("heads/main").edit(head)
    assert will.get_pull(pull).merged
    assert will.get_pull(pull).merge_commit_sha == head


def test_update_branch_merges_the_base_into_the_head(world, will, pull):
    world.at("will").push("main", {"c.txt": "c\n"}, message="elsewhere")
    assert will.get_pull(pull).update_branch()
    world.forge.settle()
    assert world.recorder.kinds[-1] == "pull_request.synchronize"
    assert [file.filename for file in will.get_pull(pull).get_files()] == ["configs/a.yaml"]


def test_edits_say_what_was_there_before(world, will, pull):
    will.get_pull(pull).edit(title="New")
    world.forge.settle()
    assert last(world).payload["changes"] == {"title": {"from": "Change a"}}
    world.at("will").push("other", {"x": "x"}, message="x")
    will.get_pull(pull).edit(base="other")
    world.forge.settle()
    assert last(world).payload["changes"]["base"]["ref"] == {"from": "main"}


def test_reopening_finds_what_was_pushed_in_between(world, will, pull):
    world.at("will").close(pull)
    after = world.at("will").push("feature", {"c": "1"}, message="while closed")
    base = world.at("will").push("main", {"d": "1"}, message="base moved")
    assert will.get_pull(pull).head.sha != after
    world.at("will").reopen(pull)
    assert (will.get_pull(pull).head.sha, will.get_pull(pull).base.sha) == (after, base)


@pytest.mark.parametrize(("tip", "why"), [("main", "force-pushed or recreated"), ("", "been deleted")])
def test_reopening_needs_the_old_branch(world, will, pull, tip, why):
    bare = world.at("will").at.bare
    world.at("will").close(pull)
    bare.set_ref("refs/heads/feature", bare.ref(f"refs/heads/{tip}") if tip else None)
    with pytest.raises(GithubException, match=why):
        will.get_pull(pull).edit(state="open")


def test_close_and_reopen(world, will, pull):
    will.get_pull(pull).edit(state="closed")
    will.get_pull(pull).edit(state="open")
    world.forge.settle()
    assert world.recorder.kinds == ["pull_request.closed", "pull_request.reopened"]


@pytest.mark.parametrize(
    ("head", "base", "message"),
    [
        ("nowhere", "main", "Validation Failed"),
        ("feature", "nowhere", "Validation Failed"),
        ("main", "main", "Validation Failed"),
    ],
)
def test_what_cannot_be_opened(will, head, base, message):
    with pytest.raises(GithubException, match=message) as caught:
        will.create_pull(title="t", head=head, base=base)
    assert caught.value.status == 422


def test_one_open_pull_request_for_a_pair_of_branches(will, pull):
    with pytest.raises(GithubException, match="already exists"):
        will.create_pull(title="again", head="feature", base="main")


def test_draft_becomes_ready(world):
    number = world.at("will").open_pull("feature", title="t", draft=True)
    world.at("will").set_draft(number, False)
    assert world.recorder.kinds[-1] == "pull_request.ready_for_review"
    assert world.at("will").pull(number)["draft"] is False
