#!/usr/bin/env bash
# Qwen3.5-397B-A17B FP8 on H200, SGLang, fixed sequence lengths.
set -euo pipefail

exec python3 -m sglang.launch_server \
  --model-path "$MODEL_PATH" --served-model-name "$MODEL" --host "${LISTEN:-127.0.0.1}" --port "$PORT" \
  --tp-size "$TP" --ep-size "$EP" --context-length "$MAX_MODEL_LEN" \
  --quantization fp8 --kv-cache-dtype fp8_e4m3 --mamba-ssm-dtype bfloat16 \
  --attention-backend flashinfer --mem-fraction-static 0.8 --disable-radix-cache
