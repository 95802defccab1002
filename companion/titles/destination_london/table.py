"""Destination London on the table: one taxi a seat, one die thrown once or twice, an LED at every traffic light.

A taxi that comes to rest while its throw is to be driven is a move; whatever else stands on another square than in the
game is told where it belongs (a taxi that was knocked back to the Base, say). Light squares are red; the one that a
taxi has just stopped at is green for a moment, and one that the throw reaches hints at it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.devices.table_output import GREEN, RED, ROUTE, WRONG
from companion.tables.receipts import Json
from companion.tables.table_plan import nearest_led
from companion.titles.contract import FaceMap, Sight
from companion.titles.own_taxis import PIPS, alike, base, piece_name, pieces, riding, where  # noqa: F401 (part of the contract)
from shared_rules.engine import game
from shared_rules.engine.errors import PositionError, RuleViolation
from shared_rules.games.destination_london import movement

CHANCE: Mapping[str, tuple[str, ...]] = {"roll": ("faces",), "deal": ("card",), "draw_light": ("card",)}
SHOWING = frozenset({"collect", "claim", "choose_destination", "play_move_card"})
SECRET = frozenset(
    {"roll", "move", "stay", "collect", "keep_quiet", "claim", "pass", "choose_destination", "keep", "play_move_card"}
    | {"buy_turbo", "buy_fuel", "done", "ask_fuel", "wait", "take_loan", "repay_loan", "decline_loan"}
    | {"take_extra_turn", "decline_extra_turn"}
)
"""Where somebody drives, and why nothing is claimed, tells what is in the hand (L-014); so does a score that counts
what it is worth to stand here with these cards, whatever is bought, borrowed or taken."""

FOLLOWS = False
ARRIVED_SECONDS = 3
DICE = {"d6": PIPS}


def place_name(board: Json, place: str) -> str:
    """`the Base`, `the Garage`, `the Tower of London`, `the square KG2`."""
    if place == board.get("base"):
        return "the Base"
    if place in board.get("garages", []):
        return "the Garage"
    names = [row["name"] for row in board.get("attractions", {}).values() if row["square"] == place]
    return " and ".join(names) if names else f"the square {place}"


def awaited(position: Json) -> dict[str, int]:
    """The taxi whose throw is to be driven."""
    return {f"taxi:{position['turn']}": position["turn"]} if position["phase"] == "moving" else {}


def arrived(sight: Sight, piece: str, place: str) -> Json | None:
    """A move there; whether the throw leads there is the rules' business."""
    return {"do": "move", "seat": sight.pieces[piece].seat, "to": place}


def overruled(sight: Sight, piece: str, place: str, was_move: bool, why: str) -> list[Json]:
    """The taxi is put where it lies. If that was its move it is first put on a square from which the throw leads
    there, so that it truly lands, with fares, claims and lights; without such a square its turn ends there."""
    seat = sight.pieces[piece].seat
    if was_move:
        start = _start_for(sight, seat, place)
        if start is not None:
            return [_put(seat, start, why), {"do": "move", "seat": seat, "to": place}]
    correction = _put(seat, place, why)
    if was_move:
        correction["set"]["turn"] = _next_seat(sight.position, seat)
    return [correction]


def _put(seat: int, place: str, why: str) -> Json:
    return {"do": "correct", "seat": 0, "set": {"players": [{"seat": seat, "at": place}]}, "why": why}


def _next_seat(position: Json, seat: int) -> int:
    seats = [row["seat"] for row in position["players"] if row["status"] == "in"]
    return int(next((other for other in seats if other > seat), seats[0]))


def _start_for(sight: Sight, seat: int, place: str) -> str | None:
    """A square from which the throw leads to `place`, the taxi's own first; None if there is none."""
    own = next(row["at"] for row in sight.position["players"] if row["seat"] == seat)
    for square in [own, *sight.plan.board["squares"]]:
        trial = game.copy_state(sight.state)
        try:
            game.play(trial, _put(seat, square, "trial"))
            reached = game.ask(trial, {"do": "ask", "seat": seat, "what": "ends"})["reachable"]
        except (RuleViolation, PositionError):
            continue
        if place in reached:
            return str(square)
    return None


def dice(position: Json) -> dict[str, FaceMap]:
    """One die, thrown twice by a Turbo."""
    return DICE


def invited(position: Json, wanted: Json | None) -> str | None:
    """The die, while a throw is asked for."""
    return str(wanted["die"]) if wanted and wanted.get("kind") == "dice" else None


def lights(sight: Sight, alarms: Sequence[str]) -> dict[int, int]:
    """The lights at rest."""
    plan, position = sight.plan, sight.position
    rest = {plan.leds[square]: RED for square in plan.board.get("lights", []) if square in plan.leds}
    if position["phase"] == "moving":
        # Where a stop on the way is lawful tells what is in the hand: no LED hints at it.
        for square in movement.public_ends(sight.state, position["turn"], position["moves"][0])[0]:
            led = plan.leds.get(square)
            if led is not None:
                rest[led] = ROUTE
    for place in alarms:
        led = nearest_led(plan, place, plan.board.get("squares", {}))
        if led is not None:
            rest[led] = WRONG
    return rest


def passed(sight: Sight, events: Sequence[Json]) -> list[tuple[int, int, list[int]]]:
    """[(look, seconds, LEDs)] for the lights that a taxi has just stopped at."""
    plan = sight.plan
    reached = {str(event["to"]) for event in events if event["event"] in ("TaxiMoved", "MovedByCard")}
    greens = sorted(plan.leds[square] for square in reached & set(plan.board.get("lights", [])) if square in plan.leds)
    return [(GREEN, ARRIVED_SECONDS, greens)] if greens else []
