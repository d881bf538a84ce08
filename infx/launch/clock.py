"""The clock of this machine, as its kernel knows it from whatever keeps it right (adjtimex(2))."""

import ctypes
from dataclasses import dataclass

UNSYNCHRONISED, NANOSECONDS = 0x0040, 0x2000
"""Bits of the status: STA_UNSYNC, STA_NANO."""


class Timex(ctypes.Structure):
    """`struct timex` of Linux, as far as it is read; the rest is room that the kernel fills."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("rest", ctypes.c_long * 24),
    )


@dataclass(frozen=True, kw_only=True)
class Clock:
    """What is known of it."""

    synchronised: bool
    offset_s: float
    """How far it is off; means nothing where it is not synchronised."""


def read() -> Clock | None:
    """None where the kernel does not tell, as outside of Linux. Reading needs no rights."""
    found = Timex(modes=0)
    try:
        state = ctypes.CDLL(None).adjtimex(ctypes.byref(found))
    except AttributeError:
        return None
    if state < 0:
        return None
    unit = 1e9 if found.status & NANOSECONDS else 1e6
    return Clock(synchronised=not found.status & UNSYNCHRONISED, offset_s=found.offset / unit)
