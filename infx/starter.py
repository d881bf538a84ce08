"""Starter: the files that `infx init` writes into another repository, and how each is kept afterwards."""

from dataclasses import dataclass
from enum import StrEnum


class Kept(StrEnum):
    MANAGED = "managed"
    """infx brings it up to date; the first line says the version it came from."""
    SEED = "seed"
    """Written once, then the repository's own."""
    EXAMPLE = "example"
    """A seed of the demo engine's recipes; left out on request."""


@dataclass(frozen=True, kw_only=True)
class Piece:
    """One file."""

    path: str
    """Where it goes: from the repository's root for `.github/…`, else below the layout's root."""
    source: str
    """Where it comes from: a file of this project, or `adopt:<name>` in `infx/adopt/`."""
    kept: Kept

    @property
    def rooted(self) -> bool:
        """Whether the layout's root goes before `path`."""
        return not self.path.startswith(".github/")


WORKFLOWS = (
    "control",
    "sweep",
    "report",
    "comment",
    "review-intake",
    "signoff",
    "ingest",
    "audit",
    "postmerge",
    "operators",
)
"""Every workflow that an adopting repository runs."""
LOCK = "configs/infx-clients.lock"
"""Versions of the load and accuracy clients, part of every point's fingerprint."""
EXAMPLES = "configs/demo-master.yaml"


def _managed(path: str, source: str = "") -> Piece:
    return Piece(path=path, source=source or path, kept=Kept.MANAGED)


def _seed(path: str, source: str = "") -> Piece:
    return Piece(path=path, source=source or path, kept=Kept.SEED)


def _example(path: str) -> Piece:
    return Piece(path=path, source=path, kept=Kept.EXAMPLE)


MODELS = _seed("configs/models.yaml", "adopt:models.yaml")
"""A row for each model that the repository measures already is added to it."""
PIECES: tuple[Piece, ...] = (
    *(_managed(f".github/workflows/{name}.yml") for name in WORKFLOWS),
    _managed(".github/actions/point/action.yml"),
    _managed(".github/actions/setup/action.yml", "adopt:setup/action.yml"),
    _managed(".github/actions/setup/bin/infx", "adopt:setup/bin/infx"),
    _managed(".github/infx/requirements.lock", "requirements.lock"),
    _managed(LOCK, "requirements-clients.lock"),
    _seed("configs/runners.yaml", "adopt:runners.yaml"),
    _seed("configs/clusters.yaml", "adopt:clusters.yaml"),
    _seed("configs/thresholds.yaml", "adopt:thresholds.yaml"),
    MODELS,
    _seed("configs/failures.yaml"),
    _seed("PR_REVIEW_CHECKLIST.md"),
    _seed(".github/pull_request_template.md"),
    _example(EXAMPLES),
    _example("benchmarks/lib.sh"),
    _example("benchmarks/single_node/fixed_seq_len/demo_bf16_local.sh"),
    _example("benchmarks/single_node/agentic/demo_bf16_local.sh"),
    _example("benchmarks/multi_node/srt-slurm-recipes/demo/disagg.yaml"),
    _example("benchmarks/corpus/small.jsonl"),
    _example("benchmarks/evals/gsm8k.jsonl"),
    _example("benchmarks/evals/gsm8k.yaml"),
    _example("benchmarks/evals/score.py"),
)
