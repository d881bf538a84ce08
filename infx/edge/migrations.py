"""Migrations: tables of the results database, format by format. A step that was released is never changed."""

from typing import Final

_ROWS: Final = """
source VARCHAR, merge VARCHAR, point VARCHAR, version BIGINT, "current" BOOLEAN, series VARCHAR,
curve VARCHAR, mode VARCHAR, task VARCHAR, key VARCHAR, title VARCHAR, hw VARCHAR, model VARCHAR,
prefix VARCHAR, framework VARCHAR, "precision" VARCHAR, scenario VARCHAR, shape VARCHAR, conc BIGINT,
image VARCHAR, tput DOUBLE, output_tput DOUBLE, intvty DOUBLE, e2el DOUBLE, ttft DOUBLE, joules DOUBLE,
score DOUBLE, threshold DOUBLE, run BIGINT, attempt BIGINT, sha VARCHAR, node VARCHAR, pr BIGINT,
matched VARCHAR, accepted_changed BOOLEAN,
authorisation VARCHAR, published DOUBLE, measured DOUBLE, simulated BOOLEAN, fingerprint VARCHAR,
notes VARCHAR, body VARCHAR"""

_MARKED: Final = """
CREATE VIEW marked AS SELECT rows.*, coalesce(one.reason, whole.reason) AS retracted,
    coalesce(one.who, whole.who) AS retracted_by, coalesce(one.moment, whole.moment) AS retracted_at
FROM rows LEFT JOIN retractions AS one ON one.run = rows.run AND one.point = rows.point
LEFT JOIN retractions AS whole ON whole.run = rows.run AND whole.point = '*'"""
"""Every row with the withdrawal that holds for it, if any."""

MIGRATIONS: tuple[tuple[str, ...], ...] = (
    (
        "CREATE TABLE meta (name VARCHAR PRIMARY KEY, value VARCHAR)",
        "CREATE TABLE files (path VARCHAR PRIMARY KEY, blob VARCHAR)",
        f"CREATE TABLE rows ({_ROWS})",
        "CREATE TABLE retractions (source VARCHAR, run BIGINT, point VARCHAR, reason VARCHAR, who VARCHAR,"
        " moment DOUBLE)",
    ),
    (
        _MARKED,
        f"CREATE TABLE latest ({_ROWS}, retracted VARCHAR, retracted_by VARCHAR, retracted_at DOUBLE)",
    ),
)
"""Step N brings format N to N + 1: first the rows and their sources, then the newest of each series."""
