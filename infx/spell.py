"""The nearest valid spelling, for messages."""

from collections.abc import Iterable

_SHOWN = 12


def near(given: object, names: Iterable[str]) -> str:
    """`did you mean …? allowed: …`, with a long list cut."""
    import difflib  # only a mistake needs it

    known = list(names)
    best = difflib.get_close_matches(str(given)[:100], known, n=1, cutoff=0.6)
    listing = ", ".join(f"`{name}`" for name in known[:_SHOWN])
    more = f" and {len(known) - _SHOWN} more" if len(known) > _SHOWN else ""
    return (f"did you mean `{best[0]}`? " if best else "") + f"allowed: {listing}{more}"
