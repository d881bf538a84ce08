"""Spot: where on a cluster one engine or frontend serves."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Spot:
    """Where one engine or frontend serves."""

    node: str
    host: str
    port: int

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"


NOWHERE = Spot(node="", host="", port=0)
