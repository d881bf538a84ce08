"""`python -m tests.commands` writes docs/commands.md from the parser itself."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

from infx.cli import COMMANDS, GROUPS, Command, parser_for

DOCUMENT = Path(__file__).parent.parent / "docs" / "commands.md"
HEAD = """# Commands

Written by `python -m tests.commands` from the parser; do not edit. `infx COMMAND --help` says the same.

Answers go to standard output, everything said on the way to standard error.
Commands that only read answer in JSON with `--json`.

| exit | meaning |
|---|---|
| 0 | yes, or done |
| 1 | the answer is no: refused, not eligible, problems, or a decision that fails its run |
| 2 | bad input or usage; the sentence says file, place and what to do |
| 3 | could not tell: GitHub, git or the network gave no answer, and no decision rests on it |
| 4 | a bug of infx; the lines before it are for the report |
| 130 | interrupted |
"""


def document() -> str:
    groups = "".join(f"- `infx {name} …`: {about}\n" for name, about in GROUPS.items())
    return HEAD + "\n" + groups + "".join(_section(command) for command in COMMANDS)


def parser_of(command: Command) -> argparse.ArgumentParser:
    """The filled-in parser of one command."""
    parser = parser_for(command.words.split())
    for word in command.words.split():
        parser = _subparsers(parser)[word]
    return parser


def _subparsers(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return dict(action.choices)
    return {}


def _section(command: Command) -> str:
    parser = parser_of(command)
    lines = [
        f"\n## infx {command.words}\n",
        f"{command.help[0].upper()}{command.help[1:]}.\n",
        *_table(parser),
    ]
    for name, sub in _subparsers(parser).items():
        lines += [f"\n`{name}`:\n", *_table(sub)]
    if parser.epilog:
        lines += ["\n```text", parser.epilog.strip(), "```"]
    return "\n".join(lines) + "\n"


def _table(parser: argparse.ArgumentParser) -> Iterator[str]:
    rows = [row for action in parser._actions if (row := _row(action))]
    if rows:
        yield from ("| argument | meaning |", "|---|---|", *rows)


def _row(action: argparse.Action) -> str:
    if isinstance(action, argparse._HelpAction | argparse._SubParsersAction):
        return ""
    value = ""
    if action.nargs != 0:
        value = str(action.metavar or "|".join(map(str, action.choices or ())) or action.dest.upper())
    name = " ".join(filter(None, [", ".join(action.option_strings), value]))
    text = (action.help or "").replace("%(default)s", str(action.default)).replace("%%", "%")
    needed = " (needed)" if action.required and action.option_strings else ""
    return f"| `{name.replace('|', chr(92) + '|')}` | {text.replace('|', chr(92) + '|')}{needed} |"


if __name__ == "__main__":
    DOCUMENT.write_text(document())
    sys.stderr.write(f"wrote {DOCUMENT}\n")
