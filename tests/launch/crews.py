"""Small engines of several members, and how such a cell can end: the same ways for each driver."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from infx.launch.member import Member
from infx.reason import Reason

SERVER = """
import http.client, http.server, json, os, sys, threading, time
begin, load, life = time.monotonic(), float(sys.argv[2]), float(sys.argv[3])
front = os.environ["ROLE"] == "frontend"
workers = [os.environ[name] for name in ("PREFILL_0_URL", "PREFILL_1_URL", "DECODE_0_URL")]
def well(url):
    try:
        talk = http.client.HTTPConnection(url.removeprefix("http://"), timeout=2)
        talk.request("GET", "/health")
        return talk.getresponse().status == 200
    except OSError:
        return False
class Face(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_): pass
    def do_GET(self):
        self.send_response(200 if time.monotonic() - begin > load else 503)
        self.send_header("content-length", "0"); self.end_headers()
    def do_POST(self):
        ready = front and all(map(well, workers))
        answer = {"model": "m", "choices": [{"text": ""}], "usage": {"completion_tokens": int(ready)}}
        data = json.dumps(answer).encode()
        self.send_response(200); self.send_header("content-length", str(len(data))); self.end_headers()
        self.wfile.write(data)
if life:
    threading.Timer(life, os._exit, [9]).start()
class Server(http.server.ThreadingHTTPServer):
    allow_reuse_address = True
Server((os.environ["LISTEN"], int(sys.argv[1])), Face).serve_forever()
"""
"""A front answers tokens only while all three workers are well."""
NAMES = ("frontend-0", "prefill-0", "prefill-1", "decode-0")
TELL = "echo $ROLE $ROLE_INDEX gpus ${CUDA_VISIBLE_DEVICES:-none} on ${SLURMD_NODENAME:-here} of $NODES\n"


def serve(*, load: float = 0.2, life: float = 0, again: bool = False) -> str:
    """A script whose child detached itself; dies after `life` seconds, and is restarted or not."""
    one = f'python3 - "$PORT" {load} {life} <<"END"\n{SERVER}\nEND\n'
    begin = TELL + "setsid sleep 300 > /dev/null 2>&1 &\n"
    return begin + (f"while :; do\n{one}done\n" if again else f"{one}exit $?\n")


def members(folder: Path, other: Mapping[str, str], *, gpus: int = 1) -> tuple[Member, ...]:
    """A frontend, two prefill workers and one of decode; `other` replaces the script of some."""
    return tuple(_members(folder, other, gpus))


def _members(folder: Path, other: Mapping[str, str], gpus: int) -> Iterator[Member]:
    for name in NAMES:
        role, _, index = name.partition("-")
        path = folder / f"{name}.sh"
        path.write_text(other.get(name, serve()))
        front = role == "frontend"
        yield Member(role=role, index=int(index), script=str(path), gpus=0 if front else gpus, front=front)


@dataclass(frozen=True, kw_only=True)
class End:
    """One way in which the cell ends without a result."""

    other: Mapping[str, str] = field(default_factory=dict)
    client: str = "sleep 60"
    reason: Reason
    detail: str
    pull: bool = False
    """The job is cancelled while the engine serves."""


ENDS = {
    "decode-dies-loading": End(
        other={"decode-0": "echo no memory left >&2; exit 3"},
        reason=Reason.ENGINE_DIED_LOADING,
        detail="decode-0: exit 3 before it was ready: no memory left",
    ),
    "prefill-never-ready": End(
        other={"prefill-1": serve(load=300)},
        reason=Reason.ENGINE_NOT_READY,
        detail="(prefill-1 not ready)",
    ),
    "prefill-dies-serving": End(
        other={"prefill-1": serve(life=5)},
        reason=Reason.ENGINE_DIED,
        detail="prefill-1: exit 9 while serving",
    ),
    "frontend-dies-serving": End(
        other={"frontend-0": serve(life=5)},
        reason=Reason.ENGINE_DIED,
        detail="frontend-0: exit 9 while serving",
    ),
    "decode-restarts": End(
        other={"decode-0": serve(load=0, life=4.5, again=True)},
        client="sleep 5",
        reason=Reason.ENGINE_RESTARTED,
        detail="of decode-0 than before",
    ),
    "cancelled": End(reason=Reason.CANCELLED, detail="SIGTERM", pull=True),
}
