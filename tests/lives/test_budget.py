"""API requests of one push to a large pull request, all workflows together: there are 1,000 an hour."""

from collections import Counter
from collections.abc import Callable

import pytest

from infx.forge import issues, pulls
from tests.lives.world import FAST, KEY, Life, change, small

pytestmark = [pytest.mark.act, pytest.mark.clients]
MOST = 15


def large(life: Life, *labels: str) -> int:
    """120 files, 60 commits, 300 comments behind the status comment."""
    files = {**change(life.tree, KEY), **{f"docs/{turn}.md": f"{turn}\n" for turn in range(120)}}
    head, bare = life.mia.push("change", files, message="Change"), life.mia.at.bare
    person = pulls.person(life.forge.site, "mia")
    for turn in range(59):
        tree = bare.commit(head).tree
        head = bare.write_commit(tree, (head,), f"turn {turn}", author=person, committer=person)
    bare("update-ref", "refs/heads/change", head)
    life.mia.pushed()
    number = life.mia.open_pull("change", title="Longer prompts", labels=labels)
    life.rest()
    row = issues.find(life.mia.at, number)
    for turn in range(300):
        issues.comment(life.mia.at, row, f"remark {turn}")
    life.rest()
    return number


@pytest.mark.parametrize("labels", [(), (FAST,)], ids=["unlabelled", "labelled"])
def test_one_push_costs_few_requests(live: Callable[..., Life], labels: tuple[str, ...]) -> None:
    life = live(small({KEY: [1, 2]}))
    number = large(life, *labels)
    before = len(life.forge.requests)
    life.mia.push_to_pull(number, {"docs/0.md": "more\n"}, message="More")
    life.rest()
    asked = life.requests(since=before)
    names = {run.id: name for name in ("control", "sweep", "report") for run in life.runs(name)}
    told = Counter(f"{names[one.run]} {one.method} {one.path} {one.query}" for one in asked)
    assert len(asked) <= MOST, "\n".join(f"{count} {what}" for what, count in told.items())
    assert len(life.comments(number)) == 1
