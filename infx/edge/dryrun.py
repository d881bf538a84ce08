"""Dry run: what an engine script would start, said by the script itself with nothing in place of the engine.

The script runs in a bash in which `exec` and the known engines are functions that write their arguments down
and end it. It can still do what scripts do before that, so only scripts of one's own checkout are tried.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from infx.edge import files, proc
from infx.errors import CouldNotTell

ENGINES = ("vllm", "trtllm-serve", "sglang", "python3", "python", "mpirun")
"""Programs that end a script which starts its engine without `exec`."""
LIMIT_S = 20.0


@dataclass(frozen=True, kw_only=True)
class Start:
    """The engine's command as the script made it."""

    argv: tuple[str, ...]
    env: Mapping[str, str] = field(default_factory=dict)
    """Variables that the script set or changed."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Name as it stands in `argv` → text of files that the script made."""


def start(script: str, *, root: Path, env: Mapping[str, str]) -> Start:
    """What `script` of the checkout `root` starts. CouldNotTell when it ends without starting anything."""
    import tempfile

    with tempfile.TemporaryDirectory(prefix="infx-dry-") as name:
        folder = Path(name)
        hooks = folder / "hooks.sh"
        files.write_text(hooks, _hooks(folder))
        given = {**env, "BASH_ENV": str(hooks), "TMPDIR": str(folder), "PATH": os.defpath}
        done = proc.run(["bash", script], cwd=root, env=given, timeout_s=LIMIT_S)
        if not (folder / "argv").exists():
            raise CouldNotTell(f"it starts no engine: {done.complaint}", where=script, todo="run it by hand")
        argv = _words(folder / "argv")
        own = [word for word in argv if word.startswith(f"{folder}/")]
        names = {word: f"FILE{number}" for number, word in enumerate(own, 1)}
        return Start(
            argv=tuple(names.get(word, word) for word in argv),
            env=_set(folder, given),
            files={shown: files.read_text(Path(word)) for word, shown in names.items()},
        )


def _hooks(folder: Path) -> str:
    note = f"printf '%s\\0' \"$@\" > {folder}/argv; env -0 > {folder}/env; trap - EXIT; builtin exit 0"
    lines = [f"infx_show() {{ {note}; }}", 'exec() { infx_show "$@"; }']
    lines += [f'function {name} {{ infx_show {name} "$@"; }}' for name in ENGINES]
    return "\n".join(lines) + "\n"


def _words(path: Path) -> list[str]:
    """Each word ends with NUL; an empty one is a word, too."""
    return files.read_text(path).split("\0")[:-1]


def _set(folder: Path, given: Mapping[str, str]) -> dict[str, str]:
    pairs = (word.partition("=") for word in _words(folder / "env"))
    ours = {"SHLVL", "_", "PWD", "OLDPWD", "BASH_ENV", "TMPDIR", "PATH"}
    return {name: value for name, _, value in pairs if name not in ours and given.get(name) != value}
