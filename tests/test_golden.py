"""Golden curves: looked up, never interpolated, and compared with where they are used."""

from pathlib import Path

import pytest

from infx.errors import BadInput
from infx.golden import Curve, different, find
from infx.read.golden import golden

OWN = Path(__file__).parent.parent / "configs" / "golden-al" / "qwen3.5_mtp.yaml"


def test_the_own_curve() -> None:
    curve = golden(OWN.read_bytes(), where="configs/golden-al/qwen3.5_mtp.yaml")
    assert (curve.value("thinking_on", 3), curve.value("thinking_on", 4), curve.value("thinking_off", 3)) == (
        3.39,
        None,
        None,
    )
    assert (curve.precision, curve.hardware) == ("nvfp4", "b300")
    assert curve.source.endswith("/actions/runs/27317114007")
    assert different(curve, precision="fp8", hardware="h200") == (
        "measured with NVFP4 on B300, served FP8 on H200"
    )
    assert different(curve, precision="fp4", hardware="b300") == ""


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["m_mtp"], "m_mtp"),
        (["m-mtp"], "m-mtp"),
        (["m_mtp", "m_mtp2"], "m_mtp"),
        (["m_mtp-v2"], "m_mtp-v2"),
        (["m_mtp2", "m_mtp3"], None),
        (["m_eagle3"], None),
    ],
)
def test_a_curve_is_found_by_model_and_method(names: list[str], found: str | None) -> None:
    curve = find([Curve(name=name, model="x") for name in names], "m", "mtp")
    assert (curve.name if curve else None) == found


@pytest.mark.parametrize(
    "text", ["m: {thinking_on: {3: 4.5}}", "m: {thinking_on: {3: 0.9}}", "m: {t: {x: 1}}"]
)
def test_a_length_outside_its_bounds_is_refused(text: str) -> None:
    with pytest.raises(BadInput):
        golden(text.encode(), where="m_mtp.yaml")


def test_a_curve_that_does_not_say_where_it_comes_from_is_always_different() -> None:
    curve = golden(b"m: {thinking_on: {3: 3.5}}", where="m_mtp.yaml")
    assert "unknown precision on unknown hardware" in different(curve, precision="fp8", hardware="h200")
