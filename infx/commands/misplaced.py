"""A command in a review or on a line of code does nothing; one reply says where to write it."""

from infx.commands import FORMS
from infx.edge import sticky
from infx.read import command
from infx.say import reply


def tell(github: sticky.Comments, number: int, source: int, body: str) -> bool:
    """Whether `body`, the text of the review or inline comment `source`, holds a command. Then the one reply
    to it is there afterwards. CouldNotReport when it could not be written."""
    said = command.read_text(body, FORMS)
    if not said.effective:
        return False
    text = reply.misplaced(source, [one.text for one in said.effective])
    sticky.put(github, number, reply.misplaced_mark(source), render=lambda old: text)
    return True
