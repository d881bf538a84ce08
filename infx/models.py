"""Models: what may be submitted and from when, as `configs/models.yaml` says it."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class Window:
    """Days, ISO 8601, first and last included; an empty one has no bound."""

    since: str = ""
    until: str = ""

    def holds(self, day: str) -> bool:
        return (not self.since or day >= self.since) and (not self.until or day <= self.until)

    @property
    def text(self) -> str:
        """`from 2026-07-01 until 2026-12-31`."""
        parts = [f"from {self.since}" if self.since else "", f"until {self.until}" if self.until else ""]
        return " ".join(filter(None, parts)) or "always"


@dataclass(frozen=True, kw_only=True)
class Model:
    """One model, under the prefix that config keys, rows and curves name it by."""

    name: str
    """As people read it: in replies, on pages, in docs/MODELS.md."""
    window: Window = field(default_factory=Window)
    checkpoints: tuple[str, ...] = ()
    """Published checkpoints that may be served."""
    precisions: Mapping[str, Window] = field(default_factory=dict)
    scenarios: Mapping[str, Window] = field(default_factory=dict)
    """Scenarios that differ from the table of all scenarios."""
    drafts: Mapping[str, str] = field(default_factory=dict)
    """Draft checkpoint → the precision that it ships in."""


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """One load: `8k1k`, `agentic-coding`."""

    name: str
    window: Window = field(default_factory=Window)
    arms: Mapping[str, Window] = field(default_factory=dict)
    """KV offload backends (`none` for none) that are compared; empty when the scenario has no arms."""


@dataclass(frozen=True, kw_only=True)
class Engine:
    """One serving engine, under the name that rows have in `framework`."""

    name: str
    first: bool = False
    """One of the engines that a recipe is written for before any other engine's."""
    images: tuple[str, ...] = ()
    """Repositories of the images that its project publishes."""
    recipes: tuple[str, ...] = ()
    """Beginnings of the addresses at which its project keeps recipes; empty when there are none."""

    def keeps(self, address: str) -> bool:
        """An address below one of `recipes`; a longer host or name that only begins alike is none."""
        return (
            any(
                address == start or address.startswith((f"{start}/", f"{start}?", f"{start}#"))
                for start in self.recipes
            )
            and "/.." not in address
        )


@dataclass(frozen=True, kw_only=True)
class Models:
    """The whole file."""

    models: Mapping[str, Model] = field(default_factory=dict)
    scenarios: Mapping[str, Scenario] = field(default_factory=dict)
    engines: Mapping[str, Engine] = field(default_factory=dict)

    def name(self, prefix: str) -> str:
        """Display name of a model; the prefix itself where the file does not know it."""
        return self.models[prefix].name if prefix in self.models else prefix

    def scenario(self, of: str) -> str:
        """Display name of a scenario."""
        return self.scenarios[of].name if of in self.scenarios else of

    def engine(self, framework: str) -> Engine | None:
        """Engine behind a framework; a router in front (`dynamo-sglang`) counts by the engine it drives."""
        return self.engines.get(framework) or self.engines.get(framework.rpartition("-")[2])
