"""The rules of this project for its workflow files; what linters know is in tests/lint_workflows.py."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from infx.charter import CHARTERS, Charter
from infx.commands import FORMS
from infx.jobs.teardown import NAMES as LEFT
from tests.builders import rules
from tests.simulator.files import documents, workflows

pytestmark = pytest.mark.node
ROOT = Path(__file__).parent.parent
ACTIONS = sorted((ROOT / ".github" / "actions").glob("*/action.yml"))
NAMES = tuple(workflows())
every_workflow = pytest.mark.parametrize("name", NAMES)

TABLE = {
    "ci": Charter(events=frozenset({"push", "pull_request"}), permissions={"contents": "read"}),
    **CHARTERS,
}
"""What each workflow listens to and may. A workflow without a row is not allowed; nobody adopts `ci`."""
LESS = {
    ("signoff", "find"): {"contents": "read", "pull-requests": "read", "statuses": "read"},
    ("operators", "probe"): {"contents": "read"},
}
"""Jobs that may less."""
SECRETS = {
    "comment": {"INFX_STAGE_TOKEN"},
    "ingest": {"INFX_PUBLISH_TOKEN"},
    "operators": {"INFX_RUNNERS_TOKEN", "INFX_CHAT_WEBHOOK"},
    "signoff": {"INFX_APP_KEY"},
}
"""Secrets that a workflow may name; each is of the environment of its job."""
SHARDS = [f"s{number}" for number in range(8)]
CELLS = ["canary", *SHARDS]
HOSTED = "ubuntu-latest"
PINNED = re.compile(r"\./\.github/actions/[a-z-]+|[\w./-]+@[0-9a-f]{40}")
STEP = re.compile(
    r"infx (job [a-z]+( --apply)?|ingest|audit|runners --(tend|digest)|job preflight --pool \"\$POOL\")"
)
READABLE = re.compile(
    r"needs\.\w+\.(?:result|outputs\.[\w-]+)|success\(\)|!cancelled\(\)|always\(\)|'[^']*'|&&|\|\||[!=]=|[()\s]"
)
"""Everything that a job's `if:` may be made of."""
COMMENT = re.compile(r"github\.event(?:_name|\.(?:issue\.pull_request|comment\.body|action))|contains|,")
"""And that of the comment job, for only comments that look like commands may enter its group (case C107)."""


def jobs(name: str) -> Mapping[str, dict[str, Any]]:
    found: Mapping[str, dict[str, Any]] = documents()[name]["jobs"]
    return found


def steps() -> Iterator[tuple[str, dict[str, Any]]]:
    """Every step of every workflow and composite action, with the place it stands."""
    for name in NAMES:
        for job, content in jobs(name).items():
            yield from ((f"{name}/{job}", step) for step in content["steps"])
    for path in ACTIONS:
        for step in yaml.safe_load(path.read_text())["runs"]["steps"]:
            yield path.parent.name, step


def labels() -> set[str]:
    """Every label of the policy that ships."""
    book = rules().labels
    return {*book.primaries, *book.modifiers, *book.grants, *book.priorities, *book.own}


@every_workflow
def test_a_workflow_stays_small(name: str) -> None:
    assert len(workflows()[name].read_text().splitlines()) <= 120


@every_workflow
def test_no_workflow_names_a_label(name: str) -> None:
    text = workflows()[name].read_text()
    assert "full-sweep-enabled" in labels()
    assert [label for label in labels() if label in text] == []


@every_workflow
def test_permissions_and_events_are_those_of_the_table(name: str) -> None:
    document, charter = documents()[name], TABLE[name]
    for job, content in jobs(name).items():
        allowed = LESS.get((name, job), charter.permissions)
        assert content.get("permissions", document["permissions"]) == allowed
    assert set(document["on"]) == charter.events
    assert {job["environment"] for job in jobs(name).values() if "environment" in job} == (
        {charter.environment} - {""}
    )
    named = re.findall(r"secrets\b(?:\.(\w+))?", workflows()[name].read_text())
    assert set(named) == SECRETS.get(name, set())


def test_every_row_of_the_table_has_its_workflow() -> None:
    assert sorted(TABLE) == sorted(NAMES)


def test_a_step_is_one_call_and_no_other_language() -> None:
    for place, step in steps():
        assert len(step.get("run", "").splitlines()) <= 5, place
        assert step.get("shell", "bash") in ("bash", "sh"), place
        assert "github-script" not in step.get("uses", ""), place


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("ci", "review-intake")])
def test_workflows_run_nothing_but_infx(name: str) -> None:
    runs = [step["run"] for job in jobs(name).values() for step in job["steps"] if "run" in step]
    assert runs
    assert [run for run in runs if not STEP.fullmatch(run)] == []


def test_the_intake_of_reviews_has_nothing_to_run() -> None:
    (job,) = jobs("review-intake").values()
    assert [set(step) for step in job["steps"]] == [{"name", "run"}]
    assert re.fullmatch(r'echo "[a-z ]+"', job["steps"][0]["run"])


def test_actions_are_pinned_and_say_their_version() -> None:
    assert [
        step["uses"] for _, step in steps() if not PINNED.fullmatch(step.get("uses", "./.github/actions/x"))
    ] == []
    for path in [*workflows().values(), *ACTIONS]:
        for line in path.read_text().splitlines():
            assert not re.search(r"@[0-9a-f]{40}", line) or re.search(r"# v\d+\.\d+\.\d+$", line), line


def test_one_action_has_one_pin_everywhere() -> None:
    pins = {step["uses"] for _, step in steps() if "@" in step.get("uses", "")}
    assert len(pins) == len({pin.split("@")[0] for pin in pins})


def test_no_expression_reaches_a_shell() -> None:
    assert [place for place, step in steps() if "${{" in step.get("run", "")] == []


def test_checkouts_keep_no_token() -> None:
    checkouts = [step for _, step in steps() if step.get("uses", "").startswith("actions/checkout@")]
    assert checkouts
    assert all(step["with"]["persist-credentials"] is False for step in checkouts)


@every_workflow
def test_conditions_read_only_hosted_infx_jobs_and_results(name: str) -> None:
    for job in jobs(name).values():
        condition = job["if"].removeprefix("${{").removesuffix("}}")
        left = READABLE.sub("", condition)
        assert (COMMENT.sub("", left) if name in ("comment", "signoff") else left) == "", condition
        for source in re.findall(r"needs\.(\w+)\.outputs", condition):
            assert jobs(name)[source]["runs-on"] == HOSTED


def test_C107_an_answer_from_elsewhere_takes_no_commands_place() -> None:
    """One run waits in a group, so what another repository answers has a group for itself."""
    (job,) = dict(documents())["comment"]["jobs"].values()
    group = job["concurrency"]["group"]
    assert group == (
        "comment-${{ github.event.issue.number || format('{0}-staged-{1}', inputs.pr, inputs.comment) }}"
    )


def test_C107_the_comment_job_starts_for_every_command() -> None:
    (job,) = jobs("comment").values()
    assert all(f"'{form.head}'" in job["if"] for form in FORMS)
    assert job["concurrency"]["cancel-in-progress"] is False


@every_workflow
def test_every_job_has_an_end(name: str) -> None:
    assert all(isinstance(job.get("timeout-minutes"), int) for job in jobs(name).values())


def waits_for_a_gpu_after_cancel(job: Mapping[str, Any]) -> bool:
    """A queued self-hosted job whose condition is true after a cancel starts all the same."""
    anyway = re.search(r"always\s*\(|(?<!!)(?<!!\s)cancelled\s*\(", job["if"], re.IGNORECASE)
    return job["runs-on"] != HOSTED and anyway is not None


@pytest.mark.parametrize(
    ("condition", "bad"),
    [
        ("always() && x", True),
        ("${{ Always ( ) }}", True),
        ("failure() || cancelled()", True),
        ("!cancelled() && x", False),
        ("${{ ! cancelled() }}", False),
        ("success() || failure()", False),
    ],
)
def test_C32_the_rule_tells_the_two_guards_apart(condition: str, bad: bool) -> None:
    assert waits_for_a_gpu_after_cancel({"runs-on": "gpu", "if": condition}) is bad


@every_workflow
def test_C32_no_self_hosted_job_runs_after_a_cancel(name: str) -> None:
    assert [job for job, content in jobs(name).items() if waits_for_a_gpu_after_cancel(content)] == []
    unconditional = [job for job, content in jobs(name).items() if "always()" in content["if"]]
    assert unconditional == (["collect"] if name == "sweep" else [])


def test_C85_the_required_check_always_runs_and_sees_every_job() -> None:
    collect = jobs("sweep")["collect"]
    others = [job for job in jobs("sweep") if job != "collect"]
    assert collect["if"] == "always()"
    assert collect["needs"] == others
    seen = next(step for step in collect["steps"] if "run" in step)["env"]["INFX_RESULTS"]
    assert re.findall(r"(\w+)=\$\{\{ needs\.(\w+)\.result \}\}", seen) == [(job, job) for job in others]


def test_C37_every_cell_checks_out_the_commit_that_the_plan_pinned() -> None:
    for job in CELLS:
        checkout = jobs("sweep")[job]["steps"][0]
        assert checkout["with"]["ref"] == "${{ needs.plan.outputs.head-sha }}"


def test_C56_no_name_that_passes_between_jobs_holds_an_attempt() -> None:
    """A job that is not run again uploaded under its old name, and its reader may be of a later attempt."""
    moved = [(place, step) for place, step in steps() if "-artifact" in step.get("uses", "")]
    assert len(moved) > 10
    named = [(place, str(step.get("with", {}))) for place, step in moved]
    assert [one for one in named if "attempt" in one[1]] == []


def test_hosted_jobs_run_the_pull_request_or_the_default_branch() -> None:
    for job in ("plan", "fanout", "collect"):
        checkout = jobs("sweep")[job]["steps"][0]
        assert checkout["with"]["ref"] == "${{ github.event.pull_request.head.sha || github.sha }}"


@pytest.mark.parametrize("name", ["control", "report", "postmerge", "signoff"])
def test_workflows_that_may_write_check_out_the_default_branch_only(name: str) -> None:
    for job in jobs(name).values():
        assert all("ref" not in step.get("with", {}) for step in job["steps"])


def test_C53_one_workflow_publishes_and_only_its_jobs_enter_the_environment() -> None:
    """Environment and secret are nowhere else; `infx ingest` refuses other events, refs and workflows."""
    inside = [name for name in NAMES for job in jobs(name).values() if job.get("environment") == "publish"]
    assert inside == ["ingest"]
    naming = [name for name in NAMES if "PUBLISH" in workflows()[name].read_text()]
    running = [name for name in NAMES if "infx ingest" in workflows()[name].read_text()]
    assert (naming, running) == (["ingest"], ["ingest"])
    assert documents()["ingest"]["on"]["push"] == {"branches": ["main"]}


@pytest.mark.parametrize("name", ["ingest", "audit"])
def test_C83_no_skip_can_spread_to_a_job_on_main(name: str) -> None:
    """GitHub gives a job without a condition and without others that it needs to every event of its file."""
    for job in jobs(name).values():
        assert ("needs" not in job, job["if"]) == (True, "success()")


STRANGERS = {"issue_comment", "pull_request_target", "workflow_run", "pull_request_review"}
"""Events that somebody outside can cause, and that run with rights."""
THEIRS = re.compile(
    r"refs/pull/|head[._](?:sha|ref|branch|commit)|pull_request\.(?:head|merge)|github\.head_ref|inputs\."
)
"""Refs of a pull request's own code."""


def runs_strangers_code(document: Mapping[str, Any]) -> bool:
    """A workflow with write scopes or secrets on such an event that checks out what a stranger wrote, or puts
    text of the event into a shell line."""
    events = set(document["on"]) if not isinstance(document["on"], str) else {document["on"]}
    text = str(document)
    rights = "write" in str(document.get("permissions", "")) or "secrets" in text
    for job in document["jobs"].values():
        rights = rights or "write" in str(job.get("permissions", ""))
        for step in job["steps"]:
            if THEIRS.search(str(step.get("with", {}).get("ref", ""))) or "github.event" in step.get(
                "run", ""
            ):
                return rights and bool(events & STRANGERS)
    return False


def workflow(event: str, ref: str, **more: Any) -> dict[str, Any]:
    checkout = {"uses": "actions/checkout@v6", "with": {"ref": ref}}
    return {"on": event, "jobs": {"job": {"steps": [checkout, {"run": "make"}]}}, **more}


@pytest.mark.parametrize(
    "document",
    [
        workflow(
            "issue_comment",
            "refs/pull/${{ github.event.issue.number }}/head",
            permissions={"statuses": "write"},
        ),
        workflow("pull_request_target", "${{ github.event.pull_request.head.sha }}", env="${{ secrets.X }}"),
        {
            "on": {"issue_comment": None},
            "permissions": {"contents": "write"},
            "jobs": {"job": {"steps": [{"run": "echo ${{ github.event.comment.body }}"}]}},
        },
    ],
    ids=["comment", "target", "shell"],
)
def test_C112_a_workflow_with_rights_never_runs_a_strangers_code(document: dict[str, Any]) -> None:
    assert runs_strangers_code(document)
    harmless = workflow(
        "pull_request", "${{ github.event.pull_request.head.sha }}", permissions={"x": "write"}
    )
    assert not runs_strangers_code(harmless)


@every_workflow
def test_C112_none_of_ours_does(name: str) -> None:
    assert not runs_strangers_code(documents()[name])


def test_C02_every_sweep_run_has_a_group_of_its_own() -> None:
    assert documents()["sweep"]["concurrency"] == {"group": "sweep-${{ github.run_id }}"}
    assert all("concurrency" not in job for job in jobs("sweep").values())


def test_outputs_are_those_of_the_design() -> None:
    assert set(jobs("sweep")["plan"]["outputs"]) == {"go", "canary", "fail-fast", "head-sha", "seal"}
    assert list(jobs("sweep")["fanout"]["outputs"]) == SHARDS


@pytest.mark.parametrize("shard", SHARDS)
def test_shards_differ_in_their_number_only(shard: str) -> None:
    renamed = str(jobs("sweep")[shard]).replace(f".{shard} ", ".s0 ")
    assert renamed == str(jobs("sweep")["s0"])


def test_every_cell_is_the_one_composite_action() -> None:
    for job in CELLS:
        [point] = [step for step in jobs("sweep")[job]["steps"] if step.get("uses", "").endswith("/point")]
        assert set(point["with"]) == {"cell", "canary"}


def test_whatever_becomes_of_a_cell_it_is_torn_down_and_its_records_are_kept() -> None:
    for job in CELLS:
        teardown, *uploads = jobs("sweep")[job]["steps"][-3:]
        assert (teardown["run"], teardown["timeout-minutes"]) == ("infx job teardown", 4)
        assert all("always()" in step["if"] for step in (teardown, *uploads))
        assert [step["with"]["name"] for step in uploads] == [
            f"${{{{ steps.teardown.outputs.{name} }}}}" for name in LEFT
        ]
