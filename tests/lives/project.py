"""This repository as a benchmark repository: its own files, and pull requests against them."""

import re
from pathlib import Path

from infx.forge import sample

ROOT = Path(__file__).parent.parent.parent
MASTER = "configs/nvidia-master.yaml"
CHANGELOG = "perf-changelog.yaml"
SCRIPT = "benchmarks/single_node/agentic/qwen3.5_fp8_h200_mtp.sh"
H200_KEY = "qwen3.5-fp8-h200-sglang-agentic-mtp"

Tree = dict[str, bytes]
"""Path → content."""


def project() -> Tree:
    """Every file of the work tree that a benchmark repository made of it has."""
    return {path: (ROOT / path).read_bytes() for path in sample.tracked(ROOT)}


def before_h200(tree: Tree) -> Tree:
    """The project as it was before the H200 agentic recipe was proposed."""
    master = tree[MASTER].decode()
    start = master.index("\n# The draft head leaves less room")
    entries = tree[CHANGELOG].decode().split("\n\n")
    kept = [entry for entry in entries if H200_KEY not in entry]
    return {
        **{path: data for path, data in tree.items() if path != SCRIPT},
        MASTER: master[:start].encode(),
        CHANGELOG: ("\n\n".join(kept).rstrip("\n") + "\n").encode(),
    }


def h200_as_first_proposed(tree: Tree) -> Tree:
    """Files of the pull request that added the recipe, with the C1 cell that it had at first."""
    master = re.sub(
        r"(kv-offloading: none, conc-list: )\[4, 8, 12, 16\]", r"\1[1, 4, 8, 12, 16]", tree[MASTER].decode()
    )
    entry = next(entry for entry in tree[CHANGELOG].decode().split("\n\n") if H200_KEY in entry)
    entry = re.sub(r"/pull/\d+", "/pull/XXX", entry)
    changelog = before_h200(tree)[CHANGELOG].decode() + "\n" + entry.rstrip("\n") + "\n"
    return {MASTER: master.encode(), SCRIPT: tree[SCRIPT], CHANGELOG: changelog.encode()}
