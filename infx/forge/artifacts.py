"""Artifacts: the service that upload-artifact and download-artifact speak to (Twirp JSON, version 4)."""

import base64
import hashlib
import hmac
import json
import re
import secrets
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from infx.forge import documents
from infx.forge.database import Row
from infx.forge.problem import Problem, not_found
from infx.forge.site import Json, Site
from infx.forge.visit import Visit

SERVICE = "/twirp/github.actions.results.api.v1.ArtifactService/"
RETENTION_DAYS = 90
NAME_LIMIT = 256
BAD_NAME = re.compile(r'["<>|*?:\r\n\\/]')
BLOCK = re.compile(rb"<(?:Latest|Committed|Uncommitted)>([^<]+)</")
ARTIFACT = (
    "SELECT artifacts.*, runs.head_branch AS head_branch, runs.head_sha AS head_sha FROM artifacts "
    "JOIN runs ON runs.id = artifacts.run "
)


def runtime_token(run: int, job: int | str) -> str:
    """ACTIONS_RUNTIME_TOKEN of a job: an unsigned JWT whose scope names run and job."""

    def part(value: Json) -> str:
        return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")

    return f"{part({'alg': 'none'})}.{part({'scp': f'Actions.Results:{run}:{job}'})}."


class Artifacts:
    """Bytes in files, everything else in the table."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._key = secrets.token_bytes(32)

    def call(self, method: str, wanted: Json) -> Json:
        """One method of the service. Fields come in either spelling, as protobuf's JSON allows."""
        wanted = {re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), key): wanted[key] for key in wanted}
        run = self._run(wanted)
        methods = {
            "CreateArtifact": self._create,
            "FinalizeArtifact": self._finalize,
            "ListArtifacts": self._list,
            "GetSignedArtifactURL": self._signed,
            "DeleteArtifact": self._delete,
        }
        if method not in methods:
            raise Problem(404, f"no such method: {method}")
        return methods[method](run, wanted)

    def _run(self, wanted: Json) -> Row:
        run = self._site.db.row("SELECT * FROM runs WHERE id = ?", wanted.get("workflow_run_backend_id"))
        if not run:
            raise Problem(404, "workflow run not found")
        return run

    def _create(self, run: Row, wanted: Json) -> Json:
        name, site = wanted.get("name"), self._site
        if not isinstance(name, str) or not name or len(name) > NAME_LIMIT or BAD_NAME.search(name):
            raise Problem(400, "invalid artifact name")
        with site.db.transaction():
            if site.db.row(
                "SELECT 1 FROM artifacts WHERE run = ? AND attempt = ? AND name = ?",
                run["id"],
                run["attempt"],
                name,
            ):
                raise Problem(409, "an artifact with this name already exists on the workflow run")
            artifact_id = site.db.insert(
                "artifacts",
                repo=run["repo"],
                run=run["id"],
                attempt=run["attempt"],
                name=name,
                final=0,
                created_at=site.stamp(),
                expires_at=self._expiry(run, wanted),
            )
        return {"ok": True, "signedUploadUrl": self.link(artifact_id, "w")}

    def _expiry(self, run: Row, wanted: Json) -> str:
        """What was asked for, else the retention that the repository's settings name."""
        kept = documents.read(self._site, f"repo {run['repo']}", "retention")
        days = float(kept.get("days", RETENTION_DAYS))
        return str(wanted.get("expires_at") or self._site.stamp(days * 86400))[:19].rstrip("Z") + "Z"

    def _named(self, run: Row, name: Any, *, final: int) -> Row:
        """Newest artifact of that name."""
        row = self._site.db.row(
            "SELECT * FROM artifacts WHERE run = ? AND name = ? AND final = ? ORDER BY id DESC",
            run["id"],
            name,
            final,
        )
        if not row:
            raise Problem(404, "artifact not found")
        return row

    def _finalize(self, run: Row, wanted: Json) -> Json:
        row = self._named(run, wanted.get("name"), final=0)
        path = self.path(row["id"])
        if not path.exists():
            raise Problem(400, "the artifact has no content")
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        self._site.db.change(
            "artifacts",
            row["id"],
            final=1,
            size=path.stat().st_size,
            digest=digest,
            updated_at=self._site.stamp(),
        )
        return {"ok": True, "artifactId": str(row["id"])}

    def _list(self, run: Row, wanted: Json) -> Json:
        rows = self._site.db.rows(
            "SELECT * FROM artifacts WHERE run = ? AND final = 1 ORDER BY id", run["id"]
        )
        name, one = wanted.get("name_filter"), wanted.get("id_filter")
        return {
            "artifacts": [
                {
                    "workflowRunBackendId": str(row["run"]),
                    "workflowJobRunBackendId": str(row["run"]),
                    "databaseId": str(row["id"]),
                    "name": row["name"],
                    "size": str(row["size"]),
                    "createdAt": row["created_at"],
                    "digest": f"sha256:{row['digest']}",
                }
                for row in rows
                if (not name or row["name"] == name) and (not one or str(row["id"]) == str(one))
            ]
        }

    def _signed(self, run: Row, wanted: Json) -> Json:
        row = self._named(run, wanted.get("name"), final=1)
        return {"name": row["name"], "signedUrl": self.link(row["id"], "r")}

    def _delete(self, run: Row, wanted: Json) -> Json:
        row = self._named(run, wanted.get("name"), final=1)
        self.remove(row)
        return {"ok": True, "artifactId": str(row["id"])}

    def remove(self, row: Row) -> None:
        self._site.db.run("DELETE FROM artifacts WHERE id = ?", row["id"])
        self.path(row["id"]).unlink(missing_ok=True)

    def path(self, artifact_id: int) -> Path:
        return self._site.folder / "artifacts" / f"{artifact_id}.zip"

    def link(self, artifact_id: int, right: str) -> str:
        """Address that reads (`r`) or writes (`w`) the bytes without a token."""
        return f"{self._site.url}/_blobs/{artifact_id}?sp={right}&sig={quote(self._sign(artifact_id, right))}"

    def _sign(self, artifact_id: int, right: str) -> str:
        return hmac.new(self._key, f"{artifact_id}:{right}".encode(), "sha256").hexdigest()

    def check(self, artifact_id: int, right: str, signature: str) -> None:
        if not hmac.compare_digest(self._sign(artifact_id, right), signature):
            raise not_found()

    async def receive(self, artifact_id: int, query: Any, body: AsyncIterator[bytes]) -> None:
        """One PUT of Azure's block protocol: a whole blob, one block, or the list that orders blocks."""
        comp = query.get("comp", "")
        if comp == "blocklist":
            self._assemble(artifact_id, b"".join([chunk async for chunk in body]))
            return
        target = self.path(artifact_id)
        if comp == "block":
            folder = target.with_suffix(".blocks")
            folder.mkdir(exist_ok=True)
            name = hashlib.sha256(query.get("blockid", "").encode()).hexdigest()
            target = folder / (name if query.get("blockid") else f"{len(list(folder.iterdir())):08}")
        with target.open("wb") as file:
            async for chunk in body:
                file.write(chunk)

    def _assemble(self, artifact_id: int, listing: bytes) -> None:
        target = self.path(artifact_id)
        folder = target.with_suffix(".blocks")
        names = [hashlib.sha256(found.strip()).hexdigest() for found in BLOCK.findall(listing)]
        with target.open("wb") as file:
            for name in names or sorted(path.name for path in folder.glob("*")):
                with (folder / name).open("rb") as block:
                    shutil.copyfileobj(block, file)
        shutil.rmtree(folder, ignore_errors=True)


def find(at: Visit, artifact_id: int) -> Row:
    row = at.db.row(
        f"{ARTIFACT} WHERE artifacts.repo = ? AND artifacts.id = ? AND final = 1", at.repo["id"], artifact_id
    )
    if not row:
        raise not_found()
    return row
