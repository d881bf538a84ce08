"""/reuse-sweep-run is the older name of /use; without a run it chooses one."""

from infx.command import Form

FORM = Form(
    words="/reuse-sweep-run",
    usage="/reuse-sweep-run [<run_id>]",
    example="/reuse-sweep-run 27528759942",
    help="publish this run; without an id, the newest complete and successful one",
    topic="reuse",
    most=1,
)
