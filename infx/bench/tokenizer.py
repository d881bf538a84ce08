"""A tokenizer of our own, made offline in a millisecond: every byte is one token, so lengths are exact.

Clients need a tokenizer to build prompts; the demo's engine reads bytes too. Recipes of real models use the
tokenizer that stands beside the staged checkpoint.
"""

from pathlib import Path
from typing import Any

from infx.edge import files

TEMPLATE = (
    "{% for message in messages %}{{ message['role'][:1] }}:{{ message['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}a:{% endif %}"
)


def byte_letters() -> dict[int, str]:
    """Byte → printable character, as byte-level BPE names its base tokens."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    letters = {byte: chr(byte) for byte in printable}
    others = [byte for byte in range(256) if byte not in letters]
    return letters | {byte: chr(256 + place) for place, byte in enumerate(others)}


def tokenizer() -> dict[str, Any]:
    """Content of `tokenizer.json`: byte-level BPE with 256 tokens, no merges, no special tokens."""
    vocabulary = {letter: byte for byte, letter in sorted(byte_letters().items())}
    level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": level,
        "post_processor": None,
        "decoder": level,
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None,
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": False,
            "vocab": vocabulary,
            "merges": [],
        },
    }


def write(folder: Path) -> Path:
    """Write the tokenizer where aiperf and transformers find it; the folder."""
    files.write_json(folder / "tokenizer.json", tokenizer())
    files.write_json(
        folder / "tokenizer_config.json",
        {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "model_max_length": 1_000_000,
            "clean_up_tokenization_spaces": False,
            "chat_template": TEMPLATE,
        },
    )
    return folder
