"""Member: one file out of an artifact, shut in: it may draw itself and nothing more."""

import mimetypes
import zipfile
from pathlib import Path

from starlette.responses import Response

from infx.edge.archive import DAMAGE, METHODS
from infx.errors import Refused
from infx.forge.problem import Problem, not_found

LIMIT = 32 * 1024 * 1024
"""Bytes of one file, unpacked."""
LISTED = 1000
SHUT = {
    "Content-Security-Policy": (
        "sandbox; default-src 'none'; style-src 'unsafe-inline' 'self'; img-src 'self' data:; font-src data:"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
}
TEXT = ("application/json", "application/x-sh", "application/x-yaml", "application/yaml")


def names(path: Path, *, where: str) -> list[tuple[str, int]]:
    """Name and size of each file. Refused when it is no archive."""
    try:
        with zipfile.ZipFile(path) as archive:
            files = [(one.filename, one.file_size) for one in archive.infolist() if not one.is_dir()]
    except DAMAGE as error:
        raise Refused(f"not a readable zip archive ({error})"[:200], where=where) from error
    return sorted(files)[:LISTED]


def answer(path: Path, name: str, *, where: str) -> Response:
    """The file of that name. Whatever is no page, style or picture is shown as text or downloaded."""
    try:
        with zipfile.ZipFile(path) as archive:
            info = archive.getinfo(name)
            if info.compress_type not in METHODS:
                raise Refused(f"compression method {info.compress_type}", where=where)
            with archive.open(info) as file:
                data = file.read(LIMIT + 1)
    except KeyError:
        raise not_found() from None
    except DAMAGE as error:
        raise Refused(f"not a readable zip archive ({error})"[:200], where=where) from error
    if len(data) > LIMIT:
        raise Problem(413, f"{name} is too large to show; download the artifact")
    return Response(data, headers=SHUT, media_type=kind(name, data))


def kind(name: str, data: bytes) -> str:
    guess = mimetypes.guess_type(name)[0] or ""
    if guess in ("text/html", "text/css"):
        return f"{guess}; charset=utf-8"
    if guess.startswith("image/"):
        return guess
    if guess.startswith("text/") or guess in TEXT or b"\0" not in data[:4096]:
        return "text/plain; charset=utf-8"
    return "application/octet-stream"
