"""Controls and plan jobs come in any order; in the end exactly the newest wanted sweep measures."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from infx.event import Run, Webhook
from infx.facts import Facts
from infx.lineage import Call, call
from infx.policy import gate
from tests.builders import FAIL_FAST, FULL, pull, rules, webhook

BOOK = rules().labels
STEPS = st.lists(
    st.sampled_from([FULL, FULL, FULL, FAIL_FAST, "all-evals", "docs", "push"]), min_size=1, max_size=7
)


class World:
    """One pull request, whose runs exist as soon as the event happened, and plan at any time later."""

    def __init__(self, labels: tuple[str, ...]) -> None:
        self.labels, self.head = labels, "0" * 40
        self.events: list[Webhook] = []
        self.runs: dict[int, Run] = {}
        self.measuring: set[int] = set()
        self.happen("opened", "")
        for label in labels:
            self.happen("labeled", label)

    def happen(self, action: str, label: str) -> None:
        hook = webhook(action, label, labels=self.labels, head_sha=self.head)
        self.events.append(hook)
        number = len(self.events)
        self.runs[number] = Run(id=number, status="queued", title=hook.title, pr=7)

    def change(self, step: str) -> None:
        if step == "push":
            self.head = f"{len(self.events):040x}"
            return self.happen("synchronize", "")
        gone = step in self.labels
        kept = tuple(label for label in self.labels if label != step)
        self.labels = kept if gone else (*kept, step)
        return self.happen("unlabeled" if gone else "labeled", step)

    def facts(self, number: int, *, plan: bool) -> Facts:
        return Facts(
            webhook=self.events[number - 1],
            run_id=number if plan else None,
            live=pull(labels=self.labels, head_sha=self.head),
            runs=tuple(self.runs.values()),
        )

    def plan(self, number: int) -> None:
        """The run's plan job: measures or ends."""
        if self.runs[number].active:
            if gate.decide(self.facts(number, plan=True), rules()).go:
                self.measuring.add(number)
            else:
                self.end(number)

    def control(self, number: int) -> None:
        for run in gate.decide(self.facts(number, plan=False), rules()).extra["cancels"]:
            self.end(run)

    def end(self, number: int) -> None:
        self.runs[number] = replace(self.runs[number], status="completed")
        self.measuring.discard(number)


@given(st.sampled_from([(), (FULL,), (FULL, "all-evals")]), STEPS, st.data())
def test_any_order_of_controls_and_plans_leaves_the_newest_sweep(
    labels: tuple[str, ...], steps: list[str], data: st.DataObject
) -> None:
    world, steps = World(labels), list(steps)
    todo: list[tuple[str, int]] = [
        (job, n + 1) for n in range(len(world.events)) for job in ("plan", "control")
    ]
    while steps or todo:
        pick = data.draw(st.integers(0, len(todo) - (0 if steps else 1)))
        if pick == len(todo):
            world.change(steps.pop(0))
            todo += [("plan", len(world.events)), ("control", len(world.events))]
        else:
            job, number = todo.pop(pick)
            getattr(world, job)(number)
    _check(world)


def _check(world: World) -> None:
    """A clash lets the sweep before it go on; otherwise the state in the end is what measures, once."""
    assert len(world.measuring) <= 1
    calls = [call(hook.title, BOOK) for hook in world.events if hook.title]
    told = [(n, called) for n, called in enumerate(calls, 1) if called not in (Call.NOTHING, Call.CLASH)]
    number, last = told[-1]
    if last != Call.START:
        assert not world.measuring
        return
    assert world.measuring
    wanted = world.events[number - 1].title
    for run in world.measuring:
        title = world.runs[run].title
        assert title
        assert wanted
        assert (title.head_sha, BOOK.sweep_labels(title.labels)) == (
            wanted.head_sha,
            BOOK.sweep_labels(wanted.labels),
        )
