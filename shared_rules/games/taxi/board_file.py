"""Reads the text of a board file: for who draws a board of their own, so that every fault names its line and field.

The text is JSON as docs/records.md tells ("Board").
"""

from shared_rules.engine.json_lines import read_with
from shared_rules.games.taxi.board import Board, parse_board


def read_board_text(text: str) -> Board:
    """The board of a file's text; PositionError whose message is `line N, field: what is wrong and what to do`."""
    board: Board = read_with(text, lambda obj: parse_board(obj, ""), "bad_board")
    return board
