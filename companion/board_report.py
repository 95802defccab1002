"""`cabstand board check BOARD`: what the rules ask of a board and its guides, as figures, for who draws one."""

from __future__ import annotations

import math
import sys
from pathlib import Path

from rich.box import SIMPLE
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from shared_rules import library
from shared_rules.engine.errors import PositionError
from shared_rules.games.taxi.board import Board
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
        board, designed, block_mm = load(source)
    except PositionError as fault:
        print(fault.message, file=sys.stderr)
        return UNREADABLE
    rows = check_board(board, designed, block_mm)
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
            faults.append(f"  [{style}]{row['check']}[/] {escape(str(row['text']))}")
            failed += row["required"] == YES
            warned += row["required"] == WARNING
        table.add_row(*(escape(str(row[key])) for key in ("check", "title", "figure", "limit")), mark)
    console.print(f"[bold]{escape(board.title or board.id)}[/]", highlight=False)
    console.print(table)
    for line in faults:
        console.print(line, highlight=False)
    console.print(_verdict(failed, warned, len(rows), board.guides is not None), highlight=False)
    return BAD if failed else GOOD


def load(source: str) -> tuple[Board, bool, float]:
    """The board that `source` names, whether it is a shipped one, and its millimetres a block. Raises PositionError."""
    if source in library.board_ids():
        return library.parsed_board(source), True, _block_mm(Path(library.board_path(source)))
    if not Path(source).is_file():
        known = ", ".join(library.board_ids())
        raise PositionError("unknown_board", f"There is no board or file '{source}'. Shipped boards: {known}.", "")
    return library.load_board_file(source, "taxi"), False, _block_mm(Path(source))


def _block_mm(path: Path) -> float:
    """How many millimetres a unit of the board is printed, from the layout file beside it if there is one."""
    layout = path.with_name(f"{path.stem}.layout.json")
    if not layout.is_file():
        return BLOCK_MM
    told = library.json_file(str(layout)).get("block_mm", BLOCK_MM)
    if not isinstance(told, (int, float)) or isinstance(told, bool) or not 0 < told < math.inf:
        raise PositionError("malformed", f"{layout}, block_mm: a number of millimetres above 0 is needed.", "block_mm")
    return float(told)


def _verdict(failed: int, warned: int, checks: int, guides: bool) -> str:
    text = f"{checks} checks: "
    if failed:
        text += f"[bold red]{failed} must be put right[/]"
    else:
        text += "[green]all that must hold holds[/]"
    if warned:
        text += f", {warned} to know about before play"
    if not guides:
        text += ". The board has no guides; the game makes them from its destinations"
    return text + "."
