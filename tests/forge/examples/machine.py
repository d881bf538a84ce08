"""Steps for examples about Actions, their settings, and git."""

import time
from datetime import UTC, datetime

from infx.forge import documents, environments, groups, protection, rulesets, settings
from infx.forge.database import pack
from infx.forge.site import Json
from tests.forge.examples.published import Example
from tests.forge.examples.steps import R, items, step
from tests.forge.examples.work import Work

A = f"{R}/actions"


def one_or_all(example: Example, path: str, key: str = "id") -> str:
    """Address of the list, or of the only object."""
    several = isinstance(example.answer, list) or "total_count" in example.answer
    return path if several else f"{path}/{example.answer[key]}"


@step(f"GET {A}/artifacts", f"GET {A}/artifacts/{{}}", f"GET {A}/runs/{{}}/artifacts")
def artifacts(work: Work, example: Example) -> str:
    # Before the examples expired.
    work.forge.site.shift_s = datetime(2020, 1, 12, tzinfo=UTC).timestamp() - time.time()
    for one in items(example):
        work.artifact(one)
    if "/runs/" in example.endpoint:
        work.forge.site.db.run("UPDATE artifacts SET run = ?", items(example)[0]["workflow_run"]["id"])
        return f"/actions/runs/{items(example)[0]['workflow_run']['id']}/artifacts"
    return one_or_all(example, "/actions/artifacts")


@step(f"GET {A}/jobs/{{}}", f"GET {A}/runs/{{}}/jobs", f"GET {A}/runs/{{}}/attempts/{{}}/jobs")
def jobs(work: Work, example: Example) -> str:
    for one in items(example):
        work.group(
            work.owner,
            {"id": one["runner_group_id"], "name": one["runner_group_name"], "runners": [one["runner_id"]]},
        )
        work.job(one, work.some_run(one["run_id"]))
    run = items(example)[0]["run_id"]
    if example.endpoint.startswith(f"GET {A}/jobs"):
        return f"/actions/jobs/{example.answer['id']}"
    return f"/actions/runs/{run}/" + ("attempts/1/jobs" if "attempts" in example.endpoint else "jobs")


@step(
    f"GET {A}/runs", f"GET {A}/runs/{{}}", f"GET {A}/runs/{{}}/attempts/{{}}", f"GET {A}/workflows/{{}}/runs"
)
def runs(work: Work, example: Example) -> str:
    for one in items(example):
        work.run(one)
    first = items(example)[0]
    if "/workflows/" in example.endpoint:
        return f"/actions/workflows/{first['workflow_id']}/runs"
    return one_or_all(example, "/actions/runs") + ("/attempts/1" if "attempts" in example.endpoint else "")


@step(f"GET {A}/workflows", f"GET {A}/workflows/{{}}")
def workflows(work: Work, example: Example) -> str:
    for one in items(example):
        work.workflow(one)
    return one_or_all(example, "/actions/workflows")


@step(f"GET {A}/runners", f"GET {A}/runners/{{}}", "GET /orgs/{}/actions/runners")
def runners(work: Work, example: Example) -> str:
    for one in items(example):
        work.runner(one)
        if one.get("busy"):
            work.job_of(one["name"])
    return (
        f"//orgs/{work.org('octo-org')}/actions/runners"
        if "/orgs" in example.endpoint
        else one_or_all(example, "/actions/runners")
    )


@step("GET /orgs/{}/actions/runner-groups", "GET /orgs/{}/actions/runner-groups/{}")
def runner_groups(work: Work, example: Example) -> str:
    org = work.org("octo-org")
    for one in items(example):
        work.group(org, one)
    return "/" + one_or_all(example, f"/orgs/{org}/actions/runner-groups")


@step("GET /orgs/{}/actions/runner-groups/{}/repositories", "GET /orgs/{}/actions/runner-groups/{}/runners")
def in_group(work: Work, example: Example) -> str:
    org, word = work.org("octo-org"), example.endpoint.rsplit("/", 1)[-1]
    ids = [one["id"] for one in items(example)]
    if word == "runners":
        runners(work, example)
    field = {"runners": "runners", "repositories": "selected_repository_ids"}[word]
    number = groups.make(work.forge.site, org, "group", {field: ids})
    return f"//orgs/{org}/actions/runner-groups/{number}/{word}"


GROUPS = "/orgs/{}/actions/runner-groups"


@step(
    f"POST {GROUPS}", f"PATCH {GROUPS}/{{}}", f"PUT {GROUPS}/{{}}/repositories", f"PUT {GROUPS}/{{}}/runners"
)
def a_group(work: Work, example: Example) -> str:
    path = f"//orgs/{work.org('octo-org')}/actions/runner-groups"
    if example.method == "POST":
        return path
    made = work.client("POST", path[1:], {"name": "group"}).json["id"]
    return f"{path}/{made}" + example.endpoint.removeprefix(f"{example.method} {GROUPS}/{{}}")


def kind_of(work: Work, example: Example, kind: str) -> tuple[str, str]:
    """Where this repository's or environment's own are kept, and their address."""
    if "environments" not in example.endpoint:
        return kind, f"/actions/{kind}s"
    settings.put(work.at, "environment", "staging", value="{}")
    return environments.kind_of("staging", kind), f"/environments/staging/{kind}s"


PLACES = (A, f"{R}/environments/{{}}")


@step(
    *(
        f"GET {place}/{word}s{end}"
        for place in PLACES
        for word in ("secret", "variable")
        for end in ("", "/{}")
    )
)
def values(work: Work, example: Example) -> str:
    kind, path = kind_of(work, example, "secret" if "/secrets" in example.endpoint else "variable")
    for one in items(example):
        work.setting(kind, one)
    return one_or_all(example, path, "name")


@step(*(f"GET {place}/secrets/public-key" for place in PLACES))
def key(work: Work, example: Example) -> str:
    return f"{kind_of(work, example, 'secret')[1]}/public-key"


PAGES = (
    *("", "/access", "/artifact-and-log-retention", "/fork-pr-contributor-approval"),
    *("/fork-pr-workflows-private-repos", "/selected-actions", "/workflow"),
)


@step(*(f"GET {A}/permissions{page}" for page in PAGES))
def permissions(work: Work, example: Example) -> str:
    """Settings are written as people write them."""
    path = example.endpoint.removeprefix(f"GET {R}")
    work.write(path, example.answer)
    return path


@step("GET /orgs/{}/actions/permissions", "GET /orgs/{}/actions/permissions/workflow")
def of_org(work: Work, example: Example) -> str:
    path = "//orgs/" + work.org("octo-org") + example.endpoint.removeprefix("GET /orgs/{}")
    work.write(path, example.answer)
    return path


@step(f"GET {R}/environments", f"GET {R}/environments/{{}}")
def every_environment(work: Work, example: Example) -> str:
    for one in items(example):
        work.environment(one)
    return one_or_all(example, "/environments", "name")


@step(f"GET {R}/environments/{{}}/deployment-branch-policies")
def policies(work: Work, example: Example) -> str:
    kept = {str(one["id"]): one["name"] for one in items(example)}
    settings.put(work.at, "environment", "staging", value=pack({"branches": kept}))
    return "/environments/staging/deployment-branch-policies"


@step(f"GET {R}/rulesets", f"GET {R}/rulesets/{{}}")
def every_ruleset(work: Work, example: Example) -> str:
    for one in items(example):
        own = ("id", "name", "source", "source_type", "node_id", "_links", "created_at", "updated_at")
        fields = {"target": "branch", **{name: value for name, value in one.items() if name not in own}}
        fields["enforcement"] = "active"
        work.document(documents.of_repo(work.at), rulesets.KIND, one, fields)
    return one_or_all(example, "/rulesets")


@step(f"GET {R}/rules/branches/{{}}")
def rules(work: Work, example: Example) -> str:
    for one in items(example):
        rule = {name: one[name] for name in ("type", "parameters")}
        where = {"ref_name": {"include": ["~ALL"]}}
        ruleset = {"target": "branch", "enforcement": "active", "conditions": where, "rules": [rule]}
        named = {"id": one["ruleset_id"], "name": str(one["ruleset_id"])}
        work.document(documents.of_repo(work.at), rulesets.KIND, named, ruleset)
    return f"/rules/branches/{work.trunk}"


@step(f"GET {R}/branches", f"GET {R}/branches/{{}}")
def branches(work: Work, example: Example) -> str:
    for one in items(example) if isinstance(example.answer, list) else [example.answer]:
        wanted = one["protection"]["required_status_checks"]
        if "commit" in one["commit"]:
            work.signs(one["commit"])
            work.commit(one["commit"]["commit"], one["name"])
        elif one["name"] != work.trunk:
            work.actor.push(one["name"], {"b.txt": "b\n"}, message="b")
            work.at.bare.set_ref(f"refs/heads/{work.trunk}", None)
        if one["protected"]:
            rules = protection.Rules(contexts=tuple(wanted["contexts"]))
            protection.put(work.at, one["name"], rules)
    return "/branches" if isinstance(example.answer, list) else f"/branches/{example.answer['name']}"


@step(f"GET {R}/branches/{{}}/protection", f"GET {R}/branches/{{}}/protection/required_status_checks")
def branch_protection(work: Work, example: Example) -> str:
    path, answer = f"/branches/{work.trunk}/protection", example.answer
    if example.endpoint.endswith("checks"):
        answer = {"required_status_checks": answer}
    reviews = answer.get("required_pull_request_reviews")
    asked: Json = {"required_status_checks": answer["required_status_checks"], "restrictions": None}
    asked |= {"required_pull_request_reviews": reviews, "enforce_admins": "enforce_admins" in answer}
    asked |= {name: one["enabled"] for name, one in answer.items() if name.count("_") and "enabled" in one}
    work.write(path, {**asked, "enforce_admins": "enforce_admins" in answer})
    return path + example.endpoint.partition("/protection")[2]


# -- checks and statuses


@step(f"GET {R}/check-runs/{{}}", f"GET {R}/check-runs/{{}}/annotations", f"GET {R}/commits/{{}}/check-runs")
def checks(work: Work, example: Example) -> str:
    if example.endpoint.endswith("annotations"):
        sha = work.at.bare.ref(f"refs/heads/{work.trunk}")
        body = {"name": "n", "head_sha": sha, "output": {"title": "t", "summary": "s"}}
        body["output"] |= {"annotations": example.answer}
        made = work.app("POST", f"/repos/{work.home}/check-runs", body).json
        return f"/check-runs/{made['id']}/annotations"
    for one in items(example):
        if "/commits/" in example.endpoint:
            one["head_sha"] = work.at.bare.ref(f"refs/heads/{work.trunk}")
        work.check(one)
    if "/commits/" in example.endpoint:
        return f"/commits/{work.trunk}/check-runs"
    return f"/check-runs/{example.answer['id']}"


@step(f"GET {R}/commits/{{}}/status", f"GET {R}/commits/{{}}/statuses")
def statuses(work: Work, example: Example) -> str:
    given = example.answer if isinstance(example.answer, list) else example.answer["statuses"]
    for one in given:
        work.status(one, str(work.at.bare.ref(f"refs/heads/{work.trunk}")))
    return f"/commits/{work.trunk}/{example.endpoint.rsplit('/', 1)[-1]}"


@step(f"GET {R}/codeowners/errors")
def owners(work: Work, example: Example) -> str:
    lines = {one["line"]: one["source"] for one in example.answer["errors"]}
    text = "".join(f"{lines.get(number, '# nothing')}\n" for number in range(1, max(lines) + 1))
    path = example.answer["errors"][0]["path"]
    work.user({"login": "monalisa", "id": 4242, "type": "User"})
    work.forge.role(work.home, "monalisa", "write")
    work.actor.push(work.trunk, {path: text}, message="owners")
    return "/codeowners/errors"


@step("GET /meta", "GET /rate_limit")
def site(work: Work, example: Example) -> str:
    return "/" + example.endpoint.removeprefix("GET ")
