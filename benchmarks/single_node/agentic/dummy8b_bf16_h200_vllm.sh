#!/usr/bin/env bash
# Random weights in the shape of a dense 8B model on one H200, vLLM: prefix cache on, cached tokens reported.
set -euo pipefail

exec python3 -m vllm.entrypoints.cli.main serve "$MODEL_PATH" --served-model-name "$MODEL" \
  --host 127.0.0.1 --port "$PORT" --tensor-parallel-size "$TP" --load-format dummy \
  --max-model-len 4096 --max-num-seqs 256 --gpu-memory-utilization 0.85 \
  --enable-prefix-caching --enable-prompt-tokens-details
