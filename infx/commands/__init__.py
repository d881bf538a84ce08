"""Floor 4: one slash command per file, and the registry of all of them."""

from collections.abc import Callable, Mapping

from infx.command import Form
from infx.commands import cancel, help, none, resume, reuse, stage, status, use
from infx.desk import Desk, Order, Outcome

FORMS: tuple[Form, ...] = (
    use.FORM,
    none.FORM,
    reuse.FORM,
    stage.FORM,
    status.FORM,
    cancel.FORM,
    resume.FORM,
    help.FORM,
)
"""Every command, in the order of help and docs. A new command is one file and one row in each table."""

ANSWERS: Mapping[str, Callable[[Desk, Order], Outcome]] = {
    use.FORM.words: use.answer,
    none.FORM.words: none.answer,
    reuse.FORM.words: reuse.answer,
    stage.FORM.words: stage.answer,
    status.FORM.words: status.answer,
    cancel.FORM.words: cancel.answer,
    resume.FORM.words: resume.answer,
    help.FORM.words: help.answer,
}


def document() -> str:
    """`docs/commands-in-comments.md`."""
    rows = [
        f"| `{form.usage.replace('|', '/')}` | {form.help} | {form.role} | `{form.example}` |"
        for form in FORMS
    ]
    return (
        HEAD
        + "\n".join(["| usage | what it does | least role | example |", "|---|---|---|---|", *rows])
        + "\n"
    )


HEAD = """# Commands in comments

Made from `infx/commands/` by `make docs`; do not edit.

A command stands alone on a line of a conversation comment. Quotes, code, links, lists, headings, tables, HTML
and emphasis are no commands, nor is what a bot writes, nor the text of a review or of an inline comment.
Several commands may stand in one comment; of one topic the last counts. An edited comment is read again, and
whoever edited it must be allowed as well.

"""
