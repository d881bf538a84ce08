"""An engine that is made for its first event, and not for the questions before it."""

from infx.forge.actions.late import Late
from infx.forge.ports import Event
from tests.forge.recorder import Recorder

EVENT = Event(repository="o/r", name="push", payload={}, actor="will", ref="refs/heads/main", sha="a" * 40)


def test_nothing_is_made_before_the_first_event():
    made: list[Recorder] = []

    def make() -> Recorder:
        made.append(Recorder())
        return made[-1]

    late = Late(make)
    late.runners_changed()
    assert late.wait_idle(0)
    late.close()
    assert made == []
    late.deliver(EVENT)
    late.cancel(1)
    late.rerun(2, failed_only=True, actor="mia")
    late.approve(3)
    late.runners_changed()
    assert late.wait_idle(1)
    late.close()
    assert [one.events for one in made] == [[EVENT]]
    assert made[0].calls == [
        ("cancel", 1),
        ("rerun", 2, True, None, "mia"),
        ("approve", 3),
        ("runners_changed",),
        ("close",),
    ]
