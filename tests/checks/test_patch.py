"""No installed engine file is changed, in whatever way a script may do it."""

from time import process_time

import pytest

from infx.checks.patch import patches
from infx.event import FileChange
from infx.subject import Line
from tests.checks.subjects import grade, look, subject

SITE = "/usr/local/lib/python3.12/dist-packages/sglang/srt/server.py"
WAIVER = "What: x. Why: y. https://github.com/o/r/pull/1. Removal: with the next image."


def lines(*texts: str) -> tuple[Line, ...]:
    return tuple(Line(path="a.sh", line=at, text=text) for at, text in enumerate(texts, 1))


@pytest.mark.parametrize(
    "text",
    [
        "git apply fix.patch",
        "git -C /sgl-workspace apply fix.patch",
        "patch -p1 < fix.patch",
        "cd x && patch server.py",
        f"sed -i 's/a/b/' {SITE}",
        "sed -i.bak -e 's/a/b/' /opt/vllm/vllm/engine.py",
        "sed -i 's/a/b/' $DIR/server.py",
        f"cat > {SITE} <<'X'",
        f"cp mine.py {SITE}",
        "SITE=$(python3 -c 'import sglang; print(sglang.__path__[0])')",
        "tee $(python -c 'import vllm; print(vllm.__file__)')",
        "export PYTHONPATH=/x/site-packages:$PYTHONPATH",
        "import sglang.srt.server as server",
        "from vllm import engine",
        "setattr(sglang.srt, 'x', y)",
        "# nothing\npip install git+https://github.com/me/sglang",
        "pip install ./vllm-0.1.whl",
        "pip3 install --force-reinstall sglang",
        "echo > /x/sitecustomize.py",
        "# monkeypatch\nmonkey_patch(server)",
    ],
)
def test_ways_to_patch(text: str) -> None:
    found = look("no-engine-patch", subject(added=lines(*text.split("\n"))))
    assert found.grade == "FAIL"
    assert found.evidence[0].startswith("a.sh:")
    assert "docs/waiver/7.md" in found.what


@pytest.mark.parametrize(
    "text",
    [
        "exec python3 -m sglang.launch_server --model-path $MODEL_PATH",
        "exec vllm serve $MODEL_PATH",
        "# sed -i on site-packages is what we do not do",
        "sed 's/a/b/' config.yaml > other.yaml",
        "pip install aiperf==0.1",
        "python3 -c 'import sglang; print(sglang.__version__)'",
        "dispatch --patch-level 3",
        "cp $MODEL_PATH/config.json /tmp",
    ],
)
def test_ordinary_lines(text: str) -> None:
    assert grade("no-engine-patch", added=lines(text)) == "PASS"


def test_a_patch_file_counts_unless_it_goes() -> None:
    for status, expected in (("added", "FAIL"), ("modified", "FAIL"), ("removed", "PASS")):
        assert grade("no-engine-patch", files=(FileChange(path="x/fix.patch", status=status),)) == expected


@pytest.mark.parametrize(
    ("waiver", "says"),
    [
        (WAIVER, ""),
        (WAIVER.replace("https://github.com/o/r/pull/1", ""), "upstream link"),
        (WAIVER.replace("Removal: with the next image.", ""), "removal plan"),
        ("", "what, why, upstream link, removal plan"),
    ],
)
def test_a_waiver_says_four_things(waiver: str, says: str) -> None:
    found = look("no-engine-patch", subject(added=lines("git apply x"), waiver=waiver))
    assert (found.grade == "FAIL") == bool(says)
    assert says in found.what


def test_points_of_the_target() -> None:
    assert grade("append-only") == "PASS"
    assert grade("append-only", removed=("k C4",), append_only=True) == "FAIL"
    assert grade("append-only", removed=("k C4",)) == "WARN"
    assert grade("append-only", shared=("lib.sh",)) == "HUMAN"


@pytest.mark.parametrize(
    "piece", ["sed -i ", "perl -i.py ", "cp ", ">", "tee -a ", "git -a b ", "sglang ", "  "]
)
def test_a_long_line_is_read_in_one_pass(piece: str) -> None:
    began = process_time()
    patches(Line(path="x.sh", line=1, text="x" + piece * (20_000 // len(piece))))
    assert process_time() - began < 2
