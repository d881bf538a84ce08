#!/usr/bin/env bash
# DeepSeek-R1 FP8 on H200, SGLang, fixed sequence lengths.
set -euo pipefail

exec python3 -m sglang.launch_server \
  --model-path "$MODEL_PATH" --served-model-name "$MODEL" --host "${LISTEN:-127.0.0.1}" --port "$PORT" \
  --tp-size "$TP" --context-length "$MAX_MODEL_LEN" \
  --mem-fraction-static 0.82 --disable-radix-cache
