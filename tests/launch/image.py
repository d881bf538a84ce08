"""A container image of this machine's own Python, bash and a few programs: fetched from nowhere."""

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

NAME = "infx/simulator:1"
"""What the rows of the demo name."""
PYTHON = Path(os.path.realpath(sys.executable))
PROGRAMS = ("bash", "cat", "chown", "dirname", "id", "mkdir", "setsid", "sleep", "touch")
PACKAGES = ("uvicorn", "h11", "click")
LEFT_OUT = re.compile(
    r"(^|/)(tests?|idlelib|_?tkinter|turtledemo|ensurepip|lib2to3|pydoc_data|site-packages|_test)"
)
"""Parts of the standard library that no engine imports."""
LIBRARY = re.compile(r"(/\S+) \(0x")
LINKS = {"usr/bin/sh": "bash", "usr/bin/python3": str(PYTHON), "bin": "usr/bin"}


def pack(target: Path) -> Path:
    """Write the root file system as a tar file; about 60 MB."""
    python = PYTHON
    standard = Path(sysconfig.get_path("stdlib"))
    files = {python, *_tree(standard)}
    modules = [path for path in files if path.suffix == ".so"]
    programs = {f"usr/bin/{name}": Path(shutil.which(name) or name).resolve() for name in PROGRAMS}
    libraries = _libraries([*programs.values(), python, *modules])
    inside = {str(path).lstrip("/"): path for path in files | libraries} | programs | _packages(standard)
    folders = {str(parent) for name in inside for parent in Path(name).parents} - {"."}
    with tarfile.open(target, "w", dereference=True) as tar:
        for name in (*sorted(folders), "tmp", "proc", "dev", "sys", "etc"):
            _entry(tar, name, tarfile.DIRTYPE)
        for name, path in inside.items():
            tar.add(path, name, recursive=False, filter=_roots)
        for name, meant in LINKS.items():
            _entry(tar, name, tarfile.SYMTYPE, meant)
    return target


def bundle(folder: Path, mount: Path) -> Path:
    """The image unpacked as an OCI bundle whose containers also see `mount`; runc and Slurm take it."""
    packed = pack(folder / "image.tar")
    with tarfile.open(packed) as tar:
        tar.extractall(folder / "rootfs", filter="fully_trusted")
    packed.unlink()
    mounts = [
        {"destination": "/proc", "type": "proc", "source": "proc"},
        {"destination": "/dev", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "mode=755"]},
        {"destination": str(mount), "type": "bind", "source": str(mount), "options": ["rbind", "rw"]},
    ]
    program = {"args": ["bash"], "env": ["PATH=/usr/bin"], "cwd": "/", "user": {"uid": 0, "gid": 0}}
    settings = {
        "ociVersion": "1.0.0",
        "root": {"path": str(folder / "rootfs"), "readonly": False},
        "process": program,
        "mounts": mounts,
        "linux": {"namespaces": [{"type": "mount"}, {"type": "pid"}]},
    }
    (folder / "config.json").write_text(json.dumps(settings))
    return folder


def _packages(standard: Path) -> dict[str, Path]:
    """Files of the simulator's libraries, where the image's Python finds them."""
    found: dict[str, Path] = {}
    for package in PACKAGES:
        folder = Path(str(getattr(find_spec(package), "origin", ""))).parent
        place = str(standard / "site-packages" / package).lstrip("/")
        found |= {f"{place}/{path.relative_to(folder)}": path for path in _tree(folder)}
    return found


def _tree(folder: Path) -> set[Path]:
    """Files below `folder` that a program may import."""
    return {
        path
        for path in folder.rglob("*")
        if path.is_file()
        and path.suffix != ".a"
        and ".opt-" not in path.name
        and not LEFT_OUT.search(str(path.relative_to(folder)))
    }


def _libraries(programs: Iterable[Path]) -> set[Path]:
    """Shared libraries of `programs`, by the paths at which the loader looks for them."""
    done = subprocess.run(["ldd", *map(str, programs)], capture_output=True, text=True, check=False)
    return {Path(path) for path in LIBRARY.findall(done.stdout)}


def _roots(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.uid = entry.gid = 0
    entry.uname = entry.gname = ""
    return entry


def _entry(tar: tarfile.TarFile, name: str, kind: bytes, meant: str = "") -> None:
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname, entry.mode = kind, meant, 0o1777 if name == "tmp" else 0o755
    tar.addfile(entry)
