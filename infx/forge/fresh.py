"""Fresh: conditional requests. What a client has is not sent again, and costs one with a token nothing."""

import hashlib
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from typing import Any

TAG = re.compile(r'(?:W/)?("[^"]*")')


def marks(data: bytes, body: Any) -> dict[str, str]:
    """Headers by which a client may ask again: `ETag`, and `Last-Modified` where it is known."""
    found = {"ETag": f'W/"{hashlib.sha256(data).hexdigest()}"'}
    text = body.get("updated_at") if isinstance(body, dict) else None
    if isinstance(text, str):
        moment = datetime.fromisoformat(text).astimezone(UTC)
        found["Last-Modified"] = format_datetime(moment, usegmt=True)
    return found


def unchanged(asked: Mapping[str, str], found: Mapping[str, str]) -> bool:
    """True when the client has this already. A tag it names counts alone (RFC 9110, section 13.2.2)."""
    tags = asked.get("if-none-match")
    if tags is not None:
        return tags.strip() == "*" or TAG.findall(found["ETag"])[0] in TAG.findall(tags)
    since = asked.get("if-modified-since")
    if since is None or "Last-Modified" not in found:
        return False
    try:
        return parsedate_to_datetime(found["Last-Modified"]) <= parsedate_to_datetime(since)
    except (ValueError, TypeError):
        return False
