"""What doctor says of one part of a repository, three-valued."""

from dataclasses import replace
from typing import Any

import pytest

from infx.charter import CHARTERS
from infx.finding import Health
from infx.palette import paints
from infx.policy import health
from infx.premises import Environment, Premises, Required, Runner, RunnerGroup, Workflow
from infx.source import CONTEXT
from tests.builders import rules

RULES = rules()
WELL = Premises(
    repository="o/r",
    default_branch="main",
    labels={paint.name: paint.color for paint in paints(RULES.labels)},
    workflows={
        name: Workflow(
            events=charter.events,
            permissions=charter.permissions,
            environments=frozenset(filter(None, [charter.environment])),
        )
        for name, charter in CHARTERS.items()
    },
    configs=(),
    labels_of_runners={"pool": ("n1",)},
    token="read",
    approves=False,
    forks=health.HELD,
    environments=[
        Environment(name=charter.environment, branches=("main",))
        for charter in CHARTERS.values()
        if charter.environment
    ],
    secrets=(),
    runners=[Runner(id=1, name="n1", online=True, busy=False, labels=("pool",))],
    groups=[RunnerGroup(name="gpu", every_repository=False, public=False,
                        workflows=(f"o/r/{RULES.layout.sweep_workflow}@refs/heads/main",))],
    required=[Required(context=CONTEXT, app=health.ACTIONS_APP)],
    queue=False,
    owners=(),
)  # fmt: skip
"""A repository without a fault."""
SWEEP = Workflow(events=CHARTERS["sweep"].events, permissions=CHARTERS["sweep"].permissions)
GROUP = WELL.groups[0] if WELL.groups else None


def told(**changes: Any) -> list[tuple[Health, str]]:
    found = health.examine(replace(WELL, **changes), RULES)
    return [(one.health, one.what) for one in found if one.health != Health.OK]


def workflow(**changes: Any) -> dict[str, Any]:
    return {"workflows": {**(WELL.workflows or {}), "sweep": replace(SWEEP, **changes)}}


def group(**changes: Any) -> dict[str, Any]:
    assert GROUP is not None
    return {"groups": [replace(GROUP, **changes)]}


def test_a_repository_without_a_fault() -> None:
    assert told() == []
    assert health.decide(health.examine(WELL, RULES), "o/r").go


@pytest.mark.parametrize(
    ("changes", "wanted", "word"),
    [
        ({"labels": {}}, Health.BROKEN, "full-sweep-fail-fast is missing"),
        ({"labels": {**(WELL.labels or {}), "Resume-Sweep": "x"}}, None, ""),
        (
            {"labels": {k.upper(): v for k, v in (WELL.labels or {}).items()}},
            Health.BROKEN,
            "stands as FULL-SWEEP-FAIL-FAST",
        ),
        ({"labels": dict.fromkeys(WELL.labels or {}, "000000")}, Health.WARN, "colour 000000"),
        ({"workflows": {}}, Health.BROKEN, "control.yml is missing"),
        (workflow(events=frozenset(["push"])), Health.BROKEN, "does not listen to pull_request"),
        (workflow(permissions={"contents": "write"}), Health.BROKEN, "may write contents"),
        (workflow(permissions={}), Health.BROKEN, "needs read"),
        (workflow(unpinned=("actions/checkout@v6",)), Health.BROKEN, "actions/checkout@v6 is not pinned"),
        (workflow(fault="not valid YAML"), Health.BROKEN, "not valid YAML"),
        ({"configs": ["x.yaml: wrong"]}, Health.BROKEN, "x.yaml: wrong"),
        ({"token": "write"}, Health.BROKEN, "write by default"),
        ({"approves": True}, Health.BROKEN, "approve"),
        ({"forks": "first_time_contributors"}, Health.BROKEN, "first_time_contributors"),
        ({"secrets": ["HF_TOKEN"]}, Health.BROKEN, "HF_TOKEN"),
        ({"environments": []}, Health.BROKEN, "no environment"),
        ({"environments": [Environment(name="stage", branches=None)]}, Health.BROKEN, "every branch"),
        (group(every_repository=True), Health.BROKEN, "open to every repository"),
        (group(workflows=None), Health.BROKEN, "any workflow"),
        (group(workflows=("o/r/x.yml@main",)), Health.BROKEN, "not open to"),
        ({"runners": []}, Health.WARN, "no runner carries pool"),
        (
            {"runners": [Runner(id=1, name="n1", online=False, busy=False, labels=("pool",))]},
            Health.WARN,
            "offline",
        ),
        ({"required": []}, Health.WARN, "not required"),
        ({"required": [Required(context=CONTEXT, app=None)]}, Health.WARN, "anybody"),
        ({"required": [Required(context=CONTEXT, app=1)]}, Health.BROKEN, "app 1"),
        ({"queue": True}, Health.BROKEN, "merge queue"),
        ({"owned": False}, Health.WARN, "no CODEOWNERS"),
        ({"owners": ["CODEOWNERS line 3: Invalid pattern"]}, Health.BROKEN, "line 3"),
    ],
)
def test_one_fault(changes: dict[str, Any], wanted: Health | None, word: str) -> None:
    found = told(**changes)
    assert [one for one in found if one[0] == wanted and word in one[1]] or (wanted is None and not found)


@pytest.mark.parametrize(
    "name",
    ["labels", "workflows", "configs", "token", "forks", "environments", "secrets", "groups", "runners",
     "required", "owners"],
)  # fmt: skip
def test_what_the_token_may_not_see_is_said_and_breaks_nothing(name: str) -> None:
    unseen: dict[str, Any] = {name: None}
    assert {one[0] for one in told(**unseen)} == {Health.UNKNOWN}
    assert health.decide(health.examine(replace(WELL, **unseen), RULES), "o/r").go


def test_every_fault_says_how_to_mend_it() -> None:
    nothing = Premises(repository="o/r", default_branch="main", labels={}, workflows={}, environments=())
    found = health.examine(nothing, RULES)
    assert all(bool(one.mend) == (one.health != Health.OK) for one in found)
