from pathlib import Path

import pytest

from infx.errors import BadInput
from infx.read.golden import curve

ROOT = Path(__file__).parents[2]
HEAD = b"# Source run: https://example.org/runs/7\n# On B300.\n"


def test_the_curves_of_this_repository_can_be_read() -> None:
    for path in (ROOT / "configs" / "golden-al").glob("*.yaml"):
        found = curve(path.read_bytes(), where=str(path))
        assert found.source.startswith("https://")
        assert found.values


def test_source_model_and_comment() -> None:
    found = curve(HEAD + b"m-fp8:\n  thinking_on: {3: 3.39, 4: 4}\n", where="a/qwen_mtp.yaml")
    assert (found.name, found.source, found.model, found.about) == (
        "qwen_mtp",
        "https://example.org/runs/7",
        "m-fp8",
        "On B300.",
    )
    assert found.values == {"thinking_on": {3: 3.39, 4: 4.0}}


def test_a_source_counts_in_the_first_line_only() -> None:
    assert curve(b"# About.\n" + HEAD + b"m:\n  thinking_off: {1: 1.5}\n", where="x").source == ""


@pytest.mark.parametrize(
    "body",
    [
        b"m:\n  thinking: {3: 3.3}\n",
        b"m:\n  thinking_on: {three: 3.3}\n",
        b"m:\n  thinking_on: {0: 1}\n",
        b"m:\n  thinking_on: {3: true}\n",
        b"m:\n  thinking_on: {3: x}\n",
        b"m: {}\nn: {}\n",
        b"[]\n",
        "m:\n  thinking_on: {\u00b2: 2}\n".encode(),
        "m:\n  thinking_on: {'\u0661': 2}\n".encode(),
        b"m:\n  thinking_on: {1: .nan}\n",
        b"m:\n  thinking_on: {1: " + b"9" * 390 + b"}\n",
        b"m:\n  thinking_on: {'1': 1.5, 1: 1.9}\n",
    ],
)
def test_anything_else_is_refused(body: bytes) -> None:
    with pytest.raises(BadInput):
        curve(HEAD + body, where="x.yaml")
