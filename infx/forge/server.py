"""Server: uvicorn in a thread on this machine's loopback, on a free port unless one is asked for."""

import asyncio
import signal
import socket
import threading
import time

import uvicorn
from starlette.types import ASGIApp

from infx.errors import BadInput, CouldNotTell

START_LIMIT_S = 10.0
HOST = "127.0.0.1"


def bind(port: int) -> socket.socket:
    """A listening socket, so that the address is known before anything is served."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((HOST, port))
    except (OSError, OverflowError) as error:
        sock.close()
        raise BadInput(
            f"cannot listen on port {port} ({error})", todo="choose another with --port"
        ) from error
    sock.listen(1024)
    return sock


class Prompt(uvicorn.Server):
    """Ends as soon as it is asked to: uvicorn itself looks ten times a second."""

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self.loop, self.asked = asyncio.get_running_loop(), asyncio.Event()
        await super().startup(sockets)

    async def main_loop(self) -> None:
        ticking = asyncio.ensure_future(super().main_loop())
        await self.asked.wait()
        ticking.cancel()

    def ask(self) -> None:
        """From any thread."""
        self.loop.call_soon_threadsafe(self.asked.set)


class Server:
    """Serves until `close`."""

    def __init__(self, app: ASGIApp, sock: socket.socket) -> None:
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, lifespan="off", server_header=False
        )
        self._server = Prompt(config)
        self._sock = sock
        self._thread = threading.Thread(
            target=self._server.run, kwargs={"sockets": [sock]}, name="forge-server", daemon=True
        )
        self._thread.start()
        limit = time.monotonic() + START_LIMIT_S
        while not self._server.started:
            if time.monotonic() > limit or not self._thread.is_alive():
                raise CouldNotTell("the forge's server did not start", todo="try again")
            time.sleep(0.005)

    def close(self) -> None:
        self._server.ask()
        self._thread.join(timeout=START_LIMIT_S)
        self._sock.close()


def until_told() -> None:
    """Wait for Ctrl-C, or for SIGTERM, which then ends things in the same good order."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    threading.Event().wait()
