"""The command line: picks one module, hands it the world, turns errors into exit numbers."""

import argparse
import errno
import importlib
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from infx import __version__
from infx.edge import gha
from infx.edge.world import World
from infx.errors import BadInput, CouldNotReport, InfxError
from infx.spell import near

INTERRUPTED = 130
BUG = 4


@dataclass(frozen=True)
class Command:
    """One command: its words, the module with `arguments(parser)` and `run(args, world)`, its help line."""

    words: str
    module: str
    help: str


COMMANDS: tuple[Command, ...] = (
    Command("init", "infx.jobs.init", "workflows, policy, example configs and labels for another repository"),
    Command("doctor", "infx.jobs.doctor", "is a repository set up so that sweeps work, and safely"),
    Command("runners", "infx.jobs.runners", "runners against the labels of configs; poisoned nodes, queues"),
    Command("explain", "infx.jobs.explain", "take a decision again from a document, offline"),
    Command("plan", "infx.jobs.preview", "what a change would measure, before any GPU"),
    Command("matrix changed", "infx.jobs.changed", "config keys whose points a change affects"),
    Command("changelog check", "infx.jobs.changelog", "may the changelog change stand"),
    Command("changelog fix", "infx.jobs.fix", "write the bytes that are right"),
    Command("changelog new", "infx.jobs.new", "append the entry for the current change"),
    Command("changelog resolve", "infx.jobs.resolve", "resolve a merge conflict of the changelog"),
    Command("schema", "infx.jobs.schema", "published JSON Schemas, and every closed list"),
    Command("merge", "infx.jobs.merge", "merge a pull request and lose none of its results"),
    Command("ingest", "infx.jobs.ingest", "publish what landed on the default branch"),
    Command("audit", "infx.jobs.audit", "does every changelog entry have its published rows"),
    Command("job decide", "infx.jobs.decide", "the decision of one event, and its plan"),
    Command("job fanout", "infx.jobs.fanout", "the cells that canary records release"),
    Command("job collect", "infx.jobs.collect", "ledger, published rows and run page of a run"),
    Command("job report", "infx.jobs.report", "the status comment of a sweep"),
    Command("job comment", "infx.jobs.comment", "answer the commands of a pull request's comments"),
    Command("job postmerge", "infx.jobs.postmerge", "follow the jobs of a merge commit to their end"),
    Command("job readiness", "infx.jobs.readiness", "the status infx/merge-readiness of a head"),
    Command("results latest", "infx.jobs.latest", "the newest published row of every point"),
    Command("results history", "infx.jobs.history", "every published version, withdrawn ones marked"),
    Command("results since", "infx.jobs.since", "what was published or withdrawn since a date"),
    Command("results export", "infx.jobs.export", "published rows as Parquet or CSV"),
    Command("results retract", "infx.jobs.retract", "published rows count no longer, with a reason"),
    Command("results build", "infx.jobs.build", "make the results database from the store of record"),
    Command("report", "infx.jobs.pages", "pages of a run, of a pull request, of everything published"),
    Command("sweep simulate", "infx.jobs.simulate", "what failures cost, under three ways to deal with them"),
    Command("job signoff", "infx.jobs.signoff", "the verdicts on a pull request's sign-offs"),
    Command("signoff verify", "infx.jobs.verify", "every check of a pull request's sign-offs, looked up now"),
    Command("matrix generate", "infx.jobs.generate", "rows from master configs"),
    Command("matrix plan", "infx.jobs.derive", "the sweep that a changelog change asks for"),
    Command("matrix schema", "infx.jobs.shapes", "JSON Schemas of configs, changelog and rows"),
    Command("forge demo", "infx.forge.demo", "the whole life of one pull request, on this machine"),
    Command("forge serve", "infx.forge.serve", "serve an embedded GitHub that runs real workflow files"),
    Command("forge record", "infx.forge.record", "a pull request of a real GitHub as a file without secrets"),
    Command("forge replay", "infx.forge.replay", "a recorded pull request answers again"),
    Command("recipe show", "infx.jobs.recipe", "what a point starts: commands, environment, files"),
    Command("bench", "infx.jobs.bench", "how fast infx itself is, beside yardsticks of the same machine"),
    Command("sweep dispatch", "infx.jobs.dispatch", "a bounded one-off run on GitHub, never publishable"),
    Command("sweep run", "infx.jobs.sweep", "a whole sweep on this machine, without GitHub"),
    Command("job point", "infx.jobs.point", "one matrix cell, from launch to record"),
    Command("job preflight", "infx.jobs.preflight", "is this machine fit for a job; for a runner's own hook"),
    Command("job teardown", "infx.jobs.teardown", "end what a cell left on its machine"),
)
"""Modules are named, not imported: a command pays only for what it uses."""

GROUPS = {
    "matrix": "rows from master configs, and what a change affects",
    "changelog": "the append-only changelog",
    "results": "published rows: what stands, what stood, what was withdrawn",
    "recipe": "what points start",
    "sweep": "sweeps started by people",
    "forge": "an embedded GitHub for demo, development and tests",
    "signoff": "sign-offs of code owners",
    "job": "steps of workflow files, not called by people",
}


EXAMPLE = """\
examples:
  infx plan --base origin/main --label full-sweep-enabled    what a change would measure
  infx sweep run --config-key demo-bf16-local-sim            a sweep on this machine, without GitHub
  infx results latest                                        what is published
  infx COMMAND --help                                        more, with examples

exit: 0 yes or done · 1 no · 2 bad input · 3 could not tell · 4 a bug of infx
"""


def parser_for(argv: Sequence[str], *, whole: bool = False) -> argparse.ArgumentParser:
    """The whole tree of words; only the command that `argv` names is imported and filled in, or all."""
    parser = argparse.ArgumentParser(
        prog="infx",
        description="A labelled pull request becomes a benchmark sweep.",
        epilog=EXAMPLE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    known = version() if "--version" in argv[:1] else ""
    parser.add_argument("--version", action="version", version=known)
    parser.add_argument("--completion", metavar="SHELL", help="print completion: bash, fish, zsh, tcsh")
    top = parser.add_subparsers(metavar="COMMAND", required=True)
    groups = {}
    for command in COMMANDS:
        words = command.words.split()
        where = top
        if len(words) == 2:
            if words[0] not in groups:
                group = top.add_parser(words[0], help=GROUPS[words[0]], description=GROUPS[words[0]])
                groups[words[0]] = group.add_subparsers(metavar="COMMAND", required=True)
            where = groups[words[0]]
        wanted = whole or list(argv[: len(words)]) == words
        sub = where.add_parser(
            words[-1],
            help=command.help,
            description=command.help,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        if wanted:
            module = importlib.import_module(command.module)
            module.arguments(sub)
            sub.set_defaults(run=module.run)
    return parser


def version() -> str:
    """Name, version and commit."""
    from infx.edge import shipped  # only here: every other command would pay for it

    commit = shipped.commit()[:12]
    return " ".join(filter(None, ("infx", __version__, commit and f"({commit})")))


def completion(shell: str, world: World) -> int:
    """Every command's words and flags, for a shell to source."""
    import shtab  # only here

    if shell not in shtab.SUPPORTED_SHELLS:
        raise BadInput(f"no completion for {shell:.40}", todo=f"give {', '.join(shtab.SUPPORTED_SHELLS)}")
    world.say(shtab.complete(parser_for([], whole=True), shell=shell))
    return 0


def misspelt(argv: Sequence[str]) -> BadInput | None:
    """What to say when the first words are no command, with the nearest one; options are the parser's."""
    first, second = (*argv, "", "")[:2]
    names = [command.words for command in COMMANDS]
    if first.startswith("-") or first in names:
        return None
    if not first:
        return BadInput("no command is given", todo="infx --help lists them")
    if first not in GROUPS:
        known = [*dict.fromkeys(name.split()[0] for name in names), *names]
        return BadInput(f"there is no command `{first:.40}`", todo=near(first, known))
    inner = [name for name in names if name.split()[0] == first]
    if second.startswith("-") or f"{first} {second}" in inner:
        return None
    if not second:
        return BadInput(f"`infx {first}` needs one more word", todo=near("", inner))
    return BadInput(f"there is no command `{first} {second:.40}`", todo=near(f"{first} {second}", inner))


def main(argv: Sequence[str], world: World) -> int:
    """Exit number of one command."""
    try:
        words = argv[0].split("=", 1) if len(argv) == 1 else argv
        if words[:1] == ["--completion"] and len(words) == 2:
            return completion(words[1], world)
        if wrong := misspelt(argv):
            raise wrong
        args = parser_for(argv).parse_args(argv)
        code: int = args.run(args, world)
        world.out.flush()
        return code
    except InfxError as problem:
        gha.error(world, problem.sentence)
        return problem.exit_code
    except KeyboardInterrupt:
        world.note("infx: interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader went away (`| head`): nothing is wrong and nobody is left to tell.
        let_go(world)
        return 0
    except OSError as problem:
        let_go(world)
        outside = of_the_system(problem)
        gha.error(world, outside.sentence)
        return outside.exit_code
    except Exception as bug:
        import traceback  # only when there is a bug to show

        # The message of an exception may quote a pull request.
        gha.untrusted(world, traceback.format_exc())
        gha.error(world, f"a bug in infx: {type(bug).__name__}: {bug}; please report it with the lines above")
        return BUG


def let_go(world: World) -> None:
    """Write what can still be written; the interpreter would try the rest again at its end, and complain."""
    try:
        world.out.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), world.out.fileno())


def of_the_system(problem: OSError) -> InfxError:
    """A file that may not be written is the caller's to mend; a full disk or a lost machine is not."""
    what = problem.strerror or str(problem)
    if problem.filename is None or problem.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO):
        return CouldNotReport(what, where=str(problem.filename or ""), todo="make room, and try again")
    return BadInput(what, where=str(problem.filename), todo="check the path and its permissions")


def entry(*words: str) -> None:
    """The console script; `words` go before those of the command line."""
    try:
        world = World.real()
    except FileNotFoundError:
        sys.stderr.write("infx: the folder that this runs in is gone; change to one that is there\n")
        sys.exit(BadInput.exit_code)
    sys.exit(main([*words, *sys.argv[1:]], world))
