"""Results at size: from archives to rows, database and page, a million rows asked, 300 artifacts fetched."""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import duckdb

from benchmarks.history.changes import own
from benchmarks.history.made import shown
from infx import press
from infx.edge import artifacts, database, download, files
from infx.edge.database import Source
from infx.edge.github import GitHub
from infx.event import Artifact
from infx.flat import Flat
from infx.forge.forge import Forge
from infx.forge.site import Limits
from infx.results import stats, tally
from tests import builders as build
from tests.groups import BROWSER
from tests.pages.drive import drive

ROWS, MILLION, ARTIFACTS = 10_000, 1_000_000, 300
COLLECT_S, BUILD_S, PAGE_S, PAGE_MB, CHART_S, LATEST_S, FETCH_S = 3.0, 2.0, 5.0, 6.0, 1.5, 0.4, 10.0
REPO = "acme/infx"


def bench() -> None:
    """Print each number beside its limit."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        told(f"{ROWS:,} rows: collect and rows from archives", collect(folder / "in"), COLLECT_S)
        made = shown(list(own()), least=ROWS)
        made = replace(made, rows=made.rows[:ROWS])
        told(f"{ROWS:,} rows: database", seconds(lambda: fill(folder / "small.duckdb", made.rows)), BUILD_S)
        page = folder / "index.html"
        told(f"{ROWS:,} rows: page", seconds(lambda: press.write(page, made, os.environ)), PAGE_S)
        told(f"{ROWS:,} rows: page", page.stat().st_size / 1e6, PAGE_MB, unit="MB")
        if BROWSER:
            told(f"{ROWS:,} rows: first chart in Chromium", first_chart(page), CHART_S)
        fill(folder / "results.duckdb", made.rows[:2000])
        repeat(folder / "results.duckdb", MILLION // 2000)
        told(f"{MILLION:,} rows: whole `infx results latest`", latest(folder / "results.duckdb"), LATEST_S)
        taken, most = fetch(folder / "forge")
        told(f"{ARTIFACTS} artifacts over the embedded GitHub", taken, FETCH_S)
        told("artifacts at a time", most, download.AT_ONCE, unit="")


def told(what: str, value: float, limit: float, *, unit: str = "s") -> None:
    print(f"{what}: {value:.3g} {unit} (at most {limit:g})".replace("  ", " "))


def seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def collect(folder: Path) -> float:
    """Records in one archive each become ledger and rows."""
    points = [build.point(conc) for conc in range(1, ROWS + 1)]
    plan = build.plan(*points)
    folder.mkdir()
    for point in points:
        record = build.record(point, result=build.published_row(point.concurrencies[0]))
        with zipfile.ZipFile(folder / f"{point.artifact('bmk')}.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("record.json", json.dumps(record.as_json()))

    def work() -> None:
        records, problems = artifacts.records(folder)
        ledger = tally.ledger(plan, records, tally.Facts(run_id=build.RUN, attempt=1))
        for name, document in stats.aggregates(plan, ledger, stats.tries(records, [])).items():
            files.write_long_json(folder.parent / "out" / name, document)
        assert ledger.complete
        assert not problems

    return seconds(work)


def fill(path: Path, rows: Sequence[Flat]) -> None:
    with database.building(path):
        database.build(path, [Source(path="published/a.jsonl", blob="1", rows=rows)], (), commit="c")


def repeat(path: Path, times: int) -> None:
    """Every row so many times, published one day after the other."""
    again = "rows.* REPLACE (merge || '-' || turn AS merge, published + turn * 86400 AS published)"
    with duckdb.connect(str(path)) as connection:
        connection.execute(f"INSERT INTO rows SELECT {again} FROM rows, range(1, {times}) AS turns(turn)")
        connection.execute("DELETE FROM latest")
        connection.execute(database.LATEST)


def first_chart(page: Path) -> float:
    """Seconds from the start of navigation until the first chart stands in the document."""
    answers = [
        drive(("goto", page.as_uri()), ("see", "+document.documentElement.dataset.first")) for _ in range(3)
    ]
    return float(min(one for (one,) in answers) / 1000)


def latest(path: Path) -> float:
    """Seconds of the whole command, from the start of the process to its end; the best of five."""
    argv = [sys.executable, "-m", "infx", "results", "latest", "--database", str(path)]
    silent = subprocess.DEVNULL
    return min(
        seconds(lambda: subprocess.run(argv, check=True, stdout=silent, stderr=silent)) for _ in range(5)
    )


class Counted:
    """A client that counts how many downloads are under way."""

    def __init__(self, client: GitHub) -> None:
        self._client, self._lock = client, threading.Lock()
        self.now = self.most = 0

    def download(self, one: Artifact, *, limit: int) -> bytes:
        with self._lock:
            self.now += 1
            self.most = max(self.most, self.now)
        try:
            return self._client.download(one, limit=limit)
        finally:
            with self._lock:
                self.now -= 1


def fetch(folder: Path) -> tuple[float, int]:
    """Seconds to list and fetch every artifact of a run, and the most downloads at a time."""
    from tests.forge.bench import Bench

    with Forge.start(folder, lambda store, url: Bench(store), limits=Limits(user=10**9)) as forge:
        forge.create_repo(REPO)
        token = forge.user("will")
        forge.role(REPO, "will", "write")
        run = uploaded(forge)
        client = GitHub(token=token, repository=REPO, api_url=f"{forge.url}/api/v3")
        counted = Counted(client)

        def work() -> None:
            problems = download.into(folder / "got", counted, client.artifacts(run))
            assert not problems
            assert len(list((folder / "got").glob("*/record.json"))) == ARTIFACTS

        return seconds(work), counted.most


def uploaded(forge: Forge) -> int:
    """A run with its artifacts, straight into the tables and folders of the forge."""
    site = forge.site
    sha = forge.at(REPO, "will").push("main", {"a.txt": "a"}, message="first")
    repo, now = site.repo(REPO)["id"], site.stamp()
    row: dict[str, str | int] = {
        "repository": REPO,
        "workflow": "w.yml",
        "name": "Sweep",
        "title": "t",
        "event": "push",
        "action": "",
    }
    row |= {"actor": "will", "triggering_actor": "will", "attempt": 1, "head_branch": "main", "head_sha": sha}
    row |= {"ref": "refs/heads/main", "sha": sha, "fork": 0, "status": "completed", "conclusion": "success"}
    times = {"created_at": now, "updated_at": now}
    site.db.insert("workflows", repo=repo, path="w.yml", name="Sweep", state="active", **times)
    run = site.db.insert("runs", repo=repo, number=1, started_at=now, pull_requests="[]", **row, **times)
    for conc in range(1, ARTIFACTS + 1):
        point = build.point(conc)
        name, text = point.artifact("bmk"), json.dumps(build.record(point).as_json())
        about = {
            "repo": repo,
            "run": run,
            "attempt": 1,
            "name": name,
            "size": 1,
            "digest": "ab" * 32,
            "final": 1,
        }
        number = site.db.insert("artifacts", **about, **times, expires_at=site.stamp(86400.0))
        with zipfile.ZipFile(site.folder / "artifacts" / f"{number}.zip", "w") as archive:
            archive.writestr("record.json", text)
            archive.writestr("raw.jsonl", text * 50)
    return int(run)
