"""Where a repository has its files, and what becomes of each file that init writes."""

import pytest

from infx.adopted import Act, Found, Step
from infx.edge import settings
from infx.errors import BadInput
from infx.policy import adoption
from infx.starter import PIECES, Kept

MANAGED = next(piece.path for piece in PIECES if piece.kept == Kept.MANAGED)
SEED = next(piece.path for piece in PIECES if piece.kept == Kept.SEED)
SHIPPED = {adoption.place(piece, ""): b"new\n" for piece in PIECES}


def steps(present: dict[str, bytes], *, upgrade: bool = False, example: bool = True) -> dict[str, Step]:
    made = adoption.steps(
        SHIPPED, present, where=Found(), version="2.0 abc", upgrade=upgrade, example=example
    )
    return {step.path: step for step in made}


def old(content: bytes) -> bytes:
    return adoption.stamped(content, "1.0")


@pytest.mark.parametrize(
    ("there", "upgrade", "act"),
    [
        (None, False, Act.WRITE),
        (b"somebody's\n", False, Act.FOREIGN),
        (b"somebody's\n", True, Act.FOREIGN),
        (old(b"new\n"), False, Act.SAME),
        (old(b"old\n"), False, Act.LOCAL),
        (old(b"old\n"), True, Act.UPGRADE),
        (old(b"old\n") + b"mine\n", False, Act.LOCAL),
        (old(b"old\n") + b"mine\n", True, Act.MERGE),
        (b"", True, Act.FOREIGN),
    ],
)
def test_a_managed_file(there: bytes | None, upgrade: bool, act: Act) -> None:
    step = steps({} if there is None else {MANAGED: there}, upgrade=upgrade)[MANAGED]
    assert step.act == act
    assert bool(step.data) == (act in (Act.WRITE, Act.UPGRADE, Act.MERGE))


def test_what_was_written_is_known_again_and_repeats_nothing() -> None:
    first = steps({})
    again = steps({path: step.data for path, step in first.items()})
    assert {step.act for step in again.values()} == {Act.SAME, Act.OWN}


def test_a_seed_is_never_touched_again() -> None:
    assert steps({SEED: b"mine\n"}, upgrade=True)[SEED].act == Act.OWN


def test_the_example_can_be_left_out() -> None:
    examples = {piece.path for piece in PIECES if piece.kept == Kept.EXAMPLE}
    assert not examples & steps({}, example=False).keys()


@pytest.mark.parametrize("content", [b"name: x\n", b"#!/bin/sh\nexec x\n", b"one line"])
def test_a_stamp_comes_off_again(content: bytes) -> None:
    stamped = adoption.stamped(content, "1.0 abc")
    assert adoption.bare(stamped) == content
    assert stamped.startswith(b"#!") == content.startswith(b"#!")
    header = adoption.HEADER.search(stamped)
    assert header is not None
    assert (header["version"], header["digest"].decode()) == (b"1.0 abc", adoption.mark(content))


@pytest.mark.parametrize(
    ("paths", "root", "masters", "golden"),
    [
        ([], "", (), ""),
        (["configs/amd-master.yaml", "configs/nvidia-master.yaml"], "",
         ("configs/nvidia-master.yaml", "configs/amd-master.yaml"), ""),
        (["e2e/configs/nvidia-master.yaml", "e2e/golden_al_distribution/a.yaml"], "e2e",
         ("configs/nvidia-master.yaml",), "golden_al_distribution"),
        (["a/b/configs/x-master.yml", "configs/demo-master.yaml"], "a/b", ("configs/x-master.yml",), ""),
        (["configs/demo-master.yaml"], "", ("configs/demo-master.yaml",), ""),
    ],
)  # fmt: skip
def test_the_layout_is_found(paths: list[str], root: str, masters: tuple[str, ...], golden: str) -> None:
    found = adoption.found(paths, root=None)
    assert (found.root, found.masters, found.golden) == (root, masters, golden)


def test_two_folders_of_masters_need_a_word() -> None:
    paths = ["a/configs/nvidia-master.yaml", "b/configs/nvidia-master.yaml"]
    with pytest.raises(BadInput, match="--root"):
        adoption.found(paths, root=None)
    assert adoption.found(paths, root="b/").root == "b"


def test_the_policy_that_is_written_can_be_read() -> None:
    where = Found(
        root="e2e",
        masters=("configs/nvidia-master.yaml",),
        golden="golden_al_distribution",
        audit_from="https://github.com/o/r/pull/9",
    )
    rules = settings.parse(adoption.policy(where, example=True))
    layout = rules.layout
    assert (layout.root, layout.golden) == ("e2e", "golden_al_distribution")
    assert layout.masters == ("configs/nvidia-master.yaml", "configs/demo-master.yaml")
    assert rules.audit_from == "https://github.com/o/r/pull/9"
