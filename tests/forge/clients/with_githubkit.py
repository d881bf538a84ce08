"""Thirty common calls of githubkit, which checks every answer: `python with_githubkit.py FACTS_JSON`."""

import base64
import json
import sys
from typing import Any

from githubkit import GitHub


def main(facts: dict[str, Any]) -> None:
    hub = GitHub(facts["token"], base_url=facts["api"], http_cache=False, auto_retry=False)
    rest = hub.rest("2022-11-28")
    at = facts["repo"].split("/")
    pull = rest.pulls.get(*at, facts["pull"]).parsed_data
    sha, run = pull.head.sha, facts["run"]
    assert rest.users.get_authenticated().parsed_data.login == facts["login"]
    assert rest.rate_limit.get().parsed_data.rate.limit == 5000
    assert rest.repos.get(*at).parsed_data.full_name == facts["repo"]
    assert "main" in [one.name for one in rest.repos.list_branches(*at).parsed_data]
    assert rest.repos.get_branch(*at, "main").parsed_data.name == "main"
    assert rest.repos.get_collaborator_permission_level(*at, facts["login"]).parsed_data.role_name == "admin"
    assert rest.repos.list_commits(*at).parsed_data
    assert rest.repos.get_content(*at, "README.md").parsed_data.encoding == "base64"
    text = base64.b64encode(b"by githubkit").decode()
    rest.repos.create_or_update_file_contents(*at, "k/new.txt", message="m", content=text).parsed_data  # noqa: B018
    assert rest.git.get_ref(*at, "heads/main").parsed_data.object_.type == "commit"
    assert rest.git.get_tree(*at, "main").parsed_data.tree
    assert rest.pulls.list(*at).parsed_data
    assert rest.pulls.list_files(*at, facts["pull"]).parsed_data[0].filename == "configs/a.yaml"
    assert len(rest.pulls.list_commits(*at, facts["pull"]).parsed_data) == 1
    assert rest.pulls.create_review(*at, facts["pull"], body="fine", event="COMMENT").parsed_data.id
    assert rest.pulls.list_reviews(*at, facts["pull"]).parsed_data
    comment = rest.issues.create_comment(*at, facts["pull"], body="hello").parsed_data
    assert rest.issues.update_comment(*at, comment.id, body="again").parsed_data.body == "again"
    assert (
        rest.reactions.create_for_issue_comment(*at, comment.id, content="eyes").parsed_data.content == "eyes"
    )
    assert rest.issues.list_comments(*at, facts["pull"]).parsed_data
    assert rest.issues.add_labels(*at, facts["pull"], labels=["githubkit"]).parsed_data
    assert rest.pulls.get(*at, facts["pull"]).parsed_data.labels[0].name == "githubkit"
    assert rest.issues.get(*at, facts["pull"]).parsed_data.number == facts["pull"]
    rest.issues.remove_label(*at, facts["pull"], "githubkit").parsed_data  # noqa: B018
    assert rest.issues.list_events_for_timeline(*at, facts["pull"]).parsed_data
    assert rest.repos.create_commit_status(*at, sha, state="success", context="githubkit").parsed_data.id
    assert rest.repos.get_combined_status_for_ref(*at, sha).parsed_data.statuses
    assert rest.checks.list_for_ref(*at, sha).parsed_data.check_runs
    assert rest.actions.get_workflow_run(*at, run).parsed_data.run_attempt == 1
    assert rest.actions.list_workflow_runs_for_repo(*at).parsed_data.workflow_runs
    assert rest.actions.list_jobs_for_workflow_run(*at, run).parsed_data.jobs[0].name == "plan"
    assert rest.actions.list_workflow_run_artifacts(*at, run).parsed_data.artifacts[0].name == "bmk_a"
    assert rest.actions.list_self_hosted_runners_for_repo(*at).parsed_data.runners
    rest.actions.create_workflow_dispatch(*at, "sweep.yml", ref="main")
    rest.repos.create_or_update_environment(*at, "stage").parsed_data  # noqa: B018
    assert [team.slug for team in rest.teams.list(at[0]).parsed_data] == ["gpu"]
    assert rest.issues.create_milestone(*at, title="v2").parsed_data.number
    assert rest.issues.add_assignees(*at, facts["pull"], assignees=["mia"]).parsed_data.assignees
    asked = rest.pulls.request_reviewers(*at, facts["pull"], reviewers=["mia"]).parsed_data
    assert [one.login for one in asked.requested_reviewers or []] == ["mia"]
    assert rest.actions.get_github_actions_permissions_repository(*at).parsed_data.enabled
    assert rest.repos.get_repo_rulesets(*at).parsed_data == []
    assert rest.repos.get_branch_rules(*at, "main").parsed_data == []
    query = '{ repository(owner: "acme", name: "infx") { pullRequest(number: 1) { lastEditedAt } } }'
    assert hub.graphql(query)["repository"]["pullRequest"] == {"lastEditedAt": None}


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
