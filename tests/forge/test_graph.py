"""GraphQL: what REST does not tell."""

import pytest

from tests.forge.client import REPO, Client

pytestmark = pytest.mark.forge

EDITED = """query($id: ID!) { node(id: $id) { id
  ... on IssueComment { author {login} editor {login} lastEditedAt } } }"""
READY = """mutation($id: ID!) {
  markPullRequestReadyForReview(input: {pullRequestId: $id}) { pullRequest { isDraft } } }"""


@pytest.fixture
def ask(world):
    url = f"{world.forge.url}/api/graphql"
    return lambda query, login="will", **variables: (
        world.client(login)("POST", url, {"query": query, "variables": variables}).json
    )


def test_editor_and_time_of_a_comment(world, pull, ask):
    comment = world.at("rita").comment(pull, "first")
    assert ask(EDITED, id=f"IC_{comment}")["data"]["node"] == {
        "id": f"IC_{comment}",
        "author": {"login": "rita"},
        "editor": None,
        "lastEditedAt": None,
    }
    world.at("will").edit_comment(comment, "second")
    node = ask(EDITED, id=f"IC_{comment}")["data"]["node"]
    assert (node["author"], node["editor"]) == ({"login": "rita"}, {"login": "will"})
    assert node["lastEditedAt"].endswith("Z")


def test_editor_of_a_pull_request(world, pull, ask):
    query = '{ repository(owner: "acme", name: "infx") { pullRequest(number: 1) { editor {login} title } } }'
    world.at("mia").edit(pull, title="only the title")
    assert ask(query)["data"]["repository"]["pullRequest"]["editor"] is None
    world.at("mia").edit(pull, body="and the text")
    assert ask(query)["data"]["repository"]["pullRequest"]["editor"] == {"login": "mia"}


def test_editor_of_a_review_and_of_a_comment_on_a_line(world, pull, ask):
    query = "query($id: ID!) { node(id: $id) { id ... on Comment { body editor {login} lastEditedAt } } }"
    at, will = world.at("rita"), world.client("will")
    review = at.review(pull, "COMMENT", "first")
    assert ask(query, id=f"PRR_{review}")["data"]["node"]["editor"] is None
    will("PUT", f"/repos/{REPO}/pulls/{pull}/reviews/{review}", {"body": "second"})
    node = ask(query, id=f"PRR_{review}")["data"]["node"]
    assert (node["body"], node["editor"]) == ("second", {"login": "will"})
    assert node["lastEditedAt"].endswith("Z")


def test_comments_by_page(world, pull, ask):
    for number in range(3):
        world.at("will").comment(pull, f"c{number}")
    query = """query($after: String) { repository(owner: "acme", name: "infx") { pullRequest(number: 1) {
      comments(first: 2, after: $after) {
        totalCount nodes { body } pageInfo { hasNextPage endCursor } } } } }"""
    first = ask(query)["data"]["repository"]["pullRequest"]["comments"]
    rest = ask(query, after=first["pageInfo"]["endCursor"])["data"]["repository"]["pullRequest"]["comments"]
    assert [len(first["nodes"]), len(rest["nodes"]), rest["totalCount"]] == [2, 1, 3]
    assert (first["pageInfo"]["hasNextPage"], rest["pageInfo"]["hasNextPage"]) == (True, False)


@pytest.mark.parametrize("node", ["IC_1", "PR_1", "XX_9", "nonsense"])
def test_unknown_nodes(ask, node):
    answer = ask(EDITED, id=node)
    assert (answer["data"]["node"], answer["errors"][0]["type"]) == (None, "NOT_FOUND")


@pytest.mark.parametrize("query", ["", "{", "{ nothing }", "{ node }"])
def test_bad_queries_answer_with_errors(ask, query):
    assert ask(query)["errors"]


def test_nobody_asks_without_a_token(world):
    assert Client(world.forge.url)("POST", "/graphql", {"query": "{ viewer { login } }"}).status == 401


def test_drafts(world, ask):
    number = world.at("will").open_pull("feature", title="t", draft=True)
    node = world.at("will").pull(number)["node_id"]
    assert ask(READY, "rita", id=node)["errors"][0]["type"] == "FORBIDDEN"
    assert not ask(READY, id=node)["data"]["markPullRequestReadyForReview"]["pullRequest"]["isDraft"]
    assert world.recorder.kinds[-1] == "pull_request.ready_for_review"


def test_private_repositories_hide(world, ask):
    world.forge.configure(REPO, private=1)
    world.forge.user("stranger")
    number = world.at("will").open_pull("feature", title="t")
    node = world.at("will").pull(number)["node_id"]
    world.tokens["stranger"] = world.forge.user("stranger")
    assert ask(EDITED, "stranger", id=node)["errors"][0]["type"] == "NOT_FOUND"
