"""`cabstand odds FILE|-|EVENING`: the exact odds of what the seats can do now, for players and for other programs.

The position comes from a file (docs/records.md), from standard input, or from an evening by its id or title, which may
be played on meanwhile. Each seat's odds rest on what that seat may know.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from companion import titles
from companion.errors import CompanionError
from companion.tables.wording import plain_line
from shared_rules import games, library
from shared_rules.engine import game
from shared_rules.engine.errors import PositionError
from shared_rules.portable.json_text import dumps

WIDTH = 100
"""Columns when the tables go into a file or a pipe."""
PLACES = frozenset({"square"})
"""Where odds name a place of the board."""
LARGEST = 16 * 1024 * 1024
"""Bytes of a position that is read at all; those of long evenings have a hundredth of that."""


class NoPositionError(CompanionError):
    """There is no position where one was to be; says what to do."""


def run(source: str, seat: int | None, as_json: bool, data: Path) -> int:
    """Print the odds of the seats that are waited for, or of one seat. 0: printed; `CompanionError`: one sentence."""
    state, names = _state(source, data)
    position = game.dump_position(state)
    there = [int(player["seat"]) for player in position["players"]]
    if seat is not None and seat not in there:
        raise NoPositionError(f"There is no seat {seat}; there are {there[0]} to {there[-1]}.")
    seats = [seat] if seat is not None else [each for each in position["waiting_for"] if each]
    odds = {each: state.title.odds(state, each) for each in seats}
    if as_json:
        told = {
            "game": position["game"],
            "phase": position["phase"],
            "waiting_for": position["waiting_for"],
            "odds": {str(each): odds[each] for each in seats},
        }
        print(dumps(told))
        return 0
    console = Console() if sys.stdout.isatty() else Console(width=WIDTH)
    title = getattr(games.meta(position["game"]), "TITLE", position["game"])
    console.print(f"[bold]{escape(plain_line(str(title)))}[/], {escape(_words(position['phase']))}.", highlight=False)
    if not seats:
        console.print("Nobody has anything to decide.")
    for each in seats:
        name = plain_line(names.get(each) or str(position["players"][there.index(each)]["name"] or ""))
        who = f"{name or f'Seat {each}'} (seat {each})"
        if odds[each]:
            console.print(_table(who, odds[each], position))
        else:
            console.print(f"{escape(who)}: nothing here hangs on chance.", highlight=False)
    return 0


def _table(title: str, odds: list[dict[str, Any]], position: dict[str, Any]) -> Table:
    table = Table(title=escape(title), title_justify="left", title_style="bold", box=SIMPLE_HEAD, pad_edge=False)
    for column, justify in (("what", "left"), ("", "left"), ("chance", "right"), ("exactly", "right")):
        table.add_column(column, justify="right" if justify == "right" else "left", overflow="fold")
    last = None
    for entry in odds:
        of = [_part(key, value, position) for key, value in entry.items() if key not in ("what", "chance")]
        top, bottom = entry["chance"]
        what = _words(entry["what"])
        table.add_row(
            escape(what) if what != last else "",
            escape(", ".join(of)),
            f"{100 * top / bottom:.1f} %",
            f"{top}/{bottom}",
        )
        last = what
    return table


def _part(key: str, value: Any, position: dict[str, Any]) -> str:
    """`dice 2`; a place as people call it, with its letters in brackets: `Baker Street (BKP)`."""
    if key in PLACES and isinstance(value, str):
        board = position["board"]
        board = library.board(board) if isinstance(board, str) else board
        try:
            name = titles.find(position["game"]).table.place_name(board, value)
        except KeyError:
            name = value
        if name != value:
            return f"{plain_line(name)} ({value})"
    return f"{_words(key)} {_value(value)}"


def _words(key: Any) -> str:
    return plain_line(str(key).replace("_", " "))


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return " ".join(_value(each) for each in value)
    return _words(value)


def _state(source: str, data: Path) -> tuple[Any, dict[int, str]]:
    """The state, and by seat what people are called where that does not stand in the position."""
    if source != "-" and not Path(source).is_file():
        return _of_evening(source, data)
    where = "standard input" if source == "-" else source
    try:
        with sys.stdin.buffer if source == "-" else open(source, "rb") as file:
            text = file.read(LARGEST + 1)
    except OSError as error:
        raise NoPositionError(f"{where} cannot be read ({error.strerror or error}).") from None
    if len(text) > LARGEST:
        raise NoPositionError(f"{where} is larger than any position.")
    try:
        found = json.loads(text.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        why = f" ({error})" if isinstance(error, json.JSONDecodeError) else ""
        raise NoPositionError(f"{where} holds no JSON{why}; a position is one object, see docs/records.md.") from None
    if isinstance(found, dict) and isinstance(found.get("position"), dict) and "game" not in found:
        found = found["position"]
    try:
        return game.load_position(found), {}
    except PositionError as fault:
        at = f" at {fault.at}" if fault.at else ""
        raise NoPositionError(f"{where} is no position{at}: {fault.message}") from None


def _of_evening(name: str, data: Path) -> tuple[Any, dict[int, str]]:
    from companion.event_log import store
    from companion.event_log.read_only import evening_id, opened
    from companion.tables.readable import readable
    from companion.tables.table_log import TableLog

    with opened(data, name) as connection:
        stored = store.load(connection, evening_id(connection, name, data))
    with readable(stored):
        state = TableLog(stored.log).state_at_end(stored.snapshot)
    return state, {int(row["seat"]): str(row["name"] or "") for row in stored.seats}
