"""After a merge every job is followed to its end, and a person is asked only when one is needed."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

from infx.edge.world import World
from infx.errors import CouldNotTell, Refused
from infx.jobs import postmerge
from infx.policy import aftermath
from tests.edge.server import Asked, Reply, Server, serving

R = "/repos/acme/bench"
SHA, NOW = "5" * 40, "2026-07-01T12:00:00Z"
RESET = "curl: (6) Could not resolve host: example.org"
ROOT = Path(__file__).parents[2]


def run_json(number: int, *, event: str = "push", file: str = "ingest", **fields: Any) -> dict[str, Any]:
    path = f".github/workflows/{file}.yml"
    own = {"id": number, "event": event, "path": path, "head_sha": SHA, "status": "completed"}
    return {**own, "conclusion": "success", "run_attempt": 1, **fields}


def job_json(number: int, name: str, conclusion: str | None = "success", **fields: Any) -> dict[str, Any]:
    step = {"name": "Run ./.github/actions/setup", "status": "completed", "conclusion": conclusion}
    own = {"id": number, "name": name, "status": "completed" if conclusion else "in_progress"}
    return {**own, "conclusion": conclusion, "runner_name": "hosted_0", "steps": [step], **fields}


def pull_json(number: int, **fields: Any) -> dict[str, Any]:
    own = {"number": number, "merged_at": NOW, "merge_commit_sha": SHA, "labels": []}
    return {**own, "user": {"login": "ann"}, **fields}


class Scene:
    """One merge and what GitHub shows of it."""

    def __init__(self, server: Server, folder: Path) -> None:
        self.server, self.folder = server, folder
        self.comments: list[dict[str, Any]] = []
        self.posted: list[str] = []
        server.routes[f"GET {R}/pulls"] = Reply(200, [pull_json(7)])
        server.pages(f"{R}/commits/{SHA}/check-runs", [], key="check_runs")
        server.pages(f"{R}/commits/{SHA}/statuses", [])
        server.routes[f"GET {R}/issues/7/comments"] = lambda asked: Reply(200, self.comments)
        server.routes[f"POST {R}/issues/7/comments"] = self.create
        server.routes[f"PATCH {R}/issues/comments/1"] = self.edit
        server.routes[f"POST {R}/issues/7/labels"] = self.post
        self.runs({1: [job_json(11, "publish")]})
        (folder / "configs").mkdir()
        (folder / "configs/failures.yaml").write_text((ROOT / "configs/failures.yaml").read_text())

    def runs(self, jobs: dict[int, list[dict[str, Any]]], **fields: Any) -> None:
        listed = [run_json(number, **fields) for number in jobs]
        self.server.pages(f"{R}/actions/runs", listed, key="workflow_runs")
        for number, several in jobs.items():
            self.server.pages(f"{R}/actions/runs/{number}/jobs", several, key="jobs")
            self.server.routes[f"POST {R}/actions/runs/{number}/rerun-failed-jobs"] = self.post
            for job in several:
                self.server.routes[f"GET {R}/actions/jobs/{job['id']}/logs"] = Reply(200, b"exit code 1")
                self.server.pages(f"{R}/check-runs/{job['id']}/annotations", [])

    def log(self, job: int, text: str) -> None:
        self.server.routes[f"GET {R}/actions/jobs/{job}/logs"] = Reply(200, text.encode())

    def create(self, asked: Asked) -> Reply:
        user = {"login": "github-actions[bot]", "id": 1, "type": "Bot"}
        self.comments.append({"id": 1, "body": asked.body["body"], "user": user, "created_at": NOW})
        return Reply(201, self.comments[-1])

    def edit(self, asked: Asked) -> Reply:
        self.comments[0]["body"] = asked.body["body"]
        return Reply(200, self.comments[0])

    def post(self, asked: Asked) -> Reply:
        self.posted.append(asked.path.removeprefix(R))
        return Reply(201, [])

    def wake(self, event: dict[str, Any] | None = None) -> int:
        base = {"repository": {"default_branch": "main"}, "sender": {"login": "olga"}}
        path = self.folder / "event.json"
        path.write_text(
            json.dumps({**base, **({"after": SHA, "ref": "refs/heads/main"} if event is None else event)})
        )
        env = {
            "GITHUB_EVENT_PATH": str(path),
            "GITHUB_REPOSITORY": "acme/bench",
            "GITHUB_TOKEN": "t",
            "GITHUB_ACTIONS": "true",
            "GITHUB_API_URL": self.server.url,
            "GITHUB_WORKFLOW_REF": "acme/bench/.github/workflows/postmerge.yml@refs/heads/main",
        }
        self.err = io.StringIO()
        world = World(env=env, cwd=self.folder, out=io.StringIO(), err=self.err, now=lambda: 1_782_908_000.0)
        return postmerge.run(None, world)  # type: ignore[arg-type]

    @property
    def said(self) -> str:
        [one] = self.comments
        return str(one["body"])


@pytest.fixture
def scene(tmp_path: Path) -> Any:
    with serving() as server:
        yield Scene(server, tmp_path)


def test_all_well_is_said_and_labelled(scene: Scene) -> None:
    assert scene.wake() == 0
    assert "✅ After the merge, `5555555`: all jobs passed (1)" in scene.said
    assert scene.posted == ["/issues/7/labels"]
    assert "@ann" not in scene.said


def test_a_merge_with_the_green_label_is_not_looked_at_again(scene: Scene) -> None:
    scene.server.routes[f"GET {R}/pulls"] = Reply(200, [pull_json(7, labels=[{"name": aftermath.LABEL}])])
    assert scene.wake({}) == 0
    assert [asked.path for asked in scene.server.asked] == [f"{R}/pulls"]


def test_what_runs_is_waited_for(scene: Scene) -> None:
    scene.runs(
        {1: [job_json(11, "publish"), job_json(12, "pages", None)]}, status="in_progress", conclusion=None
    )
    scene.wake()
    assert "jobs are running" in scene.said
    assert scene.posted == []


def test_C40_a_transient_failure_is_run_again_and_nobody_is_told(scene: Scene) -> None:
    scene.runs({1: [job_json(11, "publish", "failure"), job_json(12, "pages")]})
    scene.log(11, RESET)
    scene.wake()
    assert scene.posted == ["/actions/runs/1/rerun-failed-jobs"]
    assert "`network` · infrastructure · is run again" in scene.said
    assert "@ann" not in scene.said


def test_a_second_attempt_is_the_last_one_and_the_author_is_mentioned_once(scene: Scene) -> None:
    first, second = job_json(11, "publish", "failure"), job_json(13, "publish", "failure", run_attempt=2)
    scene.runs({1: [first, second]}, run_attempt=2)
    for job in (11, 13):
        scene.log(job, RESET)
    for _ in range(3):
        scene.wake()
    assert scene.posted == []
    assert len(scene.comments) == 1
    assert scene.said.count("@ann") == 1
    assert "❌ failure | 2 (before: failure)" in scene.said
    assert "auto-rerun allows 1" in scene.said


def test_one_lasting_failure_keeps_its_run_from_being_run_again(scene: Scene) -> None:
    scene.runs({1: [job_json(11, "publish", "failure"), job_json(12, "pages", "failure")]})
    scene.log(11, RESET)
    scene.wake()
    assert scene.posted == []
    assert "@ann" in scene.said


def test_the_facts_of_a_failure_are_kept(scene: Scene) -> None:
    scene.runs({1: [job_json(11, "publish", "failure")]})
    scene.wake()
    document = json.loads((scene.folder / "infx-out/facts/failure-11.json").read_text())
    assert (document["facts"], document["job"]) == ("failure", "publish")


def test_C115_a_list_that_was_cut_makes_no_green_label(scene: Scene) -> None:
    scene.server.pages(f"{R}/commits/{SHA}/check-runs", [], key="check_runs", total=140)
    with pytest.raises(CouldNotTell, match="#7"):
        scene.wake()
    assert (scene.posted, scene.comments) == ([], [])


def test_check_runs_of_other_apps_and_statuses_count(scene: Scene) -> None:
    check = {"id": 90, "name": "audit-app", "status": "completed", "conclusion": "failure"}
    scene.server.pages(f"{R}/commits/{SHA}/check-runs", [{**check, "app": {"slug": "app"}}], key="check_runs")
    scene.server.pages(f"{R}/commits/{SHA}/statuses", [{"context": "ext", "state": "pending"}])
    scene.wake()
    assert "| `audit-app` | ❌ failure | 1 |" in scene.said
    assert "| `ext` | ⏳ pending | 1 |" in scene.said


@pytest.mark.parametrize("event", sorted(postmerge.ELSEWHERE))
def test_runs_that_only_stand_at_the_commit_are_left_out(scene: Scene, event: str) -> None:
    scene.runs({1: [job_json(11, "x", "failure")]}, event=event)
    scene.wake({"workflow_run": {"head_sha": SHA, "event": "push"}})
    assert "jobs are running" in scene.said


def test_it_does_not_wait_for_itself(scene: Scene) -> None:
    scene.runs({1: [job_json(11, "follow", None)]}, file="postmerge")
    scene.wake()
    assert "follow" not in scene.said


def test_a_merge_for_which_nothing_started_needs_a_person_after_a_while(scene: Scene) -> None:
    scene.runs({})
    scene.server.routes[f"GET {R}/pulls"] = Reply(200, [pull_json(7, merged_at="2026-07-01T09:00:00Z")])
    scene.wake({})
    assert "nothing was started" in scene.said
    assert scene.said.count("@ann") == 1


def test_a_direct_push_that_failed_ends_red(scene: Scene) -> None:
    scene.server.routes[f"GET {R}/pulls"] = Reply(200, [])
    scene.server.pages(f"{R}/commits/{SHA}/pulls", [pull_json(3, merge_commit_sha="9" * 40)])
    scene.runs({1: [job_json(11, "publish", "failure")]})
    with pytest.raises(Refused, match="push 5555555: 1 of 1 need a person"):
        scene.wake()
    assert scene.comments == []


def test_a_merge_of_a_pull_request_that_is_not_among_the_newest_is_found(scene: Scene) -> None:
    scene.server.routes[f"GET {R}/pulls"] = Reply(200, [])
    scene.server.pages(f"{R}/commits/{SHA}/pulls", [pull_json(7)])
    scene.wake()
    assert "all jobs passed (1)" in scene.said


def test_C106_a_locked_conversation_changes_no_decision(scene: Scene) -> None:
    scene.server.routes[f"POST {R}/issues/7/comments"] = Reply(403, {"message": "issue is locked"})
    assert scene.wake() == 0
    assert scene.posted == ["/issues/7/labels"]
    assert "could not be written" in scene.err.getvalue()
