"""Ask: one command of a container engine or scheduler, bounded in time, given up when the brake is pulled."""

import subprocess
import time
from collections.abc import Mapping, Sequence

from infx.edge.proc import Done
from infx.launch.brake import TICK_S, Brake
from infx.reason import Reason, Stopped


def ask(argv: Sequence[str], *, env: Mapping[str, str], limit_s: float, brake: Brake | None = None) -> Done:
    """Run `argv` to its end. Stopped with `launcher-failed` when it cannot start or takes too long."""
    try:
        process = subprocess.Popen(
            argv,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise Stopped(Reason.LAUNCHER_FAILED, f"cannot run {argv[0]}: {error.strerror}") from error
    with process:
        try:
            out, err = _listen(process, limit_s, brake)
        except BaseException:
            process.kill()
            raise
    return Done(argv=tuple(argv), code=process.returncode, out=out, err=err)


def _listen(process: "subprocess.Popen[bytes]", limit_s: float, brake: Brake | None) -> tuple[bytes, bytes]:
    end = time.monotonic() + limit_s
    while True:
        try:
            return process.communicate(timeout=TICK_S)
        except subprocess.TimeoutExpired as error:
            if brake:
                brake.check()
            if time.monotonic() >= end:
                what = f"`{' '.join(error.cmd[:3])}` gave no answer within {limit_s:g} s"
                raise Stopped(Reason.LAUNCHER_FAILED, what) from error
