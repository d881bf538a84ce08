"""Aftermath: after a merge, is all well, is something run again, or does somebody have to look."""

from collections.abc import Sequence

from infx.aftermath import Looked, State
from infx.check import Standing
from infx.decision import Decision

LABEL = "post-merge-green"
"""On a pull request whose merge commit has come to a good end."""
PATIENCE_S = 1800
"""Seconds after which a merge for which nothing was started will not get anything by itself."""


def decide(looked: Sequence[Looked], *, age_s: float) -> Decision:
    """`go`: all is well. `extra` names the runs whose failed jobs are run again now."""
    failed = [one for one in looked if one.standing == Standing.FAIL]
    pending = [one for one in looked if one.standing == Standing.PENDING]
    again = reruns(looked)
    lost = [one for one in failed if not _hopeful(looked, one.check.run)]
    if lost:
        names = ", ".join(one.check.name for one in lost[:3])
        return _answer(State.PERSON, f"{len(lost)} of {len(looked)} need a person: {names}", again)
    if again:
        return _answer(State.RERUN, f"{len(failed)} of {len(looked)} failed and are run again", again)
    if pending:
        passed = len(looked) - len(pending) - len(failed)
        return _answer(State.PENDING, f"{passed} of {len(looked)} have passed")
    if not looked:
        late = age_s >= PATIENCE_S
        return _answer(State.NOTHING if late else State.PENDING, "nothing was started for this commit")
    return _answer(State.GREEN, f"all {len(looked)} passed")


def reruns(looked: Sequence[Looked]) -> list[int]:
    """Ended runs of which every failed job may be run again: GitHub runs all failed jobs of a run at once."""
    running = {one.check.run for one in looked if one.standing == Standing.PENDING}
    failed = {one.check.run for one in looked if one.standing == Standing.FAIL}
    return sorted(run for run in failed - running if _hopeful(looked, run))


def _hopeful(looked: Sequence[Looked], run: int) -> bool:
    """Every failed job of the run may pass another time. What is no job of a run is nobody's to run again."""
    failed = [one for one in looked if one.check.run == run and one.standing == Standing.FAIL]
    return run != 0 and all(one.failure is not None and one.failure.go for one in failed)


def _answer(kind: State, reason: str, again: Sequence[int] = ()) -> Decision:
    return Decision(
        decision="aftermath", go=kind == State.GREEN, kind=kind, reason=reason, extra={"reruns": list(again)}
    )
