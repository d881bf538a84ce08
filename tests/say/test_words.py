"""What strangers wrote cannot act inside a comment."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.say.words import code, number, percent, plain, short, some

HOSTILE = [
    "@octo/maintainers",
    "<!-- infx:end -->",
    "<img src=x onerror=alert(1)>",
    "a | b",
    "`` ` ``",
    "line\r\n### heading",
    "[click](https://evil.test)",
    "www.evil.test",
    "#12",
    "\u202etxt",
    "in\u00advisi\u061cble\U000e0041",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_name_keeps_no_markup(text: str) -> None:
    kept = plain(text)
    assert not set(kept) & set("@<>|`[]#*!:/\n\r\u202e\u00ad\u061c\U000e0041")
    assert "www." not in kept


@given(st.text(max_size=300))
def test_code_is_one_span_on_one_line(text: str) -> None:
    told = code(text)
    assert told[0] == told[-1] == "`"
    assert not set(told[1:-1]) & set("`|<>\n\r")
    assert len(told) <= 122


def test_numbers_read_well() -> None:
    assert [number(value) for value in (12.345, 123.45, 1234.5)] == ["12.35", "123.5", "1,234"]
    assert [percent(share) for share in (0.9757, 0.9, 1.0)] == ["97.57 %", "90 %", "100 %"]
    assert short("adc40a2" + "0" * 33) == "adc40a2"
    assert short("main --> x") == "?"
    assert some([f"C{one}" for one in range(14)]).endswith("C11, and 2 more")
