"""HTTP: plain downloads with a bound, for what is not an API answer."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from infx.errors import CouldNotReport, CouldNotTell, Refused

TIMEOUT_S = 60
HOPS = 5
"""Redirects that are followed."""


def download(url: str, *, limit: int, headers: dict[str, str] | None = None) -> bytes:
    """Body of `url`, at most `limit` bytes. `headers` go to `url` alone: a redirect leads to a storage host
    that must not see them. Refused when it is larger or not there, CouldNotTell when nobody answers."""
    import httpx  # late: few commands download

    try:
        with httpx.Client(timeout=TIMEOUT_S, follow_redirects=False, verify=_trust()) as client:
            for hop in range(HOPS):
                with client.stream("GET", url, headers=headers if hop == 0 else None) as reply:
                    if reply.is_redirect and reply.next_request:
                        url = str(reply.next_request.url)
                        continue
                    return _body(reply.status_code, reply.iter_bytes(), limit, _host(url))
    except httpx.HTTPError as error:
        raise CouldNotTell(
            f"download failed ({type(error).__name__})", where=_host(url), todo="try again"
        ) from error
    raise CouldNotTell(f"more than {HOPS} redirects", where=_host(url), todo="try again")


@cache
def _trust() -> Any:
    """Certificates that are trusted; reading them takes longer than many a download."""
    import httpx

    return httpx.create_ssl_context()


def _body(status: int, chunks: Iterator[bytes], limit: int, host: str) -> bytes:
    if status in (404, 410):
        raise Refused("it is not there any more", where=host, todo="its retention may have ended")
    if status >= 400:
        raise CouldNotTell(f"HTTP status {status}", where=host, todo="try again")
    data = bytearray()
    for chunk in chunks:
        data += chunk
        if len(data) > limit:
            raise Refused(f"more than {limit} bytes", where=host, todo="it is not what infx wrote")
    return bytes(data)


def _host(url: str) -> str:
    """For messages: signed addresses carry secrets in path and query."""
    return url.split("://")[-1].split("/")[0].split("?")[0]


def post_json(url: str, value: object) -> None:
    """POST `value` as JSON. CouldNotReport when it did not arrive; the address is a secret and never told."""
    import httpx

    host = _host(url)
    try:
        with httpx.Client(timeout=TIMEOUT_S) as client:
            status = client.post(url, json=value).status_code
    except httpx.HTTPError as error:
        raise CouldNotReport(
            f"the message did not arrive ({type(error).__name__})", where=host, todo="try again"
        ) from error
    if status >= 400:
        raise CouldNotReport(f"the message was answered with {status}", where=host, todo="check the address")
