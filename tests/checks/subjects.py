"""Builders: a subject with one served recipe and its results, so that a test names only what it is about."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from infx.checks import Sheet, every
from infx.read.models import models
from infx.recipe import AGENTIC
from infx.signoff import Claim, Finding, Item, Place, Statement
from infx.subject import Served, Subject, Value

ROOT = Path(__file__).parent.parent.parent
MODELS = models((ROOT / "configs" / "models.yaml").read_text())
KEY = "qwen3.5-fp8-h200-sglang-agentic-mtp"


def served(**changes: Any) -> Served:
    base: dict[str, Any] = {
        "key": KEY,
        "script": "benchmarks/single_node/agentic/qwen3.5_fp8_h200_mtp.sh",
        "image": "lmsysorg/sglang:v0.5.16-cu130",
        "model": "Qwen/Qwen3.5-397B-A17B-FP8",
        "prefix": "qwen3.5",
        "precision": "fp8",
        "framework": "sglang",
        "hardware": "h200",
        "scenario": AGENTIC,
        "speculates": "mtp",
        "chat": True,
        "new": True,
        "arms": ("none", "hicache"),
    }
    return Served(**{**base, **changes})


def value(conc: int = 4, **changes: Any) -> Value:
    base: dict[str, Any] = {
        "key": KEY,
        "title": f"C{conc}",
        "curve": KEY,
        "model": "qwen3.5",
        "image": "lmsysorg/sglang:v0.5.16-cu130",
        "measured_image": "lmsysorg/sglang:v0.5.16-cu130",
        "conc": conc,
        "run": 500,
        "latency": 2.0 + conc,
        "throughput": 100.0 * conc,
    }
    return Value(**{**base, **changes})


def an_eval(score: float = 0.9757, **changes: Any) -> Value:
    return value(16, eval=True, task="gsm8k", title="C16 gsm8k", score=score, **changes)


def subject(**changes: Any) -> Subject:
    base: dict[str, Any] = {
        "pr": 7,
        "opened": "2026-07-01",
        "served": (served(),),
        "values": (*(value(conc) for conc in (1, 4, 8, 12, 16)), an_eval()),
        "models": MODELS,
        "floors": {"default gsm8k": 0.9, "qwen3.5 gsm8k": 0.94},
        "waiver_path": "docs/waiver/7.md",
    }
    return Subject(**{**base, **changes})


def sheet(*items: str, **claims: Any) -> Sheet:
    """A template of `items`, all ticked but for those in `claims`: False, or the reason why not."""
    said = tuple(
        Claim(item=one, ticked=one not in claims, reason=str(claims.get(one) or ""))
        for one in items
        if claims.get(one, "") is not None
    )
    statement = Statement(place=Place.COMMENT, id=1, author="ada", digest="d", claims=said)
    return Sheet(template=tuple(Item(id=one) for one in items), statement=statement)


def look(check: str, found: Subject, on: Sheet | None = None) -> Finding:
    """What one check says."""
    return every()[check](found, on or sheet(check))


def grade(check: str, found: Subject | None = None, **changes: Any) -> str:
    return str(look(check, replace(found or subject(), **changes)).grade)
