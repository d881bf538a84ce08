"""Result file of one lm-eval run → Score."""

import math
from collections.abc import Mapping
from typing import Any

from infx.errors import BadInput
from infx.row import Score

STRICT, FLEXIBLE = "strict-match", "flexible-extract"
"""Names of the two filters in the task files."""


def score(value: Any, *, task: str, conc: int, ended: float) -> Score:
    """The score of `task`. A missing or non-numeric value becomes NaN, which no judge lets pass."""
    try:
        results, samples = value["results"][task], value["n-samples"][task]
        config, version = value["configs"][task], value["lm_eval_version"]
        model = value["config"]["model_args"]["model"]
        return Score(
            client=f"lm-eval {version}",
            model=str(model),
            task=task,
            conc=conc,
            strict=number(results, f"exact_match,{STRICT}"),
            strict_se=number(results, f"exact_match_stderr,{STRICT}"),
            flexible=number(results, f"exact_match,{FLEXIBLE}"),
            flexible_se=number(results, f"exact_match_stderr,{FLEXIBLE}"),
            scored=int(samples["effective"]),
            asked=int(samples["original"]),
            extraction=extraction(config.get("filter_list") or []),
            ended=ended,
        )
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise BadInput(
            f"this is no result of {task}", where="results.json", todo="look at client.log"
        ) from error


def number(results: Mapping[str, Any], name: str) -> float:
    value = results.get(name)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else math.nan


def extraction(filters: list[Any]) -> str:
    """`last #### …` or `first #### …`: which match the strict filter takes."""
    for one in filters:
        if one.get("name") == STRICT:
            for step in one.get("filter", []):
                if step.get("function") == "regex":
                    place = "last" if step.get("group_select", 0) == -1 else "first"
                    return f"{place} {step.get('regex_pattern', '')}"
    return "unknown"
