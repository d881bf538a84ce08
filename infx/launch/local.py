"""The local driver: the engine is a process of this machine."""

import socket
from pathlib import Path

from infx.launch import leftovers
from infx.launch.base import Driver, Launch
from infx.launch.process import Guarded
from infx.reason import Reason, Stopped

HOST = "127.0.0.1"


class Local(Driver):
    """Runs the script with bash, in the foreground, under the guard."""

    engine: Guarded | None = None
    port = 0

    def prepare(self) -> None:
        check_files(self.launch)
        self.port = take_port(self.launch.port)

    def start(self) -> None:
        self.engine = Guarded(
            ["bash", self.launch.script],
            cwd=self.launch.root,
            env={**self.launch.machine, **self.launch.env, "PORT": str(self.port), "LISTEN": HOST},
            log=self.log,
            grace_s=self.launch.limits.grace,
        )

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}"

    def exit_code(self) -> int | None:
        return self.engine.code() if self.engine else None

    def last_words(self) -> str:
        return self.engine.last_line() if self.engine else ""

    def stop(self) -> None:
        if self.engine:
            self.engine.stop()

    def clean_up(self) -> None:
        """The guard has ended everything; this finds what a killed guard could not."""
        leftovers.end(self.launch.out, grace_s=0)


def check_files(launch: Launch) -> None:
    """Stopped when this machine lacks the script or the staged checkpoint."""
    if not (launch.root / launch.script).is_file():
        raise Stopped(Reason.SCRIPT_MISSING, f"there is no {launch.script} in the checkout")
    if launch.model_path and not Path(launch.model_path).exists():
        raise Stopped(Reason.MODEL_MISSING, f"the model is not staged at {launch.model_path}")


def take_port(wanted: int) -> int:
    """`wanted` when it is free, or any free port for 0. Stopped when another program has it."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, wanted))
        except OSError as error:
            raise Stopped(Reason.PORT_TAKEN, f"port {wanted} is taken by another program") from error
        return int(probe.getsockname()[1])
