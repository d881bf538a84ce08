"""What GitHub says about merging, from answers as it gives them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from infx.edge.api import Denied
from infx.edge.github import GitHub
from infx.edge.merges import Merges
from infx.errors import CouldNotTell
from infx.event import Run
from infx.facts import Answer
from infx.read.place import At

REPO = "acme/bench"
CI = ".github/workflows/ci.yml"


@dataclass
class Fake:
    """Client and API in one: answers by path below the repository's."""

    answers: dict[str, Any] = field(default_factory=dict)
    scopes: str = ""
    viewer: Any = None
    repository: str = REPO
    shown: dict[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def api(self) -> "Fake":
        return self

    def listed(self, path: str, key: str = "") -> Iterator[At]:
        found = self.answers.get(path)
        if found is None:
            raise Denied(404, "Not Found", where=path)
        return (At(item, path) for item in found)

    def graph(self, query: str) -> tuple[Any, list[Any]]:
        return {"viewer": self.viewer}, [] if self.viewer else [{"message": "nobody here"}]

    def default_branch(self) -> str:
        return "main"

    def statuses(self, sha: str) -> dict[str, tuple[str, str]]:
        return self.shown


def merges(**fields: Any) -> Merges:
    return Merges(cast(GitHub, Fake(**fields)))


@pytest.mark.parametrize(
    ("scopes", "answer"),
    [
        ("", Answer.UNKNOWN),
        ("repo, workflow", Answer.YES),
        ("repo,workflow", Answer.YES),
        ("repo, read:org", Answer.NO),
        ("workflows", Answer.NO),
    ],
)
def test_only_a_classic_token_tells_its_scopes(scopes: str, answer: Answer) -> None:
    assert merges(scopes=scopes).workflow_scope() == answer


@pytest.mark.parametrize(
    ("rules", "queue"),
    [(None, False), ([], False), ([{"type": "deletion"}], False), ([{"type": "merge_queue"}], True)],
)
def test_a_rule_of_the_branch_asks_for_a_merge_queue(rules: Any, queue: bool) -> None:
    answers = {} if rules is None else {"/rules/branches/main": rules}
    assert merges(answers=answers).queue("main") is queue


def test_a_fault_is_no_answer_about_a_queue() -> None:
    class Down(Fake):
        def listed(self, path: str, key: str = "") -> Iterator[At]:
            raise Denied(403, "Forbidden", where=path)

    with pytest.raises(Denied):
        Merges(cast(GitHub, Down())).queue("main")


def test_whom_the_token_is_must_be_known() -> None:
    assert merges(viewer={"login": "mia"}).login() == "mia"
    with pytest.raises(CouldNotTell, match="nobody here"):
        merges().login()


def test_checks_say_whose_job_they_are_and_pending_advice_is_left_out() -> None:
    runs = [
        {
            "name": "a",
            "status": "completed",
            "conclusion": "success",
            "details_url": "https://g/a/actions/runs/7/job/1",
        },
        {"name": "b", "status": "completed", "conclusion": "timed_out", "details_url": "https://x/1"},
        {
            "name": "c",
            "status": "in_progress",
            "conclusion": None,
            "details_url": None,
            "html_url": "https://x",
        },
        {"name": "d", "status": "completed", "conclusion": "neutral", "details_url": "https://x"},
    ]
    shown = {
        "ok": ("success", ""),
        "infx/signoff": ("pending", ""),
        "slow": ("pending", ""),
        "bad": ("error", ""),
    }
    found = merges(answers={"/commits/abc/check-runs": runs}, shown=shown).checks("abc", [Run(id=7, path=CI)])
    assert [(one.name, one.status, one.conclusion, one.run) for one in found] == [
        ("ci / a", "completed", "success", 7),
        ("b", "completed", "timed_out", 0),
        ("c", "in_progress", None, 0),
        ("d", "completed", "neutral", 0),
        ("ok", "completed", "success", 0),
        ("slow", "completed", "pending", 0),
        ("bad", "completed", "error", 0),
    ]
