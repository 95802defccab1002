"""TAXI! on the table: one taxi a seat, two dice in one, lights that are red for ever and gates that are closed.

Traffic lights are red for ever and gates always closed (rules T-058, T-065); one that a taxi passes looks open for a
moment. A place with a light of its own that the taxi can reach hints at it, and one where a taxi lies wrongly warns;
without a light of its own the nearest one on the board warns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.devices.table_output import GATE, GATE_OPEN, GREEN, RED, ROUTE, WRONG
from companion.tables.receipts import Json
from companion.tables.table_plan import nearest_led
from companion.titles.contract import FaceMap, Sight
from companion.titles.own_taxis import PIPS, alike, base, piece_name, pieces, riding, where  # noqa: F401 (part of the contract)
from companion.titles.taxi import routes
from shared_rules.engine import game
from shared_rules.wire.messages import STYLE_TABLETS

CHANCE: Mapping[str, tuple[str, ...]] = {"roll": ("face",), "draw_card": ("card",)}
SHOWING = frozenset({"reveal_card"})
SECRET = frozenset({"place_bet", "pass_bet", "reveal_card", "play_card"})
FOLLOWS = False

PASSING_SECONDS = 3
D6_MAP, D12_MAP = PIPS.map_id, 2
DICE = {
    "d6": PIPS,
    # Rule T-007: five green, two white, five blank.
    "d12": FaceMap(D12_MAP, STYLE_TABLETS, (1, 0, 1, 0, 2, 0, 1, 0, 1, 0, 2, 1), {0: "blank", 1: "green", 2: "white"}),
}


def place_name(board: Json, place: str) -> str:
    """`Lady Hatt`, `the base`, `the road A~B`."""
    if place == board.get("base"):
        return "the base"
    destinations: dict[str, Any] = board.get("destinations", {})
    for destination in destinations.values():
        if destination["at"] == place:
            return str(destination["name"] or place)
    return f"the road {place}" if "~" in place else f"the corner {place}"


def awaited(position: Json) -> dict[str, int]:
    """The taxi that moves."""
    return {f"taxi:{position['turn']}": position["turn"]} if position["phase"] == "move" else {}


def arrived(sight: Sight, piece: str, place: str) -> Json | None:
    """A move there; whether it can go there is the rules' business."""
    return {"do": "move", "seat": sight.pieces[piece].seat, "to": place}


def overruled(sight: Sight, piece: str, place: str, was_move: bool, why: str) -> list[Json]:
    """The taxi is put where it lies; if that was its move, it stays there."""
    seat = sight.pieces[piece].seat
    correction = {"do": "correct", "seat": 0, "set": {"players": [{"seat": seat, "at": place}]}, "why": why}
    return [correction, {"do": "move", "seat": seat, "to": place}] if was_move else [correction]


def dice(position: Json) -> dict[str, FaceMap]:
    """The driving die and the tablet die."""
    return DICE


def invited(position: Json, wanted: Json | None) -> str | None:
    """The die that is asked for. In a move it is already the tablets': who has moved may throw at once."""
    if wanted and wanted.get("kind") == "die":
        return str(wanted["die"])
    return "d12" if position["phase"] == "move" else None


def lights(sight: Sight, alarms: Sequence[str]) -> dict[int, int]:
    """The lights at rest."""
    plan, position = sight.plan, sight.position
    rest = {plan.leds[light]: RED for light in plan.board.get("lights", []) if light in plan.leds}
    rest.update({plan.leds[gate]: GATE for gate in plan.board.get("gates", []) if gate in plan.leds})
    if position["phase"] == "move":
        answer = game.ask(sight.state, {"do": "ask", "seat": position["turn"], "what": "reachable"})
        for row in answer["reachable"]:
            led = plan.leds.get(row[0])
            if led is not None and led not in rest:
                rest[led] = ROUTE
    for place in alarms:
        led = nearest_led(plan, place, plan.board.get("points", {}))
        if led is not None:
            rest[led] = WRONG
    return rest


def passed(sight: Sight, events: Sequence[Json]) -> list[tuple[int, int, list[int]]]:
    """[(look, seconds, LEDs)] for lights and gates that a taxi has just passed."""
    plan = sight.plan
    barriers = [row["on"] for row in sight.position["placed_barriers"]]
    way = [place for place in routes.passed(sight.state, events, barriers) if place in plan.leds]
    gates = [plan.leds[place] for place in way if place in plan.board.get("gates", [])]
    greens = [plan.leds[place] for place in way if place in plan.board.get("lights", [])]
    return [(look, PASSING_SECONDS, sorted(set(leds))) for look, leds in ((GREEN, greens), (GATE_OPEN, gates)) if leds]
