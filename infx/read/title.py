"""Title: the `run-name` of `sweep.yml`, which tells any reader what a run was for without its artifacts."""

import re

from infx.event import Title

_FORM = re.compile(
    r"#(\d*) ([a-z_-]+) ([0-9a-f]{40}) ([0-9a-f]{40}) \[(.*)\] \{(.*)\}(?: \(([0-9a-f]{1,40})\))?", re.DOTALL
)


def read(text: str) -> Title | None:
    """The parts of `#<pr> <action> <head> <base> [<label>] {<labels>} (<mark>)`; None when `text` is no such
    title. Only dispatches have a mark."""
    match = _FORM.fullmatch(text)
    if match is None:
        return None
    number, action, head, base, label, labels, mark = match.groups()
    return Title(
        pr=int(number or 0),
        action=action,
        head_sha=head,
        base_sha=base,
        label=label,
        labels=frozenset(filter(None, labels.split(","))),
        mark=mark or "",
    )


def write(title: Title) -> str:
    """Exactly what the `run-name` expression of `sweep.yml` gives."""
    number, labels = title.pr or "", ",".join(sorted(title.labels))
    mark = f" ({title.mark})" if title.mark else ""
    return f"#{number} {title.action} {title.head_sha} {title.base_sha} [{title.label}] {{{labels}}}{mark}"
