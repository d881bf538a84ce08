"""Skip words: GitHub's own and ours. The embedded GitHub and the decision share them."""

import pytest

from infx import skip


@pytest.mark.parametrize(
    ("message", "word"),
    [
        (None, ""),
        ("a change", ""),
        ("a [Skip CI] change", "[Skip CI]"),
        ("subject\n\nbody [actions skip]", "[actions skip]"),
        ("subject\n\nbody\n\nskip-checks: true\n", "skip-checks: true"),
        ("subject\n\nskip-checks:true", "skip-checks:true"),
        ("subject\nskip-checks: true", ""),
        ("subject\n\nskip-checks:true\nSigned-off-by: x", ""),
        ("mentions skip-checks: true", ""),
        ("a [skip-sweep] change", ""),
        ("\n" * 200_000 + "x" * 200_000, ""),
    ],
)
def test_githubs_own_words(message: str | None, word: str) -> None:
    assert skip.github_word(message) == word


@pytest.mark.parametrize(("message", "ours"), [(None, False), ("x [Skip-Sweep]", True), ("[skip ci]", False)])
def test_our_marker(message: str | None, ours: bool) -> None:
    assert skip.marked(message) is ours
