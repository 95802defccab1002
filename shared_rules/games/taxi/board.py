"""The TAXI! board as the rules need it: points, links, places; for the rules, the checks and the drawing.

`parse_board` turns the JSON object of docs/records.md into a `Board` or raises PositionError (`malformed`: a kind or a
key; `bad_board`: a value that cannot be) with the path of the fault. A *link* joins two neighbouring points of a road,
a *place* is a point id or a link `P~Q`. Coordinates are in any unit, x east, y north; only angles matter to the rules.
"""

import math
from collections import OrderedDict

from shared_rules.engine.errors import PositionError

MINOR = "minor"
MAJOR = "major"
LEAD_ON = "lead_on"
FREEWAY = "freeway"
OFF_RAMP = "off_ramp"
ROAD_KINDS = (MINOR, MAJOR, LEAD_ON, FREEWAY, OFF_RAMP)
ONE_WAY_KINDS = (FREEWAY, OFF_RAMP)

# Beyond this an angle could no longer be computed; no table is that large in any unit.
LARGEST_COORDINATE = 1000000000

_KEYS = ("id", "title", "points", "lights", "gates", "base", "roads", "destinations", "guides")


class Link:
    """One piece of road between two neighbouring points.

    `start` and `end` are indices into `Board.point_ids`, in the order of the road; `name` is the place.
    """

    __slots__ = ("start", "end", "kind", "road", "name", "one_way")

    def __init__(self, start: int, end: int, kind: str, road: int, name: str) -> None:
        self.start = start
        self.end = end
        self.kind = kind
        self.road = road
        self.name = name
        self.one_way = kind in ONE_WAY_KINDS


class Board:
    """A parsed board; made by `parse_board` alone and never changed afterwards.

    `points` id -> [x, y]; `destinations` id -> {"name", "at"}; `guides` list by seat or None; `base` point id or None;
    `point_ids`, `destination_ids` sorted by character code; `links` in the roads' order; `links_at[i]` the indices of
    the links that meet in point i.
    """

    def __init__(self) -> None:
        self.id: str = "inline"
        self.title: str = ""
        self.points: dict[str, list[float]] = {}
        self.lights: list[str] = []
        self.gates: list[str] = []
        self.base: str | None = None
        self.roads: list[dict[str, object]] = []
        self.destinations: dict[str, dict[str, str]] = {}
        self.guides: list[list[str]] | None = None
        self.point_ids: list[str] = []
        self.destination_ids: list[str] = []
        self.point_index: dict[str, int] = {}
        self.links: list[Link] = []
        self.links_at: list[list[int]] = []
        self.street_maps: dict[tuple[object, ...], object] = {}
        self._link_names: dict[str, int] = {}

    def place(self, text: object) -> str | None:
        """The canonical name of the place that `text` names (a link in either order), or None if there is none."""
        if not isinstance(text, str):
            return None
        if text in self.point_index:
            return text
        at = self._link_names.get(text)
        return None if at is None else self.links[at].name

    def is_link(self, place: str) -> bool:
        """Whether `place` is a link; a link may be named in either order."""
        return place in self._link_names

    def link_index(self, place: str) -> int:
        """The index in `links` of a link named in either order; KeyError if there is none."""
        return self._link_names[place]

    def deflection(self, before: int, at: int, after: int) -> float:
        """By how many degrees (0 to 180) the way before -> at -> after turns; arguments are point indices."""
        ids = self.point_ids
        x0, y0 = self.points[ids[before]]
        x1, y1 = self.points[ids[at]]
        x2, y2 = self.points[ids[after]]
        ux, uy, vx, vy = x1 - x0, y1 - y0, x2 - x1, y2 - y1
        return math.degrees(math.atan2(abs(ux * vy - uy * vx), ux * vx + uy * vy))

    def dump(self) -> dict[str, object]:
        """The board as a JSON object in canonical order; `parse_board` of it gives the same board."""
        out: dict[str, object] = OrderedDict()
        out["id"] = self.id
        out["title"] = self.title
        points: dict[str, object] = OrderedDict()
        for name in self.point_ids:
            points[name] = list(self.points[name])
        out["points"] = points
        out["lights"] = list(self.lights)
        out["gates"] = list(self.gates)
        out["base"] = self.base
        roads = []
        for road in self.roads:
            copy: dict[str, object] = OrderedDict()
            copy["kind"] = road["kind"]
            copy["via"] = list(road["via"])  # type: ignore[call-overload]
            roads.append(copy)
        out["roads"] = roads
        destinations: dict[str, object] = OrderedDict()
        for name in self.destination_ids:
            entry: dict[str, str] = OrderedDict()
            entry["name"] = self.destinations[name]["name"]
            entry["at"] = self.destinations[name]["at"]
            destinations[name] = entry
        out["destinations"] = destinations
        if self.guides is not None:
            out["guides"] = [list(guide) for guide in self.guides]
        return out


def parse_board(obj: object, at: str = "board", freeway_stop: bool = False) -> Board:
    """Read a board object.

    `at` is the path under which faults are reported, `freeway_stop` tells whether the option of that name is
    `allowed`, so that base and destinations may touch the freeway. Raises PositionError.
    """
    if not isinstance(obj, dict):
        raise PositionError("malformed", "A board is an object with points and roads.", at)
    for key in sorted(str(k) for k in obj):
        if key not in _KEYS:
            raise PositionError("malformed", "A board has no key '" + key + "'; remove it.", _join(at, key))
    for key in ("points", "roads"):
        if key not in obj:
            raise PositionError("malformed", "A board needs '" + key + "'.", _join(at, key))
    board = Board()
    board.id = _text(obj, "id", "inline", at)
    board.title = _text(obj, "title", "", at)
    _read_points(board, obj["points"], _join(at, "points"))
    board.lights = _read_ids(board, obj.get("lights", []), _join(at, "lights"))
    board.gates = _read_ids(board, obj.get("gates", []), _join(at, "gates"))
    _read_roads(board, obj["roads"], _join(at, "roads"))
    no_stops = _points_without_stop(board, freeway_stop)
    base = obj.get("base")
    if base is not None:
        board.base = _stop_point(board, base, no_stops, "The base", _join(at, "base"))
    _read_destinations(board, obj.get("destinations", {}), no_stops, _join(at, "destinations"))
    if "guides" in obj:
        board.guides = _read_guides(board, obj["guides"], _join(at, "guides"))
    return board


def _join(at: str, key: str) -> str:
    return at + "." + key if at else key


def _text(obj: dict[str, object], key: str, default: str, at: str) -> str:
    value = obj.get(key, default)
    if not isinstance(value, str):
        raise PositionError("malformed", "'" + key + "' is a text.", _join(at, key))
    return value


def _read_points(board: Board, obj: object, at: str) -> None:
    if not isinstance(obj, dict):
        raise PositionError("malformed", "'points' is an object: a point's id, then [x, y].", at)
    for name in sorted(obj):
        where = _join(at, name)
        if not name or "~" in name:
            raise PositionError("bad_board", "A point's id is not empty and holds no '~'; rename the point.", where)
        value = obj[name]
        if not isinstance(value, list):
            raise PositionError("malformed", "A point is a list [x, y].", where)
        for number in value:
            if isinstance(number, bool) or not isinstance(number, (int, float)):
                raise PositionError("malformed", "A coordinate is a number.", where)
        if len(value) != 2:
            raise PositionError("bad_board", "A point has two coordinates, [x, y].", where)
        for number in value:
            # NaN fails both comparisons, so it is caught here too.
            if not -LARGEST_COORDINATE <= number <= LARGEST_COORDINATE:
                raise PositionError("bad_board", "A coordinate lies within 1,000,000,000 either way.", where)
        board.points[name] = list(value)
        board.point_ids.append(name)
        board.point_index[name] = len(board.point_ids) - 1
        board.links_at.append([])


def _read_ids(board: Board, obj: object, at: str) -> list[str]:
    if not isinstance(obj, list):
        raise PositionError("malformed", "A list of point ids is needed.", at)
    out: list[str] = []
    for i, name in enumerate(obj):
        where = at + "[" + str(i) + "]"
        _known_point(board, name, where)
        if name in out:
            raise PositionError("bad_board", "'" + name + "' stands twice in the list; name it once.", where)
        out.append(name)
    return out


def _known_point(board: Board, name: object, at: str) -> str:
    if not isinstance(name, str):
        raise PositionError("malformed", "A point is named by its id, a text.", at)
    if name not in board.point_index:
        raise PositionError("bad_board", "There is no point '" + name + "'; add it to 'points' or correct it.", at)
    return name


def _read_roads(board: Board, obj: object, at: str) -> None:
    if not isinstance(obj, list):
        raise PositionError("malformed", "'roads' is a list of roads, each with kind and via.", at)
    for number, road in enumerate(obj):
        where = at + "[" + str(number) + "]"
        if not isinstance(road, dict):
            raise PositionError("malformed", "A road is an object with kind and via.", where)
        for key in sorted(str(k) for k in road):
            if key not in ("kind", "via"):
                raise PositionError("malformed", "A road has no key '" + key + "'; remove it.", _join(where, key))
        for key in ("kind", "via"):
            if key not in road:
                raise PositionError("malformed", "A road needs '" + key + "'.", _join(where, key))
        kind, via = road["kind"], road["via"]
        if not isinstance(kind, str):
            raise PositionError("malformed", "A road's kind is a text.", where + ".kind")
        if kind not in ROAD_KINDS:
            raise PositionError("bad_board", "A road's kind is one of " + ", ".join(ROAD_KINDS) + ".", where + ".kind")
        if not isinstance(via, list):
            raise PositionError("malformed", "'via' is a list of point ids.", where + ".via")
        for i, name in enumerate(via):
            _known_point(board, name, where + ".via[" + str(i) + "]")
        if len(via) < 2:
            raise PositionError("bad_board", "A road runs through two points at least.", where + ".via")
        for i in range(len(via) - 1):
            _add_link(board, via[i], via[i + 1], kind, number, where + ".via[" + str(i + 1) + "]")
        board.roads.append({"kind": kind, "via": list(via)})


def _add_link(board: Board, a: str, b: str, kind: str, road: int, at: str) -> None:
    if a + "~" + b in board._link_names:
        raise PositionError("bad_board", "'" + a + "' and '" + b + "' have a link already; two points share one.", at)
    start, end = board.point_index[a], board.point_index[b]
    if board.points[a] == board.points[b]:
        raise PositionError("bad_board", "A link needs two different places; '" + a + "' and '" + b + "' are one.", at)
    index = len(board.links)
    board.links.append(Link(start, end, kind, road, a + "~" + b))
    board._link_names[a + "~" + b] = index
    board._link_names[b + "~" + a] = index
    board.links_at[start].append(index)
    board.links_at[end].append(index)


def _points_without_stop(board: Board, freeway_stop: bool) -> list[bool]:
    """By point index, whether a taxi may not stand there: lights, gates and, by default, what touches the freeway."""
    out = [name in board.lights or name in board.gates for name in board.point_ids]
    if not freeway_stop:
        for link in board.links:
            if link.kind == FREEWAY:
                out[link.start] = out[link.end] = True
    return out


def _stop_point(board: Board, name: object, no_stops: list[bool], what: str, at: str) -> str:
    name = _known_point(board, name, at)
    if no_stops[board.point_index[name]]:
        raise PositionError("bad_board", what + " stands on no light, no gate and not on the freeway.", at)
    return name


def _read_destinations(board: Board, obj: object, no_stops: list[bool], at: str) -> None:
    if not isinstance(obj, dict):
        raise PositionError("malformed", "'destinations' is an object: a destination's id, then its name and at.", at)
    for key in sorted(obj):
        where = _join(at, key)
        if not key or key == "base":
            raise PositionError("bad_board", "A destination's id is not empty and not 'base'.", where)
        entry = obj[key]
        if not isinstance(entry, dict):
            raise PositionError("malformed", "A destination is an object with name and at.", where)
        for field in sorted(str(k) for k in entry):
            if field not in ("name", "at"):
                raise PositionError("malformed", "A destination has no key '" + field + "'.", _join(where, field))
        if "at" not in entry:
            raise PositionError("malformed", "A destination needs 'at', its point.", where + ".at")
        name = _text(entry, "name", key, where)
        point = _stop_point(board, entry["at"], no_stops, "A destination", where + ".at")
        board.destinations[key] = {"name": name, "at": point}
        board.destination_ids.append(key)


def _read_guides(board: Board, obj: object, at: str) -> list[list[str]]:
    if not isinstance(obj, list):
        raise PositionError("malformed", "'guides' is a list of guides, one a seat.", at)
    out = []
    for number, guide in enumerate(obj):
        where = at + "[" + str(number) + "]"
        if not isinstance(guide, list):
            raise PositionError("malformed", "A guide is a list of destination ids.", where)
        for i, name in enumerate(guide):
            entry = where + "[" + str(i) + "]"
            if not isinstance(name, str):
                raise PositionError("malformed", "A guide names destinations by id.", entry)
            if name == "base":
                if board.base is None:
                    raise PositionError("bad_board", "The guide leads to the base, but the board has none.", entry)
            elif name not in board.destinations:
                raise PositionError("bad_board", "There is no destination '" + name + "'.", entry)
        out.append(list(guide))
    return out
