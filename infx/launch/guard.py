"""A program of its own between infx and what it starts: nothing that was started outlives infx.

`python -I -S guard.py GRACE_S AFTER -- ARGV…` starts ARGV and ends it, with every descendant, as soon as its
own standard input closes. infx holds the other end, so even SIGKILL of infx ends the engine. Descendants that
detached themselves are found too, because orphans come to a subreaper. What runs elsewhere, in a container or
on other nodes, is ended by the command AFTER (a JSON list). Standard library only: quick to start.
"""

import contextlib
import ctypes
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
POLL_S = 0.02
AFTER_S = 15
"""Seconds that the command AFTER may take."""


def descendants(root: int) -> list[int]:
    """Process ids below `root` that still live, zombies left out; read from /proc."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
            except OSError:
                continue
            children.setdefault(int(parent), []).append(
                int(folder.name) if state != "Z" else -int(folder.name)
            )
    found, queue = [], [root]
    while queue:
        below = children.get(queue.pop(), [])
        found += [pid for pid in below if pid > 0]
        queue += [abs(pid) for pid in below]
    return found


def end_all(grace_s: float) -> None:
    """SIGTERM, then SIGKILL after `grace_s` seconds, until this process has no descendant left."""
    me, deadline, told = os.getpid(), time.monotonic() + grace_s, set[int]()
    while alive := descendants(me):
        hard = time.monotonic() >= deadline
        for pid in alive:
            if hard or pid not in told:
                told.add(pid)
                signal_one(pid, signal.SIGKILL if hard else signal.SIGTERM)
        reap()
        time.sleep(POLL_S)
    reap()


def signal_one(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def reap() -> None:
    """Collect orphans that ended, so that they do not stay as zombies."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            continue


def main(argv: list[str]) -> int:
    """Exit code of ARGV, 128 + n when signal n ended it."""
    grace_s, after, command = float(argv[0]), json.loads(argv[1]), argv[3:]
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    # A cancelled job signals everything it sees; the guard has to outlive that to end the rest.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    # The number tells whether the guard that would remove it still lives.
    scratch = tempfile.mkdtemp(prefix=f"infx-{os.getpid()}-")
    try:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "TMPDIR": scratch},
            start_new_session=True,
            preexec_fn=default_signals,
        )
        ended = os.pidfd_open(child.pid)
        select.select([0, ended], [], [])
        code = child.poll()
        end_all(grace_s)
    except OSError as error:
        sys.stderr.write(f"cannot start {command[0]}: {error.strerror}\n")
        return 127
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
        run_after(after)
    if code is None:
        return 128 + signal.SIGTERM
    return code if code >= 0 else 128 - code


def run_after(command: list[str]) -> None:
    """Nothing of it goes into the program's log. Whoever started the guard looks whether it had success."""
    quiet = subprocess.DEVNULL
    if command:
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(command, stdin=quiet, stdout=quiet, stderr=quiet, timeout=AFTER_S, check=False)


def default_signals() -> None:
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
