"""What the table's lights and die should show in a game as it stands: output only, worked out anew after each change.

Traffic lights are red for ever and gates always closed (rules T-058, T-065); one that a taxi passes looks open for
a moment. A place with a light of its own that the taxi can reach hints at it, and one where a taxi lies wrongly
warns; without a light of its own the nearest one on the board warns.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.devices.table_output import D6_MAP, D12_MAP, GATE, GATE_OPEN, GREEN, RED, ROUTE, WRONG, Show
from companion.tables import routes
from companion.tables.receipts import Json
from companion.tables.table_plan import TablePlan
from shared_rules.engine import game

if TYPE_CHECKING:
    from companion.tables.table_actor import TableActor

PASSING_SECONDS = 3
INVITATIONS = {"d6": D6_MAP, "d12": D12_MAP}


def show(actor: TableActor) -> Show:
    """The lights at rest and the throw that is waited for."""
    plan = actor.explanations.plan
    rest = {plan.leds[light]: RED for light in plan.board.get("lights", []) if light in plan.leds}
    rest.update({plan.leds[gate]: GATE for gate in plan.board.get("gates", []) if gate in plan.leds})
    position = actor.explanations.glance.position
    if position["phase"] == "move":
        answer = game.ask(actor.state, {"do": "ask", "seat": position["turn"], "what": "reachable"})
        for row in answer["reachable"]:
            led = plan.leds.get(row[0])
            if led is not None and led not in rest:
                rest[led] = ROUTE
    for case in actor.explanations.all():
        if case["kind"] in ("unreachable", "wrong_place", "confirm_move") and isinstance(case["seen"], str):
            led = nearest_led(plan, case["seen"])
            if led is not None:
                rest[led] = WRONG
    return Show(rest, invitation(actor))


def invitation(actor: TableActor) -> int | None:
    """The face map of the throw that is waited for. In a move it is already the tablets': who has moved may throw
    at once."""
    wanted = game.chance(actor.state)
    if wanted and wanted.get("kind") == "die":
        return INVITATIONS.get(wanted["die"])
    return D12_MAP if actor.explanations.glance.position["phase"] == "move" else None


def passed(actor: TableActor, events: list[Json]) -> list[tuple[int, int, list[int]]]:
    """[(look, seconds, LEDs)] for lights and gates that a taxi has just passed."""
    plan = actor.explanations.plan
    barriers = [row["on"] for row in actor.explanations.glance.position["placed_barriers"]]
    way = [place for place in routes.passed(actor.state, events, barriers) if place in plan.leds]
    gates = [plan.leds[place] for place in way if place in plan.board.get("gates", [])]
    lights = [plan.leds[place] for place in way if place in plan.board.get("lights", [])]
    return [(look, PASSING_SECONDS, sorted(set(leds))) for look, leds in ((GREEN, lights), (GATE_OPEN, gates)) if leds]


def nearest_led(plan: TablePlan, place: str) -> int | None:
    """The LED of a place, or the one nearest to it on the board; None on a board without."""
    if place in plan.leds:
        return plan.leds[place]
    points: dict[str, list[float]] = plan.board.get("points", {})
    where = points.get(place.split("~")[0])
    near = [(_squared(where, points[name]), led) for name, led in plan.leds.items() if where and name in points]
    return min(near)[1] if near else None


def _squared(a: list[float], b: list[float]) -> float:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def nobody_plays() -> Show:
    """No evening is open: dark, and nobody throws."""
    return Show()
