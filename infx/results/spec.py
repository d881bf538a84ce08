"""Charts of a page as Vega-Lite specifications, without data or colours: the page and pictures add both."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from infx.flat import Flat
from infx.results.pareto import Best, frontier

SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
"""The name of the format; nothing is fetched from there."""


@dataclass(frozen=True, kw_only=True)
class Chart:
    """Two columns of the rows against each other. Titles are keys of the page's vocabulary."""

    name: str
    x: str
    y: str
    best: Best
    """Which end of x is better."""
    low: bool = False
    """Less of y is better."""


CHARTS = (
    Chart(name="interactivity", x="intvty", y="tput", best="high"),
    Chart(name="latency", x="e2el", y="tput", best="low"),
    Chart(name="first-token", x="ttft", y="tput", best="low"),
    Chart(name="energy", x="intvty", y="joules", best="high", low=True),
)
TITLES: Mapping[str, str] = {
    "tput": "Throughput per GPU (tok/s)",
    "intvty": "Interactivity (tok/s per user, median)",
    "e2el": "End-to-end latency (s, median)",
    "ttft": "Time to first token (s, median)",
    "joules": "Energy per output token (J)",
    "score": "Score (%)",
    "published": "Published",
}
COLOURS = (
    *("#2f81f7", "#d4652f", "#2da44e", "#a475f9", "#d6539b", "#1b9aaa", "#b08800", "#8c959f"),
    *("#e5534b", "#5aa9e6", "#e89c5d", "#57c785", "#c39bff", "#f28cc0", "#45c4cf", "#d9b44a"),
    *("#6e7bd9", "#b5651d", "#7fae2a", "#9c6b8e"),
)
"""One for each curve, told apart on white and on black; more curves begin again."""


TICKS = 6
"""Labels of a horizontal axis: as many as a phone has room for."""


def plotted(chart: Chart, row: Flat) -> tuple[float, float] | None:
    """Where the row stands on the chart; None when one of the two numbers is lacking or not positive."""
    x, y = getattr(row, chart.x), getattr(row, chart.y)
    return (x, y) if x is not None and y is not None and x > 0 and y > 0 else None


def edges(chart: Chart, rows: Sequence[Flat]) -> list[int]:
    """Positions of the rows that are on the frontier of their curve."""
    curves: dict[str, list[tuple[int, tuple[float, float]]]] = {}
    for at, row in enumerate(rows):
        place = plotted(chart, row)
        if place is not None:
            curves.setdefault(row.curve, []).append((at, (place[0], -place[1] if chart.low else place[1])))
    return sorted(own[at][0] for own in curves.values() for at in frontier([p for _, p in own], x=chart.best))


def specification(chart: Chart) -> dict[str, Any]:
    """Points of `rows` (fields x, y, curve, edge), with a line along each curve's frontier."""
    axes = {"x": _axis("x", chart.x), "y": _axis("y", chart.y)}
    colour = {"field": "curve", "type": "nominal", "legend": None}
    line = {
        "transform": [{"filter": "datum.edge"}],
        "mark": {"type": "line", "strokeWidth": 1.5},
        "encoding": {"order": {"field": "x", "type": "quantitative"}},
    }
    dots = {
        "mark": {"type": "point", "filled": True, "size": 45},
        "encoding": {
            "opacity": {"condition": {"test": "datum.edge", "value": 1}, "value": 0.35},
            "size": {"condition": {"test": "datum.i === picked", "value": 260}, "value": 45},
            "shape": {"field": "precision", "type": "nominal", "legend": None},
        },
    }
    return {
        "$schema": SCHEMA,
        "params": [{"name": "picked", "value": -1}],
        "data": {"name": "rows"},
        "width": "container",
        "height": 320,
        "encoding": {**axes, "color": colour},
        "layer": [line, dots],
    }


def history() -> dict[str, Any]:
    """One line for each series of `rows` (x a time, y, series), and a rule for each entry of `marks`."""
    x = {"field": "x", "type": "temporal", "title": TITLES["published"]}
    line = {
        "mark": {"type": "line", "point": {"size": 45}},
        "encoding": {
            "x": x,
            "y": {**_axis("y", "tput"), "scale": {"zero": False}},
            "color": {"field": "name", "type": "nominal", "legend": None},
        },
    }
    marks = {
        "data": {"name": "marks"},
        "mark": {"type": "rule", "strokeDash": [4, 3], "strokeWidth": 2},
        "encoding": {"x": x, "tooltip": {"field": "text", "type": "nominal"}},
    }
    return {
        "$schema": SCHEMA,
        "data": {"name": "rows"},
        "width": "container",
        "height": 360,
        "layer": [marks, line],
    }


def scores() -> dict[str, Any]:
    """A bar for each evaluation of `rows` (name, score and threshold in percent), a tick at its threshold."""
    name = {"field": "name", "type": "nominal", "title": None, "sort": None, "axis": {"labelLimit": 340}}
    axis = {"tickCount": TICKS, "labelFlush": False}
    x = {"type": "quantitative", "scale": {"domain": [0, 100]}, "title": TITLES["score"], "axis": axis}
    return {
        "$schema": SCHEMA,
        "data": {"name": "rows"},
        "width": "container",
        "encoding": {"y": name},
        "layer": [
            {
                "mark": {"type": "bar", "height": 12},
                "encoding": {
                    "x": {**x, "field": "score"},
                    "color": {"field": "curve", "type": "nominal", "legend": None},
                },
            },
            {
                "mark": {"type": "tick", "thickness": 3, "size": 20},
                "encoding": {"x": {**x, "field": "threshold"}},
            },
        ],
    }


def _axis(field: str, measure: str) -> dict[str, Any]:
    axis = {"tickCount": TICKS, "labelFlush": False} if field == "x" else {}
    return {"field": field, "type": "quantitative", "title": TITLES[measure], "axis": axis}


def drawn(chart: Chart, rows: Sequence[Flat]) -> dict[str, Any]:
    """The chart with data and colours of its own, for a picture."""
    on = set(edges(chart, rows))
    values = [
        {"x": place[0], "y": place[1], "curve": row.curve, "precision": row.precision, "edge": at in on}
        for at, row in enumerate(rows)
        if (place := plotted(chart, row))
    ]
    curves = list(dict.fromkeys(one["curve"] for one in values))
    spec = specification(chart)
    colours = [COLOURS[at % len(COLOURS)] for at in range(len(curves))]
    legend = {"title": None, "orient": "bottom", "columns": 1, "labelLimit": 600}
    spec["encoding"]["color"] |= {"scale": {"domain": curves, "range": colours}, "legend": legend}
    return {**spec, "data": {"values": values}, "width": 640, "background": "white"}
