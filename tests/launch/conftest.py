"""Container engine and cluster of the tests: started when the first test asks, stopped at the end."""

from collections.abc import Iterator

import pytest

from tests.launch import cluster, dockerd, image


@pytest.fixture(scope="session")
def docker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dockerd.Dockerd]:
    """A container engine that has the demo's image."""
    with dockerd.running() as engine:
        packed = image.pack(tmp_path_factory.mktemp("image") / "image.tar")
        engine.tell("import", "--change=ENV PATH=/usr/bin", str(packed), image.NAME)
        packed.unlink()
        yield engine


@pytest.fixture(scope="session")
def slurm() -> Iterator[cluster.Cluster]:
    """A cluster of two nodes with eight GPUs each, and accounting."""
    with cluster.running() as started:
        yield started
