"""Runner groups of an organization: which runners are in which, and which repositories may use them."""

from infx.forge import documents
from infx.forge.database import Row
from infx.forge.problem import Problem, not_found, wrong
from infx.forge.site import Json, Site

KIND = "runner-group"
DEFAULT = 1
"""The group of every runner that is in no other."""
VISIBILITIES = ("all", "selected", "private")
FRESH: Json = {
    "visibility": "all",
    "allows_public_repositories": False,
    "restricted_to_workflows": False,
    "selected_workflows": [],
    "selected_repository_ids": [],
    "runners": [],
}
Group = tuple[int, str, Json]
"""Id, name, what is kept of it."""


def every(site: Site, org: str) -> list[Group]:
    """The default group first."""
    rows = documents.every(site, documents.of_org(org), KIND)
    return [(DEFAULT, "Default", FRESH), *((row["id"], row["name"], documents.data(row)) for row in rows)]


def find(site: Site, org: str, number: int) -> Group:
    found = next((group for group in every(site, org) if group[0] == number), None)
    if not found:
        raise not_found()
    return found


def of_runner(site: Site, org: str, runner: int) -> Group:
    """A runner is in one group."""
    groups = every(site, org)
    return next((group for group in groups if runner in group[2]["runners"]), groups[0])


def runners(site: Site, org: str, number: int) -> list[Row]:
    """Self-hosted runners of all repositories that are in this group."""
    rows = site.db.rows("SELECT * FROM runners WHERE hosted = 0 AND repo IS NULL ORDER BY id")
    return [row for row in rows if of_runner(site, org, row["id"])[0] == number]


def make(site: Site, org: str, name: str, wanted: Json) -> int:
    """Id of a new group; 409 when the name is taken."""
    place = documents.of_org(org)
    if name == "Default" or documents.find(site, place, KIND, name=name):
        raise Problem(409, f"A runner group named {name} already exists.")
    number = documents.put(site, place, KIND, name=name, value={**FRESH})
    change(site, org, number, wanted)
    return number


def change(site: Site, org: str, number: int, wanted: Json) -> None:
    """What is named in `wanted` changes; runners leave the group that they were in."""
    _, name, old = find(site, org, number)
    new = {**old, **{key: wanted[key] for key in FRESH if key in wanted}}
    if new["visibility"] not in VISIBILITIES:
        raise wrong("RunnerGroup", "visibility")
    if number == DEFAULT:
        raise Problem(422, "The default runner group cannot be changed here.")
    place = documents.of_org(org)
    for row in documents.every(site, place, KIND):
        kept = documents.data(row)
        if row["id"] != number and set(kept["runners"]) & set(new["runners"]):
            kept["runners"] = [one for one in kept["runners"] if one not in new["runners"]]
            documents.change(site, row, name=row["name"], value=kept)
    row = documents.by_id(site, place, KIND, number=number)
    documents.change(site, row, name=str(wanted.get("name", name)), value=new)


def remove(site: Site, org: str, number: int) -> None:
    documents.remove(site, documents.by_id(site, documents.of_org(org), KIND, number=number))
