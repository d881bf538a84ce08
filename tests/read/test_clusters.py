import json

import jsonschema_rs
import pytest

from infx.errors import BadInput
from infx.read.clusters import clusters, clusters_schema
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
        (
            "clusters: {2026-01-01: {driver: local}}",
            "clusters: the key datetime.date.2026, 1, 1. is not text",
        ),
        ("clusters: {~: {driver: local}}", "clusters: the key None is not text"),
        ("clusters: {x: {driver: local, env: {~: y}}}", "clusters.x.env: the key None"),
        ("clusters: {x: {driver: local, nodes: [{1: 2}]}}", "clusters.x.nodes: the key 1"),
        ("clusters: {x: {driver: local, port: 65536}}", "x.port is 65536; give a number from 0 to 65535"),
        ("clusters: {x: {driver: local, limits: {ready: .nan}}}", "x.limits.ready is nan"),
        ("clusters: {x: {driver: local, limits: {client: -1}}}", "x.limits.client is -1"),
        ("clusters: {x: {driver: local, load: {waves: 0}}}", "x.load.waves is 0; give a number from 1 to"),
        ("clusters: {x: {driver: local, load: {drain_s: .inf}}}", "x.load.drain_s is inf"),
        ("clusters: {x: {driver: slurm, slurm: {gpus_per_node: 0}}}", "x.slurm.gpus_per_node is 0"),
        ("clusters: {x: {driver: local, min_free_gib: -1}}", "x.min_free_gib is -1"),
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


PLACES = ("port", "gpus", "min_free_gib", "limits.queue", "load.waves", "load.drain_s", "slurm.gpus_per_node")


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("number", [-1, 0, 1, 65535, 65536, 10**9, 10**9 + 1])
def test_the_schema_knows_the_ranges_of_the_reader(place: str, number: int) -> None:
    part, _, field = place.rpartition(".")
    record = {"driver": "local", **({part: {field: number}} if part else {field: number})}
    document = {"clusters": {"x": record}}
    try:
        clusters(json.dumps(document))
        taken = True
    except BadInput:
        taken = False
    assert jsonschema_rs.validator_for(clusters_schema()).is_valid(document) is taken
