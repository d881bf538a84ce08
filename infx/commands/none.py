"""/use none withdraws what was authorised."""

from infx.command import Form

FORM = Form(
    words="/use none",
    usage="/use none",
    example="/use none",
    help="withdraw the authorisation",
    topic="reuse",
)
