"""Trial: the test merge of a pull request, `refs/pull/N/merge`, made anew when head or base moved."""

from infx.forge.commit import Person
from infx.forge.database import Row
from infx.forge.site import Site
from infx.forge.visit import Visit

WEB_FLOW = ("GitHub", "noreply@github.com")


def web_flow(site: Site) -> Person:
    """Who commits what is done on the site itself."""
    return Person(*WEB_FLOW, int(site.now()))


def fresh(at: Visit, row: Row) -> Row:
    """The pull request with an up-to-date test merge; a closed one keeps its last."""
    if row["mergeable"] is not None or row["state"] != "open":
        return row
    merge = write(at, row)
    at.db.change("issues", row["id"], mergeable=int(bool(merge)), merge_sha=merge or row["merge_sha"])
    return {**row, "mergeable": int(bool(merge)), "merge_sha": merge or row["merge_sha"]}


def write(at: Visit, row: Row) -> str | None:
    """Set both refs of the pull request; SHA of the merge, None on conflict."""
    bare, base, head, ref = at.bare, row["base_sha"], row["head_sha"], f"refs/pull/{row['number']}"
    with at.site.git_lock:
        bare.set_ref(f"{ref}/head", head)
        tree = bare.merge_tree(base, head)
        if not tree:
            if bare.ref(f"{ref}/merge"):
                bare.set_ref(f"{ref}/merge", None)
            return None
        who = web_flow(at.site)
        merge = bare.write_commit(tree, (base, head), f"Merge {head} into {base}", author=who, committer=who)
        bare.set_ref(f"{ref}/merge", merge)
        return merge
