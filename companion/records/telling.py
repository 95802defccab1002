"""`cabstand record story`: what a game was about, as sentences and columns for a terminal."""

from __future__ import annotations

import math
import re
from typing import Any

from companion.records import turns
from shared_rules.records import story
from shared_rules.records.record import Record

Json = dict[str, Any]

BARS = "▁▂▃▄▅▆▇█"
CURVE = 48
"""Signs of a curve."""
BECAUSE = 2
"""What a turning point came of, at most."""
REASONS = 12
"""Reasons for which money or pieces moved, at most."""


def lines(record: Record) -> list[str]:
    """The story in lines. RecordError."""
    told = story.of(record)
    out = [*turns.heading(record), "", length(told), ""]
    out += _curves(record, told)
    out += _moved(record, told)
    out += _luck(record, told)
    out += _points(record, told)
    return out


def length(told: Json) -> str:
    """How long it was."""
    return f"{told['entries']:,} commands in {told['turns']:,} turns."


def amount(value: int) -> str:
    """A number with its sign where it is a change."""
    return f"{value:+,}".replace("-", "−")


def event_words(name: str) -> str:
    """`BonusPaid` and `bonus_paid` as words."""
    apart = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name).replace("_", " ")
    return apart[:1].upper() + apart[1:].lower()


def _curves(record: Record, told: Json) -> list[str]:
    rows = told["standings"]
    if not rows or not rows[0]["values"]:
        return []
    out = [f"Standings ({told['unit']}), from the first turn to the end"]
    values = [row["values"] for row in rows]
    low, high = min(map(min, values)), max(map(max, values))
    widest = _widest(record)
    for seat in range(len(values[0])):
        series = [row[seat] for row in values]
        out.append(f"  {turns.name_of(record, seat + 1):<{widest}}  {curve(series, low, high)}  "
                   f"{series[0]:,} → {series[-1]:,}")  # fmt: skip
    return [*out, ""]


def curve(series: list[int], low: int, high: int) -> str:
    """A row of bars, at most CURVE of them."""
    count = min(CURVE, len(series))
    at = [series[round(index * (len(series) - 1) / max(1, count - 1))] for index in range(count)]
    span = max(1, high - low)
    return "".join(BARS[min(len(BARS) - 1, (value - low) * len(BARS) // span)] for value in at)


def reasons(told: Json, unit: str) -> list[tuple[str, list[int]]]:
    """(event's name, change by seat) of a unit, the weightiest first."""
    rows = [(name, by_seat) for name, by_seat in told["moved"].get(unit, {}).items() if any(by_seat)]
    return sorted(rows, key=lambda row: (-sum(map(abs, row[1])), row[0]))


def _moved(record: Record, told: Json) -> list[str]:
    out: list[str] = []
    for unit in sorted(told["moved"], key=lambda unit: (unit != told["unit"], unit)):
        rows = reasons(told, unit)
        if not rows:
            continue
        names = [turns.name_of(record, row["seat"]) for row in record.seats]
        wide = max(max(len(name) for name in names), 9) + 1
        out.append(f"What moved {unit.replace('_', ' ')}".ljust(32) + "".join(f"{name:>{wide}}" for name in names))
        for name, by_seat in rows[:REASONS]:
            figures = "".join(f"{amount(value) if value else '·':>{wide}}" for value in by_seat)
            out.append(f"  {event_words(name):<30.30}" + figures)
        if len(rows) > REASONS:
            out.append(f"  and {len(rows) - REASONS} more")
        out.append("")
    return out


def luck_words(row: Json) -> str:
    """What a seat threw against what it could expect, in a sentence without its subject."""
    throws = f"{row['throws']} {'throw' if row['throws'] == 1 else 'throws'} of {row['die']}"
    if row["sum"] is None:
        seen = ", ".join(
            f"{face} {times} ({row['throws'] * chance[0] / chance[1]:.1f} expected)"
            for face, times, chance in row["faces"]
        )
        return f"{throws}: {seen}"
    expected = row["throws"] * row["mean"][0] / row["mean"][1]
    difference = row["sum"] - expected
    spread = math.sqrt(row["throws"] * row["variance"][0]) / math.sqrt(row["variance"][1])
    weight = abs(difference) / spread if spread else 0.0
    how = "as expected" if weight < 0.5 else "a little" if weight < 1 else "clearly" if weight < 2 else "greatly"
    side = "" if weight < 0.5 else (" lucky" if difference > 0 else " unlucky")
    signed = f"{difference:+.1f}".replace("-", "−")
    return f"{throws}: {row['sum']} in all, {expected:.1f} expected ({signed}, {how}{side})"


def _luck(record: Record, told: Json) -> list[str]:
    if not told["luck"]:
        return []
    out = ["The luck of the dice"]
    widest = _widest(record)
    for row in told["luck"]:
        out.append(f"  {turns.name_of(record, row['seat']):<{widest}}  {luck_words(row)}")
    return [*out, ""]


def point_words(record: Record, point: Json) -> tuple[str, str]:
    """(what happened, what it meant) at a turning point."""
    hero = turns.name_of(record, point["hero"])
    who = turns.name_of(record, point["seat"])
    parts = [f"{event_words(name)}: {_by_seat(record, changes)}" for name, changes in point["because"][:BECAUSE]]
    parts.append(f"{hero}'s lead {amount(point['swing'])}")
    before, after = leader(record, point["before"]), leader(record, point["values"])
    if before != after:
        parts.append(f"{after} ahead now")
    return f"Turn {point['turn']}, {who}: {point['words']}", "; ".join(parts)


def _by_seat(record: Record, changes: list[int]) -> str:
    told = [f"{turns.name_of(record, seat)} {amount(change)}" for seat, change in enumerate(changes, 1) if change]
    return ", ".join(told)


def leader(record: Record, values: list[int]) -> str:
    """Who is ahead, in words."""
    most = max(values)
    ahead = [turns.name_of(record, seat) for seat, value in enumerate(values, 1) if value == most]
    return " and ".join(ahead)


def _points(record: Record, told: Json) -> list[str]:
    if not told["points"]:
        return []
    out = ["Turning points"]
    for point in told["points"]:
        what, meant = point_words(record, point)
        out.append(f"  {what}")
        out.append(f"      {meant}")
    return out


def _widest(record: Record) -> int:
    return max(len(turns.name_of(record, row["seat"])) for row in record.seats)
