from pathlib import Path

from infx.bench import tokenizer
from infx.edge import files


def test_one_printable_character_is_one_token(tmp_path: Path) -> None:
    env = tokenizer.write(tmp_path)
    folder = Path(env["HF_HOME"]) / "hub" / "models--infx--bytes"
    revision = (folder / "refs" / "main").read_text()
    model = files.read_json(folder / "snapshots" / revision / "tokenizer.json")["model"]
    assert model["merges"] == []
    assert sorted(model["vocab"].values()) == list(range(96))
    assert {chr(code) for code in range(33, 127)} <= set(model["vocab"])
