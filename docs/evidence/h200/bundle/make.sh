#!/bin/bash
# make.sh OUT: what the machine needs and does not have, as OUT/c1 (engine, model) and OUT/c2 (client, infx, checkout).
# MODEL is a folder with config.json and tokenizer. Needs pip, xz and strip; takes a few minutes.
set -euo pipefail
OUT=$1; HERE=$(cd "$(dirname "$0")" && pwd); W=$(mktemp -d); mkdir -p "$OUT/c1" "$OUT/c2"
fetch() { # LIST FOLDER
  local platforms=(); for glibc in 2_39 2_35 2_34 2_31 2_28 2_27 2_26 2_24 2_17 2_12 2_5; do platforms+=(--platform "manylinux_${glibc}_x86_64"); done
  python3 -m pip download -q --no-deps --only-binary=:all: --python-version 3.12 --implementation cp "${platforms[@]}" --platform manylinux2014_x86_64 --platform manylinux1_x86_64 -d "$W/wheels-$2" -r "$1"
  mkdir -p "$W/$2"; for wheel in "$W/wheels-$2"/*.whl; do python3 -m zipfile -e "$wheel" "$W/$2"; done
  find "$W/$2" \( -name tests -o -name __pycache__ \) -type d -prune -exec rm -rf {} +
}
fetch "$HERE/engine.txt" engine; fetch "$HERE/client.txt" client
printf 'jsonschema-rs==0.61.2\ntenacity==9.2.1\npydantic==2.14.4\npydantic-core==2.50.5\nannotated-types==0.8.0\ntyping-inspection==0.4.5\n' > "$W/infx.txt"; fetch "$W/infx.txt" infx
cd "$W/engine"
# A dense bf16 model on one H200 loads none of these.
rm -rf vllm/vllm_flash_attn/_vllm_fa2_C.abi3.so vllm/vllm-rs vllm/_moe_C_stable_libtorch.abi3.so vllm/_qutlass_C.abi3.so vllm/_flashmla*_C.abi3.so vllm/third_party/fmha_sm100 mistral_common/data xgrammar/lib/libxgrammar.a ./*.data
find . -name '*.so' ! -path '*vllm_flash_attn*' ! -name '_C_stable*' -exec strip --strip-debug {} \; 2>/dev/null || true
python3 "$HERE/prune.py" vllm/_C_stable_libtorch.abi3.so "$W/C_pruned.so"
tar -cf - --exclude ./vllm/_C_stable_libtorch.abi3.so . | xz -T0 -6 > "$OUT/c1/vsite.tar.xz"; xz -T0 -6 -c "$W/C_pruned.so" > "$OUT/c1/C_pruned.so.xz"
find "$W/client" "$W/infx" -name '*.so' -exec strip --strip-debug {} \; 2>/dev/null || true
tar -cf - -C "$W/client" . | xz -T0 -6 > "$OUT/c2/aiperf.tar.xz"; tar -cf - -C "$W/infx" . | xz -T0 -6 > "$OUT/c2/infx.tar.xz"
tar -cf - -C "$MODEL" . | xz -9e > "$OUT/c1/model.tar.xz"
cd "$HERE"; root=$(git rev-parse --show-toplevel); git clone -q --depth 1 "file://$root" "$W/clone"; tar -cf - -C "$W/clone" . | xz -6 > "$OUT/c2/repo.tar.xz"
cp up.sh smoke.py "$root/benchmarks/bandwidth.py" "$OUT/c1/"; cp go.sh "$(command -v git)" "$OUT/c2/"
cp "$root/benchmarks/single_node/fixed_seq_len/dummy8b_bf16_h200_vllm.sh" "$OUT/c1/fixed.sh"; cp "$root/benchmarks/single_node/agentic/dummy8b_bf16_h200_vllm.sh" "$OUT/c1/agentic.sh"
du -sb "$OUT"/*
