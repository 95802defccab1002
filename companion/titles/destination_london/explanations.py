"""What the table says about London's taxis and throws. Everybody hears it, so nothing here tells what is in a hand:
a stop on the way that only a card would allow is called what it is to all, not on the way's end."""

from __future__ import annotations

from typing import Any

from companion.tables.receipts import Json
from companion.titles.contract import Sight
from companion.titles.own_taxis import piece_name
from shared_rules.games.destination_london import movement

WAITS = {
    "order_roll": "The highest throw begins: one die each.",
    "own_fare": "{name} first collects a fare or keeps quiet.",
    "knock_back": "{name} first says who is knocked back to the Base.",
    "claims": "First everybody else may claim a fare at {name}'s square.",
    "lights": "{name} first draws a traffic light card.",
    "garage": "{name} is at the Garage: fuel first, or done.",
    "debt": "{name} first settles what is owed.",
    "extra_turn": "{name} first says whether to take the extra turn.",
    "stranded": "{name} has no fuel, so the die stays where it is.",
    "deal": "A Destination Card is to be dealt first.",
    "over": "The game is over.",
}


def move(sight: Sight, piece: str, seen: str) -> Json | None:
    """The taxi that moves lies at `seen`, and that is no move, or nobody saw it arrive."""
    position, taxi = sight.position, sight.pieces[piece]
    colour, where, name = piece_name(taxi), sight.plan.name(seen), sight.name(taxi.seat)
    squares = position["moves"][0]
    to, with_card = movement.public_ends(sight.state, taxi.seat, squares)
    if seen in to or seen in with_card:
        sentence = f"{colour} lies at {where}. Is that {name}'s move?"
        return {"kind": "confirm_move", "needs": [], "sentence": sentence}
    steps = f"{squares} square" + ("" if squares == 1 else "s")
    sentence = (
        f"{colour} lies at {where}, where a drive of {steps} does not end. "
        "Drive it on, put it back, or say that it is right."
    )
    return {"kind": "unreachable", "needs": [], "sentence": sentence}


def on_road(sight: Sight, piece: str) -> str:
    """The taxi that moves is on no socket."""
    return f"Where did {sight.name(sight.pieces[piece].seat)} stop?"


def thrown(die: str | None, face: Any) -> str:
    """A face in words."""
    return str(face) if die == "d6" else "something that nobody has given a meaning"


def expected(sight: Sight, wanted: Json | None) -> str:
    """What is to be thrown or done now."""
    position = sight.position
    if wanted and wanted.get("kind") == "dice":
        return f"Now {sight.name(wanted['seat'])} throws."
    name = sight.name(position["turn"])
    if position["phase"] == "moving":
        return f"{name} drives first."
    return WAITS.get(position["phase"], "Nobody throws now.").format(name=name)
