#!/usr/bin/env bash
# The demo's engine for fixed sequence lengths: no prefix cache, as such recipes are measured.
source "$(dirname "$0")/../../lib.sh"
need INFX_PYTHON PORT MODEL MAX_MODEL_LEN
exec "$INFX_PYTHON" -m infx.simulator --port "$PORT" --model "$MODEL" \
  --max-model-len "$MAX_MODEL_LEN" --fault "${SIM_FAULT:-}"
