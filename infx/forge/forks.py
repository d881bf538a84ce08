"""Making repositories: from nothing, from a folder or address, as a fork."""

from infx.errors import BadInput
from infx.forge import gitdoor, pushes
from infx.forge.database import Row
from infx.forge.site import Site
from infx.forge.visit import Visit


def create(
    site: Site, full_name: str, *, source: str = "", private: bool = False, parent: int | None = None
) -> Row:
    """A new repository; branches and tags of `source` (path or address of a git repository) come along."""
    owner, _, name = full_name.partition("/")
    if not owner or not name or "/" in name:
        raise BadInput(f"{full_name!r} is no repository name", todo="write owner/name")
    if site.db.row("SELECT 1 FROM repos WHERE full_name = ?", full_name):
        raise BadInput(f"{full_name} is there already", todo="choose another name")
    site.user(owner)
    bare = site.bare({"full_name": full_name})
    bare.make(source)
    now = site.stamp()
    repo_id = site.db.insert(
        "repos",
        full_name=full_name,
        owner=owner,
        name=name,
        private=private,
        default_branch=bare("symbolic-ref", "--short", "HEAD").decode().strip(),
        parent=parent,
        default_permissions="read",
        approval="first_time_contributors",
        created_at=now,
        updated_at=now,
        pushed_at=now,
    )
    repo = site.repo_by_id(repo_id)
    pushes.learn(Visit(site, repo))
    gitdoor.install(Visit(site, repo))
    return repo


def fork(at: Visit) -> Row:
    """The caller's fork of the repository, made when there is none."""
    login, parent = at.caller.login, at.repo
    old = at.db.row("SELECT * FROM repos WHERE parent = ? AND owner = ?", parent["id"], login)
    if old:
        return old
    name, private = f"{login}/{parent['name']}", bool(parent["private"])
    return create(at.site, name, source=str(at.bare.root), private=private, parent=parent["id"])
