"""Upstream: what is behind the address of a recipe at an engine's project."""

import re
from urllib.parse import urlsplit

from infx.edge import http
from infx.edge.api import Api
from infx.errors import InfxError
from infx.subject import Link

PULL = re.compile(r"/([\w.-]+)/([\w.-]+)/pull/(\d{1,9})(?:/\w*)?/?")
PAGE_LIMIT = 8 * 1024 * 1024
"""Bytes of a page."""


def look(address: str, *, api: Api, server: str) -> Link:
    """A pull request of `server` by the API, anything else as a page. UNREACHABLE when nobody could tell."""
    parts = urlsplit(address)
    pull = PULL.fullmatch(parts.path)
    try:
        if pull and f"{parts.scheme}://{parts.netloc}".lower() == server.rstrip("/").lower():
            return of_pull(api.get(f"/repos/{pull[1]}/{pull[2]}/pulls/{pull[3]}"))
        if parts.scheme != "https":
            return Link.UNREACHABLE
        http.download(address, limit=PAGE_LIMIT)
    except InfxError:
        return Link.UNREACHABLE
    return Link.PUBLISHED


def of_pull(answer: object) -> Link:
    if not isinstance(answer, dict) or "state" not in answer:
        return Link.UNREACHABLE
    if answer.get("merged_at") or answer.get("merged"):
        return Link.MERGED
    if answer["state"] != "open":
        return Link.CLOSED
    return Link.DRAFT if answer.get("draft") else Link.OPEN
