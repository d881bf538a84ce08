"""The batch script of a Slurm job, run on its first node: checks, the engines by `srun`, and their end.

It tells what happened in small files of its folder, which checkout and results share with the nodes:
`place` (a line `name node port` for each member, just before they start), `fault` (reason and sentence, in
place of an engine), `code` (exit code, and the name, of the first one that ended).
"""

import shlex
from collections.abc import Sequence
from pathlib import Path

from infx.launch import member
from infx.launch.base import Launch
from infx.launch.leftovers import MARK
from infx.launch.member import Member, Place

NODE_MARK = "INFX_JOB"
"""Environment variable of what the job started; `MARK` is also carried by what runs beside infx."""
PLACE, FAULT, CODE = "place", "fault", "code"

HEAD = r"""#!/bin/bash
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
TMPDIR=$(mktemp -d -t infx-XXXXXX) || fault "disk-full no temporary folder on {host}"
export LISTEN=0.0.0.0 TMPDIR
each='--nodes={nodes} --ntasks={nodes} --ntasks-per-node=1'
# In a container the checkout is not where one is, and the scratch folder may not exist.
inside='cd "$0" || exit; [ -d "$TMPDIR" ] || export TMPDIR=/tmp; exec bash "$1"'
"""
ONE = r"""
if [ "$port" = 0 ]; then
  port=$((20000 + SLURM_JOB_ID % 20000))
  while busy "$port"; do port=$((port + 1)); done
elif busy "$port"; then
  fault "port-taken port $port of {host} is taken by another program"
fi
export PORT=$port
tell {PLACE} "engine {host} $port"
{MARK}=$out {NODE_MARK}=$SLURM_JOB_ID srun --kill-on-bad-exit=1 $each {options} \
  bash -c "$inside" "$root" "$script" &
names[$!]=engine
"""
SEVERAL = r"""
# What is asked of every node: the model, and the ports that others have there.
look='[ -z "$0" ] || [ -e "$0" ] || echo "missing $SLURMD_NODENAME"
while read -r _ here _ state _; do [ "$state" = 0A ] && echo "port $((16#${{here##*:}}))"; done \
  < <(cat /proc/net/tcp /proc/net/tcp6 2>/dev/null); true'
seen=$(srun --overlap $each bash -c "$look" "$model") || fault "launcher-failed a node does not answer"
lacks=$(sed -n 's/^missing //p' <<< "$seen" | head -1)
[ -z "$lacks" ] || fault "model-missing the model is not staged at $model on $lacks"
next=$((20000 + SLURM_JOB_ID % 20000))
free() {{
  while grep -qx "port $next" <<< "$seen"; do next=$((next + 1)); done
  got=$next; next=$((next + 1))
}}
if [ "$port" != 0 ] && grep -qx "port $port" <<< "$seen"; then
  fault "port-taken port $port of {host} is taken by another program"
fi
mapfile -t hosts < <(scontrol show hostnames "$SLURM_JOB_NODELIST")
for host in "${{hosts[@]}}"; do
  address=$(scontrol --oneliner show node "$host" | sed -n 's/.* NodeAddr=\([^ ]*\).*/\1/p')
  addresses+=("${{address:-$host}}")
done
placed=''
# Name, first node, and whether it takes the port that was asked for.
place() {{
  if [ "$3" = yes ] && [ "$port" != 0 ]; then got=$port; else free; fi
  local upper=${{1^^}}; upper=${{upper//-/_}}
  ports[$2]=$got; printf -v "serve_$upper" %s "$got"
  free; printf -v "boot_$upper" %s "$got"; export "${{upper}}_BOOT_PORT=$got"
  free; printf -v "dist_$upper" %s "$got"
  local serve="serve_$upper"
  export "${{upper}}_URL=http://${{addresses[$2]}}:${{!serve}}"
  placed+="$1 ${{hosts[$2]}} ${{!serve}}"$'\n'
}}
# Takes its own share of the GPUs that Slurm shows to the job on that node; its rank is that of the node.
share='IFS=, read -r -a all <<< "${{CUDA_VISIBLE_DEVICES:-}}"
if [ "$4" != 0 ]; then
  if [ "${{#all[@]}}" -gt 0 ] && [ "${{#all[@]}}" -lt $(($3 + $4)) ]; then
    echo "the job shows ${{#all[@]}} GPUs on ${{SLURMD_NODENAME:-its node}}, $(($3 + $4)) are needed"; exit 1
  fi
  own=(); for ((one = $3; one < $3 + $4; one++)); do own+=("${{all[one]:-$one}}"); done
  export CUDA_VISIBLE_DEVICES=$(IFS=,; echo "${{own[*]}}")
fi
export NODE_RANK=$SLURM_PROCID; '
# Role, index, script, first node, nodes, first GPU, GPUs.
begin() {{
  local name=$1-$2 upper=${{1^^}}_$2 list
  local serve=serve_$upper boot=boot_$upper dist=dist_$upper
  list=$(IFS=,; echo "${{hosts[*]:$4:$5}}")
  ROLE=$1 ROLE_INDEX=$2 LEADER=${{addresses[$4]}} NODES=$5 \
  PORT=${{!serve}} BOOT_PORT=${{!boot}} DIST_PORT=${{!dist}} \
  {MARK}=$out {NODE_MARK}=$SLURM_JOB_ID srun --overlap --kill-on-bad-exit=1 --nodelist="$list" --nodes="$5" \
    --ntasks="$5" --ntasks-per-node=1 --output="$out/$name.log" --open-mode=append {options} \
    bash -c "$share$inside" "$root" "$3" - "$6" "$7" &
  names[$!]=$name
}}
{places}
tell {PLACE} "$placed"
{begins}
"""
TAIL = r"""
# The first one that ends says how the cell ended. A signal makes `wait` return early: it is asked again.
end() {{ kill -TERM "${{!names[@]}}" 2>/dev/null; }}
trap 'asked=yes; end' TERM
while [ "${{#names[@]}}" -gt 0 ]; do
  if [ "${{#names[@]}}" = 1 ]; then wait "${{!names[@]}}"; else sleep 0.2; fi
  for pid in "${{!names[@]}}"; do
    kill -0 "$pid" 2>/dev/null && continue
    wait "$pid"; code=$?
    [ -n "${{first:-}}" ] || {{ first="$code ${{names[$pid]}}"; unset "names[$pid]"; end; }}
    unset "names[$pid]"
  done
done
srun --overlap $each bash -c "$sweep" "$SLURM_JOB_ID" > /dev/null 2>&1
rm -rf "$TMPDIR"
tell {CODE} "$first"
code=${{first%% *}}
# A job that infx ended is no failure in Slurm's books.
[ -z "${{asked:-}}" ] || code=0
exit $code
"""


def script(launch: Launch, *, folder: Path, options: Sequence[str]) -> str:
    """The batch script of one cell; `options` are further words of `srun`."""
    quote = shlex.quote
    placed = member.places(launch.members, launch.slurm.gpus_per_node)
    pairs = list(zip(launch.members, placed, strict=True))
    body = SEVERAL if launch.members else ONE
    return (HEAD + body + TAIL).format(
        root=quote(str(launch.root)),
        script=quote(launch.members[0].script if launch.members else launch.script),
        model=quote(launch.model_path),
        folder=quote(str(folder)),
        out=quote(str(launch.out)),
        port=launch.port,
        nodes=launch.nodes,
        options=shlex.join(options),
        host="$SLURMD_NODENAME",
        places="\n".join(
            f"place {one.name} {place.node} {'yes' if one.front else 'no'}" for one, place in pairs
        ),
        begins="\n".join(_begin(one, place) for one, place in pairs),
        **{"FAULT": FAULT, "PLACE": PLACE, "CODE": CODE, "MARK": MARK, "NODE_MARK": NODE_MARK},
    )


def _begin(one: Member, place: Place) -> str:
    numbers = (place.node, place.nodes, place.first, place.gpus)
    return f"begin {one.role} {one.index} {shlex.quote(one.script)} {' '.join(map(str, numbers))}"
