"""State: one commit as planning sees it. Read from git objects by `infx/edge/tree.py`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from infx.recipe import Catalog


@dataclass(frozen=True, kw_only=True)
class State:
    """Everything that rows and fingerprints of one commit come from."""

    commit: str
    catalog: Catalog
    files: Mapping[str, bytes]
    """Path → content of every file below the script folder."""
    documents: Mapping[str, Any] = field(default_factory=dict)
    """Path → parsed YAML of those of them that are YAML."""
    golden: Mapping[str, Any] = field(default_factory=dict)
    """Name of a golden curve (`qwen3.5_mtp`) → thinking mode → draft length → acceptance length."""
    clusters: Mapping[str, Any] = field(default_factory=dict)
    """Runner label → its record in clusters.yaml."""
    features: Mapping[str, str] = field(default_factory=dict)
    """Flag or variable → first image that reads it (`lmsysorg/sglang:v0.5.16`)."""
    lock: str = ""
    """Object id of the clients' lock file."""
    objects: Mapping[str, str] = field(default_factory=dict)
    """Path → object id of every file that any of the above was read from: equal maps, equal points."""
