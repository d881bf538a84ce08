"""Which refs an environment lets in."""

import pytest

from infx.forge.actions.permissions import kept_out

RULES = {"Prod": ["main", "release/*", "refs/tags/v*"], "stage": []}


@pytest.mark.parametrize(
    ("ref", "environment", "refused"),
    [
        ("refs/heads/main", "prod", False),
        ("refs/heads/release/1", "Prod", False),
        ("refs/heads/mainly", "prod", True),
        ("refs/tags/v1", "prod", False),
        ("refs/heads/v1", "prod", True),
        ("refs/tags/main", "prod", True),
        ("refs/pull/7/merge", "prod", True),
        ("refs/heads/main", "stage", True),
        ("refs/heads/anything", "free", False),
    ],
)
def test_branch_rules(ref, environment, refused):
    assert bool(kept_out(ref, environment, RULES)) == refused
