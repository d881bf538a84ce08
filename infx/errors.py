"""The error family. The class says the exit number and who reads the message."""


class InfxError(Exception):
    """One sentence: what is wrong, where (file, line, key), and what to do about it."""

    exit_code = 4

    def __init__(self, what: str, *, where: str = "", todo: str = "") -> None:
        self.what, self.where, self.todo = what, where, todo
        super().__init__(self.sentence)

    @property
    def sentence(self) -> str:
        """`where: what; todo`, on one line and printable, whatever the parts hold."""
        head = f"{self.where}: {self.what}" if self.where else self.what
        line = " ".join(f"{head}; {self.todo}".split() if self.todo else head.split())
        return "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in line)


class Refused(InfxError):
    """The answer is no: a gate refused, a point is not eligible."""

    exit_code = 1


class BadInput(InfxError):
    """The caller can mend it: a bad file, flag, payload, a missing ref, a shallow clone."""

    exit_code = 2


class CouldNotTell(InfxError):
    """GitHub, git or the network gave no answer, so no decision may rest on it."""

    exit_code = 3


class CouldNotReport(InfxError):
    """The decision stands, but it could not be shown where people look; never changes a decision."""

    exit_code = 3
