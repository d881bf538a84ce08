"""/stage-results shows a run on the preview page."""

from infx.command import Form

FORM = Form(
    words="/stage-results",
    usage="/stage-results [<run_id>]",
    example="/stage-results 27528759942",
    help="show a run on the preview page; without an id, the newest one with results",
    topic="stage",
    most=1,
)
