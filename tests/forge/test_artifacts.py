"""The artifact service, as the actions' clients speak to it, and the REST view of it."""

import hashlib
import io
import zipfile
from typing import Any

import pytest

from infx.forge.artifacts import SERVICE, runtime_token
from infx.forge.ports import Run
from tests.forge.client import REPO, Answer, Client, World

pytestmark = pytest.mark.forge

R = f"/repos/{REPO}"


def archive(**files: str) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as zipped:
        for name, text in files.items():
            zipped.writestr(name, text)
    return target.getvalue()


class Service:
    """What an action does with its runtime token."""

    def __init__(self, world: World, run: Run) -> None:
        self.run, self.client = run, Client(world.forge.url, runtime_token(run.id, 1))

    def __call__(self, method: str, **fields: Any) -> Answer:
        ids = {"workflow_run_backend_id": str(self.run.id), "workflow_job_run_backend_id": "1"}
        return self.client("POST", SERVICE + method, {**ids, **fields})

    def upload(self, name: str, data: bytes) -> str:
        url = self("CreateArtifact", name=name, version=4).json["signedUploadUrl"]
        plain = Client("")
        assert plain("PUT", f"{url}&comp=block&blockid=Mg%3D%3D", data[9:]).status == 201
        assert plain("PUT", f"{url}&comp=block&blockid=MQ%3D%3D", data[:9]).status == 201
        order = b"<BlockList><Latest>MQ==</Latest><Latest>Mg==</Latest></BlockList>"
        assert plain("PUT", f"{url}&comp=blocklist", order).status == 201
        return str(self("FinalizeArtifact", name=name, size=str(len(data))).json["artifactId"])


@pytest.fixture
def service(world: World) -> Service:
    return Service(world, world.run())


def test_up_and_down_through_the_service(service):
    data = archive(a="1")
    number = service.upload("bmk_a", data)
    listed = service("ListArtifacts").json["artifacts"]
    assert [(one["name"], one["databaseId"], one["size"]) for one in listed] == [
        ("bmk_a", number, str(len(data)))
    ]
    url = service("GetSignedArtifactURL", name="bmk_a").json["signedUrl"]
    assert Client("")("GET", url).data == data


def test_rest_shows_size_digest_and_run(world, service):
    data = archive(a="1")
    number = service.upload("bmk_a", data)
    shown = world.client("will")("GET", f"{R}/actions/runs/{service.run.id}/artifacts?name=bmk_a").json[
        "artifacts"
    ][0]
    assert (shown["size_in_bytes"], shown["digest"]) == (
        len(data),
        f"sha256:{hashlib.sha256(data).hexdigest()}",
    )
    assert shown["workflow_run"]["id"] == service.run.id
    assert world.client("will")("GET", f"{R}/actions/artifacts/{number}/zip").data == data


def test_a_name_is_taken_once_in_an_attempt(world, service):
    service.upload("bmk_a", archive(a="1"))
    assert service("CreateArtifact", name="bmk_a", version=4).status == 409
    world.forge.store.change_run(service.run.id, attempt=2)
    second = service.upload("bmk_a", archive(a="2"))
    url = service("GetSignedArtifactURL", name="bmk_a").json["signedUrl"]
    assert f"/{second}?" in url
    assert world.client("will")("GET", f"{R}/actions/artifacts?name=bmk_a").json["total_count"] == 2


def test_artifacts_end(world, service):
    number = service.upload("bmk_a", archive(a="1"))
    world.forge.advance(91 * 86400)
    client = world.client("will")
    assert client("GET", f"{R}/actions/artifacts/{number}").json["expired"] is True
    assert client("GET", f"{R}/actions/artifacts/{number}/zip").status == 410


def test_deleted_is_gone(world, service):
    number = service.upload("bmk_a", archive(a="1"))
    client = world.client("will")
    assert client("DELETE", f"{R}/actions/artifacts/{number}").status == 204
    assert client("GET", f"{R}/actions/artifacts/{number}").status == 404


@pytest.mark.parametrize("name", ["", "a/b", "a:b", "x" * 257, 7])
def test_bad_names(service, name):
    assert service("CreateArtifact", name=name, version=4).status == 400


def test_strangers_stay_out(world, service, anyone):
    number = service.upload("bmk_a", archive(a="1"))
    assert anyone("GET", f"{R}/actions/artifacts/{number}/zip").status == 401
    assert Client(world.forge.url)("GET", f"/_blobs/{number}?sp=r&sig=00").status == 404
    other = Service(world, world.run())
    ids = {"workflow_run_backend_id": str(service.run.id)}
    assert other.client("POST", f"{SERVICE}ListArtifacts", ids).status == 403
    assert Client(world.forge.url)("POST", f"{SERVICE}ListArtifacts", ids).status == 401


def test_unfinished_uploads_do_not_show(world, service):
    service("CreateArtifact", name="half", version=4)
    assert world.client("will")("GET", f"{R}/actions/artifacts").json["total_count"] == 0
    assert service("FinalizeArtifact", name="half").status == 400
