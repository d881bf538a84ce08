"""`infx schema`: closed lists as they are in the code."""

import importlib
import io
import json
from enum import StrEnum
from pathlib import Path

import pytest

import infx
from infx.cli import main
from infx.edge.world import World
from infx.jobs import schema

PACKAGE = Path(infx.__file__).parent


def test_every_closed_list_of_the_product_is_published() -> None:
    for path in sorted(PACKAGE.rglob("*.py")):
        if "class " in (text := path.read_text()) and "(StrEnum)" in text:
            importlib.import_module(".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts))
    ours = {kinds for kinds in StrEnum.__subclasses__() if kinds.__module__.startswith("infx.")}
    listed = schema.document("kinds").values()
    assert len(ours) > 10
    assert [kinds for kinds in ours if [str(kind) for kind in kinds] not in listed] == []


def test_an_unknown_name_is_bad_usage(tmp_path: Path) -> None:
    world = World(env={}, cwd=tmp_path, out=io.StringIO(), err=io.StringIO())
    assert main(["schema", "odd"], world) == 2


@pytest.mark.parametrize("name", schema.NAMES)
def test_every_document_is_json(name: str) -> None:
    assert json.loads(json.dumps(schema.document(name)))
