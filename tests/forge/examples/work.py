"""Statuses, checks, runs, jobs, artifacts, runners and settings, as rows."""

from typing import Any

from infx.forge import documents, groups, settings
from infx.forge.database import pack
from infx.forge.site import Json
from tests.forge.examples.adopt import stamp
from tests.forge.examples.talk import Talk


class Work(Talk):
    def status(self, one: Json, sha: str) -> int:
        known = {name: one[name] for name in ("id", "context", "state", "description", "target_url")}
        author = self.user(one["creator"]) if "creator" in one else self.owner
        return self.put(
            "statuses", repo=self.repo, sha=sha, author=author, created_at=stamp(one["created_at"]), **known
        )

    def check(self, one: Json) -> int:
        known = {
            name: one[name] for name in ("id", "name", "status", "conclusion", "external_id", "details_url")
        }
        times = {name: stamp(one[name]) for name in ("started_at", "completed_at")}
        return self.put(
            "checks",
            repo=self.repo,
            sha=one["head_sha"],
            app=one["app"]["slug"],
            data=pack({**one["output"], "annotations": [{}] * one["output"]["annotations_count"]}),
            **known,
            **times,
        )

    def workflow(self, one: Json) -> int:
        times = {name: stamp(one[name]) for name in ("created_at", "updated_at")}
        known = {name: one[name] for name in ("id", "name", "path", "state")}
        return self.put("workflows", repo=self.repo, **known, **times)

    def run(self, one: Json) -> int:
        """A run, with a workflow of its own, for the commit that the example tells of."""
        sha = self.told(one["head_commit"]) if one.get("head_commit") else one["head_sha"]
        file = one["path"]
        now = self.forge.site.stamp()
        self.put(
            "workflows",
            repo=self.repo,
            id=one["workflow_id"],
            name=one["name"],
            path=file,
            state="active",
            created_at=now,
            updated_at=now,
        )
        known = {name: one[name] for name in ("id", "name", "event", "status", "conclusion", "head_branch")}
        times = {name: stamp(one[name]) for name in ("created_at", "updated_at")}
        return self.put(
            "runs",
            repo=self.repo,
            repository=self.home,
            workflow=file,
            title=one["display_title"],
            action="",
            actor=self.user(one["actor"]) or self.owner,
            triggering_actor=self.user(one["triggering_actor"]) or self.owner,
            head_sha=sha,
            sha=sha,
            attempt=one["run_attempt"],
            number=one["run_number"],
            pull_requests="[]",
            fork=0,
            started_at=stamp(one["run_started_at"]),
            **known,
            **times,
        )

    def told(self, one: Json) -> str:
        """The commit that a run carries, made anew."""
        sides = {side: {**one[side], "date": one["timestamp"]} for side in ("author", "committer")}
        return self.commit({"message": one["message"], **sides})

    def some_run(self, number: int = 42, **changes: Any) -> int:
        """A run for jobs and artifacts to belong to."""
        if self.forge.site.db.row("SELECT 1 FROM runs WHERE id = ?", number):
            return number
        now = self.forge.site.stamp()
        sha = self.at.bare.ref(f"refs/heads/{self.trunk}")
        one = {"id": number, "name": "CI", "path": f".github/workflows/{number}.yml", "workflow_id": number}
        state = {"event": "push", "status": "completed", "conclusion": "failure", "head_branch": "main"}
        times = dict.fromkeys(("created_at", "updated_at", "run_started_at"), now)
        more = {"display_title": "x", "actor": None, "triggering_actor": None, "head_sha": sha}
        count = {"run_attempt": 1, "run_number": 1}
        return self.run({**one, **state, **times, **more, **count, **changes})

    def job(self, one: Json, run: int) -> int:
        known = {name: one[name] for name in ("id", "name", "status", "conclusion")}
        times = {name: stamp(one[name]) for name in ("started_at", "completed_at")}
        if one.get("runner_name"):
            self.runner(
                {"id": one["runner_id"], "name": one["runner_name"], "labels": [], "status": "online"}
            )
        return self.put(
            "jobs",
            repo=self.repo,
            sha=one["head_sha"],
            run=run,
            attempt=1,
            labels=pack(one["labels"]),
            steps=pack(one["steps"]),
            runner=one.get("runner_name") or "",
            created_at=stamp(one["started_at"]),
            **known,
            **times,
        )

    def artifact(self, one: Json) -> int:
        of = one["workflow_run"]
        run = self.some_run(of["id"], head_branch=of["head_branch"], head_sha=of["head_sha"])
        times = {name: stamp(one[name]) for name in ("created_at", "updated_at", "expires_at")}
        return self.put(
            "artifacts",
            id=one["id"],
            repo=self.repo,
            run=run,
            attempt=1,
            name=one["name"],
            size=one["size_in_bytes"],
            digest=one["digest"].removeprefix("sha256:"),
            final=1,
            **times,
        )

    def runner(self, one: Json) -> int:
        labels = [label["name"] for label in one["labels"]]
        return self.put(
            "runners",
            id=one["id"],
            repo=None,
            name=one["name"],
            labels=pack(labels),
            online=one["status"] == "online",
            hosted=0,
            env="{}",
        )

    def setting(self, kind: str, one: Json) -> None:
        settings.put(self.at, kind, one["name"], value=one.get("value", "x"))
        times = [stamp(one[name]) for name in ("created_at", "updated_at")]
        self.forge.site.db.run(
            "UPDATE settings SET created_at = ?, updated_at = ? WHERE repo = ? AND kind = ? AND name = ?",
            *(*times, self.repo, kind, one["name"]),
        )

    def document(self, place: str, kind: str, one: Json, fields: Json) -> int:
        """A ruleset or runner group with its own id and times."""
        times = {name: stamp(one.get(name)) for name in ("created_at", "updated_at")}
        return self.put(
            "documents", id=one["id"], place=place, kind=kind, name=one["name"], data=pack(fields), **times
        )

    def group(self, org: str, one: Json) -> None:
        if one["id"] != groups.DEFAULT:
            fields = {name: one.get(name, fresh) for name, fresh in groups.FRESH.items()}
            self.document(documents.of_org(org), groups.KIND, one, fields)

    def job_of(self, runner: str) -> None:
        """A job that keeps a runner busy."""
        run = self.some_run(4711)
        self.put("jobs", repo=self.repo, run=run, attempt=1, name="j", status="in_progress", runner=runner)

    def environment(self, one: Json) -> None:
        """Rules and branch policy; the numbers of both are counted here."""
        value: Json = {}
        for rule in one["protection_rules"]:
            if rule["type"] == "wait_timer":
                value["wait_timer"] = rule["wait_timer"]
            elif rule["type"] == "required_reviewers":
                value["prevent_self_review"] = rule["prevent_self_review"]
                value["reviewers"] = [self.reviewer(who) for who in rule["reviewers"]]
        if one["deployment_branch_policy"]:
            value["branches"] = {} if one["deployment_branch_policy"]["custom_branch_policies"] else None
        self.setting("environment", {**one, "value": pack(value)})
        self.forge.site.db.run("UPDATE settings SET rowid = ? WHERE kind = 'environment'", one["id"])

    def reviewer(self, one: Json) -> Json:
        who = one["reviewer"]
        self.team(self.owner, who) if one["type"] == "Team" else self.user(who)
        return {"type": one["type"], "id": who["id"]}
