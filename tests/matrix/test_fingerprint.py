from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.matrix.fingerprint import Ground, fingerprint, golden_value
from infx.point import Fingerprint
from tests.matrix.rows import fixed, trace

SCRIPT = "benchmarks/single_node/agentic/a.sh"
LIB = "benchmarks/lib.sh"
FILES: dict[str, bytes] = {
    SCRIPT: b'source "$(dirname "$0")/../../lib.sh"\npython3 tool.py --speculative-num-steps 3\n# other.sh\n',
    "benchmarks/single_node/agentic/tool.py": b"import helper\n",
    "benchmarks/single_node/agentic/helper.py": b"x = 1\n",
    "benchmarks/single_node/agentic/b.sh": b". /workspace/benchmarks/lib.sh\n",
    "benchmarks/single_node/agentic/other.sh": b"echo\n",
    LIB: b"cat benchmarks/flags.yaml\n",
    "benchmarks/flags.yaml": b"a: 1\n",
}
ROW = trace(4, **{"spec-decoding": "mtp"})


def ground(files: dict[str, bytes] | None = None, **fields: Any) -> Ground:
    given = {"documents": {"benchmarks/flags.yaml": {"a": 1}}, **fields}
    return Ground(files=FILES if files is None else files, **given)


def of(row: dict[str, Any] = ROW, script: str = SCRIPT, **fields: Any) -> Fingerprint:
    return fingerprint(row, script, ground=ground(**fields))


def changed(one: Fingerprint, other: Fingerprint) -> set[str]:
    mine, theirs = one.as_json(), other.as_json()
    return {name for name in mine if mine[name] != theirs[name]}


def test_files_are_found_by_reading_the_script() -> None:
    here = ground()
    folder = "benchmarks/single_node/agentic"
    assert here.closure(SCRIPT) == {LIB, "benchmarks/flags.yaml", f"{folder}/tool.py", f"{folder}/helper.py"}
    assert here.shared(SCRIPT) == {LIB, "benchmarks/flags.yaml"}


@pytest.mark.parametrize(
    ("path", "part"),
    [
        (SCRIPT, "recipe"),
        ("benchmarks/single_node/agentic/tool.py", "recipe"),
        ("benchmarks/single_node/agentic/helper.py", "recipe"),
        (LIB, "shared"),
    ],
)
def test_every_executed_byte_counts(path: str, part: str) -> None:
    edited = {**FILES, path: FILES[path] + b"echo more\n"}
    assert changed(of(), of(files=edited)) == {part}


@pytest.mark.parametrize(
    "path", ["benchmarks/single_node/agentic/b.sh", "benchmarks/single_node/agentic/other.sh"]
)
def test_another_recipe_never_counts(path: str) -> None:
    assert of() == of(files={**FILES, path: b"rewritten\n"})


def test_a_comment_in_YAML_never_counts_and_a_value_does() -> None:
    commented = {**FILES, "benchmarks/flags.yaml": b"# why\na: 1\n"}
    assert of() == of(files=commented)
    assert changed(of(), of(documents={"benchmarks/flags.yaml": {"a": 2}})) == {"shared"}


@given(st.permutations(sorted(ROW)))
def test_key_order_never_counts(order: list[str]) -> None:
    assert of({name: ROW[name] for name in order}) == of()


@pytest.mark.parametrize("field", ["conc", "exp-name", "priority", "queue-token"])
def test_load_and_queue_fields_never_count(field: str) -> None:
    assert of({**ROW, field: 99}) == of()


@pytest.mark.parametrize(
    ("field", "parts"),
    [("image", {"row", "recipe"}), ("model", {"row", "recipe"}), ("tp", {"row"}), ("kv-offloading", {"row"})],
)
def test_image_model_topology_and_flags_count(field: str, parts: set[str]) -> None:
    assert changed(of(), of({**ROW, field: "other"})) == parts


@pytest.mark.parametrize(
    ("fields", "parts"),
    [
        ({"harness_version": 2}, {"recipe"}),
        ({"corpus": {"cluster:h200-dgxc": {"cap": 1}}}, {"recipe"}),
        ({"lock": "x"}, {"shared"}),
        ({"launch": {"cluster:h200-dgxc": {"driver": "slurm"}}}, {"shared"}),
        ({"launch": {"cluster:b200": {"driver": "slurm"}}}, set()),
        ({"golden": {"m1_mtp": {"thinking_on": {3: 3.39}}}}, {"recipe"}),
        ({"golden": {"m2_mtp": {"thinking_on": {3: 3.39}}}}, set()),
    ],
)
def test_what_surrounds_the_files(fields: dict[str, Any], parts: set[str]) -> None:
    assert changed(of(), of(**fields)) == parts


def test_a_corpus_is_nothing_to_a_fixed_sequence_row() -> None:
    assert of(fixed(4)) == of(fixed(4), corpus={"cluster:h200-dgxc": {"cap": 1}})


def test_only_the_golden_value_that_is_used_counts() -> None:
    def curve(three: float, four: float) -> Ground:
        return ground(golden={"m1_mtp": {"thinking_on": {3: three, 4: four}, "source": "run 1"}})

    assert golden_value(ROW, SCRIPT, ground=curve(3.39, 3.9)) == {"thinking_on": 3.39}
    assert fingerprint(ROW, SCRIPT, ground=curve(3.39, 3.9)) == fingerprint(
        ROW, SCRIPT, ground=curve(3.39, 4.1)
    )
    assert changed(
        fingerprint(ROW, SCRIPT, ground=curve(3.39, 4)), fingerprint(ROW, SCRIPT, ground=curve(3.4, 4))
    ) == {"recipe"}


def test_a_recipe_variant_counts_instead_of_its_file() -> None:
    here = ground()
    first = fingerprint(ROW, f"{SCRIPT}:a", ground=here, variant={"x": 1})
    assert first == fingerprint(
        ROW, f"{SCRIPT}:a", ground=ground({**FILES, SCRIPT: FILES[SCRIPT] + b"#\n"}), variant={"x": 1}
    )
    assert changed(first, fingerprint(ROW, f"{SCRIPT}:a", ground=here, variant={"x": 2})) == {"recipe"}


def test_rows_without_a_script_stay_comparable() -> None:
    assert of(script="") == of(script="")
    assert changed(of(script=""), of()) == {"recipe", "shared"}
