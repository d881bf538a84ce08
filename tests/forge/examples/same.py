"""Is what came back what was put in? Every leaf of a published example, but for what no forge could keep."""

import re
from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from typing import Any

SHA = re.compile("[0-9a-f]{40}")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)")
NOT_KEPT = {
    **dict.fromkeys(("node_id", "check_suite_id", "check_suite_node_id"), "GitHub's own numbers of things"),
    **dict.fromkeys(("avatar_url", "gravatar_id"), "no pictures"),
    **dict.fromkeys(
        (
            *("bio", "blog", "company", "email", "followers", "following", "hireable", "location", "plan"),
            *("collaborators", "disk_usage", "owned_private_repos", "private_gists", "public_gists"),
            *("public_repos", "site_admin", "total_private_repos", "twitter_username", "is_verified"),
            *("two_factor_authentication", "has_organization_projects", "has_repository_projects"),
        ),
        "people and organizations have a name and an address, and no profile",
    ),
    **dict.fromkeys(
        (
            *("code_of_conduct", "forks", "forks_count", "homepage", "language", "license", "mirror_url"),
            *("network_count", "open_issues", "open_issues_count", "pushed_at", "size", "stargazers_count"),
            *("subscribers_count", "svn_url", "git_url", "ssh_url", "temp_clone_token", "topics"),
            *("template_repository", "watchers", "watchers_count"),
        ),
        "counted here, or nothing that the forge has",
    ),
    "author_association": "follows from the roles that people have here",
    **dict.fromkeys(
        ("pinned_comment", "pin", "minimized", "sub_issues_summary", "issue_dependencies_summary"),
        "features that the forge does not have",
    ),
}
"""Field → why it does not come back."""
NAMES = ("id", "path", "name", "context", "sha", "login")
"""What tells the objects of a list apart."""
Leaf = tuple[str, Any]


def leaves(value: Any, path: str = "") -> Iterator[Leaf]:
    """Dotted place and value of everything that is no container; an empty one counts as itself."""
    if isinstance(value, dict) and value:
        for name, one in value.items():
            yield from leaves(one, f"{path}.{name}")
    elif isinstance(value, list) and value:
        for place, one in enumerate(value):
            yield from leaves(one, f"{path}.{place}")
    else:
        yield path.removeprefix("."), value


def moment(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC).replace(microsecond=0)


def alike(name: str, theirs: Any, ours: Any) -> bool:
    """Equal; times in any zone; addresses of whatever host; commits that git had to make anew."""
    if theirs == ours:
        return True
    if not isinstance(theirs, str) or not isinstance(ours, str):
        return theirs is None and ours in ("", [])
    if name.endswith("url") or name in ("href", "self", "git", "html", "blob_href"):
        return theirs.startswith("http") and ours.startswith("http")
    if TIME.fullmatch(theirs) and TIME.fullmatch(ours):
        return moment(theirs) == moment(ours)
    return bool(SHA.fullmatch(theirs) and SHA.fullmatch(ours))


def aligned(theirs: Any, ours: Any) -> Any:
    """Ours with its lists in the order of theirs, where their objects have names."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        return {name: aligned(theirs.get(name), value) for name, value in ours.items()}
    if not isinstance(theirs, list) or not isinstance(ours, list):
        return ours
    name = next((name for name in NAMES if all(isinstance(one, dict) and name in one for one in theirs)), "")
    known = {one.get(name): one for one in ours if isinstance(one, dict)} if name else {}
    if not known or len(known) < len(ours) or any(one[name] not in known for one in theirs):
        chosen = ours
    else:
        chosen = [known[one[name]] for one in theirs]
    return [*(aligned(one, mine) for one, mine in zip(theirs, chosen, strict=False)), *chosen[len(theirs) :]]


def differences(theirs: Any, ours: Any, besides: Collection[str] = ()) -> list[str]:
    """Every leaf of `theirs` that `ours` lacks or has otherwise. `besides`: words of places that may."""
    known, found = dict(leaves(aligned(theirs, ours))), []
    for path, value in leaves(theirs):
        words = [word for word in path.split(".") if not word.isdigit()]
        if {*words} & (NOT_KEPT.keys() | {*besides}) or ".".join(words) in besides:
            continue
        if path not in known:
            found.append(f"{path}: {value!r} did not come back")
        elif not alike(words[-1] if words else "", value, known[path]):
            found.append(f"{path}: {value!r} came back as {known[path]!r}")
    return found


def short(asked: Any, ours: Any) -> Any:
    """An answer in the words of a request, which names people, labels, branches and commits."""
    if isinstance(asked, list) and isinstance(ours, list):
        return [short(one, mine) for one, mine in zip(asked, ours, strict=False)]
    if isinstance(asked, dict) and isinstance(ours, dict):
        return {name: short(asked.get(name), value) for name, value in ours.items()}
    if isinstance(ours, dict):
        words = ("login", "label", "ref", "number", "name", "slug", "sha", "enabled")
        return next((ours[word] for word in words if word in ours and ours[word] == asked), ours)
    return ours


def unheard(request: Any, answer: Any, besides: Collection[str] = ()) -> list[str]:
    """What a request asked for and its answer has otherwise; fields that the answer has not say nothing."""
    if not isinstance(request, dict) or not isinstance(answer, dict):
        return []
    told = {name: value for name, value in request.items() if name in answer}
    return differences(told, short(told, aligned(told, answer)), besides) if told else []
