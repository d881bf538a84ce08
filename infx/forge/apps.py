"""Apps: the number of a GitHub App, by which required checks name it."""

from infx.forge.site import Site

ACTIONS, ACTIONS_ID = "github-actions", 15368
"""The App of every job's token, with the id that it has on GitHub."""
NOBODY = "?"
"""A slug that no App has."""


def id_of(site: Site, slug: str) -> int:
    if slug == ACTIONS:
        return ACTIONS_ID
    return int(site.user(f"{slug}[bot]")["id"])


def slug_of(site: Site, app: int) -> str:
    """Empty for no App in particular (0, or -1 as GitHub writes it)."""
    if app in (0, -1):
        return ""
    if app == ACTIONS_ID:
        return ACTIONS
    login: str | None = site.db.value("SELECT login FROM users WHERE id = ? AND type = 'Bot'", app)
    return login.removesuffix("[bot]") if login else NOBODY
