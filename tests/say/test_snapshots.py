"""Texts as people read them. After a wanted change: `python -m tests.say.test_snapshots` writes them anew."""

from pathlib import Path

import pytest

from tests.say.samples import SAMPLES

FOLDER = Path(__file__).parent


@pytest.mark.parametrize("name", SAMPLES)
def test_text_is_as_reviewed(name: str) -> None:
    assert SAMPLES[name]() == (FOLDER / f"{name}.md").read_text()


def test_no_snapshot_is_left_over() -> None:
    assert {path.stem for path in FOLDER.glob("*.md")} == set(SAMPLES)


if __name__ == "__main__":
    for name, make in SAMPLES.items():
        (FOLDER / f"{name}.md").write_text(make())
