"""Thirty common calls of PyGithub, unmodified: `python with_pygithub.py FACTS_JSON`."""

import json
import sys
from typing import Any

from github import Auth, Github


def main(facts: dict[str, Any]) -> None:
    hub = Github(base_url=facts["api"], auth=Auth.Token(facts["token"]), seconds_between_writes=0)
    repo: Any = hub.get_repo(facts["repo"])
    pull, run = repo.get_pull(facts["pull"]), repo.get_workflow_run(facts["run"])
    issue = pull.as_issue()
    assert hub.get_user().login == facts["login"]
    assert hub.get_rate_limit().rate.limit == 5000
    assert "main" in [branch.name for branch in repo.get_branches()]
    assert repo.get_branch("main").protected is False
    assert repo.get_contents("README.md").decoded_content == b"infx\n"
    assert repo.get_commits().totalCount >= 1
    assert repo.compare("main", "feature").ahead_by == 1
    assert repo.get_git_ref("heads/main").object.type == "commit"
    assert repo.get_git_tree("main", recursive=True).tree
    assert repo.get_collaborator_permission(facts["login"]) == "admin"
    made = repo.create_file("p/new.txt", "by PyGithub", "text", branch="main")
    repo.delete_file("p/new.txt", "gone", made["content"].sha, branch="main")
    assert [file.filename for file in pull.get_files()] == ["configs/a.yaml"]
    assert pull.get_commits().totalCount == 1
    assert pull.create_review(body="fine", event="COMMENT").state == "COMMENTED"
    assert pull.get_reviews().totalCount >= 1
    comment = issue.create_comment("hello")
    comment.edit("hello again")
    comment.create_reaction("eyes")
    assert comment.body == "hello again"
    assert comment.id in [one.id for one in issue.get_comments()]
    repo.create_label("pygithub", "ff0000")
    issue.add_to_labels("pygithub")
    issue.remove_from_labels("pygithub")
    assert "labeled" in [one.event for one in issue.get_timeline()]
    commit = repo.get_commit(pull.head.sha)
    commit.create_status("success", context="pygithub", description="fine")
    assert "pygithub" in [one.context for one in commit.get_combined_status().statuses]
    assert commit.get_check_runs().totalCount >= 1
    assert run.run_attempt == 1
    assert [job.name for job in run.jobs()] == ["plan"]
    assert [one.name for one in run.get_artifacts()] == ["bmk_a"]
    assert repo.get_artifacts().totalCount >= 1
    assert run.id in [one.id for one in repo.get_workflow_runs(branch="feature")]
    assert repo.get_workflow("sweep.yml").create_dispatch("main", {})
    assert repo.create_repository_dispatch("go", {"a": "1"})
    repo.create_variable("PYGITHUB", "1")
    assert "PYGITHUB" in [one.name for one in repo.get_variables()]
    assert [one.name for one in repo.get_self_hosted_runners()] == ["h200-0"]
    settle(repo, pull)


def settle(repo: Any, pull: Any) -> None:
    """What is set around a pull request: people, milestones, locks, secrets, environments, protection."""
    issue = pull.as_issue()
    issue.add_to_assignees("mia")
    issue.remove_from_assignees("mia")
    issue.edit(milestone=repo.create_milestone("v1", description="first"))
    assert [one.title for one in repo.get_milestones()] == ["v1"]
    pull.create_review_request(reviewers=["mia"])
    assert [one.login for one in pull.get_review_requests()[0]] == ["mia"]
    pull.delete_review_request(reviewers=["mia"])
    issue.lock("resolved")
    issue.unlock()
    repo.create_secret("PYGITHUB", "sealed by the client")
    assert [one.name for one in repo.get_secrets()] == ["PYGITHUB"]
    stage = repo.create_environment("stage", wait_timer=5)
    assert stage.create_variable("A", "1").name == "A"
    assert [one.name for one in repo.get_environments()] == ["stage"]
    branch = repo.get_branch("main")
    branch.edit_protection(contexts=["build"], required_approving_review_count=1)
    assert branch.get_required_status_checks().contexts == ["build"]
    branch.remove_protection()


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
