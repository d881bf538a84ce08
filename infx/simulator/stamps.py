"""Stamps: when the engine itself had each token, to hold a client's figures against."""

import json
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass(kw_only=True)
class Stamp:
    """One request by the engine's clock, in Unix seconds."""

    arrived: float
    first: float = 0.0
    last: float = 0.0
    tokens: int = 0


class Stamps:
    """One JSON line a finished request, in the file `path`; nothing is kept without a path."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.open: dict[int, Stamp] = {}
        if path:
            path.write_text("")

    def arrived(self, request: int) -> None:
        if self.path:
            self.open[request] = Stamp(arrived=time.time())

    def token(self, request: int) -> None:
        if stamp := self.open.get(request):
            stamp.last = time.time()
            stamp.first = stamp.first or stamp.last
            stamp.tokens += 1

    def ended(self, request: int) -> None:
        if self.path and (stamp := self.open.pop(request, None)):
            with self.path.open("a") as file:
                file.write(json.dumps(vars(stamp)) + "\n")
