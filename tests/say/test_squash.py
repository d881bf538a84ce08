"""Words of a merge commit: nothing in them keeps a workflow from running."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.say.squash import words
from infx.skip import MARKER, github_word, marked, without

TOLD = "main will publish 9 of 9 points from runs 500 and 501"
SKIPS = [MARKER, "[skip ci]", "[CI SKIP]", "[no ci]", "[skip actions]", "[actions skip]", "skip-checks: true"]


def test_the_message_of_an_ordinary_pull_request() -> None:
    assert words("Longer prompts", 7, told=TOLD) == ("Longer prompts (#7)", TOLD)


def test_other_authors_are_named() -> None:
    _, message = words("x", 7, told=TOLD, authors=["Ada <ada@example.org>"])
    assert message == f"{TOLD}\n\nCo-authored-by: Ada <ada@example.org>"


@pytest.mark.parametrize("skip", SKIPS)
def test_C82_no_marker_of_a_pull_request_gets_into_the_message(skip: str) -> None:
    title, message = words(f"Update {skip} configs", 7, told=TOLD, authors=[f"A {skip} <a@x>"])
    whole = f"{title}\n\n{message}"
    assert (github_word(whole), marked(whole)) == ("", False)
    assert title.startswith("Update")


def test_what_a_removal_joins_is_removed_as_well() -> None:
    assert without("[skip [skip ci]ci] x [skip-[no ci]sweep]") == " x "


def test_a_title_of_nothing_else_still_has_words() -> None:
    assert words("[skip ci]", 7, told=TOLD)[0] == "Change (#7)"


PIECES = st.lists(
    st.sampled_from([*SKIPS, "[", "]", "skip", " ", "ci", "sweep", "-", "\n", "\n\n", "true"])
).map("".join)


@given(PIECES, PIECES)
def test_whatever_the_title_and_names_are_nothing_skips(title: str, author: str) -> None:
    first, rest = words(title, 7, told=TOLD, authors=[author])
    whole = f"{first}\n\n{rest}"
    assert (github_word(whole), marked(whole)) == ("", False)
