"""docs/matrix.md names every kind of the changelog gate, and no other."""

import re
from pathlib import Path

from infx.policy.changelog import Kind

PAGE = (Path(__file__).parent.parent / "docs" / "matrix.md").read_text()


def test_the_table_of_kinds_is_complete() -> None:
    table = PAGE[PAGE.index("| kind |") : PAGE.index("Warnings do not refuse")]
    cells = [row.split("|")[1] for row in table.splitlines()[2:] if row]
    named = {word for cell in cells for word in re.findall(r"`([a-z-]+)`", cell)}
    assert named == {str(kind) for kind in Kind}
