"""The story of a game as one HTML file with everything in it: no network, no script."""

from __future__ import annotations

import base64
from html import escape
from typing import Any

from companion.records import telling, turns
from companion.simulation import charts
from companion.simulation.page import FACES, FONTS, STYLE
from shared_rules.records import story
from shared_rules.records.record import Record

Json = dict[str, Any]

WIDTH, HEIGHT, LEFT, RIGHT, TOP = 1180, 360, 76, 150, 14

# A line for each colour of pieces that can be seen on paper and in the dark; its mark tells it without colours.
LINES = {
    "red": "#c5281c", "yellow": "#b77d00", "blue": "#1c57a5", "green": "#1d7a45", "white": "#8a8068",
    "black": "#3c4049", "violet": "#7a3f9d",
}  # fmt: skip
DASHES = ("", "9 5", "2 5", "14 5 2 5", "6 3", "1 4")

_CSS = """
main{grid-template-columns:minmax(0,1fr)}
main.two{grid-template-columns:repeat(2,minmax(0,1fr));padding-top:20px;align-items:start}
.line{fill:none;stroke-width:3;stroke-linejoin:round}
.name{font-size:17px;font-weight:700}
ol{margin:0;padding:0;list-style:none}
li{padding:8px 0;border-bottom:1px solid var(--rule)} li:last-child{border:0}
li b{display:block} li span{color:var(--ink-2)}
.num{font-variant-numeric:tabular-nums}
@media (prefers-color-scheme:dark){.line,.name{filter:brightness(1.6)}}
@media (max-width:900px){main.two{grid-template-columns:minmax(0,1fr)}}
"""

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>{title}</title><style>{style}</style></head><body>
<header><p class="kicker">The story of a game</p><h1>{title}</h1>
<p class="played">{played}</p><div class="tiles">{tiles}</div></header>
<main>{curves}</main>
<main class="two">{sections}</main>
<footer><p>{foot}</p></footer>
</body></html>
"""


def page(record: Record) -> str:
    """The whole page. RecordError."""
    told = story.of(record)
    head = turns.heading(record)
    fonts = "".join(
        f'@font-face{{font-family:"{family}";font-weight:{weight};src:url(data:font/woff2;base64,'
        f'{base64.b64encode((FONTS / f"{name}.woff2").read_bytes()).decode()}) format("woff2")}}'
        for family, weight, name in FACES
    )
    sections = [_points(record, told), _luck(record, told), *_moved(record, told)]
    return _PAGE.format(
        title=escape(f"{turns.title_of(record)}: {turns.ending(record)}".rstrip(".")),
        style=fonts + STYLE.read_text("utf-8") + _CSS,
        played=" · ".join(escape(line) for line in head[1:-1]),
        tiles=_tiles(record, told),
        curves=_curves(record, told),
        sections="\n".join(section for section in sections if section),
        foot=escape(f"Told from a record by rules revision {record.revision} (cabstand record story)."),
    )


def _tiles(record: Record, told: Json) -> str:
    tiles = [(f"{told['turns']:,}", "turns"), (f"{told['entries']:,}", "commands")]
    rows = told["standings"]
    if rows and rows[-1]["values"]:
        values = rows[-1]["values"]
        tiles.append((f"{max(values):,}", f"{told['unit']} of {telling.leader(record, values)} at the end"))
        changes = sum(
            telling.leader(record, one["values"]) != telling.leader(record, other["values"])
            for one, other in zip(rows, rows[1:], strict=False)
        )
        tiles.append((f"{changes:,}", "change of the lead" if changes == 1 else "changes of the lead"))
    return "".join(f'<div class="tile"><b>{escape(one)}</b><span>{escape(words)}</span></div>' for one, words in tiles)


def _curves(record: Record, told: Json) -> str:
    rows = told["standings"]
    if not rows or not rows[0]["values"]:
        return ""
    series = [[row["values"][seat] for row in rows] for seat in range(len(record.seats))]
    marks = _marks(min(0, min(map(min, series))), max(map(max, series)))
    low, high = marks[0], marks[-1]
    span = high - low
    plot_wide, plot_high = WIDTH - LEFT - RIGHT, HEIGHT - TOP - 40

    def x(index: int) -> float:
        return LEFT + plot_wide * index / max(1, len(rows) - 1)

    def y(value: float) -> float:
        return float(TOP + plot_high * (high - value) / span)

    parts = []
    for value in marks:
        parts.append(f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}"/>')
        parts.append(f'<text class="tick" x="{LEFT - 10}" y="{y(value) + 5:.1f}" text-anchor="end">{value:,}</text>')
    named: set[int] = set()
    for index in sorted({0, len(rows) // 4, len(rows) // 2, 3 * len(rows) // 4, len(rows) - 1}):
        if rows[index]["turn"] in named:
            continue
        named.add(rows[index]["turn"])
        at = f'x="{x(index):.1f}" y="{HEIGHT - 14}" text-anchor="middle"'
        parts.append(f'<text class="tick" {at}>turn {rows[index]["turn"]}</text>')
    points = {point["turn"] for point in told["points"]}
    for index, row in enumerate(rows):
        if row["turn"] in points and (index == 0 or rows[index - 1]["turn"] != row["turn"]):
            at = f'x1="{x(index):.1f}" x2="{x(index):.1f}" y1="{TOP}" y2="{TOP + plot_high}"'
            parts.append(f'<line class="fair" {at}/>')
    labels = _apart([y(line[-1]) for line in series])
    for seat, line in enumerate(series):
        colour = LINES.get(record.seats[seat]["colour"], "#5b5240")
        path = " ".join(f"{x(index):.1f},{y(value):.1f}" for index, value in enumerate(line))
        parts.append(f'<polyline class="line" stroke="{colour}" stroke-dasharray="{DASHES[seat]}" points="{path}"/>')
        parts.append(
            f'<text class="name" fill="{colour}" x="{WIDTH - RIGHT + 10}" y="{labels[seat] + 6:.1f}">'
            f"{escape(turns.name_of(record, seat + 1))} {line[-1]:,}</text>"
        )
    picture = f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="Standings over time">{"".join(parts)}</svg>'
    said = f"Everybody's {escape(told['unit'])} at each turn; the dotted lines are the turning points."
    return f'<section><h2>Standings</h2><p class="verdict">{said}</p>{picture}</section>'


def _marks(low: int, high: int) -> list[int]:
    """Round numbers, at most seven, from below the lowest value to above the highest."""
    step = 1
    while high - low > 5 * step:
        step = step * 5 // 2 if str(step)[0] == "2" else step * 2
    first = low // step
    return [step * index for index in range(first, max(first + 1, -(-high // step)) + 1)]


def _apart(places: list[float], least: float = 21) -> list[float]:
    """The places moved down where they would lie on one another."""
    out = list(places)
    order = sorted(range(len(out)), key=lambda index: out[index])
    for above, below in zip(order, order[1:], strict=False):
        out[below] = max(out[below], out[above] + least)
    over = max(out) - (HEIGHT - 30)
    return [place - max(0.0, over) for place in out]


def _points(record: Record, told: Json) -> str:
    if not told["points"]:
        return ""
    items = []
    for point in told["points"]:
        what, meant = telling.point_words(record, point)
        items.append(f"<li><b>{escape(what)}</b><span>{escape(meant)}</span></li>")
    return f'<section><h2>Turning points</h2><ol>{"".join(items)}</ol></section>'


def _luck(record: Record, told: Json) -> str:
    if not told["luck"]:
        return ""
    items = [
        f"<li><b>{escape(turns.name_of(record, row['seat']))}</b><span>{escape(telling.luck_words(row))}</span></li>"
        for row in told["luck"]
    ]
    return f'<section><h2>The luck of the dice</h2><ol class="num">{"".join(items)}</ol></section>'


def _moved(record: Record, told: Json) -> list[str]:
    names = "".join(f"<th>{escape(turns.name_of(record, row['seat']))}</th>" for row in record.seats)
    out = []
    others = ""
    for unit in sorted(told["moved"]):
        rows = telling.reasons(told, unit)
        if unit != told["unit"]:
            words = unit.replace("_", " ")
            others += "".join(_row(f"{words}: {telling.event_words(name).lower()}", changes) for name, changes in rows)
        elif rows:
            bars = [
                (telling.event_words(name), float(size), f"{size:,}")
                for name, changes in rows[:8]
                for size in [sum(map(abs, changes))]
            ]
            picture = charts.bars(bars, lambda value: f"{value:,.0f}", f"What moved {unit}")
            body = "".join(_row(telling.event_words(name), changes) for name, changes in rows)
            out.append(_table(f"What moved {unit.replace('_', ' ')}", picture, names, body))
    if others:
        out.append(_table("What else changed hands", "", names, others))
    return out


def _row(label: str, changes: list[int]) -> str:
    figures = "".join(f"<td>{telling.amount(change) if change else '·'}</td>" for change in changes)
    return f"<tr><td>{escape(label)}</td>{figures}</tr>"


def _table(title: str, picture: str, names: str, body: str) -> str:
    return (
        f'<section><h2>{escape(title)}</h2>{picture}<div class="scroll"><table><tr><th></th>{names}</tr>'
        f"{body}</table></div></section>"
    )
