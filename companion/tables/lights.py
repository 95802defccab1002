"""What the table's lights and die should show in a game as it stands: output only, worked out anew after each
change. What lights mean is the title's business."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.devices.table_output import FaceTable, Show
from companion.tables.receipts import Json
from shared_rules.engine import game
from shared_rules.wire.messages import LOOK_SEAT, SEAT_COLOURS

if TYPE_CHECKING:
    from companion.tables.table_actor import TableActor

ALARMING = ("unreachable", "wrong_place", "confirm_move")
"""Explanations about a piece that lies wrongly at a place."""


def show(actor: TableActor) -> Show:
    """The lights at rest, the face maps of the game's dice and the throw that is waited for."""
    cases = [case for case in actor.explanations.all() if case["kind"] in ALARMING]
    alarms = [case["seen"] for case in cases if isinstance(case["seen"], str)]
    maps = actor.game.table.dice(actor.explanations.glance.position).values()
    return Show(
        actor.game.table.lights(actor.explanations.sight(), alarms),
        invitation(actor),
        tuple(FaceTable(one.map_id, one.style, one.values) for one in maps),
        actor.throws_made,
        _look_of_seat(actor),
    )


def invitation(actor: TableActor) -> int | None:
    """The face map of the throw that is waited for."""
    position = actor.explanations.glance.position
    die = actor.game.table.invited(position, game.chance(actor.state))
    maps = actor.game.table.dice(position)
    return maps[die].map_id if die in maps else None


def _look_of_seat(actor: TableActor) -> int:
    """How an invitation looks: as the seat that throws; 0 for nobody's."""
    wanted = actor.throw_wanted()
    colour = next((row["colour"] for row in actor.setup["seats"] if wanted and row["seat"] == wanted.seat), None)
    return LOOK_SEAT + SEAT_COLOURS.index(colour) if colour in SEAT_COLOURS else 0


def passed(actor: TableActor, events: list[Json]) -> list[tuple[int, int, list[int]]]:
    """[(look, seconds, LEDs)] for what a piece has just passed or reached."""
    return actor.game.table.passed(actor.explanations.sight(), events)


def nobody_plays() -> Show:
    """No evening is open: dark, and nobody throws."""
    return Show()
