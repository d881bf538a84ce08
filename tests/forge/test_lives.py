"""A thousand random lives keep the invariants of the embedded GitHub. `INFX_SEED` runs one of them."""

import os
from collections.abc import Iterator

import pytest

from infx.forge.faults import NUMBER
from tests.forge import laws
from tests.forge import place as places
from tests.forge.lives import Life
from tests.forge.place import Place
from tests.forge.storm import Storm

SEED = os.environ.get("INFX_SEED", "")
HANDFUL = range(5)
BLOCK, BLOCKS = 100, 10


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    made = places.make(tmp_path_factory.mktemp("lives") / "forge")
    yield made
    made.close()


def live(place: Place, seeds: range, *, unruly: bool = False, kind: type[Life] = Life) -> list[Life]:
    chosen = [seed for seed in seeds if not SEED or seed == int(SEED)]
    place.prepare(chosen)
    return [laws.run(place, seed, unruly=unruly, kind=kind) for seed in chosen]


def test_a_handful_of_lives(place):
    live(place, HANDFUL)


@pytest.mark.forge
@pytest.mark.parametrize("block", range(BLOCKS))
def test_lives(place, block):
    """Every third block is calm; in the next, deliveries misbehave; in the last, everything does."""
    start = 1000 + block * BLOCK
    kind = Storm if block % 3 == 2 else Life
    live(place, range(start, start + BLOCK), unruly=block % 3 > 0, kind=kind)


@pytest.mark.forge
def test_a_seed_meets_the_same_weather_again(tmp_path):
    """In another forge, among other lives, under other numbers."""
    told = []
    for name, before in (("one", range(0)), ("two", range(40, 43))):
        here = places.make(tmp_path / name)
        live(here, before, kind=Storm)
        lives = live(here, range(50, 56), kind=Storm)
        told.append([(life.acts, sorted(NUMBER.sub("#", f"{one}") for one in life.struck)) for life in lives])
        here.close()
    assert told[0] == told[1]
    assert sum(len(struck) for _, struck in told[0]) > 10
