"""docs/forge.md: what the forge offers, who exercised it, how it differs from GitHub.

`python -m tests.forge.table` runs the three foreign clients and writes the table anew.
"""

import tempfile
from collections.abc import Mapping
from pathlib import Path

from infx.forge.forge import Forge
from infx.forge.rest import ROUTES
from tests.forge.client import World
from tests.forge.clients.used import SCRIPTS, use
from tests.forge.conftest import furnish
from tests.forge.recorder import Recorder

PAGE = Path(__file__).parents[2] / "docs" / "forge.md"
START, END = "<!-- table: python -m tests.forge.table -->", "<!-- end of table -->"
HEAD = f"| endpoint | {' | '.join(SCRIPTS)} | differs from GitHub |\n|---|{'---|' * len(SCRIPTS)}---|\n"
DIFFERENCES = {
    "POST /graphql": "comments, reviews, pull requests, issues, repositories, drafts; no other types",
    "POST /api/graphql": "as `/graphql`, for clients that use the `/api/v3` address",
    "GET /repos/{owner}/{repo}/actions/jobs/{job}/logs": "signed address never expires",
    "GET /repos/{owner}/{repo}/actions/artifacts/{id}/zip": "signed address never expires",
    "GET /repos/{owner}/{repo}/collaborators": "roles given here; no outside or team grants",
    "GET /repos/{owner}/{repo}/git/trees/{sha}": "never truncated",
    "GET /meta": "one field",
    "PUT /repos/{owner}/{repo}/environments/{name}": "reviewers and waiting time are kept; no job waits",
    "PUT /repos/{owner}/{repo}/branches/{branch}/protection": (
        "required checks with their Apps, number of reviews, admins bite; other switches are kept and shown"
    ),
    "PATCH /repos/{owner}/{repo}": "description, visibility and switches; no renaming",
    "POST /repos/{owner}/{repo}/forks": "into the account of who asks",
    "POST /repos/{owner}/{repo}/rulesets": "checks, reviews, merge queues bite; other rules are shown",
    "POST /repos/{owner}/{repo}/pulls/{number}/comments": "`diff_hunk` is empty, lines are named by number",
    "PUT /orgs/{org}/teams/{team}/memberships/{username}": "a member at once, without an invitation",
    "GET /orgs/{org}/actions/runner-groups": "no group comes from an enterprise",
    "PUT /repos/{owner}/{repo}/actions/permissions": "`enabled` bites; which actions may run does not",
    "GET /rate_limit": "`core` and `graphql` share one budget; the others are never used",
    "POST /repos/{owner}/{repo}/actions/runs/{id}/force-cancel": "the same as cancel",
}
"""Endpoint → how it is less than GitHub's; what every endpoint shares is in the text above the table."""


def shown(path: str) -> str:
    return path.replace(":path}", "}")


def offered() -> list[str]:
    """`METHOD /path`, by path."""
    return sorted((f"{one.method} {shown(one.path)}" for one in ROUTES), key=lambda one: one.split()[::-1])


def table(used: Mapping[str, set[str]]) -> str:
    """`used`: endpoints by client."""
    lines = [
        f"| `{one}` | {' | '.join('✓' if one in used[client] else '' for client in SCRIPTS)} "
        f"| {DIFFERENCES.get(one, '')} |\n"
        for one in offered()
    ]
    return HEAD + "".join(lines)


def written() -> str:
    """The table as the page has it."""
    return PAGE.read_text().partition(START + "\n")[2].partition(END)[0]


def exercised(client: str) -> set[str]:
    """What a client called, in a forge of its own."""
    with tempfile.TemporaryDirectory() as folder:
        tokens = furnish(Path(folder))
        recorder = Recorder()
        with Forge.start(Path(folder), lambda store, url: recorder) as forge:
            return {shown(one) for one in use(World(forge=forge, recorder=recorder, tokens=tokens), client)}


if __name__ == "__main__":
    text = PAGE.read_text()
    new = table({client: exercised(client) for client in SCRIPTS})
    PAGE.write_text(text.replace(written(), new))
