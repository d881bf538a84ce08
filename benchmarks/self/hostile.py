"""Readers against hostile files of one megabyte: worst time and memory, each in a process of its own."""

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

SIZE = 1_000_000
LIMIT_S, LIMIT_MB = 1.5, 256
READ = """
import sys, time, resource
from infx.errors import BadInput, Refused
from infx.read.config import read_catalog, read_runners
from infx.read.changelog import read_entries
from infx.read.tables import records
from infx.read import policy
readers = {
    "master": lambda data: read_catalog([("f", data)], ("r", b"labels: {}")),
    "runners": lambda data: read_runners("f", data),
    "changelog": lambda data: read_entries(data.decode(), where="f"),
    "clusters": lambda data: records(data, where="f"),
    "policy": lambda data: policy.read(data.decode(), "", where="f"),
}
data = sys.stdin.buffer.read()
start = time.process_time()
try:
    readers[sys.argv[1]](data)
    told = "accepted"
except (BadInput, Refused) as problem:
    told = type(problem).__name__
seconds = time.process_time() - start
print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, told)
"""
READERS = ("master", "runners", "changelog", "clusters", "policy")


def bench() -> None:
    """Print the worst file of each reader."""
    for reader in READERS:
        measured = {name: _measure(reader, text) for name, text in hostile().items()}
        for what, at, limit in (("s", 0, LIMIT_S), ("MB", 1, LIMIT_MB)):
            name = max((found[at], name) for name, found in measured.items())[1]
            print(f"{reader}: at most {measured[name][at]:.2f} {what}, `{name}` (limit {limit})")


def hostile() -> Mapping[str, str]:
    """Name → text of about one megabyte."""
    config = "image: i, model: m, model-prefix: p, precision: f, framework: g, runner: r, multinode: false"
    space = "{tp: 1, conc-list: [1]}"
    scenarios = f"scenarios: {{fixed-seq-len: [{{isl: 1, osl: 1, search-space: [{space}]}}]}}"
    entry = "- {config-keys: [a], description: [b], pr-link: c}\n"
    return {
        "flat list": "[" + "a," * (SIZE // 2) + "]",
        "flat mapping": "".join(f"k{n}: v\n" for n in range(SIZE // 11)),
        "duplicate at the end": "".join(f"k{n}: v\n" for n in range(SIZE // 11)) + "k0: v\n",
        "deep": "[" * SIZE,
        "deep mappings": "{a: " * (SIZE // 4),
        "99 deep many times": ("- " + "[" * 98 + "]" * 98 + "\n") * (SIZE // 199),
        "alias bomb": "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
        + "".join(f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9)),
        "many aliases": "a: &a {x: 1}\nb: [" + "*a," * (SIZE // 3) + "]",
        "many anchors": "".join(f"k{n}: &a{n} x\n" for n in range(SIZE // 17)),
        "merges": "a: &a {x: 1, y: 2}\n" + "".join(f"k{n}: {{<<: *a}}\n" for n in range(SIZE // 17)),
        "one long word": "a: " + "x" * SIZE,
        "one long number": "a: " + "9" * SIZE,
        "one long float": "a: 1." + "9" * SIZE,
        "base sixty": "a: 1" + ":59" * (SIZE // 3),
        "escapes": 'a: "' + "\\u00e9" * (SIZE // 6) + '"',
        "block text": "a: |\n" + "  x\n" * (SIZE // 4),
        "comments": "# c\n" * (SIZE // 4),
        "tabs": "a:\n" + "\tb: c\n" * (SIZE // 6),
        "spaces": " " * SIZE,
        "open quotes": '"a' * (SIZE // 2),
        "question marks": "? " * (SIZE // 2),
        "good configs": "".join(f"k{n}: {{{config}, {scenarios}}}\n" for n in range(SIZE // 210)),
        "wrong last config": "".join(f"k{n}: {{{config}, {scenarios}}}\n" for n in range(SIZE // 210))
        + "z: 1\n",
        "one wide config": f"k: {{{config}, scenarios: {{fixed-seq-len: [{{isl: 1, osl: 1, search-space: ["
        + f"{space}," * (SIZE // 24)
        + "]}]}}\n",
        "good entries": entry * (SIZE // len(entry)),
        "wrong last entry": entry * (SIZE // len(entry)) + "- 5\n",
        "labels": "labels:\n" + "".join(f"  l{n}: [n]\n" for n in range(SIZE // 13)),
    }


def _measure(reader: str, text: str) -> tuple[float, int]:
    """Seconds of processor time, and megabytes of the whole process."""
    env = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", READ, reader], input=text.encode(), env=env, capture_output=True, check=True
    )
    seconds, megabytes, _ = done.stdout.split()
    return float(seconds), int(megabytes)
