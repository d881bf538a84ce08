"""What must hold at the end of every life on the forge."""

from typing import Any

from tests.forge.bench import kind
from tests.forge.lives import Life
from tests.forge.place import Place


def check(life: Life) -> None:
    check_events(life)
    check_pull(life)
    check_labels(life)
    check_runs(life)
    check_statuses(life)


def arrived(life: Life) -> list[Any]:
    """Each delivery once, in the order of arrival."""
    events = life.place.bench.events[life.first_event :]
    return list({id(event): event for event in events}.values())


def check_events(life: Life) -> None:
    """Exactly the events that GitHub would send, and none of them lost on the way."""
    kinds, told = [kind(event) for event in arrived(life)], life.model.told
    sent = life.place.forge.site.db.rows(
        "SELECT * FROM deliveries WHERE id > ? ORDER BY id", life.first_delivery
    )
    names = [f"{row['name']}.{row['action']}" if row["action"] else row["name"] for row in sent]
    assert sorted(names) == sorted(kinds)
    assert sorted(kinds) == sorted(told)
    if life.orderly and not life.place.bench.unruly:
        assert [one for one in kinds if "workflow" not in one] == [
            one for one in told if "workflow" not in one
        ]


def get(life: Life, path: str) -> Any:
    return life.place.ask("GET", path)[1]


def check_pull(life: Life) -> None:
    pull, model = get(life, f"pulls/{life.number}"), life.model
    assert (pull["state"], pull["merged"], pull["draft"]) == (model.state, model.merged, model.draft)
    assert pull["title"] == model.title
    assert {one["name"] for one in pull["labels"]} == model.labels
    if model.state == "open":
        assert pull["head"]["sha"] == life.sha
    comments = get(life, f"issues/{life.number}/comments")
    assert {one["id"]: one["body"] for one in comments} == model.comments


def check_labels(life: Life) -> None:
    """Each label comes and goes in turns, and what came last is what the pull request has."""
    has: set[str] = set()
    for entry in get(life, f"issues/{life.number}/events?per_page=100"):
        if entry["event"] in ("labeled", "unlabeled"):
            name = entry["label"]["name"]
            assert (name in has) == (entry["event"] == "unlabeled")
            has ^= {name}
    assert has == life.model.labels


def check_runs(life: Life) -> None:
    """No run without the event that it belongs to, on that event's commit, and no attempt on its own."""
    listed = get(life, f"actions/runs?branch=head-{life.seed}&per_page=100")["workflow_runs"]
    causes, known = life.place.bench.causes, {id(event) for event in arrived(life)}
    assert sorted(run["id"] for run in listed) == sorted(life.runs)
    for run in listed:
        cause = causes[run["id"]]
        assert id(cause) in known
        assert cause.payload["number"] == life.number
        assert run["head_sha"] == cause.payload["pull_request"]["head"]["sha"]
        assert run["run_attempt"] == 1 + life.model.reruns.get(run["id"], 0)


def check_statuses(life: Life) -> None:
    rows = life.place.forge.site.db.rows("SELECT * FROM statuses WHERE id > ? ORDER BY id", life.first_status)
    assert [row["sha"] for row in rows] == life.model.statuses


def run(place: Place, seed: int, *, unruly: bool, kind: type[Life] = Life) -> Life:
    """One life; a failure says how to see it again."""
    place.bench.behave(str(seed) if unruly else "")
    life = kind(place, seed)
    try:
        life.live()
        check(life)
    except Exception as wrong:
        wrong.add_note(f"acts: {', '.join(life.acts)}\nagain: INFX_SEED={seed} python -m pytest tests/forge")
        raise
    return life
