"""A tokenizer of our own, made offline in a millisecond: a character is a token, so lengths are exact.

Clients need a tokenizer to build prompts; the demo's engine reads bytes too. ASCII only: any token is text.
Recipes of real models use the tokenizer beside the staged checkpoint.
"""

from pathlib import Path
from typing import Any

from infx.edge import files

NAME = "infx/bytes"
REVISION = "0" * 40
TEMPLATE = (
    "{% for message in messages %}{{ message['role'][:1] }}:{{ message['content'] }}\n{% endfor %}"
    "{% if add_generation_prompt %}a:{% endif %}"
)


def tokenizer() -> dict[str, Any]:
    """Content of `tokenizer.json`: byte-level BPE over printable ASCII and line ends, without merges."""
    letters = ["\u0120", "\u010a", *map(chr, range(33, 127))]
    vocabulary = {letter: number for number, letter in enumerate(letters)}
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


def write(home: Path) -> dict[str, str]:
    """Lay the tokenizer into a hub cache at `home`; environment with which clients find it there as `NAME`.

    A cache and offline mode, because aiperf then skips a whole warm-up process.
    """
    folder = home / "hub" / f"models--{NAME.replace('/', '--')}"
    snapshot = folder / "snapshots" / REVISION
    files.write_text(folder / "refs" / "main", REVISION)
    files.write_json(snapshot / "tokenizer.json", tokenizer())
    files.write_json(
        snapshot / "tokenizer_config.json",
        {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "model_max_length": 1_000_000,
            "clean_up_tokenization_spaces": False,
            "chat_template": TEMPLATE,
        },
    )
    return {"HF_HOME": str(home), "HF_HUB_OFFLINE": "1"}
