"""Which driver a cluster record names."""

from infx.cluster import Cluster
from infx.launch.base import Driver, Launch, Note
from infx.launch.brake import Brake
from infx.launch.crew import Crew
from infx.launch.docker import Docker
from infx.launch.local import Local
from infx.launch.slurm import Slurm
from infx.reason import Reason, Stopped

DRIVERS: dict[str, type[Driver]] = {"local": Local, "docker": Docker, "slurm": Slurm}


def driver_of(cluster: Cluster) -> type[Driver]:
    """Stopped when this version of infx has no such driver."""
    try:
        return DRIVERS[cluster.driver]
    except KeyError as error:
        raise Stopped(Reason.NO_CLUSTER, f"the driver {cluster.driver!r} is not built yet") from error


def made(cluster: Cluster, launch: Launch, brake: Brake, note: Note) -> Driver:
    """The driver of a point. Slurm places members itself, in one job; elsewhere each has its own driver."""
    kind = driver_of(cluster)
    if launch.members and kind is not Slurm:
        return Crew(kind, launch, brake, note)
    return kind(launch, brake, note)
