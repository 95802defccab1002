"""A board as the rules need it: squares, roads, attractions and their cards; read from an object and written back.

`parse_board` checks no more than that the object means something (docs/records.md); whether it is a good board is for
the board's checks.
"""

from shared_rules.engine.errors import PositionError
from shared_rules.engine.reading import is_whole, join
from shared_rules.games.destination_london.paths import RoadMap
from shared_rules.portable.ordered import Ordered, ordered

MYPY = False
if MYPY:
    from typing import Any

    from shared_rules.games.destination_london.kinds import Json

KEYS = ("id", "title", "squares", "base", "garages", "lights", "roads", "attractions", "cards")


class Sides:
    """Which squares attractions and cards are for, with or without the opposite lanes (LQ-22).

    `attractions` are all squares with an attraction; `card_squares[card]` the squares a card is for.
    """

    def __init__(self, board: "Board", either: bool) -> None:
        squares: "dict[str, tuple[str, ...]]" = {}
        for name in board.attractions:
            entry = board.attractions[name]
            own = [entry["square"]]
            if either:
                for other in entry.get("opposite", []):
                    if other not in own:
                        own.append(other)
            squares[name] = tuple(own)
        found: "set[str]" = set()
        for name in squares:
            found.update(squares[name])
        self.attractions = frozenset(found)
        self.card_squares: "dict[str, tuple[str, ...]]" = {}
        for card in board.cards:
            self.card_squares[card] = squares[board.cards[card]["attraction"]]


class Board:
    """One board; never changed. What can be worked out once is kept here and shared by all games on it.

    `exits[square]` are the squares that one road leads to; `home[card]` is the square to which a move card takes one;
    `fares[card]` are pounds.
    """

    def __init__(self, entries: "Json") -> None:
        self.entries = entries
        self.id: str = entries["id"]
        self.title: str = entries["title"]
        self.squares: "Json" = entries["squares"]
        self.base: str = entries["base"]
        self.garages: "list[str]" = entries["garages"]
        self.lights: "list[str]" = entries["lights"]
        self.attractions: "Json" = entries["attractions"]
        self.cards: "Json" = entries["cards"]
        self.garage_squares = frozenset(self.garages)
        self.light_squares = frozenset(self.lights)
        self.card_ids = sorted(self.cards)
        self.fares: "dict[str, int]" = {}
        self.home: "dict[str, str]" = {}
        for card in self.cards:
            self.fares[card] = self.cards[card]["fare"]
            self.home[card] = self.attractions[self.cards[card]["attraction"]]["square"]
        self.exits = self._exits()
        self._sides: "dict[bool, Sides]" = {}
        self._maps: "dict[str, RoadMap]" = {}

    def _exits(self) -> "dict[str, list[str]]":
        exits: "dict[str, list[str]]" = {}
        for name in self.squares:
            exits[name] = []
        for road in self.entries["roads"]:
            via = road["via"]
            for i in range(len(via) - 1):
                if via[i + 1] not in exits[via[i]]:
                    exits[via[i]].append(via[i + 1])
                if not road["one_way"] and via[i] not in exits[via[i + 1]]:
                    exits[via[i + 1]].append(via[i])
        return exits

    def sides(self, either: bool) -> Sides:
        """The squares of attractions and cards; made once."""
        if either not in self._sides:
            self._sides[either] = Sides(self, either)
        return self._sides[either]

    def road_map(self, rule: str) -> RoadMap:
        """What can be reached under a path rule (LQ-16); made once, and it remembers what it has found."""
        if rule not in self._maps:
            self._maps[rule] = RoadMap(self.exits, self.base, rule)
        return self._maps[rule]

    def dump(self) -> "Json":
        """The board's object: its content unchanged, keys in canonical order, the caller's own."""
        entries = self.entries
        squares = Ordered()
        for name in sorted(entries["squares"]):
            squares[name] = list(entries["squares"][name])
        attractions = Ordered()
        for name in sorted(entries["attractions"]):
            given = entries["attractions"][name]
            attraction = ordered((("name", given["name"]), ("square", given["square"])))
            if "opposite" in given:
                attraction["opposite"] = list(given["opposite"])
            attractions[name] = attraction
        cards = Ordered()
        for name in sorted(entries["cards"]):
            given = entries["cards"][name]
            cards[name] = ordered((("attraction", given["attraction"]), ("fare", given["fare"])))
        roads = [ordered((("via", list(road["via"])), ("one_way", road["one_way"]))) for road in entries["roads"]]
        return ordered(
            (
                ("id", entries["id"]),
                ("title", entries["title"]),
                ("squares", squares),
                ("base", entries["base"]),
                ("garages", list(entries["garages"])),
                ("lights", list(entries["lights"])),
                ("roads", roads),
                ("attractions", attractions),
                ("cards", cards),
            )
        )


def parse_board(given: "Any", at: str = "board") -> Board:
    """The board of an object. PositionError `bad_board` with the place of what is wrong."""
    _object(given, KEYS, (), at)
    for key in ("id", "title", "base"):
        _text(given[key], join(at, key))
    where = join(at, "squares")
    if not isinstance(given["squares"], dict):
        raise _bad("An object of squares is needed here.", where)
    for name in given["squares"]:
        place = given["squares"][name]
        if not isinstance(place, list) or len(place) != 2 or not is_whole(place[0]) or not is_whole(place[1]):
            raise _bad("A square has its place as two whole numbers.", join(where, name))
    _square(given, given["base"], join(at, "base"))
    for key in ("garages", "lights"):
        _squares(given, given[key], join(at, key))
        if given["base"] in given[key]:
            raise _bad("The Base is no Garage and has no lights.", join(at, key))
    _roads(given, join(at, "roads"))
    _attractions(given, join(at, "attractions"))
    _cards(given, join(at, "cards"))
    return Board(given)


def _roads(given: "Json", at: str) -> None:
    if not isinstance(given["roads"], list):
        raise _bad("A list of roads is needed here.", at)
    for i, road in enumerate(given["roads"]):
        where = at + "[" + str(i) + "]"
        _object(road, ("via", "one_way"), (), where)
        _squares(given, road["via"], join(where, "via"))
        if len(road["via"]) < 2:
            raise _bad("A road joins two squares or more.", join(where, "via"))
        if road["one_way"] is not True and road["one_way"] is not False:
            raise _bad("'one_way' is true or false.", join(where, "one_way"))


def _attractions(given: "Json", at: str) -> None:
    if not isinstance(given["attractions"], dict):
        raise _bad("An object of attractions is needed here.", at)
    for name in sorted(given["attractions"]):
        where = join(at, name)
        attraction = given["attractions"][name]
        _object(attraction, ("name", "square"), ("opposite",), where)
        _text(attraction["name"], join(where, "name"))
        _square(given, attraction["square"], join(where, "square"))
        opposite = attraction.get("opposite", [])
        _squares(given, opposite, join(where, "opposite"))
        if given["base"] == attraction["square"] or given["base"] in opposite:
            raise _bad("The Base is no attraction.", where)


def _cards(given: "Json", at: str) -> None:
    if not isinstance(given["cards"], dict):
        raise _bad("An object of cards is needed here.", at)
    for name in sorted(given["cards"]):
        where = join(at, name)
        card = given["cards"][name]
        _object(card, ("attraction", "fare"), (), where)
        _text(card["attraction"], join(where, "attraction"))
        if card["attraction"] not in given["attractions"]:
            raise _bad("There is no attraction '" + card["attraction"] + "'.", join(where, "attraction"))
        if not is_whole(card["fare"]) or card["fare"] < 0:
            raise _bad("A fare is a whole number of pounds from 0.", join(where, "fare"))


def _bad(message: str, at: str) -> PositionError:
    return PositionError("bad_board", message, at)


def _object(value: "Any", required: "tuple[str, ...]", more: "tuple[str, ...]", at: str) -> None:
    if not isinstance(value, dict):
        raise _bad("An object is needed here.", at)
    for key in required:
        if key not in value:
            raise _bad("'" + key + "' is missing.", at)
    for key in sorted(value):
        if key not in required and key not in more:
            raise _bad("There is no key '" + key + "' here; remove it.", join(at, key))


def _text(value: "Any", at: str) -> None:
    if not isinstance(value, str):
        raise _bad("A text is needed here.", at)


def _square(given: "Json", value: "Any", at: str) -> None:
    _text(value, at)
    if value not in given["squares"]:
        raise _bad("There is no square '" + value + "'.", at)


def _squares(given: "Json", value: "Any", at: str) -> None:
    if not isinstance(value, list):
        raise _bad("A list of squares is needed here.", at)
    for i, square in enumerate(value):
        _square(given, square, at + "[" + str(i) + "]")
