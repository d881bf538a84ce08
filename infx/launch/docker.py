"""The docker driver: the engine is a container of this machine, on the machine's own network."""

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from infx import image
from infx.edge.proc import Done
from infx.launch import claim, owner
from infx.launch.ask import ask
from infx.launch.base import Driver
from infx.launch.brake import until
from infx.launch.claim import Claim
from infx.launch.leftovers import MARK
from infx.launch.local import HOST, check_files, take_port
from infx.launch.process import Guarded
from infx.launch.template import fill
from infx.reason import Reason, Stopped

DOCKER = "docker"
NOT_THERE = ("manifest unknown", "not found", "does not exist", "invalid reference format")
"""What registries and the engine say of an image that nobody will find, in their own words."""
ENGINE_FAULT = 125
"""Exit code of `docker run` when the engine, not the program in the container, failed."""
BUSY = "already in progress"
"""What the engine says of a container that it is removing."""
SCRATCH = "/tmp"


def name_of(out: Path, member: str = "") -> str:
    """Name of the container whose results go to `out`; the same each time, so that it can be replaced."""
    digest = hashlib.sha256(str(out).encode()).hexdigest()[:16]
    return f"infx-{digest}-{member}" if member else f"infx-{digest}"


class Docker(Driver):
    """Runs the script in the row's image. The container is ended by the guard, even when infx is killed."""

    engine: Guarded | None = None
    port = 0

    @property
    def name(self) -> str:
        return name_of(self.launch.out, self.launch.member)

    @property
    def held(self) -> Claim:
        """The claim on the container, but for its name."""
        return Claim(driver="docker", name="", image=self.launch.image, member=self.launch.member)

    def docker(self, *words: str, limit_s: float = 0, patient: bool = False) -> Done:
        """One command of the client. Looks at the brake only when `patient`: clean-up must go on."""
        done = ask(
            [DOCKER, *words],
            env=self.launch.machine,
            limit_s=limit_s or self.launch.limits.clean_up,
            brake=self.brake if patient else None,
        )
        self.say(f"docker {' '.join(words)}: {'exit ' + str(done.code) if done.code else 'ok'}")
        return done

    def prepare(self) -> None:
        check_files(self.launch)
        if image.parse(self.launch.image) is None:
            raise Stopped(Reason.IMAGE_MISSING, f"{self.launch.image!r} is no image reference")
        self.port = take_port(self.launch.port)
        found = self.docker("image", "inspect", "--format", "{{.Id}}", self.launch.image)
        if found.code:
            self.pull(found)
            found = self.docker("image", "inspect", "--format", "{{.Id}}", self.launch.image)
        self.note(f"image {self.launch.image} is {found.text.strip()}")
        self.remove()

    def pull(self, looked: Done) -> None:
        """Stopped when there is no engine, no such image, or the registry does not hand it out."""
        if "No such image" not in looked.complaint:
            raise Stopped(Reason.LAUNCHER_FAILED, looked.complaint)
        self.note(f"pulling {self.launch.image}")
        done = self.docker("pull", self.launch.image, limit_s=self.launch.limits.prepare, patient=True)
        if done.code:
            missing = any(words in done.complaint for words in NOT_THERE)
            reason = Reason.IMAGE_MISSING if missing else Reason.LAUNCHER_FAILED
            raise Stopped(reason, f"{self.launch.image}: {done.complaint}")

    def start(self) -> None:
        claim.write(self.launch.out, replace(self.held, name=self.name))
        own = self.own_environment()
        argv = [DOCKER, "run", *self.options(), *self.environment(own)]
        self.say(" ".join(argv))
        self.engine = Guarded(
            [*argv, "--entrypoint=bash", self.launch.image, self.launch.script],
            cwd=self.launch.root,
            env={**own, **self.launch.machine},
            log=self.log,
            grace_s=self.launch.limits.grace,
            after=[DOCKER, "rm", "--force", "--volumes", self.name],
        )

    def own_environment(self) -> dict[str, str]:
        """What the engine gets: nothing of the machine but what the record names."""
        launch = self.launch
        kept = {name: launch.machine[name] for name in launch.container.inherit if name in launch.machine}
        contract = {"PORT": str(self.port), "LISTEN": HOST, "TMPDIR": SCRATCH, MARK: str(launch.out)}
        home = {"HOME": SCRATCH} if launch.container.user == "runner" else {}
        return {**home, **kept, **launch.env, **contract}

    def environment(self, own: Mapping[str, str]) -> list[str]:
        """Words of `docker run`. By name alone where possible, so that no secret is seen among processes."""
        machine = self.launch.machine
        plain = {name: machine.get(name, value) == value for name, value in own.items()}
        return [f"--env={name}" if plain[name] else f"--env={name}={value}" for name, value in own.items()]

    def options(self) -> list[str]:
        """Words of `docker run` between `run` and the image, environment left out."""
        launch, box = self.launch, self.launch.container
        checkout = f"{launch.root}:{launch.root}" + ("" if box.writable else ":ro")
        mounts = [checkout, f"{launch.out}:{launch.out}"]
        if launch.model_path:
            mounts.append(f"{launch.model_path}:{launch.model_path}:ro")
        return [
            *(f"--name={self.name}", f"--label={MARK}={launch.out}", "--network=host", "--log-driver=none"),
            *([f"--user={os.getuid()}:{os.getgid()}"] if box.user == "runner" else []),
            *(f"--volume={mount}" for mount in (*mounts, *fill(box.mounts, launch))),
            *(f"--workdir={launch.root}", *fill(box.options, launch)),
        ]

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.port}"

    def exit_code(self) -> int | None:
        return self.engine.code() if self.engine else None

    def last_words(self) -> str:
        return self.engine.last_line() if self.engine else ""

    def death(self, code: int, *, loading: bool) -> Stopped:
        if code == ENGINE_FAULT:
            return Stopped(Reason.LAUNCHER_FAILED, f"docker run: {self.last_words()}")
        return super().death(code, loading=loading)

    def stop(self) -> None:
        if self.engine:
            self.engine.stop()

    def clean_up(self) -> None:
        """No container, no file of another user in checkout and results."""
        if self.engine is None:
            return
        self.remove()
        self.own_files()
        claim.drop(self.launch.out, self.held)

    def remove(self) -> None:
        """Stopped when the engine could not remove the container, so that the claim stays for teardown."""
        trouble = removed(
            lambda: self.docker("rm", "--force", "--volumes", self.name),
            limit_s=self.launch.limits.clean_up,
        )
        if trouble:
            raise Stopped(Reason.LAUNCHER_FAILED, trouble)

    def own_files(self) -> None:
        """Hand files of other users to the runner's; only a container of root can do that for it."""
        root, out = self.launch.root, self.launch.out
        folders = [out] if not self.launch.container.writable else [root]
        folders += [] if out.is_relative_to(folders[0]) else [out]
        if not (found := owner.foreign(folders, os.getuid())):
            return
        hand_over(folders, self.launch.image, env=self.launch.machine, limit_s=self.launch.limits.clean_up)
        left = owner.foreign(folders, os.getuid())
        self.note(f"{len(found) - len(left)} files of other users were handed over, {len(left)} are left")


def hand_over(folders: Sequence[Path], image: str, *, env: Mapping[str, str], limit_s: float) -> None:
    """Make everything in `folders` the runner's, by a container of root; it needs `chown` in the image."""
    mounts = [f"--volume={folder}:{folder}" for folder in folders]
    words = ["--rm", "--user=0:0", "--network=none", "--entrypoint=chown", *mounts, image]
    who = f"{os.getuid()}:{os.getgid()}"
    change = ["--recursive", "--no-dereference", who, *map(str, folders)]
    ask([DOCKER, "run", *words, *change], env=env, limit_s=limit_s)


def reclaim(name: str, *, env: Mapping[str, str], limit_s: float) -> str:
    """End the container of a cell that could not; what is wrong, or nothing."""
    words = [DOCKER, "rm", "--force", "--volumes", name]
    return removed(lambda: ask(words, env=env, limit_s=limit_s), limit_s=limit_s)


def removed(ask_once: Callable[[], Done], *, limit_s: float) -> str:
    """Ask for a container's removal until it is gone: somebody else, such as the guard, may be at it. What is
    wrong, or nothing."""
    trouble = ""

    def settled() -> bool:
        nonlocal trouble
        done = ask_once()
        trouble = done.complaint if done.code and "No such container" not in done.complaint else ""
        return BUSY not in trouble

    until(settled, limit_s)
    return trouble


def stale(root: Path, *, env: Mapping[str, str], limit_s: float) -> list[str]:
    """Names of the containers of cells below `root`, running or not."""
    shown = f'{{{{.Names}}}}\t{{{{.Label "{MARK}"}}}}'
    words = ["ps", "--all", f"--filter=label={MARK}", f"--format={shown}"]
    done = ask([DOCKER, *words], env=env, limit_s=limit_s)
    pairs = [line.partition("\t") for line in done.text.splitlines()]
    return [name for name, _, out in pairs if Path(out).is_relative_to(root)]
