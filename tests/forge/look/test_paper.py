"""Logs on the pages."""

from infx.forge.look import paper

LOG = """\
2026-01-01T10:00:00.1Z ##[group]Run make
2026-01-01T10:00:01.1Z \x1b[32mcc\x1b[0m -c <a.c>
2026-01-01T10:00:02.1Z ##[endgroup]
2026-01-01T10:00:03.1Z ##[error]broken
no stamp
"""


def test_groups_fold_and_marks_are_kept():
    fold, rest = paper.blocks(LOG)
    assert (fold["title"], fold["lines"]) == (
        "Run make",
        [{"clock": "10:00:01", "kind": "", "text": "cc -c <a.c>"}],
    )
    assert [(line["kind"], line["text"]) for line in rest["lines"]] == [("error", "broken"), ("", "no stamp")]


def test_a_long_log_shows_its_end(tmp_path):
    (tmp_path / "log").write_text("x\n" * paper.SHOWN + "end")
    text, cut = paper.read(tmp_path / "log")
    assert cut
    assert len(text) == paper.SHOWN
    assert text.endswith("end")


def test_no_log_yet(tmp_path):
    assert paper.read(tmp_path / "log") == ("", False)
