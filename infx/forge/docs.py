"""Docs: where GitHub describes an endpoint, offered here or not.

`data/docs.json.gz` holds `METHOD /path/{}` → the end of its address for every endpoint of GitHub's published
description; `python -m tests.forge.openapi` makes it anew.
"""

import gzip
import json
from collections import defaultdict
from functools import cache
from pathlib import Path

ROOT = "https://docs.github.com/rest"
DATA = Path(__file__).parent / "data" / "docs.json.gz"
ANY = "{}"
Known = dict[tuple[str, int], list[tuple[list[str], str]]]


@cache
def known() -> Known:
    """Words and address of each endpoint, by method and number of words."""
    found: Known = defaultdict(list)
    for endpoint, tail in json.loads(gzip.decompress(DATA.read_bytes())).items():
        method, _, path = endpoint.partition(" ")
        words = path.split("/")
        found[method, len(words)].append((words, ROOT + tail))
    return found


def address(method: str, path: str) -> str:
    """The page about this endpoint; the start of the description when GitHub has none such either."""
    words = path.split("/")
    fitting = [
        (template, page)
        for template, page in known().get((method, len(words)), ())
        if all(ours in (ANY, theirs) for ours, theirs in zip(template, words, strict=True))
    ]
    return min(fitting, key=lambda pair: pair[0].count(ANY))[1] if fitting else ROOT
