"""actions/checkout on the embedded GitHub: a shallow fetch of the pinned commit from the bare repository."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

# The server of this fetch is a process of ours; GitHub too serves any commit that a ref reaches.
UPLOAD_PACK = "git -c uploadpack.allowAnySHA1InWant=true upload-pack"
PINNED = "refs/checkout/pinned"
NO_CREDENTIALS = "no-credentials-persisted:"


class Git:
    """git in one folder; a failure ends the step."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(self, *words: str) -> str:
        done = subprocess.run(
            ["git", "-C", str(self.folder), *words], capture_output=True, text=True, check=False
        )
        if done.returncode:
            sys.exit(f"::error::git {words[0]}: {done.stderr.strip()}")
        return done.stdout.strip()


def wanted(env: dict[str, str], git: Git) -> tuple[str, str]:
    """Commit to fetch and the branch to put it on (empty: detached)."""
    own = env["REPOSITORY"].lower() == env["GITHUB_REPOSITORY"].lower()
    ref = env["REF"] or (env["GITHUB_REF"] if own else "HEAD")
    if re.fullmatch(r"[0-9a-f]{40}", ref):
        return ref, ""
    branch = ref.removeprefix("refs/heads/")
    if own and not env["REF"]:
        return env["GITHUB_SHA"], branch if ref.startswith("refs/heads/") else ""
    lines = git("ls-remote", "origin").splitlines()
    known = {name: commit for commit, name in (line.split("\t") for line in lines)}
    for name in (f"refs/heads/{branch}", f"refs/tags/{ref}", ref):
        if name in known:
            return known[name], branch if name.startswith("refs/heads/") else ""
    sys.exit(f"::error::there is no ref {ref!r} in {env['REPOSITORY']}")


def prepare(folder: Path, source: str, *, clean: bool) -> Git:
    """A repository in `folder` whose origin is `source`."""
    folder.mkdir(parents=True, exist_ok=True)
    git = Git(folder)
    if not (folder / ".git").exists():
        for old in folder.iterdir():
            shutil.rmtree(old) if old.is_dir() and not old.is_symlink() else old.unlink()
        git("init", "--quiet")
        git("remote", "add", "origin", f"file://{source}")
    elif clean:
        git("clean", "-ffdxq")
    return git


def main(env: dict[str, str]) -> None:
    service = json.loads(Path(env["ACTION"], "service.json").read_text())
    source = service["repositories"].get(env["REPOSITORY"].lower())
    if source is None:
        sys.exit(f"::error::this job cannot reach the repository {env['REPOSITORY']}")
    git = prepare(Path(env["GITHUB_WORKSPACE"], env["FOLDER"]), source, clean=env["CLEAN"] == "true")
    commit, branch = wanted(env, git)
    if env["DEPTH"] == "0":
        options, refs = ["--tags"], ["+refs/heads/*:refs/remotes/origin/*", f"+{commit}:{PINNED}"]
    else:
        tracking = f"refs/remotes/origin/{branch}" if branch else PINNED
        options, refs = ["--no-tags", f"--depth={env['DEPTH']}"], [f"+{commit}:{tracking}"]
    git("fetch", "--quiet", f"--upload-pack={UPLOAD_PACK}", *options, "origin", *refs)
    git("checkout", "--quiet", "--force", *(["-B", branch] if branch else ["--detach"]), commit)
    if env["PERSIST"] != "true":
        git("remote", "set-url", "--push", "origin", NO_CREDENTIALS)
    sys.stdout.write(f"HEAD is now at {git('log', '-1', '--format=%h %s')}\n")
    with Path(env["GITHUB_OUTPUT"]).open("a") as file:
        file.write(f"commit={commit}\nref={branch or commit}\n")


if __name__ == "__main__":
    main(dict(os.environ))
