"""What is reached by signed address or runtime token instead of an API token: artifact bytes and logs."""

import base64
import json
import re
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import FileResponse, Response

from infx.forge import logs
from infx.forge.artifacts import SERVICE, Artifacts
from infx.forge.problem import Problem, not_found
from infx.forge.site import Json
from infx.forge.store import TableStore

PATH = "/_blobs/"
UPLOAD_LIMIT = 10 * 1024**3
"""Bytes of one upload (docs: artifact storage limits are per plan; this one is ours)."""
SCOPE = re.compile(r"Actions\.Results:(\d+):(\w+)")


def problem(error: Problem) -> Response:
    return Response(json.dumps(error.as_json()), error.status, media_type="application/json")


async def serve(request: Request, store: TableStore, files: Artifacts) -> Response:
    """GET or PUT of the bytes behind a signed address."""
    try:
        return await answer(request, store, files)
    except Problem as error:
        return problem(error)


async def answer(request: Request, store: TableStore, files: Artifacts) -> Response:
    name, query = request.url.path.removeprefix(PATH), request.query_params
    if not name.isdigit():
        raise not_found()
    number, right = int(name), query.get("sp", "")
    files.check(number, right, query.get("sig", ""))
    if request.method == "PUT" and right == "w":
        if int(request.headers.get("content-length", 0)) > UPLOAD_LIMIT:
            raise Problem(413, "RequestBodyTooLarge")
        await files.receive(number, query, request.stream())
        return Response(status_code=201)
    if request.method != "GET" or right == "w":
        raise Problem(405, "Method Not Allowed")
    if right == "logs":
        data = await run_in_threadpool(logs.archive, store, number)
        return Response(data, media_type="application/zip")
    path = files.path(number) if right == "r" else store.log_path(number)
    kind = "application/zip" if right == "r" else "text/plain; charset=utf-8"
    if not path.exists():
        raise not_found()
    return FileResponse(path, media_type=kind)


def twirp(files: Artifacts, path: str, headers: Any, wanted: Json) -> Json:
    """One call of the artifact service, allowed for the run that the runtime token names."""
    run = run_of(headers.get("authorization", ""))
    named = wanted.get("workflow_run_backend_id", wanted.get("workflowRunBackendId"))
    if str(named) != run:
        raise Problem(403, "the token belongs to another run")
    return files.call(path.removeprefix(SERVICE), wanted)


def run_of(authorization: str) -> str:
    """Run id of a runtime token (an unsigned JWT)."""
    parts = authorization.removeprefix("Bearer ").split(".")
    try:
        claims = json.loads(base64.urlsafe_b64decode(parts[1] + "=" * (-len(parts[1]) % 4)))
        found = SCOPE.search(claims["scp"])
    except (IndexError, KeyError, TypeError, ValueError):
        found = None
    if not found:
        raise Problem(401, "the runtime token names no run")
    return found[1]
