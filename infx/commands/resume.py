"""/sweep resume measures what is missing."""

from infx.command import Form

FORM = Form(
    words="/sweep resume",
    usage="/sweep resume",
    example="/sweep resume",
    help="measure only the points that have no accepted result",
    topic="sweep resume",
)
