"""The one loader of what is shipped with the rules: boards, their layouts, decks, texts of all titles; for everybody.

Files lie in each title's folder: games/<title>/boards/<id>.json and <id>.layout.json, games/<title>/decks/<deck>.json
and <deck>.<language>.json, games/<title>/texts/options.<language>.json. A board's id is its own over all titles. Each
file is read once. An id that is not shipped, or a file that is broken, is a PositionError that says what to do.
"""

import sys

from shared_rules import games
from shared_rules.engine import titles
from shared_rules.engine.errors import PositionError
from shared_rules.engine.json_lines import read_json, read_with

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any

ROOMY = sys.implementation.name != "micropython"

_BOARD = ".json"
_LAYOUT = ".layout.json"
_OPTIONS = "options."

_files: "dict[str, dict[str, Any]]" = {}
_boards: dict[str, object] = {}
_owners: dict[str, str] = {}


def board_ids(game: "str | None" = None) -> list[str]:
    """The ids of the shipped boards of a game, or of all, sorted."""
    owners = _known_owners()
    return sorted([board_id for board_id in owners if game is None or owners[board_id] == game])


def game_of(board_id: str) -> str:
    """The name of the game that a shipped board belongs to. PositionError `unknown_board`."""
    _check_board(board_id)
    return _owners[board_id]


def board(board_id: str) -> "dict[str, Any]":
    """A shipped board's object; shared, do not change it. PositionError `unknown_board`."""
    # The rules keep what they make of it; a microcontroller's Python has no room for both.
    return _object(board_path(board_id), ROOMY)


def board_path(board_id: str) -> str:
    """The path of a shipped board's file. PositionError `unknown_board`."""
    return _folder(game_of(board_id), "boards") + board_id + _BOARD


def parsed_board(board_id: str) -> "Any":
    """A shipped board ready for the rules; always the same object, so that its tables are made once."""
    if board_id not in _boards:
        _boards[board_id] = titles.title(game_of(board_id)).parse_board(board(board_id))
    return _boards[board_id]


def layout(board_id: str) -> "dict[str, Any]":
    """A shipped board's layout: sockets, LEDs and what only drawing needs. PositionError if there is none."""
    folder = _folder(game_of(board_id), "boards")
    if board_id + _LAYOUT not in games.files_in(folder):
        raise PositionError("unknown_board", "The board '" + board_id + "' has no layout file.", "board")
    return _object(folder + board_id + _LAYOUT)


def deck_names(game: str) -> list[str]:
    """The names of a game's decks, in the game's order. PositionError `unknown_game`."""
    return list(_meta(game).DECKS)


def deck(game: str, name: str) -> "list[dict[str, Any]]":
    """The cards of a game's shipped deck: [{"id", …}, …]; shared, do not change it. PositionError."""
    _check_deck(game, name)
    cards = _object(_folder(game, "decks") + name + ".json")["cards"]
    assert isinstance(cards, list)
    return cards


def card_text(game: str, deck_name: str, card_id: str, language: str = "en") -> dict[str, str]:
    """A card's {"title", "text"} in a language; PositionError `malformed` if there is no such card or language."""
    _check_deck(game, deck_name)
    folder = _folder(game, "decks")
    name = deck_name + "." + language + ".json"
    if name not in games.files_in(folder):
        raise PositionError("malformed", "There are no " + deck_name + " cards in the language '" + language + "'.", "")
    text = _object(folder + name).get(card_id)
    if not isinstance(text, dict):
        raise PositionError("malformed", "There is no " + deck_name + " card '" + str(card_id) + "'.", "")
    return text


def languages(game: str) -> list[str]:
    """The languages in which a game's house rules are explained: "en", then the others, sorted."""
    out = []
    for name in games.files_in(_folder(game, "texts")):
        if name.startswith(_OPTIONS) and name.endswith(".json"):
            out.append(name[len(_OPTIONS) : -len(".json")])
    return ["en"] + sorted([name for name in out if name != "en"])


def option_texts(game: str, language: str = "en") -> dict[str, str]:
    """What each house rule of a game is about, one line each, by the option's name.

    A line that a language lacks is English. PositionError `unknown_game`; `malformed` for an unknown language.
    """
    out: dict[str, str] = {}
    for option in _meta(game).OPTIONS:
        out[option.name] = option.explains
    if language == "en":
        return out
    if language not in languages(game):
        raise PositionError("malformed", "The house rules of '" + game + "' are not told in '" + language + "'.", "")
    told = _object(_folder(game, "texts") + _OPTIONS + language + ".json")
    for name in told:
        text = told[name]
        if name in out and isinstance(text, str):
            out[name] = text
    return out


def load_board_file(path: str, game: str) -> "Any":
    """A game's board from a file of one's own. PositionError whose message names file, line, field and what to do."""
    parse = titles.title(game).parse_board
    text = _text(path)
    try:
        return read_with(text, parse, "bad_board")
    except PositionError as fault:
        raise PositionError(fault.code, path + ", " + fault.message, fault.at)


def json_file(path: str) -> "dict[str, Any]":
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


def _known_owners() -> dict[str, str]:
    if not _owners:
        for game in games.names():
            for name in games.files_in(_folder(game, "boards")):
                if name.endswith(_BOARD) and not name.endswith(_LAYOUT):
                    _owners[name[: -len(_BOARD)]] = game
    return _owners


def _folder(game: str, part: str) -> str:
    return games.FOLDER + "/" + game + "/" + part + "/"


def _meta(game: str) -> "Any":
    found = games.meta(game)
    if found is None:
        raise PositionError(
            "unknown_game", "There is no game '" + str(game) + "'. Games: " + ", ".join(games.names()) + ".", "game"
        )
    return found


def _check_board(board_id: str) -> None:
    if board_id not in _known_owners():
        known = ", ".join(board_ids())
        raise PositionError(
            "unknown_board", "There is no board '" + str(board_id) + "'. Boards: " + known + ".", "board"
        )


def _check_deck(game: str, name: str) -> None:
    known = deck_names(game)
    if name not in known:
        raise PositionError("malformed", "There is no deck '" + str(name) + "'. Decks: " + ", ".join(known) + ".", "")


def _object(path: str, keep: bool = True) -> "dict[str, Any]":
    if path in _files:
        return _files[path]
    found = json_file(path)
    if keep:
        _files[path] = found
    return found
