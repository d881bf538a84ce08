"""The GitHub edge against a server with scripted faults: whole lists, bounded waiting, no double writes."""

from collections.abc import Callable
from typing import Any

import pytest

from infx.edge.github import BOT
from infx.errors import CouldNotReport, CouldNotTell, InfxError, Refused
from infx.event import Artifact, Title
from infx.facts import Role
from infx.read import title
from infx.results.selection import select
from tests.builders import A, B
from tests.edge.server import Asked, Reply, Server
from tests.payloads import payload

R = "/repos/acme/bench"
PULL = payload()["pull_request"]
SECONDARY = {"message": "You have exceeded a secondary rate limit."}
PRIMARY = {"message": "API rate limit exceeded for installation"}


def comment(number: int, body: str = "x", login: str = "bot") -> dict[str, Any]:
    return {"id": number, "body": body, "user": {"login": login, "type": "User"}}


def exhausted(reset: int) -> Reply:
    return Reply(403, PRIMARY, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": str(reset)})


@pytest.mark.parametrize(
    ("fault", "slept"),
    [
        (Reply(403, SECONDARY, {"Retry-After": "30"}), [30.0]),
        (Reply(429, SECONDARY, {"Retry-After": "7"}), [7.0]),
        (exhausted(1_060), [61.0]),
        (Reply(502, None), None),
        (Reply(429, {}), None),
        (Reply(200, b'{"number": 7, "sta'), None),
        (Reply(502, b"<html>bad gateway</html>"), None),
    ],
)
def test_C118_what_may_pass_is_repeated_after_the_time_asked_for(
    server: Server, fault: Reply, slept: list[float] | None
) -> None:
    server.routes[f"GET {R}/pulls/7"] = Reply(200, PULL)
    server.faults = [fault]
    github = server.github()
    assert github.pull(7).head_sha == A
    assert github.requests == 2
    assert len(server.slept) == 1 if slept is None else server.slept == slept


def test_C118_a_limit_over_the_budget_stops_with_its_end(server: Server) -> None:
    server.faults = [exhausted(1_000 + 1_466)]
    with pytest.raises(CouldNotTell, match="rate limited until 00:41:07 UTC"):
        server.github().pull(7)
    assert (len(server.asked), server.slept) == (1, [])


def test_C118_forbidden_is_not_a_rate_limit(server: Server) -> None:
    server.faults = [Reply(403, {"message": "Resource not accessible by integration"})]
    with pytest.raises(Refused, match="Resource not accessible by integration"):
        server.github().pull(7)
    assert len(server.asked) == 1


def test_C118_a_broken_page_never_makes_a_short_list(server: Server) -> None:
    server.pages(f"{R}/issues/7/comments", [comment(n) for n in range(250)])
    github = server.github()
    found = github.comments(7)
    first = [next(found).id for _ in range(200)]
    server.faults = [Reply(502, None)]
    assert [*first, *(one.id for one in found)] == list(range(250))
    with pytest.raises(CouldNotTell):
        _fail_at(server, github.comments(7))


def _fail_at(server: Server, found: Any) -> None:
    next(found)
    server.faults = [Reply(502, None)] * 9
    list(found)


def test_C100_a_sticky_comment_on_a_later_page_is_found(server: Server) -> None:
    server.pages(f"{R}/issues/7/comments", [comment(n, f"<!-- {n} -->") for n in range(135)])
    marks = [one.id for one in server.github().comments(7) if "<!-- 134 -->" in one.body]
    assert (marks, len(server.asked)) == ([134], 2)


def test_C115_a_list_that_is_shorter_than_its_total_is_no_answer(server: Server) -> None:
    job = {"id": 1, "name": "cell", "status": "completed"}
    server.pages(f"{R}/actions/runs/5/jobs", [job], key="jobs", total=140)
    with pytest.raises(CouldNotTell, match="1 of 140"):
        server.github().jobs(5)


def test_C116_an_empty_conclusion_is_none(server: Server) -> None:
    raw = [{"id": n, "name": "c", "status": "in_progress", "conclusion": c} for n, c in enumerate(["", None])]
    server.pages(f"{R}/actions/runs/5/jobs", raw, key="jobs")
    assert [job.conclusion for job in server.github().jobs(5)] == [None, None]


def test_silence_is_could_not_tell_after_a_bound(server: Server) -> None:
    server.faults = [Reply(502, None)] * 20
    with pytest.raises(CouldNotTell, match="5 attempts"):
        server.github().pull(7)
    assert len(server.asked) == 5


def test_nobody_listening_is_could_not_tell() -> None:
    lonely = Server()
    lonely.url = "http://127.0.0.1:9"
    with pytest.raises(CouldNotTell, match="no connection"):
        lonely.github().pull(7)


def written(server: Server) -> list[dict[str, Any]]:
    """Comments that the server keeps."""
    kept: list[dict[str, Any]] = []

    def write(asked: Asked) -> Reply:
        kept.append(comment(len(kept) + 1, asked.body["body"]))
        return Reply(201, kept[-1])

    server.routes[f"POST {R}/issues/7/comments"] = write
    server.pages(f"{R}/issues/7/comments", kept)
    return kept


@pytest.mark.parametrize(
    "fault",
    [Reply(502, None, {"x-written": "1"}), Reply(502, None), Reply(403, SECONDARY, {"Retry-After": "1"})],
    ids=["written, answer lost", "not written", "turned away"],
)
def test_a_comment_is_written_once_whatever_happens(server: Server, fault: Reply) -> None:
    kept = written(server)
    server.faults = [fault]
    made = server.github().create_comment(
        7, "hello <!-- infx:status -->", mark="<!-- infx:status -->", login="bot"
    )
    assert (len(kept), made.id) == (1, 1)


def test_a_comment_of_somebody_else_with_our_mark_is_not_ours(server: Server) -> None:
    kept = written(server)
    kept.append(comment(1, "<!-- infx -->", "eve"))
    server.faults = [Reply(502, None)]
    made = server.github().create_comment(7, "<!-- infx -->", mark="<!-- infx -->", login="bot")
    assert (len(kept), made.id) == (2, 2)


def test_a_lost_dispatch_is_not_repeated_blindly(server: Server) -> None:
    server.faults = [Reply(502, None)]
    with pytest.raises(CouldNotTell, match="nobody knows whether it was written"):
        server.github().dispatch(".github/workflows/sweep.yml", "main", inputs={"pr": "7"})
    assert [asked.path for asked in server.asked] == [f"{R}/actions/workflows/sweep.yml/dispatches"]


def test_C106_a_report_that_fails_is_no_decision(server: Server) -> None:
    github = server.github()
    server.faults = [Reply(403, {"message": "Resource not accessible by integration"})] * 4
    writes: list[Callable[[], object]] = [
        lambda: github.react(1, "+1"),
        lambda: github.edit_comment(1, "x"),
        lambda: github.delete_comment(1),
        lambda: github.set_status(A, "c", state="success", description="d"),
    ]
    for write in writes:
        with pytest.raises(CouldNotReport):
            write()


def test_a_status_is_cut_at_githubs_limit(server: Server) -> None:
    server.routes[f"POST {R}/statuses/{A}"] = Reply(201, {})
    server.github().set_status(A, "infx/gate", state="success", description="x" * 200, url="http://x")
    sent = server.asked[0].body
    assert (len(sent["description"]), sent["target_url"]) == (140, "http://x")


def test_a_body_over_the_limit_is_cut(server: Server) -> None:
    server.routes[f"PATCH {R}/issues/comments/1"] = Reply(200, {"id": 1})
    server.github().edit_comment(1, "x" * 70_000)
    assert len(server.asked[0].body["body"]) <= 65_536


def test_a_comment_that_somebody_deleted_is_gone_not_an_error(server: Server) -> None:
    server.faults = [Reply(404, {"message": "Not Found"})]
    assert server.github().edit_comment(1, "x") is None


def test_C113_a_role_comes_from_the_live_permission(server: Server) -> None:
    path = f"GET {R}/collaborators/ada/permission"
    server.routes[path] = Reply(200, {"permission": "write", "role_name": "maintain"})
    assert server.github().role("ada") == Role(login="ada", permission="write", role_name="maintain")
    assert server.github().role("stranger") == Role(login="stranger", permission="none")


@pytest.mark.parametrize("fault", [Reply(403, {"message": "Must have push access"}), Reply(502, None)])
def test_a_role_that_cannot_be_told_is_not_a_no(server: Server, fault: Reply) -> None:
    server.faults = [fault] * 9
    assert server.github().role("ada") == Role(login="ada", permission=None)


def test_a_job_token_is_the_actions_bot(server: Server) -> None:
    server.faults = [Reply(403, {"message": "Resource not accessible by integration"})]
    assert server.github().login() == BOT
    server.routes["GET /user"] = Reply(200, {"login": "infx-bot"})
    assert server.github().login() == "infx-bot"


def raw_run(number: int, text: str, **changes: Any) -> dict[str, Any]:
    base = {"id": number, "display_title": text, "head_sha": A, "status": "queued", "pull_requests": []}
    return {**base, "event": "pull_request", "path": ".github/workflows/sweep.yml@main", **changes}


def test_runs_know_what_they_were_for(server: Server) -> None:
    meant = Title(pr=7, action="labeled", head_sha=A, base_sha=B, label="x", labels=frozenset("x"))
    raw = [raw_run(1, "Add a recipe", pull_requests=[{"number": 9}]), raw_run(2, title.write(meant))]
    server.pages(f"{R}/actions/workflows/sweep.yml/runs", raw, key="workflow_runs")
    newest, oldest = server.github().runs(".github/workflows/sweep.yml", branch="topic")
    assert (newest.title, newest.pr, newest.path) == (meant, 7, ".github/workflows/sweep.yml")
    assert (oldest.title, oldest.pr) == (None, 9)
    assert server.asked[0].query == {"per_page": "100", "branch": "topic"}


def test_the_newest_runs_are_one_page(server: Server) -> None:
    raw = [raw_run(n, "x") for n in range(450, 0, -1)]
    server.pages(f"{R}/actions/workflows/sweep.yml/runs", raw, key="workflow_runs")
    found = server.github().runs("sweep.yml", newest=100)
    assert (len(found), found[0].id, len(server.asked)) == (100, 450, 1)


def test_an_unchanged_answer_is_asked_for_and_costs_nothing(server: Server) -> None:
    def serve(asked: Any) -> Reply:
        same = asked.headers.get("if-none-match") == '"1"'
        return Reply(304) if same else Reply(200, {"login": "ada"}, {"ETag": '"1"'})

    server.routes["GET /user"] = serve
    api = server.github().api
    assert [api.get("/user"), api.get("/user")] == [{"login": "ada"}] * 2
    assert (api.requests, api.unchanged) == (2, 1)
    assert api.get("/user", page=2) == {"login": "ada"}
    assert (api.requests, api.unchanged) == (3, 1)


def test_a_broken_page_is_not_remembered_by_its_tag(server: Server) -> None:
    server.pages(f"{R}/issues/7/comments", [comment(1)])
    github = server.github()
    server.faults = [Reply(200, {"message": "broken"}, {"ETag": '"x"'})]
    assert [one.id for one in github.comments(7)] == [1]
    assert [asked.headers.get("if-none-match") for asked in server.asked] == [None, None]


def test_a_hidden_or_deleted_comment_has_no_text(server: Server) -> None:
    nodes = [{"body": "/use 5", "isMinimized": False}, {"body": "x", "isMinimized": True}, None]
    gone = {"type": "NOT_FOUND", "message": "Could not resolve"}
    server.routes["POST /graphql"] = Reply(200, {"data": {"nodes": nodes}, "errors": [gone]})
    assert server.github().visible(["IC_1", "IC_2", "IC_3"]) == {"IC_1": "/use 5"}


def test_who_changed_a_text_last(server: Server) -> None:
    nodes = [
        {"body": "a", "lastEditedAt": None, "editor": None},
        {"body": "b", "lastEditedAt": "2026-07-01T00:00:00Z", "editor": {"login": "mia"}},
        {"body": "c", "lastEditedAt": "2026-07-01T00:00:00Z", "editor": None},
        {},
        None,
    ]
    gone = {"type": "NOT_FOUND", "message": "Could not resolve"}
    server.routes["POST /graphql"] = Reply(200, {"data": {"nodes": nodes}, "errors": [gone]})
    found = server.github().written(["1", "2", "3", "4", "5"])
    assert found == {"1": ("a", ""), "2": ("b", "mia"), "3": ("c", "ghost")}


@pytest.mark.parametrize(
    "answer",
    [
        {"data": {"nodes": []}},
        {"data": {"nodes": None}, "errors": [{"type": "FORBIDDEN", "message": "Resource not accessible"}]},
        {"data": None, "errors": [{"message": "timeout"}]},
        [],
    ],
)
def test_an_unclear_answer_about_comments_is_could_not_tell(server: Server, answer: Any) -> None:
    server.routes["POST /graphql"] = Reply(200, answer)
    with pytest.raises(CouldNotTell):
        server.github().visible(["IC_1"])


def test_elements_that_move_between_pages_count_once(server: Server) -> None:
    server.pages(f"{R}/issues/7/comments", [comment(n) for n in [*range(100), 99, 100]])
    assert [one.id for one in server.github().comments(7)] == list(range(101))


def test_cancelling_what_has_ended_is_no_error(server: Server) -> None:
    server.routes[f"POST {R}/actions/runs/5/cancel"] = Reply(409, {"message": "Cannot cancel"})
    assert server.github().cancel(5) is False
    server.routes[f"POST {R}/actions/runs/5/cancel"] = Reply(202, {})
    assert server.github().cancel(5) is True


def test_removing_what_is_gone_is_no_error(server: Server) -> None:
    server.github().remove_label(7, "a/b c")
    assert server.asked[0].path == f"{R}/issues/7/labels/a%2Fb%20c"


def test_files_at_githubs_limit_are_no_answer(server: Server) -> None:
    raw = [{"filename": f"f{n}", "status": "added"} for n in range(3000)]
    server.pages(f"{R}/pulls/7/files", raw)
    with pytest.raises(CouldNotTell, match="3000 files"):
        server.github().pull_files(7)


def test_a_download_does_not_show_its_token_to_the_storage(server: Server) -> None:
    archive = f"GET {R}/actions/artifacts/3/zip"
    server.routes[archive] = Reply(302, None, {"Location": f"{server.url}/storage?sig=s3cret"})
    server.routes["GET /storage"] = Reply(200, b"PK")
    github = server.github()
    assert github.download(Artifact(id=3, name="plan", size=2), limit=10) == b"PK"
    seen = [asked.headers.get("authorization") for asked in server.asked]
    assert (seen, github.requests) == (["Bearer t0ken", None], 1)


def test_a_download_is_tried_again(server: Server) -> None:
    server.routes[f"GET {R}/actions/artifacts/3/zip"] = Reply(200, b"PK")
    server.faults = [Reply(503, None)]
    assert server.github().download(Artifact(id=3, name="plan", size=2), limit=10) == b"PK"
    assert len(server.slept) == 1


@pytest.mark.parametrize(
    ("reply", "error"),
    [(Reply(200, b"x" * 11), Refused), (Reply(410, {}), Refused), (Reply(500, {}), CouldNotTell)],
)
def test_a_download_is_bounded_and_its_errors_keep_the_secret(
    server: Server, reply: Reply, error: type[InfxError]
) -> None:
    archive = f"GET {R}/actions/artifacts/3/zip"
    server.routes[archive] = Reply(302, None, {"Location": f"{server.url}/storage?sig=s3cret"})
    server.routes["GET /storage"] = reply
    with pytest.raises(error) as caught:
        server.github().download(Artifact(id=3, name="plan", size=2), limit=10)
    assert "s3cret" not in caught.value.sentence


def test_C49_artifacts_of_a_run_are_listed_over_all_pages_before_one_is_chosen(server: Server) -> None:
    """288 uploads on three pages are 262 names; of each the newest unexpired one is taken, wherever it is."""
    raw = [
        {"id": n, "name": f"bmk_{n % 262}", "created_at": f"2026-07-01T00:{n // 60:02}:{n % 60:02}Z"}
        for n in range(288)
    ]
    raw[-1] = {**raw[-1], "expired": True}
    server.pages(f"{R}/actions/runs/5/artifacts", raw, key="artifacts")
    chosen = select(server.github().artifacts(5)).chosen
    assert (len(server.asked), len(chosen)) == (3, 262)
    assert {one.name: one.id for one in chosen} == {f"bmk_{n}": n + 262 if n < 25 else n for n in range(262)}
