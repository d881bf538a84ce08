"""A scatter chart with frontier lines as inline SVG; colours come from the page's style sheet."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from infx.results.pareto import Best, frontier

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 72, 28, 20, 52
COLOURS = 8
"""Classes `c0` … `c7` of the style sheet."""
LABELLED = 40
"""Most points that carry their name; beyond, it shows on hover only."""


@dataclass(frozen=True, kw_only=True)
class Dot:
    x: float
    y: float
    label: str
    hover: str
    """Everything that is known of the point, one fact a line."""


@dataclass(frozen=True, kw_only=True)
class Series:
    """One curve."""

    name: str
    dots: Sequence[Dot]


@dataclass(frozen=True, kw_only=True)
class Axis:
    """Linear from zero to a round number above the largest value."""

    label: str
    ticks: Sequence[float]

    @property
    def top(self) -> float:
        return self.ticks[-1]


def axis(label: str, values: Sequence[float]) -> Axis:
    """Four to six ticks at 1, 2 or 5 times a power of ten."""
    most = max(values, default=0) or 1
    power = 10.0 ** math.floor(math.log10(most / 4))
    step = next(power * unit for unit in (1, 2, 5, 10) if most / (power * unit) <= 5.5)
    count = max(1, math.ceil(most / step - 1e-9))
    return Axis(label=label, ticks=[step * at for at in range(count + 1)])


def chart(series: Sequence[Series], *, x: str, y: str, best: Best) -> str:
    """`<svg>` of all series; `x` and `y` are axis labels, `best` says which end of x is better."""
    dots = [dot for one in series for dot in one.dots]
    across, up = axis(x, [dot.x for dot in dots]), axis(y, [dot.y for dot in dots])
    parts = [*_frame(across, up)]
    for position, one in enumerate(series):
        parts += _curve(one, position, (across, up), best=best, named=len(dots) <= LABELLED)
    title = escape(f"{y} against {x}")
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{title}">'
        f"<title>{title}</title>{''.join(parts)}</svg>"
    )


def _x(value: float, scale: Axis) -> float:
    return round(LEFT + value / scale.top * (WIDTH - LEFT - RIGHT), 1)


def _y(value: float, scale: Axis) -> float:
    return round(HEIGHT - BOTTOM - value / scale.top * (HEIGHT - TOP - BOTTOM), 1)


def _frame(across: Axis, up: Axis) -> Iterator[str]:
    """Grid, ticks and labels."""
    floor, right = HEIGHT - BOTTOM, WIDTH - RIGHT
    for tick in up.ticks:
        level = _y(tick, up)
        yield f'<line class="grid" x1="{LEFT}" x2="{right}" y1="{level}" y2="{level}"/>'
        yield _text("tick", f"{tick:,g}", at=(LEFT - 8, level + 4), anchor="end")
    for tick in across.ticks:
        place = _x(tick, across)
        yield f'<line class="grid" x1="{place}" x2="{place}" y1="{TOP}" y2="{floor}"/>'
        yield _text("tick", f"{tick:,g}", at=(place, floor + 18))
    yield _text("axis", across.label, at=((LEFT + right) / 2, HEIGHT - 8))
    yield _text("axis", up.label, at=(16, (TOP + floor) / 2), turned=True)


def _text(
    kind: str, text: str, *, at: tuple[float, float], anchor: str = "middle", turned: bool = False
) -> str:
    place = f"translate({at[0]} {at[1]})" + (" rotate(-90)" if turned else "")
    return f'<text class="{kind}" transform="{place}" text-anchor="{anchor}">{escape(text)}</text>'


def _curve(one: Series, position: int, axes: tuple[Axis, Axis], *, best: Best, named: bool) -> Iterator[str]:
    places = [(_x(dot.x, axes[0]), _y(dot.y, axes[1])) for dot in one.dots]
    edge = frontier([(dot.x, dot.y) for dot in one.dots], x=best)
    colour = f"c{position % COLOURS}"
    line = " ".join(f"{places[at][0]},{places[at][1]}" for at in edge)
    yield f'<g class="{colour}"><polyline class="frontier" points="{line}"/>'
    for at, dot in enumerate(one.dots):
        across, down = places[at]
        kind = "dot" if at in edge else "dot beaten"
        yield f'<circle class="{kind}" cx="{across}" cy="{down}" r="5">'
        yield f"<title>{escape(dot.hover)}</title></circle>"
        if named:
            left = across > WIDTH - 2 * RIGHT
            beside = (across + (-8 if left else 8), down + (-8 if best == "high" else 16))
            yield _text("name", dot.label, at=beside, anchor="end" if left else "start")
    yield "</g>"
