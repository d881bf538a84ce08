"""Comments on the pages: what GitHub shows is shown, what could harm is gone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infx.forge.look.markdown import render

FOLD = "<details open><summary>more</summary>\n\n**bold**\n\n</details>"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**a** ~~b~~", "<strong>a</strong> <s>b</s>"),
        ("a\nb", "a<br>"),
        ("| a |\n|--:|\n| 1 |", '<td align="right">1</td>'),
        (FOLD, '<details open=""><summary>more</summary>'),
        (FOLD, "<strong>bold</strong>"),
        ("`<b>`", "<code>&lt;b&gt;</code>"),
        ("[a](https://x.example)", 'rel="nofollow noopener noreferrer"'),
    ],
)
def test_it_reads_as_on_github(text, shown):
    assert shown in render(text)


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("<!-- infx:status -->\nhi", "infx:status"),
        ("<script>alert(1)</script>", "alert"),
        ("<style>body{display:none}</style>", "display"),
        ("<img src=x onerror=alert(1)>", "onerror"),
        ("[a](javascript:alert(1))", "href"),
        ('<a href="javascript:alert(1)">a</a>', "javascript"),
        ('<a href="data:text/html,x">a</a>', "data:"),
        ("<iframe src=https://x.example></iframe>", "iframe"),
        ("<form action=https://x.example><input name=a></form>", "<form"),
        ('<p style="position:fixed" class="pill" id="top">a</p>', "fixed"),
    ],
)
def test_it_cannot_harm(text, hidden):
    assert hidden not in render(text)


@given(st.text("<>!-/ \n\"'=abcdetilsrpond`*[](){}&;:#|", max_size=60))
def test_no_text_makes_a_script_or_breaks_it(text):
    html = render(text + "\n\n<script>1</script><p onclick=x>")
    assert "<script" not in html
    assert "<p onclick" not in html
