"""`python prune.py LIBRARY OUT`: a CUDA library with zeros for the code of other GPUs than capability 9.0.

Sizes and offsets stay, so it loads as before and only compresses better. A container without code for 9.0
keeps its intermediate code, which the driver compiles at start as it would have done anyway.
"""

import struct
import sys
from collections.abc import Iterator
from pathlib import Path

ARCH = 90
CONTAINER = 0xBA55ED50
INTERMEDIATE, MACHINE = 1, 2
"""Kinds of entries in a container."""


def sections(data: bytearray) -> Iterator[tuple[int, int]]:
    """Start and end of every section that holds GPU code."""
    (table,) = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    rows = [struct.unpack_from("<IIQQQQIIQQ", data, table + number * size) for number in range(count)]
    for row in rows:
        start = rows[names][4] + row[0]
        if data[start : data.index(0, start)] == b".nv_fatbin":
            yield row[4], row[4] + row[5]


def entries(data: bytearray, at: int, end: int) -> Iterator[tuple[int, int, int, int]]:
    """Kind, architecture, start and end of each entry of one container."""
    while at < end - 32:
        kind, _, head, size = struct.unpack_from("<HHIQ", data, at)
        if kind not in (INTERMEDIATE, MACHINE) and size == 0:
            return
        (arch,) = struct.unpack_from("<I", data, at + 28)
        yield kind, arch, at + head, at + head + size
        at += head + size


def prune(data: bytearray) -> int:
    """Zero what is not for ARCH; bytes zeroed."""
    zeroed = 0
    for at, end in sections(data):
        while at < end - 16:
            magic, _, head, size = struct.unpack_from("<IHHQ", data, at)
            if magic != CONTAINER:
                at += 8
                continue
            inside = list(entries(data, at + head, at + head + size))
            own = any(kind == MACHINE and arch == ARCH for kind, arch, *_ in inside)
            for kind, arch, start, stop in inside:
                keep = arch == ARCH if kind == MACHINE else not own and arch <= ARCH
                if not keep:
                    data[start:stop] = bytes(stop - start)
                    zeroed += stop - start
            at += head + size
    return zeroed


if __name__ == "__main__":
    library = bytearray(Path(sys.argv[1]).read_bytes())
    sys.stderr.write(f"{prune(library)} of {len(library)} bytes zeroed\n")
    Path(sys.argv[2]).write_bytes(library)
