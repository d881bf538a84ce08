"""The words of a merge: what the commit on the target says, with nothing that keeps runs from starting."""

from collections.abc import Sequence

from infx import skip

TITLE_LIMIT = 200
"""Characters of a title from a pull request."""


def words(title: str, number: int, *, told: str, authors: Sequence[str] = ()) -> tuple[str, str]:
    """Title and message of a squash or merge commit. `told` says what main will publish."""
    plain = " ".join(skip.without(title).split())[:TITLE_LIMIT].rstrip()
    first = f"{plain or 'Change'} (#{number})"
    lines = [told, *(["", *(f"Co-authored-by: {one}" for one in authors)] if authors else [])]
    return skip.without(first), skip.without("\n".join(lines))
