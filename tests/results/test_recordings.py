"""Power as a real H200 told it: recordings of the sweep in docs/evidence, judged again, whole and spoiled."""

import json
import tarfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from infx.power import Sample, Trace, Window, Withheld
from infx.read.power import trace
from infx.results import power
from tests.builders import rules

RAW = Path(__file__).parents[2] / "docs" / "evidence" / "h200" / "raw.tar.xz"
LIMITS = rules().power
Samples = list[Sample]


@dataclass(frozen=True)
class Recording:
    """What the sampler wrote beside one point, the measured window, and the verdict of that day."""

    trace: Trace
    window: Window
    told: Mapping[str, Any]


@cache
def recordings() -> dict[str, Recording]:
    """Point → its recording."""
    texts: dict[str, dict[str, str]] = {}
    with tarfile.open(RAW) as archive:
        for member in archive:
            path = Path(member.name)
            if path.name in ("power.csv", "power.json") and (file := archive.extractfile(member)):
                texts.setdefault(path.parent.name, {})[path.name] = file.read().decode()
    made = {}
    for name, files in texts.items():
        told = json.loads(files["power.json"])
        made[name] = Recording(trace(files["power.csv"]), Window(**told["window"]), told)
    return made


def test_there_are_six() -> None:
    assert len(recordings()) == 6
    assert all(len(samples) > 100 for one in recordings().values() for samples in one.trace.gpus.values())


@pytest.mark.parametrize("at", range(6))
def test_a_recording_is_judged_as_it_was_then(at: int) -> None:
    one = recordings()[sorted(recordings())[at]]
    verdict = power.judge(one.trace, one.window, LIMITS)
    assert (verdict.valid, verdict.text) == (True, "")
    assert verdict.joules == pytest.approx(one.told["joules"], rel=1e-6)
    assert verdict.counter_joules == pytest.approx(one.told["counter_joules"], rel=1e-6)
    assert verdict.joules == pytest.approx(verdict.counter_joules, rel=0.01)


def middle(window: Window) -> float:
    return (window.started + window.ended) / 2


def hole(seen: Samples, window: Window) -> Samples:
    """Nothing for 3.5 s in the middle."""
    return [one for one in seen if abs(one.at - middle(window)) > 1.75]


def stepped(seen: Samples, window: Window) -> Samples:
    """Somebody sets the clock of the host by 0.7 s."""
    return [replace(one, at=one.at + 0.7) if one.at > middle(window) else one for one in seen]


def cut(seen: Samples, window: Window) -> Samples:
    """The sampler was killed four seconds before the window ended."""
    return [one for one in seen if one.at < window.ended - 4]


def late(seen: Samples, window: Window) -> Samples:
    return [one for one in seen if one.at > window.started + 1]


def shared(seen: Samples, window: Window) -> Samples:
    """Somebody else's program comes for one sample."""
    inside = next(one for one in seen if one.at > middle(window))
    return [replace(one, foreign=1) if one is inside else one for one in seen]


def silent(seen: Samples, window: Window) -> Samples:
    """The driver says `N/A` for the last four seconds."""
    return [replace(one, watts=None) if one.at > window.ended - 4 else one for one in seen]


def idle(seen: Samples, window: Window) -> Samples:
    """The sampler goes on for an hour after the window."""
    last = seen[-1]
    tail = [replace(last, at=last.at + n, steady=last.steady + n, watts=90.0) for n in range(1, 3600)]
    return [*seen, *tail]


@pytest.mark.parametrize(
    ("spoil", "wanted"),
    [
        (hole, Withheld.GAP),
        (stepped, Withheld.CLOCK),
        (cut, Withheld.WINDOW_END),
        (late, Withheld.WINDOW_START),
        (shared, Withheld.FOREIGN),
        (silent, Withheld.WINDOW_END),
        (idle, None),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_spoiled_recording_is_withheld(
    spoil: Callable[[Samples, Window], Samples], wanted: Withheld | None
) -> None:
    for one in recordings().values():
        gpus = {name: spoil(list(seen), one.window) for name, seen in one.trace.gpus.items()}
        verdict = power.judge(replace(one.trace, gpus=gpus), one.window, LIMITS)
        found = [reason for reason, _ in verdict.reasons]
        assert (wanted in found) if wanted else found == []
        assert (verdict.joules is None) == bool(found)
        if not wanted:
            assert verdict.joules == pytest.approx(one.told["joules"], rel=1e-6)


def test_a_recording_of_one_gpu_is_none_of_eight() -> None:
    for one in recordings().values():
        verdict = power.judge(one.trace, replace(one.window, gpus=8), LIMITS)
        assert verdict.text.startswith("gpu-count 1 of 8")
