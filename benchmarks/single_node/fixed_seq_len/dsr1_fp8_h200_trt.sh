#!/usr/bin/env bash
# DeepSeek-R1 FP8 on H200, TensorRT-LLM, fixed sequence lengths.
set -euo pipefail

attention=false
[[ "${DP_ATTN:-false}" == true ]] && attention=true
options=$(mktemp)
trap 'rm -f "$options"' EXIT
printf 'enable_attention_dp: %s\nkv_cache_config:\n  enable_block_reuse: false\n' "$attention" > "$options"

trtllm-serve "$MODEL" --backend pytorch --host "${LISTEN:-127.0.0.1}" --port "$PORT" \
  --tp_size "$TP" --ep_size "$EP" --max_seq_len "$MAX_MODEL_LEN" --extra_llm_api_options "$options"
