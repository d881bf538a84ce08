"""Crew: several engines of one driver on this machine, as one: prefill, decode, and the frontend."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from infx.launch import member
from infx.launch.base import Driver, Launch, Note
from infx.launch.brake import Brake
from infx.launch.health import healthy
from infx.launch.local import take_port
from infx.launch.member import Member
from infx.reason import Reason, Stopped

HOST = "127.0.0.1"


class Crew(Driver):
    """Asks each member's own driver. Ready when every member is; dead as soon as one is, and says which."""

    def __init__(self, kind: type[Driver], launch: Launch, brake: Brake, note: Note) -> None:
        super().__init__(launch, brake, note)
        self.crew = [
            (one, kind(_own(launch, one), brake, lambda text, name=one.name: note(f"{name}: {text}")))  # type: ignore[misc]
            for one in launch.members
        ]
        self.front = next(driver for one, driver in self.crew if one.front)
        self.lost: tuple[Member, Driver] | None = None
        self.well: set[str] = set()

    @property
    def port(self) -> int:
        return self.front.port

    @property
    def url(self) -> str:
        return self.front.url

    @property
    def ports(self) -> dict[str, int]:
        return {f"port {driver.port} of {one.name}": driver.port for one, driver in self.crew}

    def prepare(self) -> None:
        """Each member gets ports of its own, its GPUs, and the addresses of all others."""
        taken: dict[str, dict[str, int]] = {}
        for one, driver in self.crew:
            driver.prepare()
            taken[one.name] = {"PORT": driver.port}
        used = {ports["PORT"] for ports in taken.values()}
        if len(used) < len(taken):
            raise Stopped(Reason.PORT_TAKEN, "two members were given the same port")
        for ports in taken.values():
            ports |= {name: _another(used) for name in member.PORTS[1:]}
        known = member.addresses(
            self.launch.members, {one.name: driver.url for one, driver in self.crew}, taken
        )
        gpus = sum(one.gpus for one, _ in self.crew)
        placed = member.places(self.launch.members, max(gpus, 1))
        for (one, driver), place in zip(self.crew, placed, strict=True):
            own = {name: str(taken[one.name][name]) for name in member.PORTS[1:]}
            devices = {"CUDA_VISIBLE_DEVICES": place.devices} if place.gpus else {}
            role = {"ROLE": one.role, "ROLE_INDEX": str(one.index)}
            span = {"LEADER": HOST, "NODES": "1", "NODE_RANK": "0"}
            env = {**driver.launch.env, **devices, **known, **own, **role, **span}
            driver.launch = replace(driver.launch, env=env)

    def start(self) -> None:
        for _, driver in self.crew:
            driver.start()

    def wait_started(self) -> None:
        for _, driver in self.crew:
            driver.wait_started()

    def pending(self) -> str:
        """Members that did not answer yet; each is asked until it did."""
        waiting = [(one, driver) for one, driver in self.crew if one.name not in self.well]
        self.well |= {one.name for one, driver in waiting if healthy(driver.url)}
        return ", ".join(one.name for one, _ in waiting if one.name not in self.well)

    def exit_code(self) -> int | None:
        """Of the first member that was seen to be gone: the others may follow it."""
        for one, driver in [self.lost] if self.lost else self.crew:
            if (code := driver.exit_code()) is not None:
                self.lost = one, driver
                return code
        return None

    def last_words(self) -> str:
        return self.lost[1].last_words() if self.lost else ""

    def death(self, code: int, *, loading: bool) -> Stopped:
        if self.lost is None:
            return super().death(code, loading=loading)
        one, driver = self.lost
        stop = driver.death(code, loading=loading)
        return Stopped(stop.reason, f"{one.name}: {stop.detail}")

    def silence(self) -> Stopped | None:
        return next((stop for _, driver in self.crew if (stop := driver.silence())), None)

    def stop(self) -> None:
        self.all(lambda driver: driver.stop())

    def clean_up(self) -> None:
        self.all(lambda driver: driver.clean_up())

    def all(self, act: Callable[[Driver], None]) -> None:
        """At the same time: only the slowest counts. Stopped with the first problem, once all are done."""
        with ThreadPoolExecutor(len(self.crew)) as pool:
            asked = [pool.submit(act, driver) for _, driver in self.crew]
        for one in asked:
            one.result()


def _own(launch: Launch, one: Member) -> Launch:
    """What a member's driver gets; the wanted port is the front's."""
    port = launch.port if one.front else 0
    return replace(launch, members=(), member=one.name, script=one.script, gpus=one.gpus, port=port)


def _another(used: set[int]) -> int:
    """A free port that no member has."""
    while (port := take_port(0)) in used:
        continue
    used.add(port)
    return port
