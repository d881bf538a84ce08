#!/usr/bin/env bash
# DeepSeek-V4-Pro FP8 on H200, vLLM, fixed sequence lengths; data-parallel attention with expert parallelism, or TP.
set -euo pipefail

parallel=(--tensor-parallel-size "$TP")
if [[ "${DP_ATTN:-false}" == true ]]; then
  parallel=(--data-parallel-size "$TP" --enable-expert-parallel)
fi

exec vllm serve "$MODEL_PATH" --served-model-name "$MODEL" --host "${LISTEN:-127.0.0.1}" --port "$PORT" \
  --max-model-len "$MAX_MODEL_LEN" --no-enable-prefix-caching "${parallel[@]}"
