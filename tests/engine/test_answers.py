import json

import pytest

from infx.simulator.answers import answer, filler, solve
from infx.simulator.prefix import BLOCK, Prefixes
from tests.runtime import ROOT

QUESTIONS = [
    json.loads(line) for line in (ROOT / "benchmarks" / "evals" / "gsm8k.jsonl").read_text().splitlines()
]


def test_the_data_set_has_different_solvable_questions() -> None:
    assert len({one["question"] for one in QUESTIONS}) == len(QUESTIONS) == 64
    assert [str(solve(one["question"])) for one in QUESTIONS] == [one["gold"] for one in QUESTIONS]


def test_the_share_of_right_answers_is_as_asked_and_repeats() -> None:
    def right(accuracy: float) -> list[bool]:
        said = [answer(f"Question: {one['question']}\nAnswer:", accuracy) or "" for one in QUESTIONS]
        return [text.endswith(f"#### {one['gold']}\n") for text, one in zip(said, QUESTIONS, strict=True)]

    assert all(right(1.0))
    assert not any(right(0.0))
    assert 0.9 <= sum(right(0.97)) / 64 < 1
    assert right(0.97) == right(0.97)


def test_the_last_question_counts_and_other_text_gets_filler() -> None:
    example = "Question: Jo has 1 cup. She buys 1 more.\nAnswer: #### 2"
    asked = f"{example}\n\nQuestion: Jo has 5 cups. She loses 2.\nAnswer:"
    assert answer(asked, 1.0) == " Going step by step, the result is 3.\n#### 3\n"
    assert answer("Tell me a story with 3 pigs. They meet 1 wolf.", 1.0) is None
    assert len(filler(1000)) == 1000


@pytest.mark.parametrize(("length", "found"), [(BLOCK - 1, 0), (BLOCK, BLOCK), (40, 2 * BLOCK)])
def test_whole_blocks_of_a_prefix_are_found(length: int, found: int) -> None:
    prefixes = Prefixes()
    prefixes.learn(b"a" * length)
    assert prefixes.cached(b"a" * length + b"different from here on") == found


def test_the_oldest_blocks_are_forgotten() -> None:
    prefixes = Prefixes(blocks=2)
    prefixes.learn(b"a" * 32)
    prefixes.learn(b"b" * 32)
    assert (prefixes.cached(b"a" * 32), prefixes.cached(b"b" * 32)) == (0, 32)
