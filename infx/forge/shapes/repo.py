"""Repositories."""

from infx.forge import documents
from infx.forge.shapes.user import organization, user
from infx.forge.site import Json
from infx.forge.visit import Visit

LINKS = {
    "archive_url": "/{archive_format}{/ref}",
    "assignees_url": "/assignees{/user}",
    "blobs_url": "/git/blobs{/sha}",
    "branches_url": "/branches{/branch}",
    "collaborators_url": "/collaborators{/collaborator}",
    "comments_url": "/comments{/number}",
    "commits_url": "/commits{/sha}",
    "compare_url": "/compare/{base}...{head}",
    "contents_url": "/contents/{+path}",
    "contributors_url": "/contributors",
    "deployments_url": "/deployments",
    "downloads_url": "/downloads",
    "events_url": "/events",
    "forks_url": "/forks",
    "git_commits_url": "/git/commits{/sha}",
    "git_refs_url": "/git/refs{/sha}",
    "git_tags_url": "/git/tags{/sha}",
    "hooks_url": "/hooks",
    "issue_comment_url": "/issues/comments{/number}",
    "issue_events_url": "/issues/events{/number}",
    "issues_url": "/issues{/number}",
    "keys_url": "/keys{/key_id}",
    "labels_url": "/labels{/name}",
    "languages_url": "/languages",
    "merges_url": "/merges",
    "milestones_url": "/milestones{/number}",
    "notifications_url": "/notifications{?since,all,participating}",
    "pulls_url": "/pulls{/number}",
    "releases_url": "/releases{/id}",
    "stargazers_url": "/stargazers",
    "statuses_url": "/statuses/{sha}",
    "subscribers_url": "/subscribers",
    "subscription_url": "/subscription",
    "tags_url": "/tags",
    "teams_url": "/teams",
    "trees_url": "/git/trees{/sha}",
}
HAS = ("issues", "projects", "downloads", "wiki", "pages", "discussions")


FLAGS = {
    **dict.fromkeys(
        ("allow_merge_commit", "allow_squash_merge", "allow_rebase_merge", "allow_forking"), True
    ),
    **dict.fromkeys(("allow_auto_merge", "allow_update_branch", "delete_branch_on_merge", "archived"), False),
    **{f"has_{name}": name == "issues" for name in HAS},
    **dict.fromkeys(("is_template", "web_commit_signoff_required", "disabled"), False),
}
"""Switches of a repository, and how they stand at first."""


def minimal(at: Visit) -> Json:
    """What workflow runs carry of their repository."""
    here = at.api
    return {
        "id": at.repo["id"],
        "node_id": f"R_{at.repo['id']}",
        "name": at.repo["name"],
        "full_name": at.repo["full_name"],
        "private": bool(at.repo["private"]),
        "owner": user(at.site, at.repo["owner"]),
        "html_url": at.page,
        "description": at.repo["description"],
        "fork": at.repo["parent"] is not None,
        "url": here,
        **{name: here + path for name, path in LINKS.items()},
    }


def repository(at: Visit) -> Json:
    """A repository, as pull requests and webhooks carry it."""
    page = at.page
    open_issues = at.db.value("SELECT count(*) FROM issues WHERE repo = ? AND state = 'open'", at.repo["id"])
    forks = at.db.value("SELECT count(*) FROM repos WHERE parent = ?", at.repo["id"])
    return {
        **minimal(at),
        "created_at": at.repo["created_at"],
        "updated_at": at.repo["updated_at"],
        "pushed_at": at.repo["pushed_at"],
        "git_url": f"{page}.git",
        "ssh_url": f"{page}.git",
        "clone_url": f"{page}.git",
        "svn_url": page,
        "homepage": None,
        "size": 0,
        "stargazers_count": 0,
        "watchers_count": 0,
        "watchers": 0,
        "language": None,
        **{f"has_{name}": name == "issues" for name in HAS},
        "forks_count": forks,
        "forks": forks,
        "mirror_url": None,
        "archived": False,
        "disabled": False,
        "open_issues_count": open_issues,
        "open_issues": open_issues,
        "license": None,
        "allow_forking": True,
        "is_template": False,
        "web_commit_signoff_required": False,
        "topics": [],
        "custom_properties": {},
        "visibility": "private" if at.repo["private"] else "public",
        "default_branch": at.repo["default_branch"],
    }


def full(at: Visit, *, role: str) -> Json:
    """A repository, as its own endpoint shows it to someone with that role."""
    rights = ("pull", "triage", "push", "maintain", "admin")
    held = {"none": 0, "read": 1, "triage": 2, "write": 3, "maintain": 4, "admin": 5}[role]
    shape = {
        **repository(at),
        "network_count": 0,
        "subscribers_count": 0,
        "permissions": {right: place < held for place, right in enumerate(rights)},
        **FLAGS,
        **documents.read(at.site, documents.of_repo(at), "flags"),
    }
    if at.site.user(at.repo["owner"])["type"] == "Organization":
        shape["organization"] = user(at.site, at.repo["owner"])
    if at.repo["parent"] is not None:
        parent = repository(at.of(at.site.repo_by_id(at.repo["parent"])))
        shape |= {"parent": parent, "source": parent}
    return shape


def owner(at: Visit) -> Json:
    """`organization` of a webhook, empty for a person's repository."""
    if at.site.user(at.repo["owner"])["type"] != "Organization":
        return {}
    return {"organization": organization(at.site, at.repo["owner"])}
