"""Steps for examples about git: commits, refs, trees, blobs, files."""

import base64

from infx.forge.repos import Bare
from infx.forge.site import Json
from tests.forge.examples.published import Example
from tests.forge.examples.steps import R, items, step
from tests.forge.examples.work import Work
from tests.forge.examples.writes import sha_of

LINK, FOLDER, MODULE = "120000", "040000", "160000"
"""Modes of a symbolic link, a folder, and another repository."""


@step(f"GET {R}/commits", f"GET {R}/commits/{{}}")
def commits(work: Work, example: Example) -> str:
    for one in items(example) if isinstance(example.answer, list) else [example.answer]:
        work.signs(one)
        sha = work.commit(one["commit"])
    return "/commits" if isinstance(example.answer, list) else f"/commits/{sha}"


@step(f"GET {R}/compare/{{}}")
def compare(work: Work, example: Example) -> str:
    answer = example.answer
    work.signs(answer["base_commit"])
    base = work.commit(answer["merge_base_commit"]["commit"], "base")
    work.at.bare.set_ref("refs/heads/left", base)
    work.commit(answer["commits"][0]["commit"], "base", {"file1.txt": "x\n"})
    for number in range(answer["behind_by"]):
        work.commit(answer["base_commit"]["commit"], "left", {f"{number}.txt": "x\n"})
    return "/compare/left...base"


@step(f"GET {R}/git/commits/{{}}")
def git_commit(work: Work, example: Example) -> str:
    return f"/git/commits/{work.commit(example.answer)}"


@step(f"GET {R}/git/ref/{{}}", f"GET {R}/git/matching-refs/{{}}")
def refs(work: Work, example: Example) -> str:
    found = example.answer if isinstance(example.answer, list) else [example.answer]
    for one in found:
        work.actor.push(one["ref"].removeprefix("refs/heads/"), {"r.txt": one["ref"]}, message="r")
    if isinstance(example.answer, list):
        return "/git/matching-refs/heads/feature"
    return f"/git/ref/{example.answer['ref'].removeprefix('refs/')}"


@step(f"GET {R}/git/blobs/{{}}")
def blob(work: Work, example: Example) -> str:
    return f"/git/blobs/{work.at.bare.write_blob(base64.b64decode(example.answer['content']))}"


def written(bare: Bare, entry: Json) -> tuple[str, str | None, str]:
    """Path, blob and mode of one entry, with as many bytes as the example counts."""
    mode = entry.get("mode") or {"symlink": LINK, "submodule": MODULE}.get(entry["type"], "100644")
    if mode == MODULE:
        return entry["path"], entry["sha"], mode
    if mode == FOLDER or entry["type"] == "dir":
        return f"{entry['path']}/x", bare.write_blob(b"x"), "100644"
    data = b"x" * entry["size"]
    return entry["path"], bare.write_blob(entry.get("target", "").encode() or data), mode


@step(f"GET {R}/git/trees/{{}}")
def tree(work: Work, example: Example) -> str:
    bare = work.at.bare
    made = bare.put_all("", [written(bare, one) for one in example.answer["tree"]])
    return f"/git/trees/{made}" + ("?recursive=1" if "recursive" in example.name else "")


@step(f"GET {R}/contents/{{}}")
def contents(work: Work, example: Example) -> str:
    answer, bare = example.answer, work.at.bare
    entries = [written(bare, one) for one in (answer if isinstance(answer, list) else [answer])]
    if isinstance(answer, dict) and answer["type"] == "submodule":
        text = f'[submodule "m"]\n\tpath = {answer["path"]}\n\turl = {answer["submodule_git_url"]}\n'
        entries.append((".gitmodules", bare.write_blob(text.encode()), "100644"))
    tip = bare.ref(f"refs/heads/{work.trunk}")
    made = bare.put_all(bare.commit(tip).tree, entries)
    who = bare.commit(tip).author
    bare.set_ref(
        f"refs/heads/{work.trunk}", bare.write_commit(made, (tip,), "files", author=who, committer=who)
    )
    if isinstance(answer, list):
        return f"/contents/{answer[0]['path'].rpartition('/')[0]}"
    return f"/contents/{answer['path']}"


@step(f"POST {R}/git/blobs", f"POST {R}/git/trees", f"POST {R}/git/commits", f"POST {R}/git/refs")
def git(work: Work, example: Example) -> str:
    """SHAs of the request become those of objects that are there."""
    bare, body = work.at.bare, example.request
    tip = bare.commit(sha_of(work))
    word = example.endpoint.rsplit("/", 1)[-1]
    if word == "trees":
        body["base_tree"], body["tree"][0]["sha"] = tip.tree, bare.write_blob(b"ruby\n")
    elif word == "commits":
        body |= {"tree": tip.tree, "parents": [tip.sha]}
    elif word == "refs":
        body["sha"] = tip.sha
    return f"/git/{word}"


@step(f"PATCH {R}/git/refs/{{}}")
def move_ref(work: Work, example: Example) -> str:
    work.actor.push("featureA", {"f.txt": "f\n"}, message="f")
    example.request["sha"] = sha_of(work)
    return "/git/refs/heads/featureA"


@step(f"PUT {R}/contents/{{}}", f"DELETE {R}/contents/{{}}")
def write_file(work: Work, example: Example) -> str:
    if "sha" in example.request:
        work.actor.push(work.trunk, {"notes/hello.txt": "hello\n"}, message="hello")
        here = f"/repos/{work.home}/contents/notes/hello.txt"
        example.request["sha"] = work.client("GET", here).json["sha"]
    return "/contents/notes/hello.txt"
