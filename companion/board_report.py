"""`cabstand board check BOARD`: what the rules ask of a board, as figures, for who draws one of any game."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from rich.box import SIMPLE
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from companion.tables.wording import plain_line
from shared_rules import games, library
from shared_rules.engine.errors import PositionError
from shared_rules.games.taxi.board_checks import BLOCK_MM, FIGURE, WARNING, YES, check_board

WIDTH = 112
"""Columns when the table goes into a file or a pipe."""

MARKS = {YES: ("FAILS", "bold red"), WARNING: ("warning", "yellow"), FIGURE: ("differs", "dim")}
"""What stands beside a check that does not hold, and its style."""

GOOD, BAD, UNREADABLE = 0, 1, 2


def run(source: str) -> int:
    """Check a shipped board (its id) or a board file (its path) and print the table.

    Returns 0 when all that must hold holds, 1 when something does not, 2 when there is no such board or it is broken
    (one sentence on standard error says what to do). A board of somebody's own is not held to the quality of the
    shipped one: these figures are shown for comparison.
    """
    console = Console() if sys.stdout.isatty() else Console(width=WIDTH)
    try:
        game, board, layout, designed = load(source)
        block_mm = _block_mm(layout)
    except PositionError as fault:
        print(plain_line(fault.message), file=sys.stderr)
        return UNREADABLE
    title = getattr(board, "title", "") or board.id
    console.print(f"[bold]{_text(title)}[/]", highlight=False)
    if game == "taxi":
        return _measured(console, check_board(board, designed, block_mm), board.guides is not None)
    checks: Any = import_module(f"shared_rules.games.{game}.board_checks")
    found = checks.check(board, None if layout is None else layout[1])
    return _listed(console, checks.CHECKS, found, checks.figures(board) if not found else [])


def load(source: str) -> tuple[str, Any, tuple[str, dict[str, Any]] | None, bool]:
    """(game, board, (path, object) of the layout beside it or None, whether it is shipped). Raises PositionError."""
    if source in library.board_ids():
        path, game, board, shipped = (
            library.board_path(source),
            library.game_of(source),
            library.parsed_board(source),
            True,
        )
    elif Path(source).is_file():
        path, game, shipped = source, _game_of(source), False
        board = library.load_board_file(source, game)
    else:
        known = ", ".join(library.board_ids())
        raise PositionError("unknown_board", f"There is no board or file '{source}'. Shipped boards: {known}.", "")
    beside = Path(path).with_name(f"{Path(path).stem}.layout.json")
    layout = (str(beside), library.json_file(str(beside))) if beside.is_file() else None
    return game, board, layout, shipped


def _game_of(path: str) -> str:
    """The game whose boards have most keys in common with the one in a file."""
    keys = set(library.json_file(path))
    best, most = "taxi", 0
    for game in games.names():
        for name in library.board_ids(game)[:1]:
            alike = len(keys & set(library.board(name)))
            if alike > most or (alike == most and game == "taxi"):
                best, most = game, alike
    return best


def _block_mm(layout: tuple[str, dict[str, Any]] | None) -> float:
    """How many millimetres a unit of the board is printed, from its layout if there is one."""
    told = BLOCK_MM if layout is None else layout[1].get("block_mm", BLOCK_MM)
    if not isinstance(told, (int, float)) or isinstance(told, bool) or not 0 < told < math.inf:
        assert layout is not None
        raise PositionError(
            "malformed", f"{layout[0]}, block_mm: a number of millimetres above 0 is needed.", "block_mm"
        )
    return float(told)


def _measured(console: Console, rows: Sequence[dict[str, Any]], guides: bool) -> int:
    """Checks that each have a figure and what is asked of it."""
    table = Table(header_style="bold", box=SIMPLE)
    for column, right in (("check", False), ("what", False), ("figure", True), ("asked", True), ("", False)):
        table.add_column(column, justify="right" if right else "left", no_wrap=column != "what", overflow="fold")
    faults = []
    failed = warned = 0
    for row in rows:
        mark = "[green]ok[/]"
        if not row["ok"]:
            mark, style = MARKS[str(row["required"])]
            mark = f"[{style}]{mark}[/]"
            faults.append(f"  [{style}]{row['check']}[/] {_text(row['text'])}")
            failed += row["required"] == YES
            warned += row["required"] == WARNING
        table.add_row(*(_text(row[key]) for key in ("check", "title", "figure", "limit")), mark)
    console.print(table)
    for line in faults:
        console.print(line, highlight=False)
    text = _verdict(failed, warned, len(rows))
    if not guides:
        text += ". The board has no guides; the game makes them from its destinations"
    console.print(text + ".", highlight=False)
    return BAD if failed else GOOD


def _listed(
    console: Console,
    checks: Sequence[tuple[int, str]],
    found: Sequence[tuple[str, int, str]],
    figures: Sequence[tuple[str, str]],
) -> int:
    """Checks by number, with sentences for what is wrong, and the figures of a board that can be played."""
    table = Table(header_style="bold", box=SIMPLE)
    table.add_column("check", justify="right")
    table.add_column("what", overflow="fold")
    table.add_column("")
    failed = warned = 0
    for number, what in checks:
        kinds = {severity for severity, at, _ in found if at == number}
        mark = "[green]ok[/]"
        if kinds:
            word, style = MARKS[YES if "error" in kinds else WARNING]
            mark = f"[{style}]{word}[/]"
            failed += "error" in kinds
            warned += "error" not in kinds
        table.add_row(str(number), escape(what), mark)
    console.print(table)
    for severity, number, sentence in found:
        style = MARKS[YES if severity == "error" else WARNING][1]
        console.print(f"  [{style}]{number}[/] {_text(sentence)}", highlight=False)
    for what, figure in figures:
        console.print(f"  {_text(what)}: {_text(figure)}", highlight=False)
    console.print(_verdict(failed, warned, len(checks)) + ".", highlight=False)
    return BAD if failed else GOOD


def _text(what: Any) -> str:
    """What may come out of somebody's file, as text that is no markup and moves no cursor."""
    return escape(plain_line(str(what)))


def _verdict(failed: int, warned: int, checks: int) -> str:
    text = f"{checks} checks: "
    text += f"[bold red]{failed} must be put right[/]" if failed else "[green]all that must hold holds[/]"
    return text + (f", {warned} to know about before play" if warned else "")
