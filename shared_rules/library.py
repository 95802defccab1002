"""The one loader of what is shipped with the rules: boards, their layouts, decks and card texts; for everybody.

Files lie beside the titles: games/taxi/boards/<id>.json and <id>.layout.json, games/taxi/decks/<deck>.json and
<deck>.<language>.json. Each file is read once. An id that is not shipped, or a file that is broken, is a PositionError
that says what to do.
"""

import os

from shared_rules.engine.errors import PositionError
from shared_rules.games.taxi.board import Board, parse_board
from shared_rules.games.taxi.board_file import read_board_text, read_json

# MicroPython has no os.path; both Pythons give the path of this file.
_HERE = __file__.replace("\\", "/")
_FOLDER = _HERE.rsplit("/", 1)[0] if "/" in _HERE else "."
BOARDS = _FOLDER + "/games/taxi/boards/"
DECKS = _FOLDER + "/games/taxi/decks/"

DECK_NAMES = ("journey", "passenger", "expense")

_BOARD = ".json"
_LAYOUT = ".layout.json"

_files: dict[str, dict[str, object]] = {}
_boards: dict[str, Board] = {}


def board_ids() -> list[str]:
    """The ids of the shipped boards, sorted."""
    ids = []
    for name in os.listdir(BOARDS):
        if name.endswith(_BOARD) and not name.endswith(_LAYOUT):
            ids.append(name[: -len(_BOARD)])
    return sorted(ids)


def board(board_id: str) -> dict[str, object]:
    """A shipped board's object; shared, do not change it. PositionError `unknown_board`."""
    _check_board(board_id)
    return _object(BOARDS + board_id + _BOARD)


def parsed_board(board_id: str) -> Board:
    """A shipped board ready for the rules; always the same object, so that its street tables are made once."""
    if board_id not in _boards:
        _boards[board_id] = parse_board(board(board_id))
    return _boards[board_id]


def layout(board_id: str) -> dict[str, object]:
    """A shipped board's layout: sockets, LEDs and what only drawing needs. PositionError if there is none."""
    _check_board(board_id)
    if board_id + _LAYOUT not in os.listdir(BOARDS):
        raise PositionError("unknown_board", "The board '" + board_id + "' has no layout file.", "board")
    return _object(BOARDS + board_id + _LAYOUT)


def deck(name: str) -> list[dict[str, object]]:
    """The cards of a shipped deck (journey, passenger, expense): [{"id", "fine", "do"}, …]; shared."""
    _check_deck(name)
    cards = _object(DECKS + name + ".json")["cards"]
    assert isinstance(cards, list)
    return cards


def card_text(deck_name: str, card_id: str, language: str = "en") -> dict[str, str]:
    """A card's {"title", "text"} in a language; PositionError `malformed` if there is no such card or language."""
    _check_deck(deck_name)
    name = deck_name + "." + language + ".json"
    if name not in os.listdir(DECKS):
        raise PositionError("malformed", "There are no " + deck_name + " cards in the language '" + language + "'.", "")
    text = _object(DECKS + name).get(card_id)
    if not isinstance(text, dict):
        raise PositionError("malformed", "There is no " + deck_name + " card '" + card_id + "'.", "")
    return text


def load_board_file(path: str) -> Board:
    """A board from a file of one's own. PositionError whose message names file, line, field and what to do."""
    text = _text(path)
    try:
        return read_board_text(text)
    except PositionError as fault:
        raise PositionError(fault.code, path + ", " + fault.message, fault.at)


def json_file(path: str) -> dict[str, object]:
    """The object in a JSON file. PositionError whose message names file, line and what to do."""
    text = _text(path)
    try:
        found = read_json(text)
    except PositionError as fault:
        raise PositionError(fault.code, path + ", " + fault.message, "")
    if not isinstance(found, dict):
        raise PositionError("malformed", path + " holds no object; it begins with { and ends with }.", "")
    return found


def _text(path: str) -> str:
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as fault:
        reason = fault.args[1] if len(fault.args) > 1 else str(fault)
        raise PositionError("malformed", path + " cannot be read (" + str(reason) + ").", "")
    try:
        return data.decode("utf-8")
    except ValueError:
        raise PositionError("malformed", path + " is no text in UTF-8; save it as UTF-8.", "")


def _check_board(board_id: str) -> None:
    known = board_ids()
    if board_id not in known:
        raise PositionError(
            "unknown_board", "There is no board '" + str(board_id) + "'. Boards: " + ", ".join(known) + ".", "board"
        )


def _check_deck(name: str) -> None:
    if name not in DECK_NAMES:
        raise PositionError(
            "malformed", "There is no deck '" + str(name) + "'. Decks: " + ", ".join(DECK_NAMES) + ".", ""
        )


def _object(path: str) -> dict[str, object]:
    if path not in _files:
        _files[path] = json_file(path)
    return _files[path]
