"""No override changes the model: fewer experts or layers would be another model under the same name."""

import re

from infx.checks import Sheet
from infx.signoff import Finding, Grade
from infx.subject import Subject

ID = "architecture-unchanged"
OVERRIDES = (
    "--hf-overrides",
    "--hf_overrides",
    "--json-model-override-args",
    "--model-override-args",
    "--override-model-config",
    "--kv-cache-override",
)
DIRECT = ("--num-experts-per-tok", "--num-hidden-layers", "--num-experts", "--enable-layer-skip")
CHANGING = re.compile(
    r"num_hidden_layers|num_layers|num_experts|experts_per_tok|moe_top_?k|top_?k_experts|hidden_size|"
    r"intermediate_size|num_attention_heads|num_key_value_heads|head_dim|sliding_window|index_topk|"
    r"layer_types|architectures|vocab_size|first_k_dense|n_routed|n_shared|nextn_predict"
)


def check(subject: Subject, sheet: Sheet) -> Finding:
    told = [
        (
            f"{one.key}: {name} {one.flags[name]}",
            name in DIRECT or CHANGING.search(one.flags[name]) is not None,
        )
        for one in subject.served
        for name in (*OVERRIDES, *DIRECT)
        if name in one.flags
    ]
    changing = tuple(text for text, changes in told if changes)
    if changing:
        return Finding(check=ID, grade=Grade.FAIL, what="an override changes the model", evidence=changing)
    if told:
        what = "overrides that no program knows"
        return Finding(check=ID, grade=Grade.WARN, what=what, evidence=tuple(text for text, _ in told))
    grade, what = (Grade.PASS, "no override") if subject.served else (Grade.NA, "no key changes")
    return Finding(check=ID, grade=grade, what=what)
