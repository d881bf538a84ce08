"""Samples of power → energy of the measured window, or why it is withheld. Missing proof is no proof."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from infx.power import Package, Sample, Trace, Verdict, Window, Withheld
from infx.record import Record
from infx.results.validity import value
from infx.row import Load
from infx.rules import Power
from infx.several import EACH

SCHEMA_VERSION = 2
"""Of the energy fields in published rows."""
COMPARED_FROM_S = 5.0
"""Shortest window, in seconds, on which the counter, which refreshes ten times a second, is fine enough."""
ROUNDING = 1e-3
"""Relative difference between two sums of the same samples."""
DISAGREES = "verdict-disagreement"
"""A note, not a reason: who measured and who read the samples again do not say the same."""

ENERGY = frozenset(
    {
        "avg_power_w",
        "avg_total_gpu_power_w",
        "total_gpu_energy_j",
        "joules_per_successful_query",
        "joules_per_input_token",
        "joules_per_output_token",
        "joules_per_total_token",
    }
)
"""Fields that only a row with valid energy has."""

VERDICT = frozenset({"power_valid", "power_metric_schema_version", "power_reason"})
"""Fields that say what became of it."""

Broken = tuple[Withheld, str]
Value = Callable[[Sample], float | None]


def judge(trace: Trace, window: Window, limits: Power) -> Verdict:
    """Energy by the trapezoid of instant power, linear at the window's edges, for each device; beside it the
    difference of the energy counters."""
    gpus = {gpu: _real(samples) for gpu, samples in trace.used.items()}
    gpus = {gpu: samples for gpu, samples in gpus.items() if samples}
    reasons = [*_count(len(gpus), window, trace.problem), *_clocks(trace, window, limits)]
    reasons += [*_foreign(trace, window), *_times(trace, window)]
    for samples in gpus.values():
        reasons += _bracket(samples, window, limits)
    bare = Verdict(seconds=window.ended - window.started, gpus=window.gpus, seen=len(gpus))
    if not gpus or any(reason in (Withheld.WINDOW_START, Withheld.WINDOW_END) for reason, _ in reasons):
        return replace(bare, reasons=_distinct(reasons))
    joules = sum(_trapezoid(samples, window) for samples in gpus.values())
    counted = [_counted(samples, window) for samples in gpus.values()]
    counter = None if None in counted else sum(one for one in counted if one is not None)
    reasons += [*_numbers(joules, counter), *_agreement(joules, counter, bare.seconds, limits)]
    return replace(
        bare,
        reasons=_distinct(reasons),
        joules=None if reasons else joules,
        counter_joules=counter,
    )


def fields(verdict: Verdict, load: Load) -> dict[str, Any]:
    """Row fields: energy only when it is valid, else the first reason. Whole deployment, but for
    `avg_power_w`, which is one GPU's."""
    made = _energy(verdict, load) if verdict.joules is not None else {}
    if made and not all(math.isfinite(value) and value > 0 for value in made.values()):
        verdict, made = replace(verdict, reasons=((Withheld.NON_FINITE, ""),)), {}
    found: dict[str, Any] = {
        "power_valid": int(verdict.valid),
        "power_metric_schema_version": SCHEMA_VERSION,
    }
    return found | made if verdict.valid else found | {"power_reason": verdict.text}


def note(row: Mapping[str, Any]) -> list[str]:
    """What the ledger says of a row whose energy was withheld."""
    reason = row.get("power_reason")
    return [f"energy withheld: {reason}"] if reason else []


def again(
    stated: Mapping[str, Any], trace: Trace, window: Window, limits: Power
) -> tuple[Verdict, list[str]]:
    """The verdict made anew from the samples, and a note when the stated one differs."""
    verdict = judge(trace, window, limits)
    return verdict, [] if bool(stated.get("valid")) == verdict.valid else [DISAGREES]


def audited(record: Record, package: Package, limits: Power) -> Record:
    """The record with energy only when the samples bear it out; what its producer says does not count."""
    row = dict(record.result or {})
    if row.get("power_valid") not in (0, 1):
        return record
    verdict, notes = again({"valid": row["power_valid"]}, package.trace, package.window, limits)
    if verdict.valid and row["power_valid"] and not _borne_out(row, verdict):
        told = f"the row says {row.get('total_gpu_energy_j')!s:.20} J, its samples {verdict.joules:.1f}"
        verdict, notes = replace(verdict, reasons=((Withheld.COUNTER, told),)), [DISAGREES]
    if not verdict.valid and row["power_valid"]:
        row = {name: value for name, value in row.items() if name not in ENERGY}
        row |= {"power_valid": 0, "power_reason": verdict.text}
        notes = [*note(row), *notes]
    return replace(record, result=row, notes=(*record.notes, *notes))


def without(record: Record) -> Record:
    """The record without a word of energy, in any of its rows."""
    return replace(record, result=_bare(record.result or {}))


def _bare(row: Mapping[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in row.items() if name not in ENERGY | VERDICT}
    each = kept.get(EACH)
    if isinstance(each, list):
        kept[EACH] = [_bare(one) if isinstance(one, Mapping) else one for one in each]
    return kept


def _borne_out(row: Mapping[str, Any], verdict: Verdict) -> bool:
    """Whether a row states the energy that its samples give; its other fields are shares of that."""
    stated = value({"row": row}, "row", "total_gpu_energy_j")
    return stated is not None and math.isclose(stated, verdict.joules or 0.0, rel_tol=ROUNDING)


def _energy(verdict: Verdict, load: Load) -> dict[str, float]:
    joules = verdict.joules or 0.0
    watts = joules / verdict.seconds
    given, made = (value(load.metrics, name) or 0.0 for name in ("total_isl", "total_osl"))
    return {
        "avg_power_w": watts / verdict.gpus,
        "avg_total_gpu_power_w": watts,
        "total_gpu_energy_j": joules,
        "joules_per_successful_query": _share(joules, load.profile.completed),
        "joules_per_input_token": _share(joules, given),
        "joules_per_output_token": _share(joules, made),
        "joules_per_total_token": _share(joules, given + made),
    }


def _share(joules: float, count: float) -> float:
    return joules / count if count else math.inf


def _real(samples: Sequence[Sample]) -> list[Sample]:
    """Samples with a value, in time order and each time once."""
    found = {one.at: one for one in samples if math.isfinite(one.at) and (one.real or _odd(one.watts))}
    return [found[at] for at in sorted(found)]


def _odd(number: float | None) -> bool:
    return number is not None and not math.isfinite(number)


def _count(seen: int, window: Window, problem: str) -> Iterator[Broken]:
    if seen != window.gpus:
        yield Withheld.GPU_COUNT, f"{seen} of {window.gpus}" + (f" ({problem})" if problem else "")


def _clocks(trace: Trace, window: Window, limits: Power) -> Iterator[Broken]:
    """Host and client share a clock when they share a boot; a step of it shows against the steady clock."""
    if not trace.boot or trace.boot != window.boot:
        yield Withheld.CLOCK, "no proof that host and client share a clock"
    offsets = [
        one.at - one.steady for samples in trace.used.values() for one in _near(samples, window, limits)
    ]
    if offsets and max(offsets) - min(offsets) > limits.clock_s:
        yield Withheld.CLOCK, f"stepped by {max(offsets) - min(offsets):.1f} s"


def _times(trace: Trace, window: Window) -> Iterator[Broken]:
    """A window has a length, and every sample a time."""
    if not 0 < window.ended - window.started < math.inf:
        yield Withheld.WINDOW_END, f"the window has {window.ended - window.started:.1f} s"
    if not all(
        math.isfinite(one.at) and math.isfinite(one.steady)
        for samples in trace.used.values()
        for one in samples
    ):
        yield Withheld.NON_FINITE, "a sample without a time"


def _near(samples: Sequence[Sample], window: Window, limits: Power) -> Iterator[Sample]:
    room = limits.max_gap_s
    return (one for one in samples if window.started - room <= one.at <= window.ended + room)


def _foreign(trace: Trace, window: Window) -> Iterator[Broken]:
    for samples in trace.used.values():
        most = max((one.foreign for one in samples if window.started <= one.at <= window.ended), default=0)
        if most:
            yield Withheld.FOREIGN, f"{most} on a measured GPU"


def _bracket(samples: Sequence[Sample], window: Window, limits: Power) -> Iterator[Broken]:
    """Real samples on both sides of the window, and none too far from the next."""
    first, last = samples[0].at, samples[-1].at
    if first > window.started:
        yield Withheld.WINDOW_START, f"{first - window.started:.1f} s without a sample"
    if last < window.ended:
        yield Withheld.WINDOW_END, f"{window.ended - last:.1f} s without a sample"
    inside = [one.at for one in _around(samples, window)]
    widest = max((later - earlier for earlier, later in pairwise(inside)), default=0.0)
    if widest > limits.max_gap_s:
        yield Withheld.GAP, f"{widest:.1f} over {limits.max_gap_s:.1f}"


def _around(samples: Sequence[Sample], window: Window) -> list[Sample]:
    """Samples inside the window, and the nearest one on each side."""
    before = [one for one in samples if one.at <= window.started][-1:]
    after = [one for one in samples if one.at >= window.ended][:1]
    inside = [one for one in samples if window.started < one.at < window.ended]
    return [*before, *inside, *after]


def _trapezoid(samples: Sequence[Sample], window: Window) -> float:
    near = _around(samples, window)
    times = [
        window.started,
        *(one.at for one in near if window.started < one.at < window.ended),
        window.ended,
    ]
    watts = [_at(near, time, lambda one: one.watts) or 0.0 for time in times]
    pairs = zip(pairwise(times), pairwise(watts), strict=True)
    return sum((later - earlier) * (one + two) / 2 for (earlier, later), (one, two) in pairs)


def _counted(samples: Sequence[Sample], window: Window) -> float | None:
    near = _around(samples, window)
    ends = [_at(near, time, lambda one: one.joules) for time in (window.started, window.ended)]
    return None if None in ends else (ends[1] or 0.0) - (ends[0] or 0.0)


def _at(samples: Sequence[Sample], time: float, value: Value) -> float | None:
    """Value at a time between two samples, by a straight line; None where one of them has none."""
    before = [one for one in samples if one.at <= time][-1]
    after = next(one for one in samples if one.at >= time)
    low, high = value(before), value(after)
    if low is None or high is None:
        return None
    share = (time - before.at) / (after.at - before.at) if after.at > before.at else 0.0
    return low + (high - low) * share


def _numbers(joules: float, counter: float | None) -> Iterator[Broken]:
    if not math.isfinite(joules) or not math.isfinite(counter or 0.0):
        yield Withheld.NON_FINITE, ""


def _agreement(joules: float, counter: float | None, seconds: float, limits: Power) -> Iterator[Broken]:
    if counter is None or seconds < COMPARED_FROM_S or not math.isfinite(joules + counter):
        return
    share = abs(joules - counter) / max(joules, counter, 1e-9)
    if share > limits.counter_share:
        yield Withheld.COUNTER, f"by {share:.0%}"


def _distinct(reasons: Sequence[Broken]) -> tuple[Broken, ...]:
    """Each reason once, in the order of the closed list; of several GPUs the first one speaks."""
    first: dict[Withheld, str] = {}
    for reason, detail in reasons:
        first.setdefault(reason, detail)
    return tuple((reason, first[reason]) for reason in Withheld if reason in first)
