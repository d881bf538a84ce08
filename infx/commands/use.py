"""/use names the runs whose results stand for this pull request."""

from infx.command import Form

ACCEPT_CHANGED = "--accept-changed"

FORM = Form(
    words="/use",
    usage="/use <run_id> [<run_id> …] [--accept-changed]",
    example="/use 27528759942",
    help="publish these runs, united point by point; `--accept-changed` (maintain or admin) also takes "
    "points that were changed since",
    topic="reuse",
    least=1,
    most=20,
    flags=frozenset({ACCEPT_CHANGED}),
)
