"""Finds the rules of a game by its name, shipped boards and cards by their ids: the engine's only look upwards.

A title is a module (or any object) with the functions that `shared_rules.engine.game` calls; shared_rules/games lists
them. They are imported when they are first asked for, so a program carries only the games that it plays.
"""

from shared_rules.engine import RULES_REVISION
from shared_rules.engine.errors import PositionError

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any

    Json = dict[str, Any]

_FOUND: "dict[str, Any]" = {}


def title(name: str) -> "Any":
    """The title of this name, or PositionError `unknown_game`."""
    found = _FOUND.get(name)
    if found is None:
        from shared_rules import games

        found = games.find(name)
        if found is None:
            raise PositionError("unknown_game", "There is no game '" + name + "'.", "game")
        _FOUND[name] = found
    return found


def revision(name: str) -> int:
    """The revision of a title's rules that is played now, or PositionError `unknown_game`.

    A title whose rules have changed says its own (`meta.REVISION`); the first is the core's.
    """
    found: int = getattr(title(name).meta, "REVISION", RULES_REVISION)
    return found


def notation(name: str) -> "Any":
    """The module with the words of a title's records, None if it has none."""
    from shared_rules import games

    return games.part(name, "notation")


def shipped_board(game: str, name: str) -> "Json":
    """The JSON object of a game's shipped board, or PositionError `unknown_board`."""
    library = _library()
    if library is None or name not in library.board_ids(game):
        raise PositionError("unknown_board", "No board '" + name + "' is shipped.", "board")
    board: "Json" = library.board(name)
    return board


def shipped_cards(game: str, deck: str) -> "list[Json]":
    """The cards of a game's shipped deck, a list of objects with `id`; [] where no cards are shipped."""
    library = _library()
    return [] if library is None else library.deck(game, deck)


def _library() -> "Any":
    # A table controller may carry the rules without the loader.
    try:
        from shared_rules import library
    except ImportError:
        return None
    return library
