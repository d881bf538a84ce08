"""Where a published example cannot come back as it is: it contradicts itself, or the forge knows less."""

REPOSITORY = {
    *("allow_auto_merge", "allow_merge_commit", "allow_rebase_merge", "allow_squash_merge", "permissions"),
    *(
        "delete_branch_on_merge",
        "has_downloads",
        "has_projects",
        "has_wiki",
        "is_template",
        "has_discussions",
    ),
}
"""Switches that only a repository's own endpoint shows, and only as somebody set them."""
COUNTED = {"open_issues", "closed_issues", "comments", "review_comments", "commits", "additions", "deletions"}
COUNTED |= {"changes", "changed_files", "stats", "patch", "comment_count", "members_count", "repos_count"}
"""Numbers that follow from what is there; an example names them without it."""
OF_ENTERPRISE = {"dismissal_restrictions", "restrictions", "bypass_pull_request_allowances"}
BESIDES: dict[str, tuple[set[str], str]] = {
    "GET /meta": ({"*"}, "one field"),
    "GET /rate_limit": ({"used", "remaining", "reset"}, "counted"),
    "GET /orgs/{}/actions/runner-groups": (
        {"allows_public_repositories", "inherited", "workflow_restrictions_read_only"},
        "nothing comes from an enterprise, and the default group is as it is at first",
    ),
    "GET /orgs/{}/actions/runner-groups/{}": ({"network_configuration_id"}, "no hosted networks"),
    "GET /orgs/{}/memberships/{}": (
        {"direct_membership", "enterprise_teams_providing_indirect_membership", "description"},
        "no enterprise, and organizations have no description",
    ),
    "GET /orgs/{}/teams": ({"permission"}, "teams give no roles"),
    "GET /orgs/{}/teams/{}": ({"permission", "description", "updated_at"}, "teams give no roles"),
    "GET /repos/{}/{}/pulls/{}/requested_reviewers": ({"permission"}, "teams give no roles"),
    "GET /repos/{}/{}": (
        {"parent", "source", "organization", "permissions"},
        "the example is its own parent, and its reader may not write",
    ),
    "POST /orgs/{}/teams": ({"permission"}, "teams give no roles"),
    "POST /repos/{}/{}/check-runs": ({"annotations", "images"}, "counted, and listed at their own address"),
    "PATCH /repos/{}/{}/check-runs/{}": ({"annotations", "images"}, "as above"),
    "PUT /repos/{}/{}/branches/{}/protection": (OF_ENTERPRISE, "nobody is named in a protection"),
    "PUT /repos/{}/{}/contents/{}": ({"content"}, "the text goes in, an entry comes out"),
    "POST /repos/{}/{}/forks": ({"name", "organization"}, "into the account of who asks"),
    "PUT /orgs/{}/teams/{}/memberships/{}": ({"state"}, "nobody is invited: members are at once"),
    "GET /repos/{}/{}/forks": ({"full_name", "owner", "url", "fork"}, "the example is a fork of itself"),
    "GET /repos/{}/{}/actions/permissions/artifact-and-log-retention": (
        {"maximum_allowed_days"},
        "as on github.com; the example is of an enterprise",
    ),
    "GET /repos/{}/{}/actions/secrets/public-key": ({"key", "key_id"}, "each forge has its own"),
    "GET /repos/{}/{}/environments/{}/secrets/public-key": ({"key", "key_id"}, "each forge has its own"),
    "GET /repos/{}/{}/branches/{}": ({"parents"}, "a merge; here it has one parent"),
    "GET /repos/{}/{}/branches/{}/protection": (
        OF_ENTERPRISE | {"enforcement_level"},
        "nobody is named in a protection; `enforcement_level` is in no schema",
    ),
    "GET /repos/{}/{}/commits/{}": ({"files"}, "a patch that cannot be applied"),
    "GET /repos/{}/{}/compare/{}": ({"status", "files"}, "ahead and behind, and called behind"),
    "GET /repos/{}/{}/git/blobs/{}": ({"content"}, "a line break at the end, as GitHub has it"),
    "GET /repos/{}/{}/actions/runs/{}/artifacts": ({"artifacts.workflow_run.id"}, "of two runs at once"),
    "GET /repos/{}/{}/contents/{}": ({"content"}, "no Base64"),
    "GET /repos/{}/{}/issues/events/{}": ({"performed_via_github_app"}, "always null"),
    "GET /repos/{}/{}/rules/branches/{}": (
        {"ruleset_source", "ruleset_source_type"},
        "rulesets are of repositories",
    ),
    "GET /repos/{}/{}/rulesets": ({"enforcement"}, "`enabled` is in no schema"),
}
OF_RUNS = (
    {"referenced_workflows", "previous_attempt_url", "head_repository"},
    "the first attempt, which called no workflow; the head repository has two owners",
)
OF_LINES = ({"diff_hunk", "position", "original_position"}, "not kept: lines are named by number")
for end in ("", "/{}", "/{}/attempts/{}"):
    BESIDES[f"GET /repos/{{}}/{{}}/actions/runs{end}"] = OF_RUNS
BESIDES["GET /repos/{}/{}/actions/workflows/{}/runs"] = OF_RUNS
for path in ("pulls/{}/comments", "pulls/comments/{}"):
    BESIDES[f"GET /repos/{{}}/{{}}/{path}"] = OF_LINES
for path in ("labels", "issues/{}/labels"):
    BESIDES[f"GET /repos/{{}}/{{}}/{path}"] = (
        {"default"},
        "`enhancement` is one that GitHub makes by default",
    )
for path in ("environments", "environments/{}"):
    ids = {"protection_rules.id", "environments.protection_rules.id", "permission"}
    BESIDES[f"GET /repos/{{}}/{{}}/{path}"] = (ids, "rules are counted here; teams give no roles")
for path in ("pulls", "pulls/{}", "commits/{}/pulls"):
    BESIDES[f"GET /repos/{{}}/{{}}/{path}"] = (
        {"permission", "maintainer_can_modify", "merged"},
        "teams give no roles; it was merged, and was not",
    )
OF_CHECKS = ({"app", "check_suite", "pull_requests"}, "Apps are numbered as their bots, suites as checks")
for path in ("check-runs/{}", "commits/{}/check-runs"):
    BESIDES[f"GET /repos/{{}}/{{}}/{path}"] = (
        {f"{word}{name}" for word in ("", "check_runs.") for name in OF_CHECKS[0]},
        OF_CHECKS[1],
    )
RUNNERS = (
    {"labels.id", "runners.labels.id", "version"},
    "labels are counted by runner, whose version is unknown",
)
for path in ("/repos/{}/{}/actions/runners", "/repos/{}/{}/actions/runners/{}", "/orgs/{}/actions/runners"):
    BESIDES[f"GET {path}"] = RUNNERS
BESIDES["GET /orgs/{}/actions/runner-groups/{}/runners"] = RUNNERS


def besides(endpoint: str) -> set[str]:
    """Words of places that may differ in the examples of an endpoint."""
    own, _ = BESIDES.get(endpoint, (set(), ""))
    return own | COUNTED | (set() if endpoint == "GET /repos/{}/{}" else REPOSITORY)
