"""What the simulator says: arithmetic word problems solved, mostly right; anything else gets filler text.

The model "reads" bytes: one token is one byte, so that lengths are exact for every client and tokenizer.
"""

import hashlib
import re

FILLER = b"the quick brown fox jumps over the lazy dog and then rests a while. "
MARK = "Question:"
STEPS = (
    (re.compile(r"times as many|each hold|each cost|per "), "*"),
    (re.compile(r"shared? equally|split"), "/"),
    (re.compile(r"gives? away|loses?|eats?|sells?|leaves?|breaks?"), "-"),
    (re.compile(r"buys?|finds?|gets?|arrives?|picks?|bakes?|more"), "+"),
)
"""First match in a sentence decides what its number does to the running value."""


def filler(length: int) -> str:
    """`length` tokens of text that mean nothing."""
    return (FILLER * (length // len(FILLER) + 1))[:length].decode()


def solve(question: str) -> int | None:
    """Answer of a word problem that goes sentence by sentence, or None when it is none."""
    value = None
    for sentence in re.split(r"[.?]", question):
        numbers = [int(number) for number in re.findall(r"\d+", sentence)]
        if not numbers:
            continue
        if value is None:
            value = numbers[0]
            continue
        sign = next((sign for words, sign in STEPS if words.search(sentence)), None)
        if sign is None:
            return None
        value = apply(value, numbers[0], sign)
    return value


def apply(value: int, number: int, sign: str) -> int:
    if sign == "*":
        return value * number
    if sign == "/":
        return value // max(number, 1)
    return value + number if sign == "+" else value - number


def answer(prompt: str, accuracy: float) -> str | None:
    """Worked answer to the last question of `prompt`, right for the share `accuracy` of all questions."""
    _, mark, question = prompt.rpartition(MARK)
    question = question.partition("Answer:")[0].strip()
    value = solve(question) if mark else None
    if value is None:
        return None
    share = int.from_bytes(hashlib.sha256(question.encode()).digest()[:4]) / 2**32
    if share >= accuracy:
        value += 1
    return f" Going step by step, the result is {value}.\n#### {value}\n"
