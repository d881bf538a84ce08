#!/bin/bash
# First command: unpack engine and model, look at the machine, start each recipe's script once (fills the compile cache).
H=$(cd "$(dirname "$0")" && pwd); T0=$(date +%s); say(){ echo "[+$(( $(date +%s) - T0 )) s] $*"; }
mkdir -p /opt/vllm /models/dummy-8b /var/cache/vllm/triton "$OUT"
python3 - "$H" <<'P'
import lzma, shutil, sys, tarfile
h = sys.argv[1]
tarfile.open(f"{h}/vsite.tar.xz", "r:xz").extractall("/opt/vllm")
shutil.copyfileobj(lzma.open(f"{h}/C_pruned.so.xz"), open("/opt/vllm/vllm/_C_stable_libtorch.abi3.so", "wb"))
tarfile.open(f"{h}/model.tar.xz", "r:xz").extractall("/models/dummy-8b")
P
say unpacked; date -u; cat /proc/sys/kernel/random/boot_id; python3 --version; git --version; nproc; id -un
nvidia-smi --query-gpu=name,driver_version,power.limit,clocks.sm,memory.total,uuid --format=csv
python3 "$H/bandwidth.py" /tmp/bandwidth.json; cat /tmp/bandwidth.json; say bandwidth
export PYTHONPATH=/opt/vllm HF_HUB_OFFLINE=1 VLLM_CACHE_ROOT=/var/cache/vllm TRITON_CACHE_DIR=/var/cache/vllm/triton VLLM_USE_FLASHINFER_SAMPLER=0 VLLM_WORKER_MULTIPROC_METHOD=fork VLLM_NO_USAGE_STATS=1 VLLM_HOST_IP=127.0.0.1 GLOO_SOCKET_IFNAME=lo NCCL_SOCKET_IFNAME=lo
try(){ # SCRIPT SECONDS
  MODEL=infx/dummy-8b MODEL_PATH=/models/dummy-8b PORT=8000 TP=1 setsid bash "$H/$1.sh" > "$OUT/$1.log" 2>&1 & P=$!
  python3 "$H/smoke.py" $P "$2" "$1"; say "$1 smoke $?"
  kill -TERM -- -$P 2>/dev/null; for _ in $(seq 40); do kill -0 -- -$P 2>/dev/null || break; sleep 0.25; done; kill -KILL -- -$P 2>/dev/null; say "$1 stopped"
}
try fixed 200; try agentic 120
grep -hE "torch.compile took|Loading weights|init engine|CUDA graph|KV cache size|Error|error" "$OUT"/fixed.log "$OUT"/agentic.log | tail -20 | cut -c1-220
du -sh /opt/vllm /var/cache/vllm; ls -la /dev/shm | head -5; say end
