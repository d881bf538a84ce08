"""Archive: zip bytes that somebody else wrote become files in memory, and nothing else happens."""

import io
import zipfile
import zlib
from pathlib import PurePosixPath

from infx.errors import Refused

MEMBERS = 10_000
TOTAL = 256 * 1024 * 1024
"""Unpacked bytes of one archive; a result with its raw files has a few MB."""
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
DAMAGE = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, ValueError, OSError)
"""What zipfile raises on junk; RuntimeError is its word for encrypted, NotImplementedError for too new."""
TODO = "it is not what infx wrote; look at the run that did"


def unpack(data: bytes, *, where: str, total: int = TOTAL, members: int = MEMBERS) -> dict[str, bytes]:
    """Path → content of every file. Refused when a path leaves the archive, or it holds more than it should:
    sizes are counted while unpacking, because the table of contents may lie."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
            if len(infos) > members:
                raise _refusal(f"more than {members} files", where)
            found: dict[str, bytes] = {}
            left = total
            for info in infos:
                name = safe(info.filename, where=where)
                if name in found:
                    raise _refusal(f"the path {name!r:.80} twice", where)
                if info.compress_type not in METHODS:
                    raise _refusal(f"compression method {info.compress_type}", where)
                with archive.open(info) as file:
                    found[name] = file.read(left + 1)
                left -= len(found[name])
                if left < 0:
                    raise _refusal(f"more than {total} bytes", where)
            return found
    except DAMAGE as error:
        raise Refused(f"not a readable zip archive ({error})"[:200], where=where, todo=TODO) from error


def safe(name: str, *, where: str) -> str:
    """`name` as a relative path inside the archive."""
    path = PurePosixPath(name)
    odd = "\\" in name or "\0" in name or ":" in path.parts[0] if path.parts else True
    if odd or path.is_absolute() or ".." in path.parts:
        raise _refusal(f"the path {name!r:.80}, which leaves the archive", where)
    return str(path)


def _refusal(what: str, where: str) -> Refused:
    return Refused(f"the archive holds {what}", where=where, todo=TODO)
