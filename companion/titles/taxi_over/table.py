"""Taxi Over on the table: neutral taxis with numbers, drivers that ride on them, one die of one to three pips.

The rules move by themselves, so after a command the pieces follow: the tables tell what to put where until all lies
right. Two things go the other way. A taxi that is put down exactly where stopping now would end has stopped; a driver
who is put on START gets into the taxi that stands on the same reader.

Lights: each intersection has a row of lamps, one lit for each token in the box; START shines while a driver may get in;
the space where stopping now ends is marked; what lies wrongly warns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.devices.table_output import GATE, GATE_OPEN, GREEN, RED, ROUTE, WRONG
from companion.tables.receipts import Json
from companion.tables.table_plan import nearest_led
from companion.tables.wording import colour_name
from companion.titles.contract import FaceMap, Piece, Sight
from companion.titles.taxi_over.outlook import outlook_of
from shared_rules.games.taxi_over import meta
from shared_rules.wire.messages import STYLE_PIPS

CHANCE: Mapping[str, tuple[str, ...]] = {"roll": ("face",)}
SHOWING: frozenset[str] = frozenset()
SECRET: frozenset[str] = frozenset()
FOLLOWS = True

PASSING_SECONDS = 3
THREE_PIPS, HOUSE_FACES = 3, 4
LARGEST_VALUE = 15
"""Of a face, on its way to the die."""
DEVICE_FACES = 12


def pieces(seats: Sequence[Json], position: Json) -> list[Piece]:
    """Each seat's driver, then the taxis; a taxi belongs to whoever sits in it now."""
    riders = {player["driver"]: player["seat"] for player in position["players"] if player["driver"]}
    drivers = [Piece(driver_id(row["seat"]), "driver", row["seat"], row["colour"]) for row in seats]
    taxis = [Piece(taxi_id(name), "taxi", riders.get(name, 0), "", name[1:]) for name in sorted(position["taxis"])]
    return drivers + taxis


def taxi_id(name: str) -> str:
    """The piece of a taxi of the rules: T1 → taxi:T1."""
    return f"taxi:{name}"


def driver_id(seat: int) -> str:
    """The piece of a seat's driver."""
    return f"driver:{seat}"


def base(board: Json) -> str | None:
    """START, where all begin."""
    return meta.START


def place_name(board: Json, place: str) -> str:
    """`START`, `Space 12`."""
    loop: list[str] = board.get("loop", [])
    return f"Space {loop.index(place) + 1}" if place in loop else place


def piece_name(piece: Piece) -> str:
    """`Red's driver`, `Taxi 2`."""
    return f"{colour_name(piece.colour)}'s driver" if piece.kind == "driver" else f"Taxi {piece.label}"


def where(position: Json) -> dict[str, str | None]:
    """Taxis by the rules; a driver is where its taxi is, or before its player."""
    taxis = position["taxis"]
    found: dict[str, str | None] = {taxi_id(name): entry["at"] for name, entry in taxis.items()}
    for player in position["players"]:
        if player["status"] == "in":
            taxi = player["driver"]
            found[driver_id(player["seat"])] = taxis[taxi]["at"] if taxi else None
    return found


def alike(position: Json) -> list[list[str]]:
    """All taxis, where they are neutral (OQ-13): only the driver tells which is which."""
    if position["options"].get("taxi_identity") == "coloured":
        return []
    return [[taxi_id(name) for name in sorted(position["taxis"])]]


def riding(position: Json) -> dict[str, str]:
    """Each driver that sits in a taxi → that taxi."""
    return {driver_id(player["seat"]): taxi_id(player["driver"]) for player in position["players"] if player["driver"]}


def awaited(position: Json) -> dict[str, int]:
    """A driver who may get in; while dice lie there, the taxi on turn and whoever it would push, with their drivers."""
    seat = position["turn"]
    if position["phase"] == "board":
        return {driver_id(seat): seat}
    outlook = outlook_of(position)
    if outlook is None or outlook.stop is None or outlook.taxi is None or not outlook.dice:
        return {}
    moved = [outlook.taxi, *outlook.stop.pushed]
    found = {taxi_id(name): seat for name in moved}
    for driver, taxi in riding(position).items():
        if taxi in found:
            found[driver] = seat
    return found


def arrived(sight: Sight, piece: str, place: str) -> Json | None:
    """Stopping, or getting in; nothing else is done by hand."""
    position = sight.position
    seat = position["turn"]
    outlook = outlook_of(position)
    if outlook is None:
        return None
    if position["phase"] == "board":
        if place != meta.START or not outlook.boardable:
            return None
        here = [name for name in outlook.boardable if sight.lies.get(taxi_id(name)) == sight.lies.get(piece)]
        return {"do": "board_taxi", "seat": seat, "taxi": (here or list(outlook.boardable))[0]}
    if outlook.stop is not None and outlook.taxi and piece == taxi_id(outlook.taxi) and place == outlook.stop.to:
        return {"do": "stop", "seat": seat}
    return None


def overruled(sight: Sight, piece: str, place: str, was_move: bool, why: str) -> list[Json]:
    """The game follows: a taxi stands where it lies, and if it was on turn its turn is over; a driver sits in the taxi
    that stands there, or in none."""
    position = sight.position
    changes: Json
    if sight.pieces[piece].kind == "taxi":
        changes = {"taxis": {piece.removeprefix("taxi:"): {"at": place}}}
        if was_move:
            changes["turn"] = _next_seat(position)
    else:
        taken = {player["driver"] for player in position["players"]}
        free = [name for name, entry in position["taxis"].items() if entry["at"] == place and name not in taken]
        here = [name for name in free if sight.lies.get(taxi_id(name)) == sight.lies.get(piece)] or free
        driver = here[0] if here else None
        changes = {"players": [{"seat": sight.pieces[piece].seat, "driver": driver}]}
    return [{"do": "correct", "seat": 0, "set": changes, "why": why}]


def _next_seat(position: Json) -> int:
    seats = [player["seat"] for player in position["players"] if player["status"] == "in"]
    later = [seat for seat in seats if seat > position["turn"]]
    return int((later or seats)[0])


def dice(position: Json) -> dict[str, FaceMap]:
    """One to three pips, each on a third of the die (OQ-01); by house rule what stands on its faces."""
    faces = list(position["options"].get("dice_faces", (1, 1, 2, 2, 3, 3)))
    plain = faces == [1, 1, 2, 2, 3, 3]
    all_faces = (faces * DEVICE_FACES)[:DEVICE_FACES]
    # A value too large for the die's own message travels as the number of its face.
    values = all_faces if max(faces) <= LARGEST_VALUE else [1 + index % len(faces) for index in range(DEVICE_FACES)]
    meaning = dict(zip(values, all_faces, strict=True))
    number = THREE_PIPS if plain else HOUSE_FACES
    return {meta.DIE: FaceMap(number, STYLE_PIPS, tuple(values), meaning)}


def invited(position: Json, wanted: Json | None) -> str | None:
    """The die, while one may be thrown."""
    return str(wanted["die"]) if wanted and wanted.get("kind") == "die" else None


def lights(sight: Sight, alarms: Sequence[str]) -> dict[int, int]:
    """The lights at rest."""
    plan, position = sight.plan, sight.position
    rest = dict.fromkeys(_box_lamps(sight, int(position["box"])), GATE)
    outlook = outlook_of(position)
    if outlook is not None:
        if outlook.boardable:
            rest.update(dict.fromkeys(_lamps(plan.leds, meta.START), GREEN))
        if outlook.stop is not None and outlook.dice and outlook.stop.to in plan.leds:
            rest[plan.leds[outlook.stop.to]] = ROUTE
    for place in alarms:
        led = nearest_led(plan, place, plan.layout.get("spaces", {}))
        if led is not None:
            rest[led] = WRONG
    return rest


def _lamps(leds: Mapping[str, int], place: str) -> list[int]:
    """A place's own light and its further ones, `START/2` …"""
    return [led for name, led in leds.items() if name == place or name.startswith(f"{place}/")]


def _box_lamps(sight: Sight, tokens: int) -> list[int]:
    """So many lamps of each intersection's row as there are tokens in the box."""
    leds = sight.plan.leds
    rows = [[leds.get(f"{place}/{n}") for n in range(1, tokens + 1)] for place in sight.plan.board["intersections"]]
    return [led for row in rows for led in row if led is not None]


def passed(sight: Sight, events: Sequence[Json]) -> list[tuple[int, int, list[int]]]:
    """The row of an intersection whose box was taken, and the space of a taxi that was too fast."""
    leds = sight.plan.leds
    found: list[tuple[int, int, list[int]]] = []
    way = [place for event in events if event["event"] == "moved" for place in event["way"]]
    if any(event["event"] == "collected" for event in events):
        rows = [led for place in sight.plan.board["intersections"] if place in way for led in _lamps(leds, place)]
        if rows:
            found.append((GATE_OPEN, PASSING_SECONDS, sorted(set(rows))))
    for event in events:
        if event["event"] == "speeding_violation":
            at: Any = sight.position["taxis"].get(event["taxi"], {}).get("at")
            if at in leds:
                found.append((RED, PASSING_SECONDS, sorted(_lamps(leds, at))))
    return found
