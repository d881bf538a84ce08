"""Slurm's commands: submit, look, cancel. Looking never waits: a lost controller is silent for 9 seconds."""

import os
import re
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from infx.edge.proc import Done
from infx.launch.ask import ask
from infx.launch.brake import Brake
from infx.reason import Reason, Stopped

LOOK_S = 1.0
"""Seconds between two looks at a job; a controller serves many."""
HURRY_S = 0.2
PENDING = frozenset({"PENDING", "CONFIGURING", "REQUEUED", "SUSPENDED"})
RUNNING = frozenset({"RUNNING", "COMPLETING", "STAGE_OUT", "SIGNALING"})
LOST = frozenset({"NODE_FAIL", "BOOT_FAIL", "PREEMPTED"})
CANCELLED = "CANCELLED"
LIMIT = frozenset({"TIMEOUT", "DEADLINE"})
GONE = "GONE"
"""The controller no longer knows the job."""
NEVER = (
    "PartitionDown",
    "PartitionInactive",
    "BadConstraints",
    "AccountNotAllowed",
    "QOSNotAllowed",
    "JobHeldAdmin",
    "JobHeldUser",
    "launch_failed_requeued_held",
)
"""Why a pending job will not run until a person does something."""
FIELD = re.compile(r"(\w+)=(\S*)")


@dataclass(frozen=True, kw_only=True)
class Job:
    """What Slurm says of a job."""

    state: str
    """Slurm's word, such as RUNNING; GONE when it does not know the job."""
    why: str = ""
    code: int = 0
    """Exit code of the batch script; 128 + n when signal n ended it."""
    nodes: str = ""

    @property
    def over(self) -> bool:
        return self.state not in PENDING | RUNNING


def parse(text: str) -> Job:
    """A line of `scontrol show job --oneliner`."""
    found = dict(FIELD.findall(text))
    code, _, signal = found.get("ExitCode", "0:0").partition(":")
    return Job(
        state=found.get("JobState", GONE),
        why=found.get("Reason", ""),
        code=int(code) or (128 + int(signal) if int(signal or 0) else 0),
        nodes=found.get("NodeList", "").replace("(null)", ""),
    )


class Watch:
    """Looks at one job again and again, without waiting for an answer."""

    def __init__(self, number: str, env: Mapping[str, str], patience_s: float) -> None:
        self.number, self.env, self.patience_s = number, env, patience_s
        self.last = Job(state="PENDING")
        self.heard = time.monotonic()
        self.asked, self.pace_s = 0.0, LOOK_S
        self.question: subprocess.Popen[str] | None = None

    def hurry(self) -> None:
        """Look more often: the job is being ended, and somebody waits for it."""
        self.pace_s = HURRY_S

    def look(self) -> Job:
        """The newest answer. Stopped when the controller has been silent for `patience_s` seconds."""
        if self.question and self.question.poll() is not None:
            out, err = self.question.communicate()
            self.answer(self.question.returncode, out, err)
            self.question = None
        if self.question is None and not self.last.over and time.monotonic() - self.asked >= self.pace_s:
            self.asked = time.monotonic()
            self.question = subprocess.Popen(
                ["scontrol", "--oneliner", "show", "job", self.number],
                env=dict(self.env),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        if time.monotonic() - self.heard > self.patience_s and not self.last.over:
            what = f"the Slurm controller gave no answer for {self.patience_s:g} s"
            raise Stopped(Reason.LAUNCHER_FAILED, what)
        return self.last

    def answer(self, code: int, out: str, err: str) -> None:
        if code == 0:
            self.last, self.heard = parse(out), time.monotonic()
        elif "Invalid job id" in err:
            self.last, self.heard = Job(state=GONE), time.monotonic()

    def close(self) -> None:
        """End a question that nobody waits for any more."""
        if self.question:
            self.question.kill()
            self.question.communicate()
            self.question = None


def submit(
    words: Sequence[str], *, env: Mapping[str, str], limit_s: float, brake: Brake | None = None
) -> str:
    """Number of the new job. Stopped when Slurm does not take it, in its own words."""
    done = ask(["sbatch", "--parsable", *words], env=env, limit_s=limit_s, brake=brake)
    number = done.text.strip().partition(";")[0]
    if done.code or not number.isdigit():
        raise Stopped(Reason.LAUNCHER_FAILED, f"sbatch: {_words(done)}")
    return number


def cancel(words: Sequence[str], *, env: Mapping[str, str], limit_s: float) -> str:
    """`scancel` with these words; what is wrong, or nothing. A job that is over is no fault."""
    done = ask(["scancel", *words], env=env, limit_s=limit_s)
    return _words(done) if done.code and "Invalid job id" not in done.complaint else ""


def account(number: str, *, env: Mapping[str, str], limit_s: float) -> list[dict[str, str]]:
    """Slurm's record of the job and its steps; empty where the cluster keeps none."""
    fields = "JobID,JobName,State,ExitCode,NodeList,Submit,Start,End,AllocTRES,Comment"
    done = ask(["sacct", "--parsable2", f"--format={fields}", f"--jobs={number}"], env=env, limit_s=limit_s)
    lines = [line.split("|") for line in done.text.splitlines()] if done.code == 0 else []
    return [dict(zip(lines[0], line, strict=False)) for line in lines[1:]]


def sick(nodes: str, *, env: Mapping[str, str], limit_s: float) -> bool:
    """Whether Slurm misses one of these nodes, which are named as in `gpu[0-3,7]`."""
    done = ask(["scontrol", "--oneliner", "show", "node", nodes], env=env, limit_s=limit_s)
    return any(missed(line) for line in done.text.splitlines())


def missed(line: str) -> bool:
    """Whether a line of `scontrol show node --oneliner` tells of a node that does not respond."""
    state = dict(FIELD.findall(line)).get("State", "")
    return state.endswith("*") or any(word in state for word in ("DOWN", "NOT_RESPONDING", "FAIL"))


def address(node: str, *, env: Mapping[str, str], limit_s: float) -> str:
    """Network address of a node; its name when Slurm does not say."""
    done = ask(["scontrol", "--oneliner", "show", "node", node], env=env, limit_s=limit_s)
    return dict(FIELD.findall(done.text)).get("NodeAddr") or node


def queued(user: str, *, env: Mapping[str, str], limit_s: float) -> list[tuple[str, str]]:
    """Number and comment of the user's jobs that are not over."""
    done = ask(["squeue", "--noheader", f"--user={user}", "--format=%i\t%k"], env=env, limit_s=limit_s)
    pairs = [line.partition("\t") for line in done.text.splitlines()]
    return [(number, comment) for number, _, comment in pairs]


def reclaim(name: str, *, env: Mapping[str, str], limit_s: float) -> str:
    """End the job of a cell that could not, by number or name; what is wrong, or nothing."""
    words = [name] if name.isdigit() else [f"--name={name}", f"--user={os.getuid()}"]
    return cancel(words, env=env, limit_s=limit_s)


def stale(root: Path, *, env: Mapping[str, str], limit_s: float) -> list[str]:
    """Numbers of the runner's jobs whose cells lie below `root`."""
    found = queued(str(os.getuid()), env=env, limit_s=limit_s)
    return [number for number, out in found if Path(out).is_relative_to(root)]


def _words(done: Done) -> str:
    return done.complaint.removeprefix("sbatch: ").removeprefix("error: ")
