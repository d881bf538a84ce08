"""Package notice: that a pull request changes the package itself, and how much."""

from infx.say.comment import NOTICE, Section
from infx.say.words import code, fold
from infx.touched import Size

MARK = "<!-- infx:package -->"
ELSEWHERE = "<!-- infx:package has a comment of its own -->"
"""Stands in the status comment while it is so, that nobody has to search a conversation for nothing."""


def body(size: Size) -> str:
    """The comment of its own; empty when nothing of the package changes."""
    return "" if size.zero else f"{MARK}\n{text(size)}\n"


def section(size: Size, *, head: str, order: tuple[int, ...], quiet: bool) -> Section:
    """In the status comment: the notice itself when `quiet`, else only that there is one."""
    shown = text(size) if quiet else ELSEWHERE
    return Section(name=NOTICE, order=order, head=head, text="" if size.zero else shown)


def text(size: Size) -> str:
    folder = size.folder.rstrip("/").rsplit("/", 1)[-1]
    least = "at least " if size.at_least else ""
    lines = [
        f"### {folder} diff: {least}+{size.added} -{size.removed}",
        "",
        f"Most submissions need no change below {code(size.folder)}, and those that do need a small one. "
        "Please reduce it to what this change cannot do without, or propose it in a pull request of its own. "
        "This folder runs for everybody and is held to a higher bar.",
        "",
    ]
    if size.fork:
        lines += [
            "From a fork this does not count before the merge: sweeps run the default branch's package.",
            "",
        ]
    return "\n".join([*lines, *fold("中文", [_chinese(size)])])


def _chinese(size: Size) -> str:
    most = f"大多数提交无需改动 {code(size.folder)}，需要时也应很小。"
    fork = "派生仓库中的这部分改动在合并前不生效。" if size.fork else ""
    return f"{most}请减少到必要的部分，或另开拉取请求；此目录的评审标准更高。{fork}"
