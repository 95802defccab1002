"""What the last command was about, for a map that shows it until the next one: who was too fast, who fell, who took
the box. Nothing here is a fact of the position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from companion.tables.receipts import Json, LogRow


@dataclass(frozen=True)
class Moment:
    """`bust`: the dice of a violation; `out`: seats whose drivers have got out; `fell`: (taxi, sinkhole); `taken`: seat
    → tokens; `added`: tokens that came into the box; `events`: all of them, for taxis that glide."""

    bust: Sequence[int] = ()
    out: Sequence[int] = ()
    fell: Sequence[tuple[str, str]] = ()
    taken: Mapping[int, int] = field(default_factory=dict)
    added: int = 0
    events: Sequence[Json] = ()


NOTHING = Moment()


def moment_of(rows: Sequence[LogRow]) -> Moment:
    """Of the newest command that counts; nothing once it was taken back, or while somebody corrects."""
    for row in rows:
        if row.kind == "note":
            continue
        if row.kind != "play" or row.undone:
            return NOTHING
        return _told([event for event in row.events if event])
    return NOTHING


def _told(events: Sequence[Json]) -> Moment:
    bust: Sequence[int] = ()
    out: list[int] = []
    fell: list[tuple[str, str]] = []
    taken: dict[int, int] = {}
    added = 0
    for event in events:
        name = event["event"]
        if name == "speeding_violation":
            bust = tuple(event["dice"])
        if name in ("speeding_violation", "driver_ejected"):
            out.append(event["seat"])
        elif name == "fell":
            fell.append((event["taxi"], event["sinkhole"]))
        elif name == "collected":
            taken[event["to"]] = taken.get(event["to"], 0) + event["amount"]
        if event.get("to") == "box" and "amount" in event:
            added = event["amount"] if name == "refilled" else added + event["amount"]
    return Moment(bust, tuple(out), tuple(fell), taken, added, tuple(events))
