#!/bin/bash
# Second command: unpack infx and the client, run the sweep through infx, pack what it left.
H=$(cd "$(dirname "$0")" && pwd); T0=$(date +%s); say(){ echo "[+$(( $(date +%s) - T0 )) s] $*"; }
R=${R:-}; mkdir -p $R/opt/aiperf $R/opt/infx $R/opt/clients/bin $R/root/infx "$OUT"
python3 - "$H" "$R" <<'P'
import sys, tarfile
h, r = sys.argv[1:]
for name, to in (("aiperf", "/opt/aiperf"), ("infx", "/opt/infx"), ("repo", "/root/infx")):
    tarfile.open(f"{h}/{name}.tar.xz", "r:xz").extractall(r + to)
P
cat > $R/opt/clients/bin/aiperf <<W
#!/bin/sh
PYTHONPATH=$R/opt/aiperf exec python3 -c 'import sys; from aiperf.cli import app; sys.argv[0] = "aiperf"; sys.exit(app())' "\$@"
W
chmod +x $R/opt/clients/bin/aiperf
if ! git --version >/dev/null 2>&1; then install -m 755 "$H/git" /usr/local/bin/git; say "git brought: $(git --version)"; fi
export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0='*'
export PYTHONPATH=$R/opt/infx INFX_CLIENTS=$R/opt/clients PYTHONDONTWRITEBYTECODE=1 TZ=UTC
cd $R/root/infx && git log --oneline | head -1; say unpacked
timeout -s INT ${LIMIT:-555} python3 -m infx sweep run --config-key ${KEYS:-dummy8b-bf16-h200-vllm dummy8b-bf16-h200-vllm-agentic} --driver local ${BOUND---bound} --out $R/root/sweep ${MORE:-} 2>&1 | tee $R/root/sweep.log; say "sweep ended"
(nvidia-smi; pip list 2>/dev/null | grep -iE '^(torch|triton|transformers|numpy|nvidia-ml-py) ') > $R/root/machine.txt 2>&1
cp $R/root/sweep.log $R/root/machine.txt $R/root/sweep/ 2>/dev/null
python3 - $R/root/sweep "$OUT/sweep.tar.xz" <<'P'
import os, sys, tarfile
root, out = sys.argv[1:]
skip = ("inputs.json", "tokenizer", "phases")
with tarfile.open(out, "w:xz") as t:
    t.add(root, "sweep", filter=lambda m: None if os.path.basename(m.name) in skip else m)
print(os.path.getsize(out))
P
say packed
