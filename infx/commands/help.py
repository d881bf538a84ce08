"""/infx help lists the commands."""

from infx.command import Form

FORM = Form(
    words="/infx help",
    usage="/infx help",
    example="/infx help",
    help="list the commands",
    topic="help",
    role="read",
)
