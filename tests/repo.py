"""A small repository with two commits, for commands that read git objects."""

import io
import subprocess
from collections.abc import Mapping
from pathlib import Path

from infx.cli import main
from infx.edge.world import World

MASTER = """\
m1-fp8-h200-sglang:
  image: repo/engine:1
  model: org/m1
  model-prefix: m1
  runner: cluster:h200-dgxc
  precision: fp8
  framework: sglang
  multinode: false
  scenarios:
    fixed-seq-len:
    - { isl: 1024, osl: 1024, search-space: [{ tp: 8, conc-list: [4, 8] }] }
m2-fp8-h200-sglang:
  image: repo/engine:1
  model: org/m2
  model-prefix: m2
  runner: cluster:h200-dgxc
  precision: fp8
  framework: sglang
  multinode: false
  scenarios:
    fixed-seq-len:
    - { isl: 1024, osl: 1024, search-space: [{ tp: 8, conc-list: [4] }] }
"""
RUNNERS = "labels:\n  cluster:h200-dgxc: [n1, n2]\n"
CHANGELOG = """\
- config-keys:
    - m1-fp8-h200-sglang
  description:
    - first
  pr-link: https://github.com/o/r/pull/1
"""
FOLDER = "benchmarks/single_node/fixed_seq_len"
FILES = {
    "configs/nvidia-master.yaml": MASTER,
    "configs/amd-master.yaml": "{}\n",
    "configs/runners.yaml": RUNNERS,
    "perf-changelog.yaml": CHANGELOG,
    "configs/policy.yaml": "registries: {}\n",
    f"{FOLDER}/m1_fp8_h200.sh": ". benchmarks/lib.sh\n",
    f"{FOLDER}/m2_fp8_h200.sh": ". benchmarks/lib.sh\n",
    "benchmarks/lib.sh": "echo\n",
}


def entry(key: str, pr: int | str = 7, more: str = "") -> str:
    link = f"  pr-link: https://github.com/o/r/pull/{pr}\n"
    return f"\n- config-keys:\n    - {key}\n  description:\n    - why\n{more}{link}"


class Repo:
    """The work tree at `root`; `main` is the first commit, and the branch at hand starts there."""

    def __init__(self, root: Path, *, files: Mapping[str, str] = FILES) -> None:
        self.root = root
        self.git("init", "-q", "-b", "main")
        self.commit(files)
        self.git("checkout", "-q", "-b", "topic")

    def git(self, *words: str) -> str:
        who = ("-c", "user.name=n", "-c", "user.email=e@x")
        done = subprocess.run(
            ["git", *who, *words], cwd=self.root, capture_output=True, text=True, check=True, env=None
        )
        return done.stdout.strip()

    def write(self, files: Mapping[str, str]) -> None:
        for path, text in files.items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_bytes(text.encode())

    def commit(self, files: Mapping[str, str]) -> str:
        self.write(files)
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "change")
        return self.git("rev-parse", "HEAD")

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    def infx(self, *argv: str) -> tuple[int, str, str]:
        """Exit number, standard output, standard error."""
        out, err = io.StringIO(), io.StringIO()
        world = World(env={"GITHUB_REPOSITORY": "o/r"}, cwd=self.root, out=out, err=err)
        code = main(argv, world)
        return code, out.getvalue(), err.getvalue()
