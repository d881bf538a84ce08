#!/usr/bin/env bash
# The demo's engine for agentic replay: prefix cache on.
source "$(dirname "$0")/../../lib.sh"
need INFX_PYTHON PORT MODEL
exec "$INFX_PYTHON" -m infx.simulator --port "$PORT" --model "$MODEL" \
  --max-model-len 131072 --prefix-caching --fault "${SIM_FAULT:-}"
