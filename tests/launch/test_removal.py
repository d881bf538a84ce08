"""A container that two ask to remove is gone in the end, and what cannot be removed is said."""

from infx.edge.proc import Done
from infx.launch.docker import removed


def answers(*texts: str) -> list[Done]:
    return [Done(argv=("docker",), code=1 if text else 0, out=b"", err=text.encode()) for text in texts]


def test_a_removal_in_progress_is_waited_for() -> None:
    said = answers("removal of container x is already in progress", "Error: No such container: x", "never")
    assert removed(lambda: said.pop(0), limit_s=5) == ""
    assert len(said) == 1


def test_what_is_in_the_way_is_said() -> None:
    assert removed(lambda: answers("device or resource busy")[0], limit_s=5) == "device or resource busy"
    stuck = answers("removal of container x is already in progress")[0]
    assert "already in progress" in removed(lambda: stuck, limit_s=0.2)
