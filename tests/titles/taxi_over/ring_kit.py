"""Positions of Taxi Over, what commands make of them, and their map; for the tests of this folder."""

from __future__ import annotations

from typing import Any

from companion.tables.receipts import LogRow
from companion.titles.taxi_over.map import draw
from companion.titles.taxi_over.map.moments import Moment, moment_of
from companion.titles.taxi_over.outlook import outlook_of
from shared_rules import library
from shared_rules.engine import game

Json = dict[str, Any]
BOARD = library.board("carousel")
LAYOUT = library.layout("carousel")
NAMES = ("Ann", "Bo", "Carla", "Dev")


def a_state(*players: Json, **changes: Any) -> Any:
    """A state of the rules."""
    return game.load_position({"game": "taxi_over", "board": "carousel", "players": list(players), **changes})


def play(state: Any, *commands: Json) -> list[Json]:
    """The events of the last of these commands."""
    events: list[Json] = []
    for command in commands:
        events = game.play(state, command)
    return events


def a_view(state: Any, audience: str | int = "bank") -> Json:
    """A view with people's names."""
    view: Json = game.view_for(state, audience)
    for player in view["players"]:
        player["name"] = NAMES[player["seat"] - 1]
    return view


def a_row(events: list[Json], **changes: Any) -> LogRow:
    """A row of the log with these events."""
    fields: Json = {
        "seq": 7, "kind": "play", "do": "stop", "seat": 1, "events": events, "evidence": None, "actor": "bank",
        "reason": "", "at": "2026-01-02T20:00:00+00:00", "undone": False, "asked": {},
    }  # fmt: skip
    return LogRow(**{**fields, **changes})


def a_map(state: Any, events: list[Json] | None = None, mode: str = "wall") -> str:
    """The whole map of a state, after these events."""
    view = a_view(state)
    moment = moment_of([a_row(events)]) if events is not None else Moment()
    return draw.draw_map(BOARD, LAYOUT, view, mode=mode, outlook=outlook_of(view), moment=moment)
