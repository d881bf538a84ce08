"""A tokenizer of our own, made offline in a millisecond: a character is a token, so lengths are exact.

Clients need a tokenizer to build prompts; the demo's engine reads bytes too. ASCII only: any token is text.
Recipes of real models use the tokenizer beside the staged checkpoint.
"""

from pathlib import Path
from typing import Any

from infx.edge import files

NAME = "infx/bytes"
STAGED = "infx/staged"
"""Name under which clients find the tokenizer of a staged checkpoint."""
PARTS = ("tokenizer*", "special_tokens_map.json", "*.jinja", "config.json", "vocab*", "merges.txt", "*.model")
"""Files of a checkpoint that a tokenizer is made of."""
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
    snapshot = _snapshot(home, NAME)
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
    return _offline(home)


def staged(checkpoint: Path, home: Path) -> dict[str, str]:
    """The same with the tokenizer beside a staged checkpoint, as `STAGED`: its files are linked."""
    snapshot = _snapshot(home, STAGED)
    snapshot.mkdir(parents=True, exist_ok=True)
    for part in {path for pattern in PARTS for path in checkpoint.glob(pattern)}:
        link = snapshot / part.name
        link.unlink(missing_ok=True)
        link.symlink_to(part.resolve())
    return _offline(home)


def _snapshot(home: Path, name: str) -> Path:
    folder = home / "hub" / f"models--{name.replace('/', '--')}"
    files.write_text(folder / "refs" / "main", REVISION)
    return folder / "snapshots" / REVISION


def _offline(home: Path) -> dict[str, str]:
    return {"HF_HOME": str(home), "HF_HUB_OFFLINE": "1"}
