"""Entry: what one changelog entry asks to measure again."""

from dataclasses import dataclass
from typing import Any

from infx.recipe import SCENARIOS, Scenario

PLACEHOLDER = "XXX"
"""Stands at the end of `pr-link` until the pull request has a number."""


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One list element of `perf-changelog.yaml` in the community's format, and our one field `no-evals`."""

    config_keys: tuple[str, ...]
    """Config keys; `*` matches any run of characters."""
    description: tuple[str, ...]
    pr_link: str
    evals_only: bool = False
    all_evals: bool = False
    append_only: bool = False
    no_evals: bool = False
    eval_min_prefill_ep: int | None = None
    scenario_type: tuple[Scenario, ...] | None = None

    @property
    def scenarios(self) -> tuple[Scenario, ...]:
        """Scenarios that the entry is about."""
        return self.scenario_type or SCENARIOS

    def as_json(self) -> dict[str, Any]:
        """As `changelog_metadata` shows it: the community's three switches always, the rest when written."""
        shown: dict[str, Any] = {
            "config-keys": list(self.config_keys),
            "description": list(self.description),
            "pr-link": self.pr_link,
            "evals-only": self.evals_only,
            "all-evals": self.all_evals,
            "append-only": self.append_only,
        }
        if self.no_evals:
            shown["no-evals"] = True
        if self.eval_min_prefill_ep is not None:
            shown["eval-min-prefill-ep"] = self.eval_min_prefill_ep
        if self.scenario_type is not None:
            shown["scenario-type"] = list(self.scenario_type)
        return shown
