"""Git database: refs, commits, trees, blobs, branches."""

import base64
from datetime import datetime
from typing import Any

from infx.forge import protection, pulls, pushes
from infx.forge.commit import Person
from infx.forge.problem import Problem, invalid, not_found
from infx.forge.rest.route import NOTHING, Call, R, Reply, created, route
from infx.forge.shapes import commit as commits
from infx.forge.site import Json


def ref_json(call: Call, ref: str, sha: str) -> Json:
    here = f"{call.at.api}/git"
    target = {"sha": sha, "type": "commit", "url": f"{here}/commits/{sha}"}
    return {"ref": ref, "node_id": f"REF_{ref}", "url": f"{here}/{ref}", "object": target}


@route("GET", f"{R}/git/ref/{{ref:path}}", "contents:read")
def get_ref(call: Call) -> Reply:
    ref = f"refs/{call.params['ref']}"
    sha = call.at.bare.ref(ref)
    if not sha:
        raise not_found()
    return Reply(ref_json(call, ref, sha))


@route("GET", f"{R}/git/matching-refs/{{ref:path}}", "contents:read")
def matching(call: Call) -> Reply:
    start = f"refs/{call.params['ref']}"
    refs = call.at.bare.refs("refs/heads", "refs/tags", "refs/pull")
    found = [(ref, sha) for ref, sha in sorted(refs.items()) if ref.startswith(start)]
    return call.cut(found, lambda pair: ref_json(call, *pair))


def target(call: Call) -> str:
    """The commit that `sha` of the body names."""
    sha = call.text("sha")
    if not call.at.bare.sha(sha):
        raise invalid("Object does not exist")
    return sha


def guard(call: Call, ref: str, sha: str, *, forced: bool = False) -> None:
    """422 for what the protection of a branch, or the token, does not allow."""
    name, bare = ref.removeprefix("refs/heads/"), call.at.bare
    if not bare("for-each-ref", "--count=1", "--contains", sha):
        old = call.at.tip(ref) or call.at.tip(f"refs/heads/{call.at.branch}")
        pushes.refuse_workflows(call.at, bare.changed_files(old, sha))
    if forced and protection.find(call.at, name):
        raise invalid("Cannot force-push to this branch")
    reasons = protection.against_push(call.at, name, sha)
    if reasons:
        raise invalid(" ".join(reasons))


@route("POST", f"{R}/git/refs", "contents:write")
def create_ref(call: Call) -> Reply:
    ref, sha = call.text("ref"), target(call)
    if not ref.startswith("refs/") or ref.count("/") < 2:
        raise invalid("Reference name must start with 'refs/' and contain at least two slashes.")
    if call.at.bare.attempt("check-ref-format", ref).code:
        raise invalid(f"{ref} is not a valid ref name.")
    if call.at.bare.ref(ref):
        raise invalid("Reference already exists")
    guard(call, ref, sha)
    pushes.move(call.at, ref, sha)
    return created(ref_json(call, ref, sha))


@route("PATCH", f"{R}/git/refs/{{ref:path}}", "contents:write")
def update_ref(call: Call) -> Reply:
    ref, sha, bare = f"refs/{call.params['ref']}", target(call), call.at.bare
    old = bare.ref(ref)
    if not old:
        raise invalid("Reference does not exist")
    forced = not bare.contains(old, sha)
    if forced and not call.body.get("force"):
        raise invalid("Update is not a fast forward")
    guard(call, ref, sha, forced=forced)
    pushes.move(call.at, ref, sha)
    return Reply(ref_json(call, ref, sha))


@route("DELETE", f"{R}/git/refs/{{ref:path}}", "contents:write")
def delete_ref(call: Call) -> Reply:
    ref = f"refs/{call.params['ref']}"
    if not call.at.bare.ref(ref):
        raise invalid("Reference does not exist")
    if protection.find(call.at, ref.removeprefix("refs/heads/")):
        raise invalid("Cannot delete this protected branch")
    pushes.move(call.at, ref, None)
    return NOTHING


@route("GET", f"{R}/git/commits/{{sha}}", "contents:read")
def get_commit(call: Call) -> Reply:
    commit = call.at.bare.known(call.params["sha"])
    if not commit:
        raise not_found()
    return Reply(commits.git_commit(call.at, commit))


def signers(call: Call) -> tuple[Person, Person]:
    """Author and committer of the body; each stands for the other, and the caller for both."""
    given = {side: call.body[side] for side in ("author", "committer") if call.body.get(side)}
    known = {side: signer(call, side, one) for side, one in given.items()}
    caller = pulls.person(call.site, call.caller.login)
    committer = known.get("committer") or known.get("author") or caller
    return known.get("author") or committer, committer


def signer(call: Call, side: str, one: Any) -> Person:
    if not isinstance(one, dict) or not all(isinstance(one.get(word), str) for word in ("name", "email")):
        raise invalid(f'Invalid request.\n\nFor \'properties/{side}\', "name" and "email" are required.')
    try:
        moment = datetime.fromisoformat(one["date"]).timestamp() if one.get("date") else call.site.now()
    except (TypeError, ValueError):
        raise invalid(f"Invalid request.\n\n{one['date']!r} is not a date-time.") from None
    return Person(one["name"], one["email"], int(moment))


@route("POST", f"{R}/git/commits", "contents:write")
def create_commit(call: Call) -> Reply:
    bare, (author, committer) = call.at.bare, signers(call)
    tree, parents = call.text("tree"), [str(parent) for parent in call.body.get("parents", [])]
    if not bare.object(f"{tree}^{{tree}}"):
        raise invalid("Tree SHA does not exist")
    if not all(bare.object(f"{parent}^{{commit}}") for parent in parents):
        raise invalid("Parent SHA does not exist or is not a commit object")
    sha = bare.write_commit(tree, parents, call.text("message"), author=author, committer=committer)
    return created(commits.git_commit(call.at, bare.commit(sha)))


def tree_entry(call: Call, line: bytes) -> Json:
    meta, _, path = line.decode("utf-8", "surrogateescape").partition("\t")
    mode, kind, sha, size = meta.split()
    entry: Json = {"path": path, "mode": mode, "type": kind, "sha": sha}
    entry["url"] = f"{call.at.api}/git/{kind}s/{sha}"
    return {**entry, "size": int(size)} if kind == "blob" else entry


@route("GET", f"{R}/git/trees/{{sha:path}}", "contents:read")
def get_tree(call: Call) -> Reply:
    bare = call.at.bare
    name = bare.sha(call.params["sha"]) or call.params["sha"]
    deep = ["-r", "-t"] if call.query.get("recursive") else []
    done = bare.attempt("ls-tree", "-z", "--long", *deep, name)
    sha = bare.object(f"{name}^{{tree}}")
    if done.code or not sha:
        raise not_found()
    tree = [tree_entry(call, line) for line in done.out.split(b"\0") if line]
    url = f"{call.at.api}/git/trees/{sha}"
    return Reply({"sha": sha, "url": url, "tree": tree, "truncated": False})


@route("POST", f"{R}/git/trees", "contents:write")
def create_tree(call: Call) -> Reply:
    bare, given = call.at.bare, call.body.get("tree")
    if not isinstance(given, list) or not all(isinstance(one, dict) and one.get("path") for one in given):
        raise invalid("Invalid tree info")
    files = [(str(one["path"]), blob_of(call, one), str(one.get("mode", "100644"))) for one in given]
    call.params["sha"] = bare.put_all(call.text("base_tree", default=""), files)
    return created(get_tree(call).body)


def blob_of(call: Call, one: Json) -> str | None:
    if "content" in one:
        return call.at.bare.write_blob(str(one["content"]).encode())
    sha: str | None = one.get("sha")
    return sha


@route("GET", f"{R}/git/blobs/{{sha}}", "contents:read")
def get_blob(call: Call) -> Reply:
    sha = call.params["sha"]
    done = call.at.bare.attempt("cat-file", "blob", sha)
    if done.code:
        raise not_found()
    body = {
        "sha": sha,
        "node_id": f"B_{sha}",
        "size": len(done.out),
        "url": f"{call.at.api}/git/blobs/{sha}",
        "content": base64.encodebytes(done.out).decode(),
        "encoding": "base64",
    }
    return Reply(body)


@route("POST", f"{R}/git/blobs", "contents:write")
def create_blob(call: Call) -> Reply:
    text = call.text("content")
    data = call.bytes("content") if call.body.get("encoding") == "base64" else text.encode()
    sha = call.at.bare.write_blob(data)
    return created({"sha": sha, "url": f"{call.at.api}/git/blobs/{sha}"})


@route("GET", f"{R}/branches", "contents:read")
def branches(call: Call) -> Reply:
    found = list(call.at.bare.refs("refs/heads").items())
    return call.cut(found, lambda pair: {**short_branch(call, *pair), **guards(call, pair[0])})


def short_branch(call: Call, ref: str, sha: str) -> Json:
    url = f"{call.at.api}/commits/{sha}"
    name = ref.removeprefix("refs/heads/")
    guarded = bool(protection.in_force(call.at, name))
    return {"name": name, "commit": {"sha": sha, "url": url}, "protected": guarded}


def guards(call: Call, ref: str) -> Json:
    """`protection` and `protection_url` of a branch."""
    name = ref.removeprefix("refs/heads/")
    rules = protection.find(call.at, name)
    contexts = list(rules.contexts or ()) if rules else []
    apps = rules.apps if rules else {}
    return {
        "protection": {
            "enabled": rules is not None,
            "required_status_checks": {
                "enforcement_level": level_of(rules),
                "contexts": contexts,
                "checks": [{"context": one, "app_id": apps.get(one)} for one in contexts],
            },
        },
        "protection_url": f"{call.at.api}/branches/{name}/protection",
    }


def level_of(rules: protection.Rules | None) -> str:
    """Whom the required checks bind."""
    if not rules or rules.contexts is None:
        return "off"
    return "everyone" if rules.admins else "non_admins"


@route("GET", f"{R}/branches/{{branch:path}}", "contents:read")
def branch(call: Call) -> Reply:
    name, bare = call.params["branch"], call.at.bare
    sha = bare.ref(f"refs/heads/{name}")
    if not sha:
        raise Problem(404, "Branch not found")
    here = f"{call.at.api}/branches/{name}"
    body = {
        "name": name,
        "commit": commits.commit(call.at, bare.commit(sha)),
        "_links": {"self": here, "html": f"{call.site.url}/{call.repo['full_name']}/tree/{name}"},
        "protected": bool(protection.in_force(call.at, name)),
        **guards(call, f"refs/heads/{name}"),
    }
    return Reply(body)
