import pytest

from infx.results.bound import Bytes, bound, reads

DENSE = {
    "hidden_size": 4096, "num_hidden_layers": 36, "num_attention_heads": 32, "num_key_value_heads": 8,
    "head_dim": 128, "intermediate_size": 12288, "vocab_size": 32000, "dtype": "bfloat16",
}  # fmt: skip


def test_what_a_dense_model_reads() -> None:
    """7.21 billion parameters less the input embedding, two bytes each; 144 KiB of KV for a token."""
    step = reads(DENSE)
    assert step is not None
    assert step.weights == pytest.approx(2 * (7.21e9 - 32000 * 4096), rel=0.01)
    assert step.kv == 2 * 36 * 8 * 128 * 2


@pytest.mark.parametrize("change", [{"num_experts": 8}, {"dtype": "fp8"}, {"hidden_size": None}])
def test_other_models_have_no_bound_here(change: dict[str, object]) -> None:
    assert reads({**DENSE, **change}) is None


def test_weights_count_once_a_step_and_kv_for_each_sequence() -> None:
    row = {"isl": 900, "osl": 200, "conc": 4, "output_tput_per_gpu": 10.0}
    found = bound(row, Bytes(weights=1e9, kv=1e5), copy=2e9, gpus=1)
    assert found is not None
    assert found.bound == pytest.approx(4 / ((1e9 + 4 * 1000 * 1e5) / 2e9))
    assert found.share == pytest.approx(10 / found.bound)


def test_a_replay_says_its_lengths_itself() -> None:
    means = {"input_tokens": {"mean": 900.0}, "output_tokens": {"mean": 200.0}}
    row = {"conc": 1, "output_tput_per_gpu": 1.0, "request_metrics": means}
    step = Bytes(weights=1e9, kv=1e5)
    assert bound(row, step, copy=1e9, gpus=1) == bound(
        {**row, "isl": 900, "osl": 200}, step, copy=1e9, gpus=1
    )
    assert bound({"conc": 1, "output_tput_per_gpu": 1.0}, step, copy=1e9, gpus=1) is None
