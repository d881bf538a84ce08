"""`infx schema`: closed lists as they are in the code."""

import io
import json
from pathlib import Path

import pytest

from infx.cli import main
from infx.edge.world import World
from infx.jobs import schema
from infx.verdict import Kind


def test_every_kind_of_the_event_decision_is_published() -> None:
    assert schema.document("kinds")["event"] == [str(kind) for kind in Kind]


def test_an_unknown_name_is_bad_usage(tmp_path: Path) -> None:
    world = World(env={}, cwd=tmp_path, out=io.StringIO(), err=io.StringIO())
    assert main(["schema", "odd"], world) == 2


@pytest.mark.parametrize("name", schema.NAMES)
def test_every_document_is_json(name: str) -> None:
    assert json.loads(json.dumps(schema.document(name)))
