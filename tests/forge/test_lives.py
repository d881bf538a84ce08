"""A thousand random lives keep the invariants of the embedded GitHub. `INFX_SEED` runs one of them."""

import os
from collections.abc import Iterator

import pytest

from tests.forge import laws
from tests.forge import place as places
from tests.forge.place import Place

SEED = os.environ.get("INFX_SEED", "")
HANDFUL = range(5)
BLOCK, BLOCKS = 100, 10


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    made = places.make(tmp_path_factory.mktemp("lives") / "forge")
    yield made
    made.close()


def live(place: Place, seeds: range, *, unruly: bool) -> None:
    chosen = [seed for seed in seeds if not SEED or seed == int(SEED)]
    place.prepare(chosen)
    for seed in chosen:
        laws.run(place, seed, unruly=unruly)


def test_a_handful_of_lives(place):
    live(place, HANDFUL, unruly=False)


@pytest.mark.forge
@pytest.mark.parametrize("block", range(BLOCKS))
def test_lives(place, block):
    """Every other block gets its deliveries twice and out of order."""
    start = 1000 + block * BLOCK
    live(place, range(start, start + BLOCK), unruly=block % 2 == 1)
