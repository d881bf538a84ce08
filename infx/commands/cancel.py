"""/sweep cancel ends the active sweep."""

from infx.command import Form

FORM = Form(
    words="/sweep cancel",
    usage="/sweep cancel",
    example="/sweep cancel",
    help="cancel the active sweep; what was measured stays",
    topic="sweep cancel",
)
