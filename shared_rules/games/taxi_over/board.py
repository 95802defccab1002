"""The road of Taxi Over: a cyclic list of places, each a space, as tables of whole numbers for the rules.

A *place* is an index into the loop; START is `START_PLACE` (-1), so that lists with one more entry at their end answer
for it too. Without crossings places and spaces are the same; a crossing is one space with two places (OQ-47), and the
place tells on which of its two roads a taxi is.
"""

from shared_rules.engine.errors import PositionError
from shared_rules.engine.reading import a_list, a_text, a_whole, an_object, join, malformed, only_keys
from shared_rules.games.taxi_over.meta import START
from shared_rules.portable.ordered import Ordered, ordered

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any

START_PLACE = -1
LEAST_SPACES = 5
# Between the two places of a crossing, so that no row of taxis can meet itself.
LEAST_BETWEEN = 3

KEYS = ("id", "title", "loop", "entry", "intersections", "sinkholes", "at")


class Board:
    """A board, read-only. Lists by place have an entry for START at their end.

    `names` the space's name, `next` the place after it, `space` the number of its space, `marks` whether it is an
    intersection, `pits` the sinkhole behind a bend or None, `came_from` the space before it on a crossing or None,
    `to_mark` the steps to the next intersection ahead (at least 1). `places` gives a space's places by name.
    """

    __slots__ = (
        "id", "title", "loop", "entry", "intersections", "sinkholes", "at", "names", "next", "space", "spaces", "marks",
        "pits", "came_from", "to_mark", "places", "round_trip",
    )  # fmt: skip

    def __init__(
        self, board_id: str, title: str, loop: list[str], entry: str, intersections: list[str],
        sinkholes: dict[str, str], at: "dict[str, list[int]] | None",
    ) -> None:  # fmt: skip
        self.id = board_id
        self.title = title
        self.loop = loop
        self.entry = entry
        self.intersections = intersections
        self.sinkholes = sinkholes
        self.at = at
        size = len(loop)
        self.places: dict[str, list[int]] = {}
        self.space: list[int] = []
        for place, name in enumerate(loop):
            at_places = self.places.setdefault(name, [])
            self.space.append(self.space[at_places[0]] if at_places else len(self.places) - 1)
            at_places.append(place)
        self.spaces = len(self.places)
        self.space.append(self.spaces)
        self.names = loop + [START]
        self.next = [(place + 1) % size for place in range(size)] + [self.places[entry][0]]
        self.marks = [name in intersections for name in loop] + [False]
        self.pits: "list[str | None]" = [None] * (size + 1)
        for name in sorted(sinkholes):
            self.pits[self.places[sinkholes[name]][0]] = name
        self.came_from: "list[str | None]" = [None] * (size + 1)
        for name in self.places:
            if len(self.places[name]) == 2:
                for place in self.places[name]:
                    self.came_from[place] = loop[place - 1]
        self.to_mark = [self._steps_to_mark(place) for place in list(range(size)) + [START_PLACE]]
        # Names twice over: the way of a move is a slice of it.
        self.round_trip = loop + loop

    def _steps_to_mark(self, place: int) -> int:
        steps = 1
        place = self.next[place]
        while not self.marks[place]:
            place = self.next[place]
            steps += 1
        return steps

    def place_of(self, name: str, came_from: "str | None") -> int:
        """The place of a space's name or START; on a crossing that of the road coming from `came_from`. -2 if none."""
        if name == START:
            return START_PLACE
        for place in self.places.get(name, []):
            if self.came_from[place] == came_from:
                return place
        return -2

    def way(self, place: int, steps: int) -> list[str]:
        """The names of the spaces that a drive of so many steps enters, in order."""
        size = len(self.loop)
        first = self.next[place]
        if steps <= size:
            return self.round_trip[first : first + steps]
        out = []
        for _ in range(steps):
            out.append(self.loop[first])
            first = self.next[first]
        return out

    def dump(self) -> "dict[str, Any]":
        """The board's object, keys in canonical order; the caller's own."""
        out = ordered(
            (
                ("id", self.id),
                ("title", self.title),
                ("loop", list(self.loop)),
                ("entry", self.entry),
                ("intersections", list(self.intersections)),
                ("sinkholes", ordered([(name, self.sinkholes[name]) for name in sorted(self.sinkholes)])),
            )
        )
        if self.at is not None:
            at = Ordered()
            for name in sorted(self.at):
                at[name] = list(self.at[name])
            out["at"] = at
        return out


def parse_board(given: object, at: str = "") -> Board:
    """The board of an object (docs/records.md); PositionError `malformed` or `bad_board` with the path inside it."""
    obj = only_keys(given, KEYS, at)
    for key in ("id", "loop", "entry", "intersections"):
        if key not in obj:
            raise malformed("A board needs '" + key + "'.", join(at, key))
    board_id = a_text(obj["id"], join(at, "id"))
    title = a_text(obj.get("title", board_id), join(at, "title"))
    loop = _names(obj["loop"], join(at, "loop"))
    twice = _check_loop(loop, join(at, "loop"))
    entry = a_text(obj["entry"], join(at, "entry"))
    if entry not in loop or entry in twice:
        raise _bad("The entry is a space of the loop, and no crossing.", join(at, "entry"))
    marks = _names(obj["intersections"], join(at, "intersections"))
    if not marks:
        raise _bad("At least one space is an intersection.", join(at, "intersections"))
    for i, name in enumerate(marks):
        if name not in loop or name in marks[:i]:
            raise _bad(
                "'" + name + "' is no space of the loop, or stands here twice.",
                join(at, "intersections") + "[" + str(i) + "]",
            )
    sinkholes = _sinkholes(obj.get("sinkholes", {}), loop, twice, join(at, "sinkholes"))
    drawn = None
    if "at" in obj:
        drawn = _drawing(obj["at"], loop, sinkholes, join(at, "at"))
    return Board(board_id, title, loop, entry, marks, sinkholes, drawn)


def _bad(message: str, at: str) -> PositionError:
    return PositionError("bad_board", message, at)


def _names(given: object, at: str) -> list[str]:
    out = []
    for i, name in enumerate(a_list(given, at)):
        where = at + "[" + str(i) + "]"
        if a_text(name, where) == "":
            raise _bad("A name is not empty.", where)
        out.append(name)
    return out


def _check_loop(loop: list[str], at: str) -> list[str]:
    """The crossings of a loop that is well made."""
    found: dict[str, list[int]] = {}
    for place, name in enumerate(loop):
        found.setdefault(name, []).append(place)
    if START in found:
        raise _bad("START is no space.", at)
    if len(found) < LEAST_SPACES:
        raise _bad("A road has at least " + str(LEAST_SPACES) + " different spaces.", at)
    size = len(loop)
    twice = []
    for name in sorted(found):
        places = found[name]
        if len(places) > 2:
            raise _bad("'" + name + "' stands more than twice in the loop.", at)
        if len(places) == 2:
            twice.append(name)
            apart = places[1] - places[0] - 1
            if apart < LEAST_BETWEEN or size - apart - 2 < LEAST_BETWEEN:
                raise _bad(
                    "Between the two places of '" + name + "' lie at least " + str(LEAST_BETWEEN) + " others.", at
                )
    for place, name in enumerate(loop):
        if name in twice and loop[place - 1] in twice:
            raise _bad("'" + loop[place - 1] + "' and '" + name + "' are crossings side by side.", at)
    return twice


def _sinkholes(given: object, loop: list[str], twice: list[str], at: str) -> dict[str, str]:
    out: dict[str, str] = {}
    obj = an_object(given, at)
    bends: list[str] = []
    for name in sorted(obj):
        where = join(at, name)
        bend = a_text(obj[name], where)
        if name == "" or name == START or name in loop:
            raise _bad("A sinkhole has a name of its own, neither START nor a space's.", where)
        if bend not in loop or bend in twice:
            raise _bad("A bend is a space of the loop, and no crossing.", where)
        if bend in bends:
            raise _bad("Behind a bend lies one sinkhole.", where)
        bends.append(bend)
        out[name] = bend
    return out


def _drawing(given: object, loop: list[str], sinkholes: dict[str, str], at: str) -> dict[str, list[int]]:
    out: dict[str, list[int]] = {}
    obj = an_object(given, at)
    for name in sorted(obj):
        where = join(at, name)
        if name != START and name not in loop and name not in sinkholes:
            raise _bad("'" + name + "' is no space, no sinkhole and not START.", where)
        point = a_list(obj[name], where)
        if len(point) != 2:
            raise malformed("A place in the drawing is [x, y].", where)
        out[name] = [a_whole(value, where + "[" + str(i) + "]") for i, value in enumerate(point)]
    return out
