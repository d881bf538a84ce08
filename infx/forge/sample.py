"""Sample: this checkout as a benchmark repository, for the demo and for tests on the real workflow files."""

from pathlib import Path

from infx.edge.git import Git
from infx.errors import BadInput

OWN_CHECKS = (".github/workflows/ci.yml", "tests/")
"""The project's checks of itself: no part of a benchmark repository, where every job would check them out."""
AUTHOR = ("-c", "user.name=infx demo", "-c", "user.email=demo@infx.test")


def tracked(root: Path) -> list[str]:
    """Files of the work tree that git tracks or would track, but for the project's own checks."""
    git = Git(root)
    if git.attempt("rev-parse", "--git-dir").code != 0:
        raise BadInput("this is no git checkout", where=str(root), todo="run it inside a clone of infx")
    listing = git("ls-files", "-z", "--cached", "--others", "--exclude-standard").decode()
    paths = [path for path in listing.split("\0") if path and not path.startswith(OWN_CHECKS)]
    return [path for path in paths if (root / path).is_file()]


def repository(root: Path, folder: Path) -> Git:
    """A git repository in `folder` with one commit on `main`: the work tree at `root` as it stands."""
    for path in tracked(root):
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes((root / path).read_bytes())
        target.chmod((root / path).stat().st_mode & 0o777)
    git = Git(folder)
    git("init", "--quiet", "--initial-branch=main")
    commit(git, "The benchmark repository")
    return git


def commit(git: Git, message: str) -> None:
    """Everything in the work tree, as one commit."""
    git("add", "--all")
    git(*AUTHOR, "commit", "--quiet", "--message", message)
