"""How the taxis of the last move go: the mover along the ring, a row that is pushed shifts when it is reached, one that
falls goes straight on, under ground, and comes up at START. All at the same pace, so that pushing looks like pushing.

A way is the attribute `data-way`: milliseconds, then points in even steps of time; the same point again is waiting.
`data-under` says between which parts of the way (0 to 1) something is out of sight.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.tables.receipts import Json
from companion.titles.taxi_over.map.ring import START, Ring, Spot
from companion.web.map.geometry import Point, pair

SPACE_MS = 300
LEAST_MS = 700
MOST_MS = 3000
FINE = 5
"""Points for a space."""
DEPTHS = 2
"""Spaces' worth of time that a fallen taxi is under ground."""


@dataclass(frozen=True)
class Glide:
    """What the page's script needs of one taxi's way."""

    way: str
    under: str = ""

    @property
    def attributes(self) -> str:
        """For the element."""
        return f' data-way="{self.way}"' + (f' data-under="{self.under}"' if self.under else "")


def bay_of(here: Ring, taxi: str) -> Spot:
    """Where a taxi waits at START: each has a bay of its own on the map, so that none moves up when another leaves."""
    return here.bay(int(taxi[1:]) - 1)


def glides(here: Ring, events: Sequence[Json]) -> dict[str, Glide]:
    """The way of each taxi that one of these events moved."""
    found: dict[str, Glide] = {}
    for index, event in enumerate(events):
        if event["event"] in ("moved", "taxi_advanced") and event["from"] != event["to"]:
            after = events[index + 1 :]
            stop = next((i for i, e in enumerate(after) if e["event"] in ("moved", "taxi_advanced")), len(after))
            found.update(_one_move(here, event, after[:stop]))
    return found


def _one_move(here: Ring, move: Json, after: Sequence[Json]) -> dict[str, Glide]:
    way = list(move["way"]) or [move["to"]]
    pushed = {event["taxi"]: event for event in after if event["event"] == "pushed"}
    fell = {event["taxi"]: event["sinkhole"] for event in after if event["event"] == "fell" and event["taxi"] in pushed}
    mover = str(move["taxi"])
    origin = bay_of(here, mover) if move["from"] == START else here.at(move["from"])
    tracks: dict[str, list[Point]] = {mover: [origin[:2]]}
    at: dict[str, str | None] = {mover: None if move["from"] == START else move["from"]}
    left: dict[str, list[str]] = {}
    for taxi, event in pushed.items():
        tracks[taxi] = [here.at(event["from"])[:2]]
        at[taxi], left[taxi] = event["from"], list(event["way"])
    if not move["way"]:
        # Placed, not driven: straight there, and the row gives way at the end.
        x0, y0, _ = origin
        x1, y1, _ = here.at(move["to"])
        tracks[mover] += [
            (x0 + (x1 - x0) * i / (FINE * 4), y0 + (y1 - y0) * i / (FINE * 4)) for i in range(1, FINE * 3 + 1)
        ]
        for taxi in pushed:
            _wait(tracks[taxi], FINE * 3)
        _shift_row(here, move["to"], at, left, fell, tracks)
        _last_leg(tracks[mover], here.at(move["to"])[:2])
        _level(tracks)
    for place in way if move["way"] else ():
        legs = here.leg((*tracks[mover][-1], 0.0) if at[mover] is None else here.at(str(at[mover])), place, FINE)
        _shift_row(here, place, at, left, fell, tracks)
        tracks[mover] += legs
        at[mover] = place
        _level(tracks)
    return _timed(here, tracks, fell)


def _shift_row(
    here: Ring,
    place: str,
    at: dict[str, str | None],
    left: dict[str, list[str]],
    fell: Mapping[str, str],
    tracks: dict[str, list[Point]],
) -> None:
    """Whoever stands on `place` makes room, and before it whoever stands where it goes."""
    for taxi, where in list(at.items()):
        if where != place or taxi not in left:
            continue
        if left[taxi]:
            ahead = left[taxi].pop(0)
            _shift_row(here, ahead, at, left, fell, tracks)
            tracks[taxi] += here.leg(here.at(place), ahead, FINE)
            at[taxi] = ahead
        elif taxi in fell:
            (x0, y0), (x1, y1) = here.at(place)[:2], here.pit(fell[taxi])
            tracks[taxi] += [(x0 + (x1 - x0) * i / FINE, y0 + (y1 - y0) * i / FINE) for i in range(1, FINE + 1)]
            at[taxi] = None
        return


def _wait(track: list[Point], steps: int) -> None:
    track += [track[-1]] * steps


def _last_leg(track: list[Point], end: Point) -> None:
    (x0, y0), (x1, y1) = track[-1], end
    track += [(x0 + (x1 - x0) * i / FINE, y0 + (y1 - y0) * i / FINE) for i in range(1, FINE + 1)]


def _level(tracks: Mapping[str, list[Point]]) -> None:
    """Everybody who did not move waits."""
    longest = max(len(track) for track in tracks.values())
    for track in tracks.values():
        _wait(track, longest - len(track))


def _timed(here: Ring, tracks: Mapping[str, list[Point]], fell: Mapping[str, str]) -> dict[str, Glide]:
    begun = {taxi: _fallen_at(track, here.pit(fell[taxi])) for taxi, track in tracks.items() if taxi in fell}
    for taxi in begun:
        track = tracks[taxi]
        del track[begun[taxi] + 1 :]
        _wait(track, DEPTHS * FINE)
        x, y, turn = bay_of(here, taxi)
        # It comes up with its nose the way it will stand.
        track += [(x - 2 * math.cos(math.radians(turn)), y - 2 * math.sin(math.radians(turn))), (x, y)]
    _level(tracks)
    count = max(len(track) for track in tracks.values()) - 1
    milliseconds = min(max(SPACE_MS * count // FINE, LEAST_MS), MOST_MS)
    found = {}
    for taxi, track in tracks.items():
        under = ""
        if taxi in begun:
            down, up = begun[taxi] / count, (begun[taxi] + DEPTHS * FINE + 2) / count
            under = f"{down:.3f} {min(up, 1.0):.3f}"
        found[taxi] = Glide(f"{milliseconds} {' '.join(pair(point) for point in track)}", under)
    return found


def _fallen_at(track: Sequence[Point], pit: Point) -> int:
    return next(index for index, point in enumerate(track) if abs(point[0] - pit[0]) + abs(point[1] - pit[1]) < 0.5)
