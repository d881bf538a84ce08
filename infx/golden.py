"""Golden: curves of acceptance lengths that speculating benchmarks pin, and where each was measured."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

PRECISIONS = {"nvfp4": "fp4", "mxfp4": "fp4", "fp4": "fp4", "fp8": "fp8", "bf16": "bf16", "int4": "int4"}
HARDWARE = re.compile(r"\b(g?b[23]00|h[12]00|h20|mi3\d\dx?)\b", re.IGNORECASE)
COLLECT = "collect a new curve with SPEED-Bench"


@dataclass(frozen=True, kw_only=True)
class Curve:
    """One file: acceptance length by thinking mode and draft length."""

    name: str
    """Of the file: `qwen3.5_mtp`."""
    model: str
    """Checkpoint that it was measured on, as the file names it."""
    source: str = ""
    """Run that it comes from."""
    said: str = ""
    """Words of its comments."""
    values: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """`thinking_on` → draft length, as text → acceptance length."""

    @property
    def precision(self) -> str:
        """Of the checkpoint, as the file writes it (`nvfp4`); empty when it does not say."""
        text = f"{self.model} {self.said}".lower()
        return next((one for one in PRECISIONS if re.search(rf"\b{one}\b", text)), "")

    @property
    def hardware(self) -> str:
        found = HARDWARE.search(self.said)
        return found[1].lower() if found else ""

    def value(self, thinking: str, length: int) -> float | None:
        """Never interpolated: None where nothing was measured."""
        return self.values.get(thinking, {}).get(str(length))


def find(curves: Sequence[Curve], prefix: str, method: str) -> Curve | None:
    """The curve of a model and method; its name has `_` or `-` between them, and may end in a variant."""
    names = (f"{prefix}_{method}", f"{prefix}-{method}")
    exact = next((one for one in curves if one.name in names), None)
    variants = [one for one in curves if one.name.startswith(names)]
    return exact or (variants[0] if len(variants) == 1 else None)


def different(curve: Curve, *, precision: str, hardware: str) -> str:
    """In what the curve was measured elsewhere than it is used: `NVFP4 on B300, served FP8 on H200`."""
    measured = (PRECISIONS.get(curve.precision, ""), curve.hardware)
    if all(measured) and measured == (PRECISIONS.get(precision, precision), hardware):
        return ""
    there = (
        f"{curve.precision.upper() or 'unknown precision'} on {curve.hardware.upper() or 'unknown hardware'}"
    )
    return f"measured with {there}, served {precision.upper()} on {hardware.upper()}"
