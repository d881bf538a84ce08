"""The pages, read as a browser gets them."""

import io
import re
import zipfile

import pytest

from tests.forge.client import REPO, Answer, Client, World

pytestmark = pytest.mark.forge
STATUS = "<!-- infx:status -->\n### Sweep of abc\n\n<details><summary>why</summary>\n\nbecause\n\n</details>"
EVIL = "<script>alert(1)</script>"


@pytest.fixture
def see(world: World):
    client = Client(world.forge.url)
    return lambda path, status=200: check(client("GET", path, Accept="text/html"), status)


def check(answer: Answer, status: int) -> str:
    assert answer.status == status
    assert "script-src 'self'" in answer.headers["content-security-policy"]
    return answer.data.decode()


def artifact(world: World, files: dict[str, bytes], name: str = "report") -> str:
    """Page of a new artifact of a new run."""
    run = world.run()
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for path, data in files.items():
            archive.writestr(path, data)
    site, now = world.forge.site, world.forge.site.stamp()
    columns = {"repo": site.repo(REPO)["id"], "run": run.id, "attempt": 1, "name": name, "size": 1}
    times = {"created_at": now, "updated_at": now, "expires_at": site.stamp(86400.0)}
    number = site.db.insert("artifacts", **columns, digest="ab" * 32, final=1, **times)
    (site.folder / "artifacts" / f"{number}.zip").write_bytes(target.getvalue())
    return f"/{REPO}/actions/runs/{run.id}/artifacts/{number}"


def test_home_and_repository_lead_to_the_pull_request(world, pull, see):
    assert f'href="/{REPO}"' in see("/")
    assert f'href="/{REPO}/pull/{pull}"' in see(f"/{REPO}")
    assert see(f"/{REPO}/pulls") == see(f"/{REPO}/")


def test_the_conversation_tells_everything_in_order(world, pull, see):
    will, olga = world.at("will"), world.at("olga")
    will.label(pull, "sweep")
    world.forge.advance(1)
    olga.comment(pull, STATUS)
    world.forge.advance(1)
    olga.review(pull, "APPROVE", "fine", inline=[{"path": "configs/a.yaml", "line": 1, "body": "here"}])
    will.edit(pull, title=EVIL)
    html = see(f"/{REPO}/pull/{pull}")
    places = [html.index(text) for text in ("added the label", "Sweep of abc</h3>", "approved", "here</p>")]
    assert places == sorted(places)
    assert "<summary>why</summary>" in html
    assert "infx:status" not in html
    assert EVIL not in html
    assert "&lt;script&gt;" in html


def test_a_pull_request_from_a_fork_and_a_plain_issue(world, see):
    fork = world.at("rita").fork()
    world.forge.at(fork, "rita").push("mine", {"b": "1"}, message="b")
    number = world.at("rita").open_pull("rita:mine", title="B")
    assert "rita:mine" in see(f"/{REPO}/pull/{number}")
    world.client("rita")("POST", f"/repos/{REPO}/issues", {"title": "Plain", "body": "text"})
    assert "opened this issue" in see(f"/{REPO}/issues/{number + 1}")
    see(f"/{REPO}/pull/{number + 1}/files", 404)


def test_statuses_checks_and_runs_of_the_head(world, pull, see):
    run = world.run(pull)
    job = world.job(run, "plan")
    body = {"state": "pending", "context": "gate", "description": "waits", "target_url": "https://x.example"}
    world.client("will")("POST", f"/repos/{REPO}/statuses/{run.head_sha}", body)
    html = see(f"/{REPO}/pull/{pull}")
    assert f"/{REPO}/actions/runs/{run.id}/job/{job.id}" in html
    assert re.search(r"gate</a>.*waits", html)
    assert f"/{REPO}/actions/runs/{run.id}" in see(f"/{REPO}/actions")


def test_files_changed(world, pull, see):
    html = see(f"/{REPO}/pull/{pull}/files")
    assert '<span class="plus">+a: 2' in html
    assert '<span class="minus">-a: 1' in html


def test_a_run_with_jobs_steps_and_log(world, pull, see):
    run = world.run(pull, status="in_progress")
    step = {"name": "Build", "number": 1, "status": "completed", "conclusion": "failure"}
    times = {"started_at": "2026-01-01T00:00:00Z", "completed_at": "2026-01-01T00:01:05Z"}
    job = world.job(run, "plan", status="completed", conclusion="failure", steps=[{**step, **times}], **times)
    world.forge.store.append_log(job.id, f"2026-01-01T00:00:00Z ##[error]{EVIL}\n")
    here = f"/{REPO}/actions/runs/{run.id}"
    html = see(here)
    assert "data-live" in html
    assert re.search(r"Build</span><small>1m 5s", html)
    html = see(f"{here}/job/{job.id}")
    assert '<span class="k-error"><i>00:00:00</i>&lt;script&gt;' in html
    assert "data-live" not in html
    assert EVIL in see(f"{here}/job/{job.id}/raw")


def test_an_older_attempt_stays_readable(world, see):
    run = world.run(status="completed", conclusion="failure")
    world.job(run, "first")
    world.forge.store.change_run(run.id, attempt=2, status="queued", conclusion=None)
    here = f"/{REPO}/actions/runs/{run.id}"
    assert "first" not in see(here)
    assert "first" in see(f"{here}/attempts/1")
    see(f"{here}/attempts/3", 404)


def test_an_artifact_is_browsed_shut_in_and_downloaded(world, see):
    here = artifact(world, {"index.html": b"<h1>report</h1>", "a b/é.json": b"{}", "x.bin": b"\0\1"})
    html = see(here)
    assert f'sandbox title="report" src="{here}/files/index.html"' in html
    assert f"{here}/files/a%20b/%C3%A9.json" in html
    client = Client(world.forge.url)
    page = client("GET", f"{here}/files/index.html")
    assert page.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert client("GET", f"{here}/files/a%20b/%C3%A9.json").headers["content-type"].startswith("text/plain")
    assert client("GET", f"{here}/files/x.bin").headers["content-type"] == "application/octet-stream"
    assert client("GET", f"{here}/download").data[:2] == b"PK"


@pytest.mark.parametrize("member", ["nothing", "../forge.db", "%2e%2e/%2e%2e/forge.db"])
def test_a_member_that_is_not_there(world, member, see):
    see(f"{artifact(world, {'a': b'1'})}/files/{member}", 404)


def test_a_broken_artifact_says_so(world, see):
    here = artifact(world, {})
    (world.forge.site.folder / "artifacts" / f"{here.rsplit('/', 1)[1]}.zip").write_bytes(b"junk")
    assert "not a readable zip archive" in see(here, 422)


@pytest.mark.parametrize(
    "path", ["no/such", f"{REPO}/pull/99", f"{REPO}/actions/runs/1", f"{REPO}/actions/runs/1/job/1"]
)
def test_what_is_not_there_is_a_page_too(path, see):
    assert "Not Found" in see(f"/{path}", 404)


def test_what_is_private_is_not_shown(world, see):
    world.forge.create_repo("acme/hidden", public=False)
    see("/acme/hidden", 404)
    assert "hidden" not in see("/")


def test_the_pages_ask_nobody_else(world, pull, see):
    """Every address in the frame of a page is on this server."""
    html = see(f"/{REPO}/pull/{pull}") + see("/_look/style.css") + see("/_look/live.js")
    assert not re.search(r"""(?:src|href|url\()=?["']?(?:https?:)?//""", html)


def test_programs_still_get_the_api_at_the_root(world, anyone):
    bare = Client(world.forge.url)
    assert bare("GET", f"/repos/{REPO}").json["full_name"] == REPO
    assert bare("GET", "/users/will", Accept="text/html").json["login"] == "will"
    assert bare("GET", "/").json["status"] == "404"
