"""Command: what somebody wrote in a conversation comment, and the form that each command has."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Form:
    """One command that infx knows: its pattern, who may use it, and what help says."""

    words: str
    """Fixed words at the start of the line: `/sweep cancel`."""
    usage: str
    example: str
    help: str
    """One line for people, without a full stop."""
    topic: str
    """Commands of one topic replace each other: `/use` and `/reuse-sweep-run` are both about reuse."""
    role: str = "write"
    """Least live role; the policy may ask for more."""
    least: int = 0
    """Fewest run ids."""
    most: int = 0
    """Most run ids."""
    flags: frozenset[str] = frozenset()
    stages: bool = False
    """It publishes to the preview page, which takes a while, so that people are told first."""

    @property
    def head(self) -> str:
        """First word, which a line must start with to be for infx at all."""
        return self.words.split()[0]


@dataclass(frozen=True, kw_only=True)
class Command:
    """One line that is a command."""

    words: str
    topic: str
    line: int
    """Number of the line inside the comment, from 1."""
    text: str = ""
    """The line as written."""
    runs: tuple[int, ...] = ()
    flags: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class Mistake:
    """One line that starts like a command but is none."""

    line: int
    text: str
    """The line as written, cut."""
    what: str
    """What is wrong with it, without a full stop."""
    usage: str


@dataclass(frozen=True, kw_only=True)
class Commands:
    """What one comment asks for."""

    effective: tuple[Command, ...] = ()
    """The last command of each topic, in the order of the lines."""
    superseded: tuple[Command, ...] = ()
    mistakes: tuple[Mistake, ...] = ()

    @property
    def empty(self) -> bool:
        """The comment is not for infx."""
        return not (self.effective or self.mistakes)


def settle(commands: Sequence[Command], mistakes: Sequence[Mistake]) -> Commands:
    """The last command of each topic counts; the others are reported as superseded."""
    last = {command.topic: command for command in commands}
    effective = tuple(command for command in commands if last[command.topic] is command)
    superseded = tuple(command for command in commands if last[command.topic] is not command)
    return Commands(effective=effective, superseded=superseded, mistakes=tuple(mistakes))
