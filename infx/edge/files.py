"""Files: bounded reads, and writes that are whole or not there."""

import json
import os
from pathlib import Path
from typing import Any

from infx.errors import BadInput

READ_LIMIT = 64 * 1024 * 1024
"""Bytes; more than any file infx reads on purpose."""


def read_bytes(path: Path, *, limit: int = READ_LIMIT) -> bytes:
    """Content of `path`. BadInput when it is missing, unreadable or larger than `limit` bytes."""
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise BadInput(
            f"cannot read the file ({error.strerror})", where=str(path), todo="check the path"
        ) from error
    if len(data) > limit:
        raise BadInput(f"the file is larger than {limit} bytes", where=str(path), todo="give a smaller file")
    return data


def read_text(path: Path, *, limit: int = READ_LIMIT) -> str:
    """Content of `path` as UTF-8 text. BadInput when it is not."""
    return decode(read_bytes(path, limit=limit), where=str(path))


def decode(data: bytes, *, where: str) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadInput(
            f"byte {error.start} is not UTF-8", where=where, todo="save the file as UTF-8"
        ) from error


def read_json(path: Path, *, limit: int = READ_LIMIT) -> Any:
    """Parsed content of `path`. BadInput with line and column when it is not JSON."""
    return parse_json(read_text(path, limit=limit), where=str(path))


def parse_json(text: str, *, where: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise BadInput(
            f"not JSON ({error.msg})",
            where=f"{where}:{error.lineno}:{error.colno}",
            todo="give a JSON document",
        ) from error
    except RecursionError as error:
        raise BadInput("JSON nested too deeply", where=where, todo="give a flatter document") from error
    except ValueError as error:
        # Python refuses whole numbers of thousands of digits.
        raise BadInput(f"not JSON ({error})"[:200], where=where, todo="give a JSON document") from error


def write_bytes(path: Path, data: bytes) -> None:
    """Replace `path` by `data` in one step; a reader sees the old content or the new, never half of it.
    BadInput where a folder or a device is in its place."""
    import tempfile  # late: commands that only read should not pay for it

    if path.exists() and not path.is_file():
        raise BadInput("something other than a file is there", where=str(path), todo="give another path")
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def write_text(path: Path, text: str) -> None:
    write_bytes(path, text.encode())


def write_json(path: Path, value: Any) -> None:
    """Pretty JSON with a final newline; NaN and infinity raise ValueError."""
    text = json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    # Half of a surrogate pair has no UTF-8, but the escape that stands for it here is JSON's own.
    write_bytes(path, text.encode(errors="backslashreplace"))


def write_long_json(path: Path, value: Any) -> None:
    """As `write_json` with one line for each item of a list, many times faster where there are thousands."""

    def text(one: Any) -> str:
        if isinstance(one, list) and one:
            return (
                "[\n"
                + ",\n".join(json.dumps(item, ensure_ascii=False, allow_nan=False) for item in one)
                + "\n]"
            )
        return json.dumps(one, ensure_ascii=False, allow_nan=False)

    parts = (
        [f"{json.dumps(name)}: {text(one)}" for name, one in value.items()] if isinstance(value, dict) else []
    )
    whole = "{\n" + ",\n".join(parts) + "\n}" if parts else text(value)
    write_bytes(path, (whole + "\n").encode(errors="backslashreplace"))


def empty(folder: Path) -> None:
    """Make `folder` an empty folder, whatever an earlier job left there."""
    import shutil

    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)


def uncommitted(folder: Path) -> None:
    """Make `folder`, with a `.gitignore` of its own: `git add -A` leaves out what lies in it."""
    mark = folder / ".gitignore"
    if not mark.exists():
        write_bytes(mark, b"*\n")
