"""Which runner takes a job."""

from collections.abc import Collection, Sequence

from infx.forge.ports import Runner


def fits(runner: Runner, labels: Sequence[str]) -> bool:
    """Labels are compared without case; a runner needs all that the job names."""
    own = {label.lower() for label in runner.labels}
    return runner.online and all(label.lower() in own for label in labels)


def pick(runners: Sequence[Runner], labels: Sequence[str], busy: Collection[int]) -> Runner | None:
    """The first free runner that fits; the one with fewest labels first, so that special ones stay free."""
    free = [runner for runner in runners if runner.id not in busy and fits(runner, labels)]
    return min(free, key=lambda runner: (len(runner.labels), runner.id), default=None)
