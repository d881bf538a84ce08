"""API requests of one push to a large pull request, all workflows together: there are 1,000 an hour."""

from collections import Counter
from collections.abc import Callable

import pytest

from infx.forge import issues, pulls
from infx.say import comment
from infx.source import CONTEXT
from tests.lives.world import BARE, FAST, KEY, Files, Life, change, faulty, small

pytestmark = [pytest.mark.act, pytest.mark.clients]
MOST = 15
FAILED = 3
"""More requests for a failed job: its jobs, annotations and log, from which the failure is classified."""
UNCHANGED = 304


def large(life: Life, *labels: str, files: Files, before: int) -> int:
    """120 files, 60 commits, 300 comments, of which so many stand `before` the status comment."""
    whole = {**files, **{f"docs/{turn}.md": f"{turn}\n" for turn in range(120)}}
    head, bare = life.mia.push("change", whole, message="Change"), life.mia.at.bare
    person = pulls.person(life.forge.site, "mia")
    for turn in range(59):
        tree = bare.commit(head).tree
        head = bare.write_commit(tree, (head,), f"turn {turn}", author=person, committer=person)
    bare("update-ref", "refs/heads/change", head)
    life.mia.pushed()
    number = life.mia.open_pull("change", title="Longer prompts")
    life.rest()
    if before:
        for shown in life.comments(number):
            issues.delete_comment(life.mia.at, issues.find_comment(life.mia.at, shown.id))
    remarks(life, number, before)
    for label in labels:
        life.mia.label(number, label)
    life.rest()
    remarks(life, number, 300 - before)
    life.rest()
    return number


def remarks(life: Life, number: int, count: int) -> None:
    row = issues.find(life.mia.at, number)
    for turn in range(count):
        issues.comment(life.mia.at, row, f"remark {turn}")


CASES: dict[str, tuple[tuple[str, ...], dict[str, str], int, str]] = {
    "unlabelled": ((), {}, 0, "nothing authorised: /use <id>"),
    "labelled": ((FAST,), {}, 0, "nothing authorised: /use {run}"),
    "later-page": ((FAST,), {}, 250, "nothing authorised: /use {run}"),
    "failing": ((BARE,), {"64-2": "die-loading"}, 0, "partial 1 of 2: /sweep resume, or pin with /use"),
}


@pytest.mark.parametrize(("labels", "faults", "before", "says"), CASES.values(), ids=CASES)
def test_one_push_costs_few_requests(
    live: Callable[..., Life], labels: tuple[str, ...], faults: dict[str, str], before: int, says: str
) -> None:
    life = live(small({KEY: [1, 2]}))
    files = {**change(life.tree, KEY), **(faulty(life.tree, faults) if faults else {})}
    number = large(life, *labels, files=files, before=before)
    start = len(life.forge.requests)
    life.mia.push_to_pull(number, {"docs/0.md": "more\n"}, message="More")
    life.rest()
    asked = [one for one in life.requests(since=start) if one.status != UNCHANGED]
    names = {run.id: name for name in ("control", "sweep", "report") for run in life.runs(name)}
    told = Counter(f"{names[one.run]} {one.method} {one.path} {one.query}" for one in asked)
    assert len(asked) <= MOST + FAILED * len(faults), "\n".join(
        f"{count} {what}" for what, count in told.items()
    )
    assert len([one for one in life.comments(number) if one.body.startswith(comment.STATUS)]) == 1
    status = life.github.statuses(life.mia.pull(number)["head"]["sha"])[CONTEXT]
    assert status == ("failure", says.format(run=life.runs()[-1].id))
