"""Changes: what a history of results was measured for, recorded or made up."""

import gzip
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infx.results.page import Mark

BEGIN, STEP = 1_767_225_600.0, 2 * 86400.0
"""The first change is dated 2026-01-01, one every second day."""


@dataclass(frozen=True, kw_only=True)
class Change:
    """One changelog entry with the rows that it measures."""

    text: str
    link: str
    keys: tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]
    evals: tuple[Mapping[str, Any], ...] = ()


def recorded(folder: Path) -> Iterator[Change]:
    """Changes of the recorded history, oldest first, as far as they were accepted."""
    for path in sorted(folder.glob("expected/s*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            case = json.loads(next(lines))
        if case["kind"] == "changelog" and not case["flags"] and case["status"] == 0:
            output = case["output"]
            groups = [*output["single_node"].values(), *output["multi_node"].values()]
            entries = output["changelog_metadata"]["entries"]
            yield Change(
                text=entries[0]["description"][0],
                link=entries[0]["pr-link"],
                keys=tuple(key for entry in entries for key in entry["config-keys"]),
                rows=tuple(row for group in groups for row in group),
                evals=tuple(output["evals"] + output["agentic_evals"]),
            )


def own() -> Iterator[Change]:
    """A made-up history of 20 curves, for where no other is at hand."""
    for number in range(60):
        hw = ("h200-dgxc", "b200-dgxc", "b300", "mi355x")[number % 4]
        framework, precision = (
            ("vllm", "fp8"),
            ("sglang", "fp8"),
            ("vllm", "fp4"),
            ("trt", "fp4"),
            ("sglang", "fp4"),
        )[number % 5]
        key = f"demo-{precision}-{hw}-{framework}"
        row: dict[str, Any] = {
            "image": f"example/{framework}:v0.{number}",
            "model": "example/Demo-70B",
            "model-prefix": "demo",
            "precision": precision,
        }
        row |= {
            "framework": framework,
            "runner": hw,
            "spec-decoding": "none",
            "isl": 8192,
            "osl": 1024,
            "disagg": False,
        }
        shapes = [
            {"tp": tp, "ep": 1, "dp-attn": False, "pp": 1, "dcp-size": 1, "pcp-size": 1} for tp in (4, 8)
        ]
        rows = tuple({**row, **shape, "conc": 2**power} for shape in shapes for power in range(9))
        yield Change(
            text=f"Update {framework} to v0.{number}",
            link=f"https://github.com/example/bench/pull/{number + 1}",
            keys=(key,),
            rows=rows,
            evals=({**rows[-1], "conc": 256},),
        )


def marks(changes: Iterable[Change]) -> list[Mark]:
    return [
        Mark(at=BEGIN + place * STEP, text=one.text, link=one.link, keys=one.keys)
        for place, one in enumerate(changes)
    ]
