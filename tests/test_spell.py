import pytest

from infx.spell import near


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("framwork", "did you mean `framework`? allowed: `model`, `framework`"),
        ("zzz", "allowed: `model`, `framework`"),
    ],
)
def test_nearest_and_all(given: str, says: str) -> None:
    assert near(given, ["model", "framework"]) == says


def test_a_long_list_is_cut() -> None:
    assert near("x", map(str, range(100))).endswith("and 88 more")
