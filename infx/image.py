"""Image: a container reference, as recipes write it."""

import re
from dataclasses import dataclass

DEFAULT_HOST = "docker.io"
PATTERN = re.compile(
    r"(?:(?P<host>[a-z0-9][a-z0-9.-]*(?::\d+)?)[/#])?"
    r"(?P<name>[a-z0-9]+(?:(?:[._/]|__|-+)[a-z0-9]+)*)"
    r"(?::(?P<tag>\w[\w.-]{0,127}))?(?:@(?P<digest>sha256:[0-9a-f]{64}))?"
)


@dataclass(frozen=True, kw_only=True)
class Image:
    """Registry host, repository in it, and what of the repository is meant."""

    host: str
    repository: str
    reference: str
    """Digest when the recipe pins one, else the tag."""


def parse(text: str) -> Image | None:
    """`lmsysorg/sglang:v1`, `nvcr.io/nvidia/x:1` or enroot's `nvcr.io#nvidia/x:1`; None for anything else."""
    match = PATTERN.fullmatch(text)
    if match is None:
        return None
    host, name = match["host"] or "", match["name"]
    if host and not ("." in host or ":" in host or host == "localhost"):
        host, name = "", f"{host}/{name}"
    if not host and "/" not in name:
        name = f"library/{name}"
    reference = match["digest"] or match["tag"] or "latest"
    return Image(host=host or DEFAULT_HOST, repository=name, reference=reference)
