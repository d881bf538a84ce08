import pytest

from infx.matrix import flags

SCRIPT = b"""\
export SGLANG_ENABLE_SPEC_V2=1
PORT="8000"
# --ignored 1
ARGS=(
  --tp 8
  --quantization fp8
)
python3 -m sglang.launch_server --model-path "$MODEL" \\
  --mem-fraction-static=0.8 --disable-radix-cache "${ARGS[@]}"
"""


def test_flags_and_variables_are_read_over_continued_lines() -> None:
    found = flags.settings(SCRIPT)
    assert found.flags == {
        "--tp": "8",
        "--quantization": "fp8",
        "--model-path": "$MODEL",
        "--mem-fraction-static": "0.8",
        "--disable-radix-cache": "",
    }
    assert found.variables["SGLANG_ENABLE_SPEC_V2"] == "1"
    assert found.variables["PORT"] == "8000"


@pytest.mark.parametrize(
    ("script", "told"),
    [
        (b"x --a 1 \\\n  --a 2\n", ["--a stands twice in one command (1, 2)"]),
        (b"A=(\n --a 1\n --a 1\n)\n", ["--a stands twice in one command (1, 1)"]),
        (b"if x; then A='--a 1'\nelse A='--a 2'\nfi\n", []),
        (b"x --enable-y --disable-y\n", ["--enable-y and --disable-y contradict each other"]),
        (b"x --y --no-y\n", ["--y and --no-y contradict each other"]),
        (b"x --no-enable-y --enable-y\n", ["--no-enable-y and --enable-y contradict each other"]),
        (b"x --no-y\n", []),
    ],
)
def test_repeated_and_contradicting_flags_of_one_command(script: bytes, told: list[str]) -> None:
    assert list(flags.clashes(script)) == told


def test_differences_go_from_the_sibling_to_the_recipe() -> None:
    mine = {"--mem": "0.8", "--spec": "EAGLE", "--on": ""}
    assert flags.differences(mine, {"--mem": "0.75", "--old": "1", "--on": ""}) == [
        "--mem 0.75 → 0.8",
        "- --old 1",
        "+ --spec EAGLE",
    ]


@pytest.mark.parametrize(
    ("image", "ignored"),
    [
        ("lmsysorg/sglang:v0.5.14-cu130", True),
        ("lmsysorg/sglang:v0.5.16-cu130", False),
        ("lmsysorg/sglang:v0.5.9", True),
        ("lmsysorg/sglang:v0.10", False),
        ("lmsysorg/sglang:nightly", False),
        ("vllm/vllm-openai:v0.1.0", False),
    ],
)
def test_a_name_that_the_image_does_not_read_yet(image: str, ignored: bool) -> None:
    features = {"TOKEN_MODE": "lmsysorg/sglang:v0.5.16"}
    assert bool(list(flags.unread(frozenset({"TOKEN_MODE"}), image, features))) is ignored
