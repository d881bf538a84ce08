#!/usr/bin/env bash
# Qwen3.5-397B-A17B FP8 on H200, SGLang with the MTP head of the checkpoint, for the agentic replay.
set -euo pipefail

export SGLANG_ENABLE_SPEC_V2=1
if [[ "${EVAL_ONLY:-false}" != true ]]; then
  # Golden acceptance (configs/golden-al/qwen3.5_mtp.yaml, thinking on, K = 3). Evals verify for real.
  export SGLANG_SIMULATE_ACC_LEN=3.39
  export SGLANG_SIMULATE_ACC_METHOD=match-expected
  export SGLANG_SIMULATE_ACC_TOKEN_MODE=real-draft-token
fi

offload=()
if [[ "${KV_OFFLOADING:-none}" == dram ]]; then
  offload=(
    --enable-hierarchical-cache
    --hicache-size "$((TOTAL_CPU_DRAM_GB / TP))"
    --hicache-io-backend kernel
    --hicache-mem-layout page_first
    --page-size 64
  )
fi

exec python3 -m sglang.launch_server \
  --model-path "$MODEL_PATH" --served-model-name "$MODEL" --host "${LISTEN:-127.0.0.1}" --port "$PORT" \
  --tp-size "$TP" --ep-size "$EP" \
  --quantization fp8 --kv-cache-dtype fp8_e4m3 --mamba-ssm-dtype bfloat16 \
  --attention-backend flashinfer --mem-fraction-static 0.8 \
  --speculative-algorithm EAGLE --speculative-num-steps 3 \
  --speculative-eagle-topk 1 --speculative-num-draft-tokens 4 \
  "${offload[@]}"
