"""The checklist and what people make of it: drifted words, strange bullets, quotes, texts that mean harm."""

from pathlib import Path

import pytest

from infx.errors import BadInput
from infx.read.checklist import is_signoff, read, template
from infx.signoff import PHRASE, Claim

ROOT = Path(__file__).parent.parent.parent
ITEMS = template((ROOT / "PR_REVIEW_CHECKLIST.md").read_text())
TWO = template(f"{PHRASE}\n- [ ] sweep-green: x\n- [ ] evals-passed: y\n")


def claims(body: str) -> dict[str, tuple[bool, str]]:
    return {one.item: (one.ticked, one.reason) for one in read(body, TWO).claims}


def test_the_own_checklist_and_its_translation_have_the_same_items() -> None:
    assert len(ITEMS) == 16
    assert [item.id for item in ITEMS][:2] == ["code-quality", "sweep-green"]
    chinese = template((ROOT / "docs" / "checklist-zh.md").read_text())
    assert [item.id for item in chinese] == [item.id for item in ITEMS]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("- [ ] a: x", "phrase is missing"),
        (f"{PHRASE}\n- [ ] a: x\n- [ ] a: y", "twice: a"),
        (f"{PHRASE}\n- [ ] : x", "without a name"),
    ],
)
def test_a_broken_template_is_refused(text: str, says: str) -> None:
    with pytest.raises(BadInput) as caught:
        template(text)
    assert says in caught.value.sentence


@pytest.mark.parametrize(
    "line",
    [
        "- [x] sweep-green: quite other words",
        "* [X] sweep-green: x",
        "+ [x] **sweep-green**: x",
        "• [x] Sweep green: x",
        "1. [x] sweep_green: x",
        "2) [✓] `sweep-green`: x",
        "- [x] sweep-green - x",
        "- [x] SWEEP-GREEN：已看过",
        "-  [x]  sweep-green seen a complete sweep",
        "   - [x] sweep‑green: x",
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_an_item_is_known_by_its_word(line: str, end: str) -> None:
    assert claims(f"{PHRASE}{end}{line}{end}") == {"sweep-green": (True, "")}


@pytest.mark.parametrize(
    ("line", "claim"),
    [
        ("- [ ] sweep-green: x", (False, "")),
        ("- [] sweep-green: x", (False, "")),
        ("- [ ] sweep-green: x — Reason: not run here", (False, "not run here")),
        ("- [ ] sweep-green: x\n  Reason: it is only a text", (False, "it is only a text")),
        ("- [ ] sweep-green: x\n  - reason: nested", (False, "nested")),
        ("- [ ] sweep-green: N/A: no GPU key", (False, "no GPU key")),
        ("- [x] sweep-green: x\n  - [ ] one of two", (False, "")),
        ("- [x] sweep-green: x\n  - [x] one of two", (True, "")),
        ("- [x] sweep-green: x\n- [ ] sweep-green: x", (False, "")),
    ],
)
def test_ticks_and_reasons(line: str, claim: tuple[bool, str]) -> None:
    assert claims(line)["sweep-green"] == claim


@pytest.mark.parametrize(
    "line",
    [
        "- [x] sweep-greenish: x",
        "- [x] the sweep-green",
        "> - [x] sweep-green: x",
        "```\n- [x] sweep-green: x\n```",
        "<!-- - [x] sweep-green: x -->",
        "<pre>\n- [x] sweep-green: x\n</pre>",
        "sweep-green: yes",
    ],
)
def test_what_is_no_item(line: str) -> None:
    assert claims(line) == {}


@pytest.mark.parametrize(
    ("body", "yes"),
    [
        (PHRASE, True),
        (PHRASE.upper(), True),
        (f"**{PHRASE}**", True),
        (PHRASE.replace("CODEOWNER, ", "CODEOWNER,\n"), True),
        (PHRASE.replace(" ", "\u00a0"), True),
        (PHRASE.replace("CODE", "CO\u200bDE"), True),
        (f"\u202e{PHRASE}", True),
        (f"> {PHRASE}", False),
        (f"```\n{PHRASE}\n```", False),
        (f"~~~~\n~~~\n{PHRASE}\n~~~~", False),
        (f"    {PHRASE}", False),
        (f"<!-- {PHRASE} -->", False),
        (f"<code>{PHRASE}</code>", False),
        (f"<!-- never closed {PHRASE}", False),
        ("As a CODEOWNER I have reviewed this", False),
        ("", False),
    ],
)
def test_who_signs(body: str, yes: bool) -> None:
    assert is_signoff(body) is yes


@pytest.mark.parametrize(
    ("line", "signer"),
    [
        ("Signed: @ada", "ada"),
        ("**Signed:** @ada", "ada"),
        ("signed-off by: @Ada-L", "Ada-L"),
        ("Signed：@ada", "ada"),
        ("Signed: ada", ""),
        ("> Signed: @ada", ""),
        ("", ""),
    ],
)
def test_the_signer_line(line: str, signer: str) -> None:
    assert read(f"{PHRASE}\n{line}\n", TWO).signer == signer


@pytest.mark.parametrize(
    "piece", ["- [x] sweep-green: x\n", "<!--", "```\n", "> ", "[x] ", "\u202e", "<pre>"]
)
def test_a_text_of_200_kb_is_read_quickly_and_only_at_its_beginning(piece: str) -> None:
    body = PHRASE + "\n" + piece * (200_000 // len(piece))
    said = read(body, TWO)
    assert {one.item for one in said.claims} <= {"sweep-green"}
    assert is_signoff(body) is True


def test_smart_quotes_do_no_harm() -> None:
    assert read("- [ ] evals-passed: “x” Reason: it’s small", TWO).claims == (
        Claim(item="evals-passed", ticked=False, reason="it's small"),
    )
