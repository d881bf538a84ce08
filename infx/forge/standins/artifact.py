"""actions/upload-artifact and actions/download-artifact (version 4) on the embedded GitHub.

One file, standard library only: it is copied beside the action and runs outside the forge.
"""

import base64
import fnmatch
import glob
import json
import os
import sys
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NoReturn, Protocol

# Most uploads find nothing; what those that do need takes longer to import than all else.
if TYPE_CHECKING:
    from urllib.error import HTTPError
    from urllib.request import Request

METHODS = "twirp/github.actions.results.api.v1.ArtifactService/"
TRIES = 4
TIMEOUT_S = 60
BLOCK = 8 * 1024 * 1024
PAGE = 100
SPECIAL = "*?["

Env = Mapping[str, str]


class Fetch(Protocol):
    def __call__(self) -> bytes: ...


class Service:
    """The artifact service that this job was given, in `service.json` beside the action."""

    def __init__(self, action: Path) -> None:
        given = json.loads((action / "service.json").read_text())
        self._url = given["results_url"].rstrip("/") + "/" + METHODS
        self._token = given["runtime_token"]

    def __call__(self, method: str, **fields: Any) -> dict[str, Any]:
        """One Twirp call in JSON."""
        body = json.dumps({**self._ids(), **fields}).encode()
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        answer: dict[str, Any] = json.loads(send(request(self._url + method, body, headers)))
        return answer

    def fetch(self, name: str) -> bytes:
        return send(request(self("GetSignedArtifactURL", name=name)["signedUrl"]))

    def _ids(self) -> dict[str, str]:
        """Run and job, which the token's scope names."""
        middle = self._token.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))
        _, run, job = claims["scp"].split(":")
        return {"workflow_run_backend_id": run, "workflow_job_run_backend_id": job}


def request(url: str, body: bytes | None = None, headers: Env | None = None, method: str = "") -> "Request":
    from urllib.request import Request

    return Request(url, body, dict(headers or {}), method=method or None)


def send(asked: "Request") -> bytes:
    """Body of the answer. Server and network faults are tried again, a few times."""
    from urllib.error import HTTPError
    from urllib.request import urlopen

    for left in reversed(range(TRIES)):
        try:
            with urlopen(asked, timeout=TIMEOUT_S) as answer:
                body: bytes = answer.read()
                return body
        except HTTPError as error:
            if error.code < 500 or not left:
                fail(f"artifact service: {error.code} {_said(error)}")
        except OSError as error:
            if not left:
                fail(f"the artifact service does not answer: {error}")
        time.sleep(0.2 * 2 ** (TRIES - left))
    raise AssertionError


def _said(error: "HTTPError") -> str:
    try:
        said = json.loads(error.read())
    except ValueError:
        said = {}
    return str(said.get("msg") or said.get("message") or error.reason)


def fail(text: str) -> NoReturn:
    say(f"::error::{text}")
    sys.exit(1)


def say(text: str) -> None:
    sys.stdout.write(text + "\n")


def output(env: Env, **values: str) -> None:
    with Path(env["GITHUB_OUTPUT"]).open("a") as file:
        file.writelines(f"{name.replace('_', '-')}={value}\n" for name, value in values.items())


def search(patterns: Sequence[str], *, hidden: bool) -> tuple[list[Path], Path]:
    """Files that the patterns name, and the folder that names in the archive start from."""
    bases: list[Path] = []
    found: set[Path] = set()
    for pattern in (one for one in patterns if not one.startswith("!")):
        fixed = _fixed(Path(pattern).absolute())
        bases.append(fixed.parent if fixed.is_file() else fixed)
        # Not Path.glob: that one always takes hidden files.
        names = glob.glob(str(Path(pattern).absolute()), recursive=True, include_hidden=hidden)  # noqa: PTH207
        for path in map(Path, names):
            found |= {path} if path.is_file() else {one for one in path.rglob("*") if one.is_file()}
    root = Path(os.path.commonpath(bases or [Path.cwd()]))
    out = [str(Path(one[1:]).absolute()) for one in patterns if one.startswith("!")]
    kept = [path for path in found if not any(fnmatch.fnmatch(str(path), one) for one in out)]
    return sorted(path for path in kept if hidden or not _hidden(path, root)), root


def _fixed(path: Path) -> Path:
    """The leading parts that hold no wildcard."""
    while any(character in str(path) for character in SPECIAL):
        path = path.parent
    return path


def _hidden(path: Path, root: Path) -> bool:
    return any(part.startswith(".") for part in path.relative_to(root).parts)


def pack(file: IO[bytes], paths: Sequence[Path], root: Path, *, level: int) -> None:
    from zipfile import ZIP_DEFLATED, ZipFile

    with ZipFile(file, "w", ZIP_DEFLATED, compresslevel=level) as archive:
        for path in paths:
            archive.write(path, path.relative_to(root))


def put(file: IO[bytes], url: str) -> tuple[int, str]:
    """Send the archive in blocks; its size in bytes and hex SHA-256."""
    import hashlib

    names: list[str] = []
    digest = hashlib.sha256()
    file.seek(0)
    while block := file.read(BLOCK):
        names.append(base64.b64encode(f"block-{len(names):08}".encode()).decode())
        _put(f"{url}&comp=block&blockid={names[-1].replace('=', '%3D')}", block)
        digest.update(block)
    listed = "".join(f"<Latest>{name}</Latest>" for name in names)
    _put(f"{url}&comp=blocklist", f"<BlockList>{listed}</BlockList>".encode())
    return file.tell(), digest.hexdigest()


def _put(url: str, body: bytes) -> None:
    send(request(url, body, {"x-ms-blob-type": "BlockBlob"}, method="PUT"))


def upload(env: Env) -> None:
    patterns = [line.strip() for line in env["FILES"].splitlines() if line.strip()]
    paths, root = search(patterns, hidden=env["HIDDEN"] == "true")
    if not paths:
        nothing(env, patterns)
        return
    from tempfile import TemporaryFile

    service, name = Service(Path(env["ACTION"])), env["NAME"]
    if env["OVERWRITE"] == "true" and service("ListArtifacts", name_filter=name).get("artifacts"):
        service("DeleteArtifact", name=name)
    end = time.gmtime(time.time() + 86400 * int(env["RETENTION"] or 0))
    expiry = {"expires_at": time.strftime("%Y-%m-%dT%H:%M:%SZ", end)} if env["RETENTION"] else {}
    url = service("CreateArtifact", name=name, version=4, **expiry)["signedUploadUrl"]
    with TemporaryFile(dir=env.get("RUNNER_TEMP")) as file:
        pack(file, paths, root, level=int(env["LEVEL"]))
        size, digest = put(file, url)
    done = service("FinalizeArtifact", name=name, size=str(size), hash=f"sha256:{digest}")
    say(f"Artifact {name} has been uploaded: {len(paths)} files, {size} bytes, id {done['artifactId']}")
    output(env, artifact_id=str(done["artifactId"]), artifact_digest=digest)


def nothing(env: Env, patterns: Sequence[str]) -> None:
    """No file to upload: an error, a warning or a line, as the workflow asks."""
    text = f"No files were found with the provided path: {', '.join(patterns)}."
    if env["MISSING"] == "error":
        fail(text)
    say(f"{text} No artifacts will be uploaded." if env["MISSING"] == "ignore" else f"::warning::{text}")


def of_this_run(env: Env) -> dict[str, Fetch]:
    """Artifact name → how to get its archive."""
    service = Service(Path(env["ACTION"]))
    listed = service("ListArtifacts").get("artifacts", [])
    return {one["name"]: partial(service.fetch, one["name"]) for one in listed}


def of_another_run(env: Env) -> dict[str, Fetch]:
    """The same by the REST API, with the token that the workflow gave; the newest of a name counts."""
    headers = {"Authorization": f"Bearer {env['TOKEN']}", "Accept": "application/vnd.github+json"}
    start = f"{env['GITHUB_API_URL']}/repos/{env['REPOSITORY']}/actions/runs/{env['RUN']}/artifacts"
    found: dict[str, Fetch] = {}
    for page in range(1, 1000):
        url = f"{start}?per_page={PAGE}&page={page}"
        listed = json.loads(send(request(url, headers=headers)))["artifacts"]
        for one in listed:
            asked = request(one["archive_download_url"], headers=headers)
            found.setdefault(one["name"], partial(send, asked))
        if len(listed) < PAGE:
            break
    return found


def download(env: Env) -> None:
    another = bool(env["TOKEN"]) and env["RUN"] != env["GITHUB_RUN_ID"]
    known = of_another_run(env) if another else of_this_run(env)
    folder, name = Path(env["GITHUB_WORKSPACE"], env["FOLDER"]), env["NAME"]
    if name and name not in known:
        fail(f"Unable to download artifact(s): Artifact not found for name: {name}")
    chosen = [name] if name else [one for one in known if fnmatch.fnmatchcase(one, env["PATTERN"] or "*")]
    folder.mkdir(parents=True, exist_ok=True)
    for one in chosen:
        unpack(known[one](), folder if name or env["MERGE"] == "true" else folder / one)
    say(f"Total of {len(chosen)} artifact(s) downloaded")
    output(env, download_path=str(folder))


def unpack(data: bytes, folder: Path) -> None:
    """`zipfile` keeps every name inside `folder`."""
    from tempfile import TemporaryFile
    from zipfile import ZipFile

    with TemporaryFile() as file:
        file.write(data)
        with ZipFile(file) as archive:
            archive.extractall(folder)


if __name__ == "__main__":
    {"upload": upload, "download": download}[sys.argv[1]](os.environ)
