"""Games that benches play: the positions they begin with, and their commands by random-lawful players, for every title.

A game of 10,000 commands needs a longer board or deck than people play: guides thirty times as long, a road of 400
spaces, eight of every destination card and many Garages.
"""

from __future__ import annotations

import random
from typing import Any

from shared_rules import library
from shared_rules.engine import game, titles
from shared_rules.engine.driver import SeededChance, play_out

Json = dict[str, Any]
LONG = 10_000


class CardsOfTheBoard(SeededChance):
    """Fair dice and cards, also those of a board that is not shipped."""

    def __call__(self, state: Any, request: Json) -> Any:
        """As `SeededChance`; the cards of a board's own deck lie in the state."""
        if request["kind"] == "card" and request["deck"] == "destinations":
            return self.stream.choice(state.pile)
        return super().__call__(state, request)


class Chance:
    """The standard library's random numbers in the form that `SeededChance` takes."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self.random = self._random.random

    def choice(self, entries: list[Any]) -> Any:
        """One of them."""
        return entries[int(self._random.random() * len(entries))]


def whole_game(title: str, long: bool = True) -> Json:
    """A game of as many players as may play on the shipped board; TAXI! of 30 or 15 trips."""
    board = library.board_ids(title)[0]
    players: list[Json] = [{} for _ in range(titles.title(title).meta.PLAYERS[1])]
    if title == "taxi":
        guides: Any = library.board(board)["guides"]
        players = [{"guide": guide[: 30 if long else 15]} for guide in guides]
    return {"game": title, "board": board, "players": players}


def endless_game(title: str) -> Json:
    """A game that random-lawful players do not end within 10,000 commands."""
    start = whole_game(title)
    if title == "taxi":
        # Nobody goes out for want of money.
        start["options"] = {"insolvency": "forgive"}
        start["players"] = [{"guide": (player["guide"] * 30)[:900]} for player in start["players"]]
    elif title == "taxi_over":
        spaces = [f"s{number}" for number in range(400)]
        start["board"] = {"id": "long road", "loop": spaces, "entry": "s0", "intersections": ["s200"]}
        start["options"] = {"target_tokens": {"4": 36}}
    elif title == "destination_london":
        board = dict(library.board(start["board"]))
        cards: Any = board["cards"]
        board["cards"] = {f"{card}{copy}": cards[card] for card in cards for copy in "abcdefgh"}
        squares: Any = board["squares"]
        # With a Garage round every corner nobody runs dry.
        board["garages"] = [square for square in squares if square != board["base"]][::3]
        start["board"] = board
        start["players"] = [{"cash": 100_000} for _ in start["players"]]
    return start


def recorded(start: Json, seed: int, most: int = 10**9, bot: str = "random") -> list[Json]:
    """The commands of a game by such players, at most so many; none of them is refused."""
    chance = Chance(seed)
    commands: list[Json] = []
    state = game.load_position(start)
    player = state.title.bots()[bot](chance.random)

    class EnoughError(Exception):
        """The game is long enough."""

    def keep(_state: Any, command: Json, _events: list[Json]) -> None:
        commands.append(command)
        if len(commands) >= most:
            raise EnoughError

    try:
        play_out(state, [player] * (len(start["players"]) + 1), CardsOfTheBoard(chance), keep, 10**6)
    except EnoughError:
        pass
    return commands
