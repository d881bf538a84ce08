"""Lives in bad weather: acts go over HTTP, and answers come late, broken, as errors, or not at all.

The client does what a careful one does: after an error it looks whether it worked, and else asks again.
"""

import http.client
from collections.abc import Callable
from typing import Any

from tests.forge.lives import LABELS, Life

WRITES = ("POST", "PATCH", "PUT", "DELETE")
WEATHER = (
    *(
        f"{kind} {method} * times=0 chance=0.06"
        for kind in ("error_before", "error_after", "lost")
        for method in WRITES
    ),
    "secondary_limit * * times=0 chance=0.03 seconds=0",
    "primary_limit * * times=0 chance=0.03 seconds=0",
    "slow * * times=0 chance=0.05 seconds=0.002",
    "broken_page GET * times=0 chance=0.08",
    "truncated GET * times=0 chance=0.05",
    "duplicate * times=0 chance=0.1",
    "late * times=0 chance=0.1 seconds=0.01",
    "reordered * times=0 chance=0.1 seconds=0.02",
    "skewed * times=0 chance=0.1 seconds=-90",
)
TRIES = 40
BROKEN = (http.client.HTTPException, ConnectionError, ValueError)
"""A lost answer, half an answer, and half a document."""
Done = Callable[[], object]


class Storm(Life):
    """The same acts, the same model, the same laws."""

    orderly = False

    def live(self) -> None:
        faults = self.place.forge.site.faults
        faults.seed(self.seed)
        rules = [faults.add(rule) for rule in WEATHER]
        try:
            super().live()
        finally:
            self.struck = [(rule.kind, what) for rule in rules for what in rule.hits]
            faults.clear()

    def sure(
        self, method: str, path: str, body: Any = None, *, done: Done = lambda: False
    ) -> tuple[int, Any]:
        """Status and answer; status 0 when only `done` can tell that it worked."""
        for _ in range(TRIES):
            try:
                status, answer = self.place.ask(method, path, body)
            except BROKEN:
                self.place.anew()
                status, answer = 502, None
            if status != 502 and not (status == 403 and "limit" in str(answer)):
                return status, answer
            if done():
                return 0, None
        raise AssertionError(f"{method} {path} never worked")

    def value(self, sql: str, *values: Any) -> Any:
        return self.place.forge.site.db.value(sql, *values)

    def rest(self) -> None:
        """Afterwards a look at the page, which comes back whole in the end."""
        super().rest()
        status, pull = self.sure("GET", f"pulls/{self.number}")
        assert (status, pull["title"], pull["state"]) == (200, self.model.title, self.model.state)
        assert {one["name"] for one in pull["labels"]} == self.model.labels

    # -- acts

    def has(self, name: str) -> object:
        sql = "SELECT 1 FROM issue_labels JOIN labels ON labels.id = label JOIN issues ON issues.id = issue"
        return self.value(f"{sql} WHERE number = ? AND labels.name = ?", self.number, name)

    def label(self) -> None:
        name = self.dice.choice(LABELS)
        here = f"issues/{self.number}/labels"
        assert self.sure("POST", here, {"labels": [name]}, done=lambda: self.has(name))[0] in (0, 200)
        if name not in self.model.labels:
            self.model.labels.add(name)
            self.tell("pull_request.labeled")
            self.starts()

    def unlabel(self) -> None:
        name = self.dice.choice(LABELS)
        here = f"issues/{self.number}/labels/{name.replace(' ', '%20')}"
        had = name in self.model.labels
        status, _ = self.sure("DELETE", here, done=lambda: had and not self.has(name))
        assert status in ((0, 200) if had else (404,))
        if had:
            self.model.labels.remove(name)
            self.tell("pull_request.unlabeled")

    def comment(self) -> None:
        text = f"/sweep {self.dice.random()}"
        find = "SELECT id FROM comments WHERE body = ?"
        here = f"issues/{self.number}/comments"
        assert self.sure("POST", here, {"body": text}, done=lambda: self.value(find, text))[0] in (0, 201)
        self.model.comments[self.value(find, text)] = text
        self.tell("issue_comment.created")

    def edit_comment(self) -> None:
        if self.model.comments:
            chosen, text = self.dice.choice(list(self.model.comments)), f"edited {self.dice.random()}"
            self.model.comments[chosen] = text
            now = "SELECT 1 FROM comments WHERE body = ?"
            done = self.sure(
                "PATCH", f"issues/comments/{chosen}", {"body": text}, done=lambda: self.value(now, text)
            )
            assert done[0] in (0, 200)
            self.tell("issue_comment.edited")

    def delete_comment(self) -> None:
        if self.model.comments:
            chosen = self.dice.choice(list(self.model.comments))
            del self.model.comments[chosen]
            there = "SELECT 1 FROM comments WHERE id = ?"
            done = self.sure(
                "DELETE", f"issues/comments/{chosen}", done=lambda: not self.value(there, chosen)
            )
            assert done[0] in (0, 204)
            self.tell("issue_comment.deleted")

    def column(self, name: str) -> Any:
        return self.value(f"SELECT {name} FROM issues WHERE number = ?", self.number)

    def edit(self, status: int = 200, **fields: str) -> None:
        """`status` is what GitHub answers in good weather."""
        done = lambda: all(self.column(name) == value for name, value in fields.items())  # noqa: E731
        assert self.sure("PATCH", f"pulls/{self.number}", fields, done=done)[0] in (
            (0, 200) if status == 200 else (status,)
        )

    def retitle(self) -> None:
        self.model.title = f"Life {self.dice.random()}"
        self.edit(title=self.model.title)
        self.tell("pull_request.edited")

    def close(self) -> None:
        self.edit(state="closed")
        if self.model.state == "open":
            self.model.state = "closed"
            self.tell("pull_request.closed")

    def reopen(self) -> None:
        self.edit(422 if self.model.merged else 200, state="open")
        if self.model.state == "closed" and not self.model.merged:
            self.model.state = "open"
            self.tell("pull_request.reopened")

    def merge(self) -> None:
        barred = self.model.state == "closed" or self.model.draft
        method = {"merge_method": self.dice.choice(("merge", "squash"))}
        done = self.sure(
            "PUT", f"pulls/{self.number}/merge", method, done=lambda: not barred and self.column("merged_at")
        )
        assert done[0] in ((405,) if barred else (0, 200))
        if not barred:
            self.model.state, self.model.merged = "closed", True
            self.tell("pull_request.closed", "push")

    def status(self) -> None:
        body = {"state": self.dice.choice(("success", "failure", "pending")), "context": "gate"}
        before = self.place.newest("statuses")
        done = self.sure(
            "POST", f"statuses/{self.sha}", body, done=lambda: self.place.newest("statuses") > before
        )
        assert done[0] in (0, 201)
        self.model.statuses.append(self.sha)
        self.tell("status")

    def foreign_status(self) -> None:
        assert self.sure("POST", f"statuses/{self.place.foreign}", {"state": "success"})[0] == 422

    def ask(self, run: int, what: str) -> int:
        """The status that the first answer would have had in good weather."""
        store = self.place.forge.store
        before = store.run(run)
        changed = lambda: store.run(run) != before  # noqa: E731
        status, _ = self.sure("POST", f"actions/runs/{run}/{what}", done=changed)
        return status or {"cancel": 202, "rerun": 201}[what]
