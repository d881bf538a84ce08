"""`infx init`: workflows, policy, example configs and labels for another repository, safe to repeat."""

import argparse
import difflib
import json
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from infx import __version__, block
from infx.adopted import Act, Found, Step
from infx.decision import Decision
from infx.edge import files, merge, settings, shipped
from infx.edge.git import Git
from infx.edge.github import connect
from infx.edge.survey import Survey
from infx.edge.world import World
from infx.errors import BadInput, Refused
from infx.facts import Answer
from infx.palette import paints
from infx.policy import adoption
from infx.read.config import read_catalog
from infx.recipe import Config
from infx.starter import MODELS, PIECES

EXAMPLE = """example:
  infx init --source acme/infx            write everything, with infx installed from that repository
  infx init --dry-run                     only say what would be written
  infx init --upgrade                     bring written files to this version, keep changes made here
  GITHUB_REPOSITORY=o/r GITHUB_TOKEN=… infx init --labels    and make the labels on GitHub
"""
CHANGELOG = "perf-changelog.yaml"
SOURCE = re.compile(r"[\w.-]+/[\w.-]+")
BRANCH = re.compile(r"[\w./-]+")
BY_PULL = "git checkout -b adopt-infx, commit, push that branch and merge it by a pull request"
WRITES = (Act.WRITE, Act.UPGRADE, Act.MERGE)


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = EXAMPLE
    parser.add_argument("--root", metavar="DIR", help="folder of the configs; found when there is one only")
    parser.add_argument(
        "--source",
        default="infx-dev/infx",
        metavar="OWNER/NAME",
        help="repository that jobs install infx from",
    )
    parser.add_argument("--branch", default="main", help="default branch, main unless said")
    parser.add_argument("--no-example", action="store_true", help="without the demo engine's recipes")
    parser.add_argument("--upgrade", action="store_true", help="files of an older version become this one's")
    parser.add_argument("--labels", action="store_true", help="make missing labels on GitHub")
    parser.add_argument("--dry-run", action="store_true", help="write nothing")
    parser.add_argument("--json", action="store_true", help="print what was done as JSON")


def run(args: argparse.Namespace, world: World) -> int:
    """1 when a file of a name that infx needs is somebody else's; everything else is written all the same."""
    git = Git(world.cwd)
    git.work_tree()
    if git("rev-parse", "--show-prefix").strip():
        raise BadInput("this is a folder inside the repository", todo="run init at the repository's root")
    _check(args, world)
    where = look(git, args.root)
    done = list(plan(git, args, where))
    _clear(git.root, done)
    told = [_settle(git, step, dry=args.dry_run, world=world) for step in done]
    labels = _labels(world, dry=args.dry_run) if args.labels else []
    guarded = protected(world, args.branch)
    answer = _decision(told, where, labels, guarded)
    lines = [*_text(told), *labels, todo(args, guarded)]
    world.say(json.dumps(answer.as_json(), indent=1) if args.json else "\n".join(lines))
    return 0 if answer.go else Refused.exit_code


def _check(args: argparse.Namespace, world: World) -> None:
    if not SOURCE.fullmatch(args.source):
        raise BadInput(f"--source {args.source:.80} is no owner/name", todo="write it as on GitHub")
    if not BRANCH.fullmatch(args.branch):
        raise BadInput(f"--branch {args.branch:.80} is no branch's name", todo="write it as on GitHub")
    if args.root and (".." in args.root.split("/") or not (world.cwd / args.root.strip("/")).is_dir()):
        raise BadInput(f"--root {args.root:.80}: no folder of this repository", todo="name it from the root")


def look(git: Git, root: str | None) -> Found:
    """Where the repository has its files, as far as git tracks or would track them."""
    listing = git("ls-files", "-z", "--cached", "--others", "--exclude-standard").decode("utf-8", "replace")
    paths = [path for path in listing.split("\0") if path and (git.root / path).is_file()]
    where = adoption.found(paths, root=root)
    changelog = git.root / where.root / CHANGELOG
    entries = block.blocks(files.read_bytes(changelog)) if changelog.exists() else []
    newest = block.link(entries[-1]).decode("utf-8", "replace").strip() if entries else ""
    return replace(where, audit_from=newest)


def plan(git: Git, args: argparse.Namespace, where: Found) -> Iterator[Step]:
    """Every file, the policy and the changelog among them."""
    example = not args.no_example
    version = " ".join(filter(None, (__version__, shipped.commit()[:12])))
    content = {adoption.place(piece, where.root): _local(shipped.data(piece), args) for piece in PIECES}
    listed = adoption.place(MODELS, where.root)
    content[listed] = adoption.models(content[listed].decode(), configs(git, where)).encode()
    present = {path: files.read_bytes(git.root / path) for path in content if (git.root / path).is_file()}
    yield from adoption.steps(
        content, present, where=where, version=version, upgrade=args.upgrade, example=example
    )
    yield _seed(git, settings.POLICY, adoption.policy(where, example=example))
    yield _seed(git, f"{where.root}/{CHANGELOG}".lstrip("/"), "")


def configs(git: Git, where: Found) -> Collection[Config]:
    """Configs of the repository as it stands; none when they cannot be read, which `infx doctor` says."""
    root = git.root / where.root
    masters = [(name, files.read_bytes(root / name)) for name in where.masters if (root / name).is_file()]
    runners = root / "configs" / "runners.yaml"
    if not runners.is_file():
        return ()
    try:
        return read_catalog(masters, (runners.name, files.read_bytes(runners))).configs.values()
    except BadInput:
        return ()


def _local(data: bytes, args: argparse.Namespace) -> bytes:
    """A shipped file for this repository: where infx is installed from, and the default branch's name."""
    source = f"{args.source}@{shipped.commit() or 'v' + __version__}"
    return data.replace(b"@SOURCE@", source.encode()).replace(
        b"branches: [main]", f"branches: [{args.branch}]".encode()
    )


def _clear(root: Path, steps: Sequence[Step]) -> None:
    """BadInput, before anything is written, where a file would land outside the repository or on a folder."""
    for path in (step.path for step in steps if step.act in WRITES):
        above = [one for one in PurePosixPath(path).parents if one.name]
        bad = [one for one in above if (root / one).is_symlink() or not _folder(root / one)]
        if (root / path).is_dir():
            bad.append(PurePosixPath(path))
        if bad:
            what = f"`{bad[-1]}` is in the way of {path}"
            raise BadInput(what, todo="move it away, and run init again: nothing was written")


def _folder(path: Path) -> bool:
    return path.is_dir() or not path.exists()


def _seed(git: Git, path: str, text: str) -> Step:
    if (git.root / path).exists():
        return Step(path=path, act=Act.OWN, why="the repository's own, left as it is")
    return Step(path=path, act=Act.WRITE, why="not there yet", data=text.encode())


def _settle(git: Git, step: Step, *, dry: bool, world: World) -> Step:
    """Do what a step says; the step as it ended."""
    if step.act == Act.MERGE:
        step = _merged(git, step)
    if step.act not in WRITES:
        return step
    target = git.root / step.path
    if step.act != Act.WRITE:
        _show(world, step, files.read_bytes(target))
    if not dry:
        files.write_bytes(target, step.data)
        if step.data.startswith(b"#!"):
            target.chmod(0o755)
        if step.base:
            files.write_bytes(git.root / adoption.base(step.path), step.base)
    return step


def _merged(git: Git, step: Step) -> Step:
    now = files.read_bytes(git.root / step.path)
    header = adoption.HEADER.search(now)
    digest = header["digest"].decode() if header else ""
    base = _base(git, step.path, digest)
    if base is None:
        why = f"{step.why}; the version it came from is not in git's history, so compare it by hand"
        return replace(step, act=Act.FOREIGN, why=why)
    both = merge.three_way(
        git, base=adoption.bare(base), ours=adoption.bare(now), theirs=adoption.bare(step.data)
    )
    if both is None:
        why = (
            f"{step.why}, on lines that infx changed too; take over by hand what `git diff --no-index` shows"
        )
        return replace(step, act=Act.FOREIGN, why=why)
    stamp = adoption.HEADER.search(step.data)
    line = stamp[0] if stamp else b""
    first, rest = both.split(b"\n", 1) if both.startswith(b"#!") else (b"", both)
    data = (first + b"\n" if first else b"") + line + rest
    return replace(step, data=data, base=adoption.bare(step.data))


def _base(git: Git, path: str, digest: str) -> bytes | None:
    """What infx had written before it was changed here: kept by the last upgrade, else in git's history."""
    kept = git.root / adoption.base(path)
    if kept.exists() and adoption.mark(data := files.read_bytes(kept)) == digest:
        return data
    return merge.original(git, path, lambda data: adoption.mark(adoption.bare(data)) == digest)


def _show(world: World, step: Step, old: bytes) -> None:
    before, after = (data.decode("utf-8", "replace").splitlines() for data in (old, step.data))
    for line in difflib.unified_diff(before, after, step.path, step.path, lineterm=""):
        world.note(line)


def protected(world: World, branch: str) -> Answer:
    """Whether what was written can be pushed to the default branch; asked only where the environment names
    the repository and has a token."""
    if not (world.env.get("GITHUB_REPOSITORY") and world.env.get("GITHUB_TOKEN")):
        return Answer.UNKNOWN
    github = connect(world.env)
    return Survey(github.api, github.repository).protects(branch)


def _labels(world: World, *, dry: bool) -> list[str]:
    """One line a label: made, there, or there in another case."""
    github = connect(world.env)
    survey = Survey(github.api, github.repository)
    there = {name.lower(): name for name in survey.labels()}
    told = []
    for paint in paints(settings.load(world.cwd).labels):
        other = there.get(paint.name.lower())
        if other == paint.name:
            told.append(f"label {paint.name}: there")
        elif other:
            told.append(f"label {paint.name}: stands as {other}; rename it, names are compared exactly")
        else:
            if not dry:
                survey.create_label(paint)
            told.append(f"label {paint.name}: made")
    return told


def _decision(steps: Sequence[Step], where: Found, labels: Sequence[str], guarded: Answer) -> Decision:
    stuck = [step for step in steps if step.act == Act.FOREIGN]
    written = sum(step.act in WRITES for step in steps)
    return Decision(
        decision="init",
        go=not stuck,
        kind="stuck" if stuck else "written" if written else "unchanged",
        reason=f"{len(stuck)} files need a person" if stuck else f"{written} of {len(steps)} files written",
        details={
            "root": where.root,
            "masters": list(where.masters),
            "audit-from": where.audit_from,
            "files": [step.as_json() for step in steps],
            "labels": list(labels),
            "protected": str(guarded),
        },
    )


def _text(steps: Sequence[Step]) -> list[str]:
    lines = [f"{step.act:8} {step.path}: {step.why}" for step in steps if step.act != Act.SAME]
    same = sum(step.act == Act.SAME for step in steps)
    return [*lines, f"{same} files are up to date"] if same else lines


def todo(args: argparse.Namespace, guarded: Answer) -> str:
    """The last line. GitHub takes `control` from the default branch, so it has to get there somehow."""
    if args.dry_run:
        return "nothing was written (--dry-run)"
    if guarded == Answer.YES:
        return f"next: {args.branch} is protected: {BY_PULL}, then run `infx doctor`"
    where = "the default branch" if guarded == Answer.NO else f"{args.branch} (if it is protected: {BY_PULL})"
    return f"next: commit and push to {where}, then run `infx doctor`"
