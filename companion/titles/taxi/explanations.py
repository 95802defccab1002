"""What the table says about TAXI!'s taxis and throws: what a way would cost, and what is thrown for now."""

from __future__ import annotations

from typing import Any

from companion.tables.receipts import Json
from companion.titles.contract import Sight
from companion.titles.own_taxis import piece_name
from shared_rules.engine import game
from shared_rules.engine.errors import RuleViolation


def move(sight: Sight, piece: str, seen: str) -> Json | None:
    """The taxi that moves lies at `seen`: what that costs and what its seat has, or whether it is the move."""
    position, taxi = sight.position, sight.pieces[piece]
    seat = taxi.seat
    name, colour, where = sight.name(seat), piece_name(taxi), sight.plan.name(seen)
    player = next(row for row in position["players"] if row["seat"] == seat)
    case: Json = {"kind": "unreachable", "needs": [], "has": []}
    against = [row["on"] for row in position["placed_barriers"]]
    question = {"do": "ask", "seat": seat, "what": "distance", "from": player["at"], "to": seen, "against": against}
    try:
        case["needs"] = game.ask(sight.state, question).get("distance", [])
        reached = game.ask(sight.state, {"do": "ask", "seat": seat, "what": "reachable"}).get("reachable", [])
    except RuleViolation:
        reached = []
    if any(row[0] == seen for row in reached):
        return {**case, "kind": "confirm_move", "sentence": f"{colour} lies at {where}. Is that {name}'s move?"}
    if not case["needs"]:
        sentence = f"{colour} lies at {where}, where no way leads now. Put it back, or say that it is right."
        return {**case, "sentence": sentence}
    fresh = position["fresh"]
    case["has"] = [position["d6"] or 0, player["green"] - fresh["green"], player["white"] - fresh["white"]]
    has = cost(*case["has"])
    return {**case, "sentence": f"{colour} lies at {where}: that takes {costs(case['needs'])}. {name} has {has}."}


def on_road(sight: Sight, piece: str) -> str:
    """The taxi that moves is on no socket."""
    return f"Where did {sight.name(sight.pieces[piece].seat)} stop?"


def thrown(die: str | None, face: Any) -> str:
    """A face in words."""
    return str(face) if die in ("d6", "d12") else "something that nobody has given a meaning"


def expected(sight: Sight, wanted: Json | None) -> str:
    """What is to be thrown or done now."""
    position = sight.position
    if position["phase"] == "over":
        return "The game is over."
    if position["phase"] == "move":
        return f"{sight.name(position['turn'])} moves first (or stays), then the die may win a tablet."
    if wanted and wanted.get("kind") == "die":
        what = "streets" if wanted["die"] == "d6" else "a tablet"
        return f"Now {sight.name(wanted['seat'])} throws for {what}."
    return "Nobody throws now."


def cost(streets: int, green: int, white: int) -> str:
    """`5 streets and 1 green`; `1 street`; `2 streets, 1 green and 1 white`."""
    parts = [f"{streets} street{'' if streets == 1 else 's'}"]
    if green:
        parts.append(f"{green} green")
    if white:
        parts.append(f"{white} white")
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def costs(labels: list[list[int]], most: int = 3) -> str:
    """`5 streets and 1 green, or 6 streets`: the ways to pay for a move, the shortest first; of many the last is
    the one with the fewest tablets."""
    ordered = sorted(labels, key=lambda label: (label[0], label[1] + label[2]))
    if len(ordered) > most:
        ordered = [*ordered[: most - 1], ordered[-1]]
    return ", or ".join(cost(*label) for label in ordered)
