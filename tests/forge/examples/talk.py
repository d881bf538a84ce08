"""Issues, pull requests and what is said about them, as rows."""

from typing import Any

from infx.forge.database import pack
from infx.forge.site import Json
from tests.forge.examples.adopt import Adopt, stamp


class Talk(Adopt):
    def label(self, one: Json) -> int:
        known = {name: one.get(name) for name in ("id", "name", "color", "description")}
        row = self.forge.site.db.row(
            "SELECT id FROM labels WHERE repo = ? AND name = ?", self.repo, one["name"]
        )
        return int(row["id"]) if row else self.put("labels", repo=self.repo, **known)

    def milestone(self, one: Json) -> int:
        times = {name: stamp(one.get(name)) for name in ("due_on", "created_at", "updated_at", "closed_at")}
        known = {name: one.get(name) for name in ("id", "number", "title", "description", "state")}
        author = self.user(one["creator"])
        if self.forge.site.db.row("SELECT 1 FROM milestones WHERE id = ?", one["id"]):
            return int(one["id"])
        return self.put("milestones", repo=self.repo, author=author, **times, **known)

    def issue(self, one: Json, **more: Any) -> int:
        """The row's id. `more`: what makes a pull request of it."""
        known = {name: one.get(name) for name in ("number", "title", "body", "state", "state_reason")}
        times = {name: stamp(one.get(name)) for name in ("created_at", "updated_at", "closed_at")}
        row = self.put(
            "issues",
            **{
                **{"repo": self.repo, "id": one["id"], "pull": int("pull_request" in one), **known, **times},
                "author": self.user(one["user"]),
                **more,
            },
            closed_by=self.user(one.get("closed_by")),
            locked=int(one.get("locked") or 0),
            lock_reason=one.get("active_lock_reason"),
            milestone=self.milestone(one["milestone"]) if one.get("milestone") else None,
        )
        for label in one.get("labels") or ():
            self.put("issue_labels", issue=row, label=self.label(label))
        for person in one.get("assignees") or ():
            self.put("assignees", issue=row, login=self.user(person))
        return row

    def some_issue(self, number: int = 1347) -> int:
        """A row for comments, events and reactions to stand under."""
        found = self.forge.site.db.row(
            "SELECT id FROM issues WHERE repo = ? AND number = ?", self.repo, number
        )
        if found:
            return int(found["id"])
        now = self.forge.site.stamp()
        text = {"title": "Found a bug", "body": "text", "author": self.owner, "state": "open"}
        return self.put(
            "issues", repo=self.repo, number=number, pull=0, created_at=now, updated_at=now, **text
        )

    def pull(self, one: Json, **more: Any) -> int:
        """A pull request with the example's branches; its commits are made anew."""
        base, head = one["base"]["ref"], one["head"]["ref"]
        for branch in (base, head):
            if branch != self.trunk and not self.at.bare.ref(f"refs/heads/{branch}"):
                self.actor.push(branch, {f"{branch}.txt": "x\n"}, message=branch)
        self.actor.push(head, {"file1.txt": "one\n" * 9}, message="change")
        tips = {side: self.at.bare.ref(f"refs/heads/{ref}") for side, ref in (("base", base), ("head", head))}
        known = {
            "pull": 1,
            "id": one["id"] - 1_000_000,
            "draft": int(one.get("draft") or 0),
            "base_ref": base,
            "base_sha": tips["base"],
            "head_ref": head,
            "head_sha": tips["head"],
            "head_repo": self.repo,
            "merged_at": stamp(one.get("merged_at")),
            "merge_sha": one.get("merge_commit_sha"),
            "merged_by": self.user(one.get("merged_by")),
            "mergeable": int(one.get("mergeable", True) or 0),
            "told": 1,
        }
        row = self.issue(one, **{**known, **more})
        for person in one.get("requested_reviewers") or ():
            self.put("reviewers", issue=row, kind="user", name=self.user(person))
        for team in one.get("requested_teams") or ():
            self.team(self.owner, team)
            self.put("reviewers", issue=row, kind="team", name=team["slug"])
        return row

    def some_pull(self, number: int = 1347) -> Json:
        """An open pull request of the branch `new-topic`, as its row."""
        side = {"ref": "new-topic"}
        one = {"id": 1_000_001, "number": number, "title": "Amazing new feature", "body": "text"}
        now = self.forge.site.stamp()
        times = {"created_at": now, "updated_at": now, "closed_at": None}
        self.pull(
            {**one, **times, "state": "open", "user": None, "head": side, "base": {"ref": self.trunk}},
            author=self.owner,
        )
        row = self.forge.site.db.row("SELECT * FROM issues WHERE number = ? AND pull = 1", number)
        assert row
        return row

    def comment(self, one: Json, issue: int) -> int:
        times = {name: stamp(one[name]) for name in ("created_at", "updated_at")}
        text = {"body": one["body"], "author": self.user(one["user"])}
        return self.put("comments", id=one["id"], repo=self.repo, issue=issue, **text, **times)

    def reaction(self, one: Json, kind: str, subject: int) -> int:
        known = {"id": one["id"], "content": one["content"], "created_at": stamp(one["created_at"])}
        return self.put("reactions", kind=kind, subject=subject, author=self.user(one["user"]), **known)

    def event(self, one: Json, issue: int) -> int:
        own = ("id", "node_id", "url", "actor", "event", "created_at", "issue", "performed_via_github_app")
        data = {name: value for name, value in one.items() if name not in own}
        known = {"id": one["id"], "event": one["event"], "created_at": stamp(one["created_at"])}
        return self.put(
            "timeline", repo=self.repo, issue=issue, actor=self.user(one["actor"]), data=pack(data), **known
        )

    def review(self, one: Json, issue: int) -> int:
        known = {name: one[name] for name in ("id", "body", "state")}
        return self.put(
            "reviews",
            repo=self.repo,
            issue=issue,
            author=self.user(one["user"]),
            sha=one["commit_id"],
            submitted_at=stamp(one["submitted_at"]),
            **known,
        )

    def review_comment(self, one: Json, issue: int) -> int:
        known = {
            name: one.get(name) for name in ("id", "body", "path", "line", "side", "start_line", "start_side")
        }
        times = {name: stamp(one[name]) for name in ("created_at", "updated_at")}
        return self.put(
            "review_comments",
            repo=self.repo,
            issue=issue,
            review=one["pull_request_review_id"],
            author=self.user(one["user"]),
            sha=one["commit_id"],
            reply_to=one.get("in_reply_to_id"),
            **known,
            **times,
        )
