"""Random lives of a pull request: acts by chance, and beside them a model of what GitHub does about each."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from infx.forge import pushes
from infx.forge.actor import Actor
from infx.forge.problem import Problem
from tests.forge.place import COMMITS, Place

LABELS = ("sweep", "full-sweep-enabled", "evals-only", "Sweep 2")
WEIGHTS = {
    "label": 5,
    "unlabel": 3,
    "comment": 4,
    "edit_comment": 2,
    "delete_comment": 1,
    "review": 2,
    "retitle": 1,
    "draft": 1,
    "push": 1.5,
    "close": 1,
    "reopen": 1.5,
    "merge": 0.5,
    "status": 2,
    "foreign_status": 0.5,
    "finish": 2,
    "cancel": 1,
    "rerun": 1,
}


@dataclass
class Model:
    """What must be true of the pull request, and what must have been told about it."""

    head: int = 0
    state: str = "open"
    merged: bool = False
    draft: bool = False
    title: str = "Life"
    labels: set[str] = field(default_factory=set)
    comments: dict[int, str] = field(default_factory=dict)
    statuses: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    reruns: dict[int, int] = field(default_factory=dict)


class Life:
    """`live()` does some acts; `laws.check` compares with the model."""

    orderly = True
    """Deliveries arrive in the order in which things happened."""

    def __init__(self, place: Place, seed: int) -> None:
        self.place, self.seed = place, seed
        self.dice = random.Random(seed)
        self.model = Model()
        self.acts: list[str] = []
        self.first_event, self.first_run = len(place.bench.events), max(place.bench.causes, default=0)
        self.first_delivery = place.newest("deliveries")
        self.first_status = place.newest("statuses")
        self.number = 0
        self.struck: list[tuple[str, str]] = []
        """Kind and target of each fault, where there are any."""

    @property
    def who(self) -> Actor:
        return self.dice.choice((self.place.will, self.place.mia))

    @property
    def sha(self) -> str:
        return self.place.commits[self.model.head]

    @property
    def runs(self) -> list[int]:
        return [run for run in self.place.bench.causes if run > self.first_run]

    def live(self) -> None:
        draft = self.dice.random() < 0.2
        self.model.draft = draft
        base, head = f"base-{self.seed}", f"head-{self.seed}"
        self.number = self.place.will.open_pull(head, title="Life", base=base, draft=draft)
        self.model.told.append("pull_request.opened")
        for name in self.dice.choices(list(WEIGHTS), list(WEIGHTS.values()), k=self.dice.randint(4, 10)):
            self.acts.append(name)
            getattr(self, name)()
            self.rest()
        while self.place.bench.holding:
            self.rest()

    def rest(self) -> None:
        """Everything arrives that is not held back."""
        self.place.forge.wait_idle(10)
        self.place.bench.turn()
        self.place.forge.wait_idle(10)

    def tell(self, *kinds: str) -> None:
        self.model.told += kinds

    def refused(self, status: int, act: Callable[[], object]) -> None:
        with pytest.raises(Problem) as caught:
            act()
        assert caught.value.status == status

    def starts(self) -> None:
        self.tell("workflow_run.requested")

    # -- acts

    def label(self) -> None:
        name = self.dice.choice(LABELS)
        self.who.label(self.number, name)
        if name not in self.model.labels:
            self.model.labels.add(name)
            self.tell("pull_request.labeled")
            self.starts()

    def unlabel(self) -> None:
        name = self.dice.choice(LABELS)
        if name not in self.model.labels:
            self.refused(404, lambda: self.who.unlabel(self.number, name))
            return
        self.who.unlabel(self.number, name)
        self.model.labels.remove(name)
        self.tell("pull_request.unlabeled")

    def comment(self) -> None:
        text = f"/sweep {self.dice.random()}"
        self.model.comments[self.who.comment(self.number, text)] = text
        self.tell("issue_comment.created")

    def edit_comment(self) -> None:
        if self.model.comments:
            chosen = self.dice.choice(list(self.model.comments))
            self.model.comments[chosen] = text = f"edited {self.dice.random()}"
            self.who.edit_comment(chosen, text)
            self.tell("issue_comment.edited")

    def delete_comment(self) -> None:
        if self.model.comments:
            chosen = self.dice.choice(list(self.model.comments))
            del self.model.comments[chosen]
            self.who.delete_comment(chosen)
            self.tell("issue_comment.deleted")

    def review(self) -> None:
        inline = [{"path": "b", "line": 1, "body": "here"}] * self.dice.randint(0, 2)
        self.place.mia.review(self.number, self.dice.choice(("APPROVE", "COMMENT")), "text", inline=inline)
        self.tell("pull_request_review.submitted", *["pull_request_review_comment.created"] * len(inline))

    def retitle(self) -> None:
        self.model.title = f"Life {self.dice.random()}"
        self.who.edit(self.number, title=self.model.title)
        self.tell("pull_request.edited")

    def draft(self) -> None:
        self.model.draft = not self.model.draft
        self.who.set_draft(self.number, self.model.draft)
        self.tell("pull_request.converted_to_draft" if self.model.draft else "pull_request.ready_for_review")

    def push(self) -> None:
        if self.model.head + 1 < COMMITS and not self.model.merged:
            self.model.head += 1
            pushes.move(self.who.at, f"refs/heads/head-{self.seed}", self.sha)
            self.tell("push")
            if self.model.state == "open":
                self.tell("pull_request.synchronize")
                self.starts()

    def close(self) -> None:
        self.who.close(self.number)
        if self.model.state == "open":
            self.model.state = "closed"
            self.tell("pull_request.closed")

    def reopen(self) -> None:
        if self.model.merged:
            self.refused(422, lambda: self.who.reopen(self.number))
            return
        self.who.reopen(self.number)
        if self.model.state == "closed":
            self.model.state = "open"
            self.tell("pull_request.reopened")

    def merge(self) -> None:
        if self.model.state == "closed" or self.model.draft:
            self.refused(405, lambda: self.who.merge(self.number))
            return
        self.who.merge(self.number, method=self.dice.choice(("merge", "squash")))
        self.model.state, self.model.merged = "closed", True
        self.tell("pull_request.closed", "push")

    def status(self) -> None:
        body = {"state": self.dice.choice(("success", "failure", "pending")), "context": "gate"}
        assert self.place.ask("POST", f"statuses/{self.sha}", body)[0] == 201
        self.model.statuses.append(self.sha)
        self.tell("status")

    def foreign_status(self) -> None:
        body = {"state": "success"}
        assert self.place.ask("POST", f"statuses/{self.place.foreign}", body)[0] == 422

    def going(self, completed: bool) -> int | None:
        """One of the life's runs that is at its end, or not."""
        store = self.place.forge.store
        found = [run for run in self.runs if (store.run(run).status == "completed") == completed]
        return self.dice.choice(found) if found else None

    def finish(self) -> None:
        run = self.going(completed=False)
        if run:
            self.place.bench.finish(run, self.dice.choice(("success", "failure")))
            self.tell("workflow_run.completed")

    def cancel(self) -> None:
        done, going = self.going(completed=True), self.going(completed=False)
        if done:
            assert self.ask(done, "cancel") == 409
        if going:
            assert self.ask(going, "cancel") == 202
            self.tell("workflow_run.completed")

    def rerun(self) -> None:
        done, going = self.going(completed=True), self.going(completed=False)
        if going:
            assert self.ask(going, "rerun") == 403
        if done:
            assert self.ask(done, "rerun") == 201
            self.model.reruns[done] = self.model.reruns.get(done, 0) + 1

    def ask(self, run: int, what: str) -> int:
        return self.place.ask("POST", f"actions/runs/{run}/{what}")[0]
