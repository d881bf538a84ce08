"""Where the load and accuracy clients live: an environment of their own, apart from infx's."""

from collections.abc import Mapping
from pathlib import Path

from infx.reason import Reason, Stopped


def client(name: str, env: Mapping[str, str], root: Path) -> str:
    """Path of a program of the clients' environment: `INFX_CLIENTS`, else `.venv-clients` in the checkout."""
    folder = Path(env.get("INFX_CLIENTS") or root / ".venv-clients")
    program = folder / "bin" / name
    if not program.is_file():
        raise Stopped(
            Reason.CLIENTS_MISSING,
            f"there is no {program}; set INFX_CLIENTS, or run `make .venv-clients/ready`",
        )
    return str(program)
