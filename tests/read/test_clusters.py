import pytest

from infx.errors import BadInput
from infx.read.clusters import clusters
from infx.read.thresholds import thresholds
from tests.runtime import ROOT


def test_the_shipped_files_are_read() -> None:
    local = clusters((ROOT / "configs" / "clusters.yaml").read_text())["cluster:local"]
    assert (local.driver, local.tokenizer, local.limits.grace, local.load.waves) == ("local", "bytes", 1.0, 3)
    assert thresholds((ROOT / "configs" / "thresholds.yaml").read_text())["default"]["gsm8k"] == 0.9


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a: [", "YAML"),
        ("[]", "mapping"),
        ("clusters: []", "mapping"),
        ("clusters: {x: {}}", "x.driver"),
        ("clusters: {x: {driver: ssh}}", "x.driver"),
        ("clusters: {x: {driver: local, load: {wave: 3}}}", "x.load.wave"),
        ("clusters: {x: {driver: local, port: '80'}}", "x.port"),
        ("clusters: {x: {driver: local, port: 2026-01-01}}", "x.port"),
    ],
)
def test_a_wrong_record_is_placed(text: str, place: str) -> None:
    with pytest.raises(BadInput, match=place):
        clusters(text)


@pytest.mark.parametrize(
    "text",
    [
        "a: [",
        "[]",
        "other: {}",
        "default: {gsm8k: 90}",
        "models: {glm5: {gsm8k: yes}}",
        "default: [1]",
        "models: [1]",
        "models: {glm5: [1]}",
    ],
)
def test_wrong_thresholds_are_refused(text: str) -> None:
    with pytest.raises(BadInput):
        thresholds(text)
