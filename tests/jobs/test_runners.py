"""`infx runners` changes the labels of real runners, and keeps one comment for the operators."""

from pathlib import Path

import pytest

from infx.say import digest
from tests.edge.server import Asked, Reply, Server
from tests.forge.client import Client
from tests.jobs.test_doctor import REPO, Bench, R, bench

pytestmark = pytest.mark.forge
__all__ = ["bench"]
POOL = "cluster:local"


@pytest.fixture
def pool(bench: Bench) -> Bench:
    """Two nodes of the pool; a third has the pool's label and is named nowhere."""
    path = bench.clone / "configs" / "runners.yaml"
    path.write_text(path.read_text().replace("  - local_0\n", "  - local_0\n  - local_1\n"))
    for name in ("local_0", "local_1", "stray"):
        bench.forge.runner(name, [POOL], repo=REPO)
    return bench


def labelled(pool: Bench) -> set[str]:
    """Runners that a job of the pool can reach."""
    found = pool.client("GET", f"{R}/actions/runners").json["runners"]
    return {one["name"] for one in found if POOL in {label["name"] for label in one["labels"]}}


def scripted(server: Server) -> list[str]:
    """Endpoints that the embedded GitHub has not: what was asked of them, by the documented paths."""
    asked: list[str] = []

    def note(call: Asked) -> Reply:
        more = f" {','.join(call.body['labels'])}" if call.body else ""
        asked.append(f"{call.verb} {call.path.removeprefix(R)}{more}")
        return Reply(200, {"total_count": 0, "labels": []})

    nodes = [
        {"id": 7, "name": "local_0", "labels": [{"name": POOL}], "status": "online", "busy": True},
        {"id": 8, "name": "local_1", "labels": [{"name": "gpu"}], "status": "online", "busy": False},
    ]
    server.pages(f"{R}/actions/runners", nodes, key="runners")
    for number in (7, 8):
        at = f"{R}/actions/runners/{number}/labels"
        server.routes |= {f"DELETE {at}/cluster%3Alocal": note, f"POST {at}": note}
    return asked


@pytest.mark.parametrize(
    ("words", "asked", "says"),
    [
        (
            ("--quarantine", "local_0"),
            ["DELETE /actions/runners/7/labels/cluster%3Alocal"],
            "local_0 lost cluster:local; infx runners --admit local_0 gives it back",
        ),
        (("--quarantine", "local_1"), [], ""),
        (
            ("--admit", "local_1"),
            ["POST /actions/runners/8/labels cluster:local"],
            "local_1 has cluster:local again",
        ),
        (("--drain", POOL), ["DELETE /actions/runners/7/labels/cluster%3Alocal"], "local_0 lost"),
    ],
)
def test_a_node_or_pool_is_taken_out_and_comes_back(
    pool: Bench, server: Server, words: tuple[str, ...], asked: list[str], says: str
) -> None:
    seen = scripted(server)
    code, _, said = pool.infx("runners", *words, env={**pool.env(), "GITHUB_API_URL": server.url})
    assert (code, seen, says in said) == (0, asked, True), said


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--drain", "cluster:loca"), "no pool cluster:loca"),
        (("--quarantine", "stray"), "no registered runner stray"),
        (("--admit", "nobody"), "no registered runner nobody"),
    ],
)
def test_a_name_that_is_none_changes_nothing(pool: Bench, words: tuple[str, ...], says: str) -> None:
    code, out, err = pool.infx("runners", *words)
    assert (code, out, says in err) == (2, "", True)
    assert labelled(pool) == {"local_0", "local_1", "stray"}


def test_the_digest_is_one_comment_and_one_line_in_the_chat(pool: Bench, server: Server) -> None:
    server.routes["POST /hook"] = Reply(200, {"ok": True})
    issue = pool.client("POST", f"{R}/issues", {"title": "Runners"}).json["number"]
    policy = pool.clone / "configs" / "policy.yaml"
    policy.write_text(f"{policy.read_text()}digest-issue: {issue}\n")
    known = {**pool.env(), "INFX_CHAT_WEBHOOK": f"{server.url}/hook"}
    pool.forge.runner("late", [POOL], repo=REPO)
    for _ in range(2):
        code, _, said = pool.infx("runners", "--digest", env=known)
        assert (code, f"the digest on #{issue} is" in said) == (0, True)
    comments = pool.client("GET", f"{R}/issues/{issue}/comments").json
    assert [one["body"].partition("\n")[0] for one in comments] == [digest.MARK]
    assert "- `stray` (`cluster:local`) **unknown**" in comments[0]["body"]
    assert [one.body for one in server.asked] == [{"text": f"{REPO}: 2 unknown"}] * 2


def test_without_an_issue_the_digest_says_where_it_would_go(pool: Bench) -> None:
    code, _, said = pool.infx("runners", "--digest")
    assert (code, "policy names no digest-issue" in said) == (0, True)


def test_who_may_not_see_runners_changes_none(pool: Bench, tmp_path: Path) -> None:
    token = pool.forge.user("rita")
    pool.forge.role(REPO, "rita", "read")
    code, _, err = pool.infx("runners", "--drain", POOL, env=pool.env(token))
    assert (code in (1, 3), "actions/runners" in err or "runners" in err) == (True, True)
    assert Client(pool.forge.api, pool.token)("GET", f"{R}/actions/runners").json["total_count"] == 3
    assert labelled(pool) == {"local_0", "local_1", "stray"}
