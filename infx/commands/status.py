"""/sweep status answers with the state of every point."""

from infx.command import Form

FORM = Form(
    words="/sweep status",
    usage="/sweep status",
    example="/sweep status",
    help="say which points are valid, missing or running",
    topic="sweep status",
)
