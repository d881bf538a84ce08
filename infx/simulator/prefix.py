"""Prefix cache: how many leading tokens of a prompt were seen before, in whole blocks."""

import hashlib
from collections import OrderedDict

BLOCK = 16
"""Tokens in a block, as in vLLM."""


class Prefixes:
    """Digests of block chains, oldest forgotten first. Tokens are bytes."""

    def __init__(self, blocks: int = 44_000) -> None:
        self.blocks = blocks
        """Blocks that fit: 704,000 tokens, the KV pool of the calibrated engine."""
        self.known: OrderedDict[bytes, None] = OrderedDict()

    def chain(self, tokens: bytes) -> list[bytes]:
        state, links = hashlib.blake2b(digest_size=16), []
        for start in range(0, len(tokens) - BLOCK + 1, BLOCK):
            state.update(tokens[start : start + BLOCK])
            links.append(state.digest())
        return links

    def cached(self, tokens: bytes) -> int:
        """Leading tokens found."""
        found = 0
        for link in self.chain(tokens):
            if link not in self.known:
                break
            self.known.move_to_end(link)
            found += BLOCK
        return found

    def learn(self, tokens: bytes) -> None:
        for link in self.chain(tokens):
            self.known[link] = None
            self.known.move_to_end(link)
        while len(self.known) > self.blocks:
            self.known.popitem(last=False)
