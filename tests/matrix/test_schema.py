import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.errors import Refused
from infx.jobs.shapes import SCHEMAS
from infx.matrix import schema
from infx.matrix.generate import FullSweep, full_sweep
from infx.matrix.job import Job
from infx.matrix.plan import Flags, sweep
from infx.read import yaml
from tests.matrix.sample import RUNNERS, catalog, config, dram, engine, pools, trace, worker
from tests.matrix.test_plan import HEAD, entry

ROOT = Path(__file__).parents[2]
CONFIGS = {
    "a": config(fixed=[engine()], agentic=[dram(), trace()], router={"name": "r", "version": "1"}),
    "b": config(
        fixed=[pools(prefill=worker(additional_settings=["A=1"]))], agentic=[pools(kv_p2p_transfer="n")]
    ),
}
ROWS = [
    job.row
    for options in (FullSweep(), FullSweep(all_evals=True))
    for job in full_sweep(catalog(**CONFIGS), options)
]


@pytest.mark.parametrize("name", SCHEMAS)
def test_published_file_is_current(name: str) -> None:
    published = files("infx").joinpath("schemas", f"{name}.json").read_text()
    assert json.loads(published) == SCHEMAS[name](), (
        f"run: python -m infx matrix schema {name} > infx/schemas/{name}.json"
    )


@pytest.mark.parametrize("name", SCHEMAS)
def test_schema_is_a_schema(name: str) -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMAS[name]())


def test_every_row_passes() -> None:
    schema.check([Job(key="k", row=row) for row in ROWS])
    jsonschema.validate(ROWS, schema.rows_schema())


def test_a_sweep_passes() -> None:
    found = sweep([entry("*")], HEAD, refs=("B", "H"), flags=Flags(all_evals=True), base=lambda: HEAD)
    schema.check([*found.throughput, *found.evals])
    jsonschema.validate(found.as_json(), schema.sweep_schema())


def test_a_row_that_does_not_fit_is_refused_by_name() -> None:
    with pytest.raises(Refused, match="row mo_8k1k: "):
        schema.check([Job(key="k", row={**ROWS[0], "conc": 0})])


ODD = st.sampled_from([None, 0, -1, 1, 1.5, True, "", "x", [], [0], [8], {}, {"name": "x"}])


@given(st.sampled_from(ROWS), st.data(), ODD)
def test_both_validators_agree(row: dict[str, Any], data: Any, value: Any) -> None:
    changed = {
        **row,
        data.draw(st.sampled_from([*row, "eval-conc", "scenario-type", "prefill", "other"])): value,
    }
    witness = jsonschema.Draft202012Validator(schema.rows_schema()).is_valid([changed])
    assert accepts(changed) == witness


def accepts(row: dict[str, Any]) -> bool:
    try:
        schema.check([Job(key="k", row=row)])
    except Refused:
        return False
    return True


def test_config_schemas_accept_what_the_reader_accepts() -> None:
    jsonschema.validate(CONFIGS, SCHEMAS["master"]())
    jsonschema.validate(RUNNERS, SCHEMAS["runners"]())


@pytest.mark.parametrize(
    "value",
    [
        config(fixed=[engine(gpus=4)]),
        config(fixed=[engine(pp=0)]),
        config(fixed=[pools()], multinode=False),
        {},
    ],
)
def test_config_schema_refuses_what_the_reader_refuses(value: Any) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"k": value}, SCHEMAS["master"]())


FOLDERS = ("configs", "docs/examples/muse-spark-open-h200/configs")
PATHS = sorted(path for folder in FOLDERS for path in (ROOT / folder).glob("*.yaml"))


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_each_config_names_its_schema_and_fits_it(path: Path) -> None:
    text = path.read_text()
    named = re.match(r"# yaml-language-server: \$schema=(\S+)\n", text)
    assert named is not None
    published = json.loads((path.parent / named[1]).read_text())
    jsonschema.validate(yaml.load(text, where=path.name), published)
