"""A text that was cut is still whole Markdown, and says where the rest is."""

from hypothesis import given
from hypothesis import strategies as some

from infx.shorten import shorten

LINK = "https://github.test/o/r/actions/runs/5"


def test_a_text_that_fits_is_left_alone() -> None:
    assert shorten("short", 5) == "short"


def test_it_is_cut_between_lines_and_names_the_rest() -> None:
    text = "\n".join(f"line {number}" for number in range(100))
    cut = shorten(text, 200, link=LINK)
    assert len(cut) <= 200
    assert cut.endswith(f"\n\n… shortened: [the whole is here]({LINK}).")
    assert cut.split("\n\n")[0].splitlines()[-1] in text.splitlines()


def test_what_was_open_is_closed_before_the_note() -> None:
    text = "<details><summary>x</summary>\n\n```\n" + "code\n" * 100
    assert shorten(text, 150).endswith("code\n```\n\n</details>\n\n… shortened.")


@given(
    some.lists(some.sampled_from(["a", "```", "<details>", "</details>", "x" * 50, ""])),
    some.integers(60, 400),
)
def test_it_never_exceeds_the_limit(lines: list[str], limit: int) -> None:
    assert len(shorten("\n".join(lines), limit)) <= limit
