"""The batch script of a Slurm job, run on its first node: checks, the engine by `srun`, and its end.

It tells what happened in small files of its folder, which checkout and results share with the nodes:
`place` (node and port, just before the engine starts), `fault` (reason and sentence, in place of an engine),
`code` (the engine's exit code).
"""

import shlex
from collections.abc import Sequence
from pathlib import Path

from infx.launch.base import Launch
from infx.launch.leftovers import MARK

NODE_MARK = "INFX_JOB"
"""Environment variable of what the job started; `MARK` is also carried by what runs beside infx."""
PLACE, FAULT, CODE = "place", "fault", "code"

SCRIPT = r"""#!/bin/bash
# Written by infx for one cell.
root={root} script={script} model={model} folder={folder} out={out} port={port}

tell() {{ printf '%s\n' "$2" > "$folder/$1.new" && mv "$folder/$1.new" "$folder/$1"; }}
fault() {{ tell {FAULT} "$1"; exit 1; }}
busy() {{ grep -qE ":$(printf %04X "$1") [0-9A-F]+:[0-9A-F]+ 0A" /proc/net/tcp /proc/net/tcp6 2>/dev/null; }}
# Processes of the cell on all nodes, found by the mark in their environment, whoever adopted them.
sweep='for place in $(grep -lzxF "{NODE_MARK}=$0" /proc/[0-9]*/environ 2>/dev/null); do
  pid=${{place#/proc/}}; pid=${{pid%/environ}}; [ "$pid" = $$ ] || kill -9 "$pid"; done 2>/dev/null; true'

cd "$root" 2>/dev/null || fault "script-missing {host} has no $root: is it on a shared file system?"
[ -f "$script" ] || fault "script-missing there is no $script on {host}"
[ -z "$model" ] || [ -e "$model" ] || fault "model-missing the model is not staged at $model on {host}"
if [ "$port" = 0 ]; then
  port=$((20000 + SLURM_JOB_ID % 20000))
  while busy "$port"; do port=$((port + 1)); done
elif busy "$port"; then
  fault "port-taken port $port of {host} is taken by another program"
fi
TMPDIR=$(mktemp -d -t infx-XXXXXX) || fault "disk-full no temporary folder on {host}"
export PORT=$port LISTEN=0.0.0.0 TMPDIR
tell {PLACE} "{host} $port"

# In a container the checkout is not where one is, and the scratch folder may not exist.
inside='cd "$0" || exit; [ -d "$TMPDIR" ] || export TMPDIR=/tmp; exec bash "$1"'
each='--nodes={nodes} --ntasks={nodes} --ntasks-per-node=1'
{MARK}=$out {NODE_MARK}=$SLURM_JOB_ID srun --kill-on-bad-exit=1 $each {options} \
  bash -c "$inside" "$root" "$script" &
engine=$!
# `wait` returns early when the signal comes, so it is asked again until the engine is gone.
trap 'asked=yes; kill -TERM $engine 2>/dev/null' TERM
while :; do
  wait $engine; code=$?
  kill -0 $engine 2>/dev/null || break
done
srun --overlap $each bash -c "$sweep" "$SLURM_JOB_ID" > /dev/null 2>&1
rm -rf "$TMPDIR"
tell {CODE} "$code"
# A job that infx ended is no failure in Slurm's books.
[ -z "${{asked:-}}" ] || code=0
exit $code
"""


def script(launch: Launch, *, folder: Path, options: Sequence[str]) -> str:
    """The batch script of one cell; `options` are further words of `srun`."""
    quote = shlex.quote
    return SCRIPT.format(
        root=quote(str(launch.root)),
        script=quote(launch.script),
        model=quote(launch.model_path),
        folder=quote(str(folder)),
        out=quote(str(launch.out)),
        port=launch.port,
        nodes=launch.nodes,
        options=shlex.join(options),
        host="$SLURMD_NODENAME",
        **{"FAULT": FAULT, "PLACE": PLACE, "CODE": CODE, "MARK": MARK, "NODE_MARK": NODE_MARK},
    )
