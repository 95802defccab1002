"""What the table says about Taxi Over's pieces and throws: a taxi that was put elsewhere than where it may stop, a
driver who cannot get in there, and what is thrown for now."""

from __future__ import annotations

from typing import Any

from companion.tables.receipts import Json
from companion.titles.contract import Sight
from companion.titles.taxi_over.outlook import Outlook, outlook_of
from companion.titles.taxi_over.table import piece_name, taxi_id
from shared_rules.games.taxi_over import meta


def move(sight: Sight, piece: str, seen: str) -> Json | None:
    """A piece that might do something lies at `seen`, and that is nothing yet."""
    outlook = outlook_of(sight.position)
    if outlook is None:
        return None
    if sight.position["phase"] == "board":
        return _getting_in(sight, piece, seen)
    if outlook.taxi is not None and piece == taxi_id(outlook.taxi):
        return _stopping(sight, outlook, piece, seen)
    return _pushed(sight, outlook, piece, seen)


def _getting_in(sight: Sight, piece: str, seen: str) -> Json:
    name = piece_name(sight.pieces[piece])
    if seen == meta.START:
        return {"kind": "confirm_move", "needs": [], "sentence": f"{name} stands at START. Does the driver get in?"}
    where = sight.plan.name(seen)
    return {
        "kind": "unreachable",
        "needs": [],
        "sentence": f"{name} stands at {where}, but can get in at START only. Put it there, or before its player.",
    }


def _stopping(sight: Sight, outlook: Outlook, piece: str, seen: str) -> Json | None:
    stop = outlook.stop
    if stop is None:
        return None
    where, name = sight.plan.name(seen), sight.name(outlook.seat)
    if seen == stop.to:
        return {
            "kind": "confirm_move",
            "needs": [],
            "sentence": f"{name}'s taxi stands at {where}. Does it stop there?",
        }
    spaces = _spaces(sight, outlook.at, seen)
    ends = sight.plan.name(stop.to)
    return {
        "kind": "unreachable",
        "needs": [spaces] if spaces else [],
        "sentence": f"{name}'s taxi stands at {where}. Stopping now makes {stop.distance} spaces, to {ends}.",
    }


def _pushed(sight: Sight, outlook: Outlook, piece: str, seen: str) -> Json | None:
    """Whoever is being pushed may lie where it will be; elsewhere it lies wrongly."""
    taxi = piece.removeprefix("taxi:")
    if sight.pieces[piece].kind == "driver":
        rider = sight.pieces[piece].seat
        taxi = next((p["driver"] for p in sight.position["players"] if p["seat"] == rider), "") or ""
    at = sight.position["taxis"].get(taxi, {}).get("at")
    if outlook.stop is None or seen in (at, outlook.stop.taxis.get(taxi)):
        return None
    name, where = piece_name(sight.pieces[piece]), sight.plan.name(seen)
    return {"kind": "wrong_place", "sentence": f"{name} lies at {where}. Put it at {sight.plan.name(at)}.", "needs": []}


def _spaces(sight: Sight, start: str, end: str) -> int:
    """How far it is from one place to another, 0 where no road leads."""
    loop: list[str] = sight.plan.board["loop"]
    if end not in loop:
        return 0
    entry = loop.index(str(sight.plan.board["entry"]))
    before = entry - 1 if start == meta.START else loop.index(start)
    return (loop.index(end) - before) % len(loop)


def on_road(sight: Sight, piece: str) -> str:
    """The taxi on turn was lifted while dice lie there; of others nothing is asked."""
    outlook = outlook_of(sight.position)
    if outlook is None or outlook.taxi is None or outlook.stop is None or piece != taxi_id(outlook.taxi):
        return ""
    ends = sight.plan.name(outlook.stop.to)
    return f"Does {sight.name(outlook.seat)} stop? Then put the taxi at {ends}; else put it back and throw."


def thrown(die: str | None, face: Any) -> str:
    """A face in words."""
    return str(face) if die == meta.DIE else "something that nobody has given a meaning"


def expected(sight: Sight, wanted: Json | None) -> str:
    """What is to be thrown or done now."""
    position = sight.position
    name = sight.name(position["turn"])
    if position["phase"] == "over":
        return "The game is over."
    if position["phase"] == "board":
        return f"{name} gets into a taxi first, or stays out."
    return f"Now {name} throws, or stops."
