"""A Slurm cluster of the tests' own: several nodes on this machine, accounting, all state in one folder."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from infx.launch.guard import descendants
from infx.launch.local import take_port
from tests import packages
from tests.launch.dockerd import until

PROGRAMS = {
    "munged": "munge",
    "slurmctld": "slurmctld",
    "slurmd": "slurmd",
    "sbatch": "slurm-client",
    "slurmdbd": "slurmdbd",
    "mariadbd": "mariadb-server",
    "runc": "runc",
}
START_S = 90.0
NODES = ("gpu0", "gpu1")
GPUS, CPUS = 8, 8

SETTINGS = """
ClusterName=infx
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ctld}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=100
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=1,batch_sched_delay=0
SlurmdParameters=config_overrides
GresTypes=gpu
ReturnToService=2
SlurmdTimeout=4
MessageTimeout=3
TCPTimeout=1
KillWait=2
MinJobAge=60
InactiveLimit=0
StateSaveLocation={folder}/state
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/log/slurmctld
SlurmdSpoolDir={folder}/spool/%n
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmdLogFile={folder}/log/slurmd.%n
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort={dbd}
AccountingStoragePass={folder}/munge/socket
AccountingStorageTRES=gres/gpu
JobCompType=jobcomp/none
"""
NODE = """NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs={cpus} Boards=1 \
SocketsPerBoard=1 CoresPerSocket={cpus} ThreadsPerCore=1 RealMemory=4000 Gres=gpu:h200:{gpus} State=UNKNOWN
"""
PARTITIONS = """PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
PartitionName=closed Nodes=ALL MaxTime=INFINITE State=DOWN
"""
ACCOUNTING = """
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
DbdHost={host}
DbdAddr=127.0.0.1
DbdPort={dbd}
SlurmUser=root
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort={sql}
StorageUser=slurm
StoragePass=slurm
StorageLoc=slurm
LogFile={folder}/log/slurmdbd
PidFile={folder}/slurmdbd.pid
"""
CONTAINERS = """
RunTimeQuery="{runc} --root={folder}/runc state %n.%u.%j.%s.%t"
RunTimeRun="{runc} --root={folder}/runc run --bundle %b %n.%u.%j.%s.%t"
RunTimeKill="{runc} --root={folder}/runc kill --all %n.%u.%j.%s.%t"
RunTimeDelete="{runc} --root={folder}/runc delete --force %n.%u.%j.%s.%t"
"""
"""Slurm's own containers, of the option `--container`."""
SQL = (
    "create database slurm; create user slurm@'127.0.0.1' identified by 'slurm';"
    "create user slurm@localhost identified by 'slurm';"
    "grant all on slurm.* to slurm@'127.0.0.1'; grant all on slurm.* to slurm@localhost;"
)


def absent() -> str:
    """Why no cluster can be started here; empty when one can."""
    return packages.rooted() or packages.missing(PROGRAMS)


class Cluster:
    """munged, MariaDB, slurmdbd, slurmctld and one slurmd for each node."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.env = {**os.environ, "PATH": packages.PLACES, "SLURM_CONF": f"{folder}/slurm.conf"}
        self.daemons: dict[str, subprocess.Popen[bytes]] = {}

    def start(self) -> None:
        self._write()
        self._munge()
        self._accounting()
        self.start_controller()
        for name in NODES:
            self.start_node(name)
        until(lambda: self.states == ["idle"] * len(NODES), START_S, self._why)

    def start_controller(self) -> None:
        self._daemon("slurmctld", "-D")

    def start_node(self, name: str) -> None:
        self._daemon("slurmd", "-D", "-N", name, key=name)

    def lose_node(self, name: str) -> None:
        """As when power is lost: its daemon, the steps on it and their programs are gone at once."""
        daemon = self.daemons.pop(name)
        for pid in (daemon.pid, *descendants(daemon.pid), *self._steps(name)):
            with_children = [pid, *descendants(pid)]
            for one in with_children:
                _kill(one)
        daemon.wait()

    def _steps(self, name: str) -> list[int]:
        """slurmstepd processes of one node, which are children of nobody; the node's log is open in them."""
        found = []
        for place in Path("/proc").glob("[0-9]*/comm"):
            pid = int(place.parent.name)
            if _read(place).startswith(b"slurmstepd") and f"/log/slurmd.{name}" in _open_files(pid):
                found.append(pid)
        return found

    @property
    def states(self) -> list[str]:
        done = self.ask("sinfo", "--noheader", "--Node", "--partition=main", "--format=%T")
        return done.stdout.split()

    @property
    def jobs(self) -> list[str]:
        """Jobs that are not over."""
        return self.tell("squeue", "--noheader", "--format=%i %T").splitlines()

    def ask(self, *words: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            list(words), env=self.env, capture_output=True, text=True, check=False, timeout=30
        )

    def tell(self, *words: str) -> str:
        done = self.ask(*words)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def stop(self) -> None:
        self.ask("scancel", "--signal=KILL", "--full", "--user=root")
        for process in reversed(self.daemons.values()):
            process.terminate()
        for process in reversed(self.daemons.values()):
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for name in NODES:
            for pid in self._steps(name):
                for one in (pid, *descendants(pid)):
                    _kill(one)

    def _write(self) -> None:
        host = socket.gethostname().partition(".")[0]
        given = {"folder": self.folder, "host": host}
        given |= {name: take_port(0) for name in ("ctld", "dbd", "sql")}
        self.sql = given["sql"]
        nodes = [NODE.format(name=name, host=host, port=take_port(0), cpus=CPUS, gpus=GPUS) for name in NODES]
        for name in ("state", "log", "munge", "dev", *(f"spool/{node}" for node in NODES)):
            (self.folder / name).mkdir(parents=True)
        (self.folder / "munge").chmod(0o700)
        (self.folder / "slurm.conf").write_text(SETTINGS.format(**given) + "".join(nodes) + PARTITIONS)
        (self.folder / "slurmdbd.conf").write_text(ACCOUNTING.format(**given))
        (self.folder / "slurmdbd.conf").chmod(0o600)
        containers = CONTAINERS.format(folder=self.folder, runc=packages.program("runc"))
        (self.folder / "oci.conf").write_text(containers)
        device = f"File={self.folder}/dev/gpu[0-{GPUS - 1}]"
        for number in range(GPUS):
            os.mknod(self.folder / "dev" / f"gpu{number}", 0o020600, os.makedev(1, 3))
        lines = [f"NodeName={name} Name=gpu Type=h200 {device}\n" for name in NODES]
        (self.folder / "gres.conf").write_text("".join(lines))

    def _munge(self) -> None:
        place = self.folder / "munge"
        (place / "key").write_bytes(os.urandom(1024))
        (place / "key").chmod(0o400)
        files = {
            "key-file": "key",
            "socket": "socket",
            "pid-file": "pid",
            "log-file": "log",
            "seed-file": "seed",
        }
        self._daemon(
            "munged", "--foreground", "--force", *(f"--{name}={place}/{file}" for name, file in files.items())
        )
        until((place / "socket").exists, START_S, self._why)

    def _accounting(self) -> None:
        place = self.folder / "sql"
        place.mkdir()
        user = pwd.getpwnam("mysql")
        os.chown(place, user.pw_uid, user.pw_gid)
        common = ["--user=mysql", f"--datadir={place}"]
        self.tell("mariadb-install-db", "--auth-root-authentication-method=socket", "--skip-test-db", *common)
        own = [f"--socket={place}/socket", f"--port={self.sql}", f"--pid-file={place}/pid"]
        self._daemon("mariadbd", "--no-defaults", "--bind-address=127.0.0.1", *common, *own)
        shell = ("mariadb", "--no-defaults", f"--socket={place}/socket", "--execute")
        until(lambda: self.ask(*shell, "select 1").returncode == 0, START_S, self._why)
        self.tell(*shell, SQL)
        self._daemon("slurmdbd", "-D")
        until(
            lambda: self.ask("sacctmgr", "-i", "add", "cluster", "infx").returncode == 0, START_S, self._why
        )

    def _daemon(self, program: str, *words: str, key: str = "") -> None:
        with (self.folder / "log" / f"{key or program}.out").open("ab") as log:
            argv = [packages.program(program), *words]
            self.daemons[key or program] = subprocess.Popen(
                argv, env=self.env, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True
            )

    def _why(self) -> str:
        return "".join(
            f"{path.name}: {path.read_text()[-400:]}\n" for path in (self.folder / "log").iterdir()
        )


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def _open_files(pid: int) -> str:
    """Command line, working folder and open files of a process, as text."""
    place = Path("/proc") / str(pid)
    found = [_read(place / "cmdline").replace(b"\0", b" ").decode()]
    for link in (place / "cwd", *place.glob("fd/*")):
        try:
            found.append(str(link.readlink()))
        except OSError:
            continue
    return " ".join(found)


@contextmanager
def running() -> Iterator[Cluster]:
    """MariaDB's user must reach its folder."""
    folder = Path(tempfile.mkdtemp(prefix="infx-slurm-"))
    folder.chmod(0o755)
    cluster = Cluster(folder)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)
