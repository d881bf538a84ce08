"""Files of a repository by path."""

import base64
from typing import Any
from urllib.parse import quote

from infx.forge import protection, pushes
from infx.forge.problem import Problem, invalid, not_found
from infx.forge.repos import ZERO
from infx.forge.rest import git
from infx.forge.rest.route import Call, R, Reply, route
from infx.forge.shapes import commit as commits
from infx.forge.site import Json

INLINE_LIMIT = 1024 * 1024
"""Bytes; larger files come without content (docs: Get repository content)."""
KINDS = {"tree": "dir", "blob": "file", "commit": "submodule"}
LINK = "120000"
"""Git's mode of a symbolic link."""
ENTRY_FIELDS = ("mode", "kind", "sha", "size", "path")


def links(call: Call, path: str, ref: str, sha: str, kind: str) -> Json:
    """Addresses and names that files and folders share."""
    here, page = (
        f"{call.at.api}/contents/{quote(path)}?ref={ref}",
        call.at.page,
    )
    git = f"{call.at.api}/git/{kind}s/{sha}"
    html = f"{page}/{kind}/{ref}/{quote(path)}"
    return {
        "name": path.rsplit("/", 1)[-1],
        "path": path,
        "sha": sha,
        "url": here,
        "html_url": html,
        "git_url": git,
        "download_url": f"{page}/raw/{ref}/{quote(path)}" if kind == "blob" else None,
        "_links": {"self": here, "git": git, "html": html},
    }


def entries(call: Call, commit: str, path: str) -> list[dict[str, str]]:
    """`git ls-tree --long` of one path (a trailing slash lists a folder)."""
    if {".", "..", ".git"} & {*path.lower().split("/")}:
        raise invalid("path contains a malformed path component")
    out = call.at.bare("ls-tree", "-z", "--long", commit, *(["--", path] if path else []))
    lines = filter(None, out.decode("utf-8", "surrogateescape").split("\0"))
    pairs = [line.partition("\t") for line in lines]
    return [dict(zip(ENTRY_FIELDS, [*meta.split(), name], strict=True)) for meta, _, name in pairs]


def listed(call: Call, entry: dict[str, str], ref: str) -> Json:
    size = int(entry["size"]) if entry["size"] != "-" else 0
    return {
        "type": "symlink" if entry["mode"] == LINK else KINDS[entry["kind"]],
        "size": size,
        **links(call, entry["path"], ref, entry["sha"], entry["kind"]),
    }


def module_url(call: Call, path: str, ref: str) -> str | None:
    """Where `.gitmodules` says that a submodule comes from."""
    key = "submodule..*.(path|url)"
    done = call.at.bare.attempt("config", "--blob", f"{ref}:.gitmodules", "--get-regexp", key)
    pairs = dict(line.split(" ", 1) for line in done.text.splitlines() if " " in line)
    name = next((one.removesuffix(".path") for one, value in pairs.items() if value == path), "")
    return pairs.get(f"{name}.url")


def file(call: Call, entry: dict[str, str], ref: str) -> Json:
    shape = listed(call, entry, ref)
    if entry["kind"] == "commit":
        return {**shape, "submodule_git_url": module_url(call, entry["path"], ref)}
    if entry["mode"] == LINK:
        return {**shape, "target": call.at.bare("cat-file", "blob", entry["sha"]).decode("utf-8", "replace")}
    if shape["size"] > INLINE_LIMIT:
        return {**shape, "encoding": "none", "content": ""}
    data = call.at.bare("cat-file", "blob", entry["sha"])
    return {**shape, "encoding": "base64", "content": base64.encodebytes(data).decode()}


@route("GET", f"{R}/contents", "contents:read")
@route("GET", f"{R}/contents/{{path:path}}", "contents:read")
def get(call: Call) -> Reply:
    ref = call.query.get("ref", call.at.branch)
    commit, path = call.at.bare.sha(ref), call.params.get("path", "").strip("/")
    if not commit:
        raise Problem(404, f"No commit found for the ref {ref}")
    found = entries(call, commit, path)
    if path and not found:
        raise not_found()
    if path and found[0]["kind"] != "tree":
        return Reply(file(call, found[0], ref))
    inside = entries(call, commit, f"{path}/") if path else found
    return Reply([listed(call, entry, ref) for entry in inside])


def check_blob(call: Call, tip: str | None, path: str) -> Any:
    """The entry that is there now; 409 or 422 unless the caller named its SHA."""
    found = entries(call, tip, path) if tip else []
    old, named = (found[0] if found else None), call.body.get("sha")
    if old and not named:
        raise invalid('Invalid request.\n\n"sha" wasn\'t supplied.')
    if named and (not old or old["sha"] != named):
        raise Problem(409, f"{path} does not match {named}")
    return old


def commit_file(call: Call, blob: str | None) -> Json:
    """One commit on a branch that writes or removes the path; the commit's shape."""
    at, path = call.at, call.params["path"].strip("/")
    branch, message = call.text("branch", default=call.at.branch), call.text("message")
    ref = f"refs/heads/{branch}"
    with at.site.git_lock:
        tip = at.bare.ref(ref)
        if not tip and at.bare.refs("refs/heads"):
            raise Problem(404, f"Branch {branch} not found")
        old = check_blob(call, tip, path)
        if blob is None and not old:
            raise not_found()
        mode = old["mode"] if old else "100644"
        tree = at.bare.put_all(at.bare.commit(tip).tree if tip else "", [(path, blob, mode)])
        author, committer = git.signers(call)
        sha = at.bare.write_commit(tree, (tip,) if tip else (), message, author=author, committer=committer)
        pushes.refuse_workflows(at, [path])
        reasons = protection.against_push(at, branch, sha)
        if reasons:
            raise Problem(409, f"Could not update file: {' '.join(reasons)}")
        pushes.set_ref(at, ref, sha)
    pushes.tell(at, ref, before=tip or ZERO, after=sha)
    return commits.git_commit(at, at.bare.commit(sha))


@route("PUT", f"{R}/contents/{{path:path}}", "contents:write")
def put(call: Call) -> Reply:
    blob = call.at.bare.write_blob(call.bytes("content"))
    new = "sha" not in call.body
    commit = commit_file(call, blob)
    entry = entries(call, commit["sha"], call.params["path"].strip("/"))[0]
    branch = call.text("branch", default=call.at.branch)
    return Reply({"content": listed(call, entry, branch), "commit": commit}, 201 if new else 200)


@route("DELETE", f"{R}/contents/{{path:path}}", "contents:write")
def delete(call: Call) -> Reply:
    return Reply({"content": None, "commit": commit_file(call, None)})
