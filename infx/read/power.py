"""`power.csv` of a sampler → Trace. Format: see `infx/bench/sampler.py`."""

import json
from collections import defaultdict

from infx.errors import BadInput
from infx.power import Sample, Trace

FIELDS = 7
NONE = ("", "N/A", "None", "[N/A]")
"""How drivers and their tools say that there is no value."""


def trace(text: str, *, where: str = "power.csv") -> Trace:
    """Samples by GPU. A torn last line is left out: a killed sampler may leave one. BadInput otherwise."""
    lines = text.split("\n")
    head = _head(lines[0], where=f"{where}:1")
    found: dict[str, list[Sample]] = defaultdict(list)
    for number, line in enumerate(lines[2:], 3):
        if line and number < len(lines):
            gpu, sample = _sample(line.split(","), where=f"{where}:{number}")
            found[gpu].append(sample)
    return Trace(boot=str(head.get("boot", "")), gpus=dict(found), problem=str(head.get("problem", "")))


def _head(line: str, *, where: str) -> dict[str, object]:
    try:
        head = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadInput("the head is not JSON", where=where, todo="measure again") from error
    if not isinstance(head, dict):
        raise BadInput("the head is no object", where=where, todo="measure again")
    return head


def _sample(words: list[str], *, where: str) -> tuple[str, Sample]:
    try:
        if len(words) != FIELDS:
            raise ValueError(f"{len(words)} fields")
        at, steady, gpu, watts, joules, own, foreign = words
        return gpu, Sample(
            at=float(at),
            steady=float(steady),
            watts=_number(watts),
            joules=_number(joules),
            own=int(own),
            foreign=int(foreign),
        )
    except ValueError as error:
        raise BadInput(f"this is no sample ({error})", where=where, todo="measure again") from error


def _number(word: str) -> float | None:
    """None only where a driver said nothing; NaN and infinity are kept for the judge."""
    return None if word.strip() in NONE else float(word)
