"""Whether a London can be played and is a good one: invariants 1 to 9 of the rules, part E, for `cabstand board check`.

`check(board, layout)` takes a parsed board or its object (also one that is still being drawn: squares that are not
there are told of, too) and gives what is wrong as [(severity, number, sentence), …], worst first, then by number: ERROR
(it cannot be played so) or WARNING (some rule never comes up, or people have to know). `figures` measures it. Ways are
in squares, keep to one-way roads and never lead through the Base (LQ-23).
"""

from shared_rules.games.destination_london.meta import MOST_PLAYERS, SMALLEST_NOTE

ERROR, WARNING = "error", "warning"

# What each number is about, for lists of checks.
CHECKS = (
    (1, "One Base that is nothing else, a Garage, lights"),
    (2, "From every square to every other"),
    (3, "Every card has its attraction, every attraction its square and card"),
    (4, "Every square has a way out; dead ends are told of"),
    (5, "One-way roads have no way back on the same link"),
    (6, "The Garage is near enough to every attraction"),
    (7, "A square with lights and an attraction, one with two attractions"),
    (8, "Approaches to the Base at 1 to 6 squares"),
    (9, "Readers, lights and tags of the built table"),
)

# LQ-17 tells of dead ends; number 6 asks for the Garage within 30 squares, 3 Fuel Cards being dealt at the start.
FAR_FROM_GARAGE = 30
FACES = 6
TAXIS = MOST_PLAYERS
SOCKETS_PER_CONTROLLER = 32
LEDS_PER_STRIP = 64

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any

    Json = dict[str, Any]
    Found = list[tuple[str, int, str]]


class Roads:
    """The directed links of a board: `out[square]` and `into[square]` are lists of neighbours, in the file's order."""

    def __init__(self, board: "Json") -> None:
        self.board = board
        self.squares: list[str] = sorted(board["squares"])
        self.base: object = board.get("base")
        self.out: dict[str, list[str]] = {name: [] for name in self.squares}
        self.into: dict[str, list[str]] = {name: [] for name in self.squares}
        self.links: list[tuple[str, str, bool]] = []
        for road in board["roads"]:
            via = road["via"]
            one_way = bool(road.get("one_way"))
            for start, end in zip(via, via[1:]):
                if start in self.out and end in self.out:
                    self.links.append((start, end, one_way))
                    _link(self.out, self.into, start, end)
                    if not one_way:
                        _link(self.out, self.into, end, start)

    def distances(self, start: str, back: bool = False) -> dict[str, int]:
        """Squares from `start` to each square that can be reached; with `back` from each of them to `start`."""
        ways = self.into if back else self.out
        found = {start: 0}
        edge = [start]
        while edge:
            further = []
            for square in edge:
                if square == self.base and square != start:
                    continue
                for name in ways[square]:
                    if name not in found:
                        found[name] = found[square] + 1
                        further.append(name)
            edge = further
        return found

    def neighbours(self, square: str) -> list[str]:
        """The squares beside one, whichever way the road is driven, sorted."""
        return sorted(set(self.out[square] + self.into[square]))


def check(board: "Any", layout: "Json | None" = None) -> "Found":
    """What is wrong with a board, and with its layout if there is one; [] when nothing is.

    `board`: what `parse_board` gives, or an object with the keys of a board. Never raises for one of the right kinds.
    """
    board = getattr(board, "entries", board)
    roads = Roads(board)
    found: Found = []
    _places(board, roads, found)
    _ways(roads, found)
    _cards(board, roads, found)
    _exits(roads, found)
    _one_way(board, roads, found)
    _garage(board, roads, found)
    _meetings(board, found)
    _approaches(roads, found)
    if layout is not None:
        _wiring(board, layout, found)
    return sorted(found, key=lambda one: (one[0] != ERROR, one[1], one[2]))


def figures(board: "Any") -> list[tuple[str, str]]:
    """[(what, figure), …] of a board without faults: its size, and how far things are."""
    board = getattr(board, "entries", board)
    roads = Roads(board)
    at = attraction_squares(board)
    one_way = len([1 for _, _, alone in roads.links if alone])
    total = count = 0
    for start in at:
        for end, steps in roads.distances(start).items():
            if end in at and end != start:
                total += steps
                count += 1
    garage = _to_garage(board, roads)
    home = roads.distances(board["base"], True)
    far = [garage[name] for name in at if name in garage]
    base = [home[name] for name in at if name in home]
    return [
        ("squares", str(len(roads.squares))),
        ("attractions", str(len(board["attractions"])) + " on " + str(len(at)) + " squares"),
        ("lights", str(len(board["lights"])) + ", " + str(len([1 for x in board["lights"] if x in at])) + " shared"),
        ("links", str(len(roads.links)) + ", " + str(one_way) + " one-way"),
        ("squares between attractions, mean", str(round(10 * total / count) / 10) if count else "-"),
        ("squares to the Garage, most", str(max(far)) if far else "-"),
        ("squares to the Base, most", str(max(base)) if base else "-"),
    ]


def attraction_squares(board: "Json") -> list[str]:
    """The squares on which an attraction stands, sorted."""
    at: set[str] = set()
    for attraction in board["attractions"].values():
        at.update(_squares_of(attraction))
    return sorted(at)


def _link(out: dict[str, list[str]], into: dict[str, list[str]], start: str, end: str) -> None:
    if end not in out[start]:
        out[start].append(end)
        into[end].append(start)


def _squares_of(attraction: "Json") -> list[str]:
    return [attraction["square"]] + list(attraction.get("opposite", []))


def _names(names: list[str]) -> str:
    """The first few of many names, for a sentence."""
    names = sorted(names)
    return ", ".join(names[:5]) + (" and " + str(len(names) - 5) + " more" if len(names) > 5 else "")


def _places(board: "Json", roads: Roads, found: "Found") -> None:
    base = board.get("base")
    if not isinstance(base, str) or base not in roads.out:
        found.append((ERROR, 1, "There is no Base: `base` must name one square."))
    if not board["garages"]:
        found.append((ERROR, 1, "There is no Garage, so nobody can buy fuel; name a square in `garages`."))
    if not board["lights"]:
        found.append((ERROR, 1, "There are no traffic lights, so light cards are never drawn; name some in `lights`."))
    for key in ("garages", "lights"):
        lost = [name for name in board[key] if name not in roads.out]
        if lost:
            found.append((ERROR, 1, "`" + key + "` names what is no square: " + _names(lost) + "."))
    if base in board["garages"]:
        found.append((ERROR, 1, "The Base is a Garage as well; take it out of `garages`."))
    if base in board["lights"]:
        found.append((ERROR, 1, "The Base has traffic lights; take it out of `lights`."))
    if base in attraction_squares(board):
        found.append((ERROR, 1, "An attraction stands on the Base; give it another square."))


def _ways(roads: Roads, found: "Found") -> None:
    if not roads.squares:
        found.append((ERROR, 2, "There are no squares."))
        return
    garages = [name for name in roads.board["garages"] if name in roads.out and name != roads.base]
    start = (garages + [name for name in roads.squares if name != roads.base] + roads.squares)[0]
    there = roads.distances(start)
    back = roads.distances(start, True)
    lost = [name for name in roads.squares if name not in there]
    stuck = [name for name in roads.squares if name not in back]
    if lost:
        found.append((ERROR, 2, "From " + start + " there is no way to " + _names(lost) + "."))
    if stuck:
        found.append((ERROR, 2, "No way leads on to " + start + " from " + _names(stuck) + "."))


def _cards(board: "Json", roads: Roads, found: "Found") -> None:
    attractions, cards = board["attractions"], board["cards"]
    used = [card["attraction"] for card in cards.values()]
    for name in sorted(cards):
        if cards[name]["attraction"] not in attractions:
            text = "Card " + name + " is for " + str(cards[name]["attraction"]) + ", which is no attraction."
            found.append((ERROR, 3, text))
        if cards[name]["fare"] % SMALLEST_NOTE:
            text = "Card " + name + " pays £" + str(cards[name]["fare"]) + "; the smallest note is £5."
            found.append((WARNING, 3, text))
    for name in sorted(attractions):
        lost = [square for square in _squares_of(attractions[name]) if square not in roads.out]
        if lost:
            found.append((ERROR, 3, name + " stands on what is no square: " + _names(lost) + "."))
        if name not in used:
            found.append((ERROR, 3, "There is no card for " + name + "."))
    titles = [attractions[name]["name"] for name in sorted(attractions)]
    twice = sorted(set([title for title in titles if titles.count(title) > 1]))
    if twice:
        found.append((WARNING, 3, "Two attractions have one name: " + _names(twice) + "."))
    where = [list(board["squares"][name]) for name in roads.squares]
    heaped = [name for name, spot in zip(roads.squares, where) if where.count(spot) > 1]
    if heaped:
        found.append((WARNING, 3, "Squares lie on one another: " + _names(heaped) + "."))


def _exits(roads: Roads, found: "Found") -> None:
    for name in roads.squares:
        if not roads.out[name]:
            found.append((ERROR, 4, "No road leads away from " + name + "."))
    dead = [name for name in roads.squares if name != roads.base and len(roads.neighbours(name)) == 1]
    if dead:
        text = "Dead ends, where a taxi may turn round in its move (LQ-17): " + _names(dead) + "."
        found.append((WARNING, 4, text))


def _one_way(board: "Json", roads: Roads, found: "Found") -> None:
    seen: dict[tuple[str, str], bool] = {}
    for start, end, alone in roads.links:
        if start == end:
            found.append((ERROR, 5, "A road goes from " + start + " to itself."))
        pair = (start, end) if start < end else (end, start)
        if pair in seen:
            if alone or seen[pair]:
                found.append((ERROR, 5, "One road is one-way between " + _both(pair) + ", and another leads back."))
            else:
                found.append((WARNING, 5, "Two roads join " + _both(pair) + "."))
        seen[pair] = alone
    for road in board["roads"]:
        lost = [name for name in road["via"] if name not in roads.out]
        if lost:
            found.append((ERROR, 5, "A road leads over what is no square: " + _names(lost) + "."))
        if len(road["via"]) < 2:
            found.append((ERROR, 5, "A road has fewer than two squares: " + _names(list(road["via"])) + "."))


def _both(pair: tuple[str, str]) -> str:
    return pair[0] + " and " + pair[1]


def _to_garage(board: "Json", roads: Roads) -> dict[str, int]:
    """Squares from each square to the nearest Garage."""
    best: dict[str, int] = {}
    for garage in board["garages"]:
        if garage in roads.out:
            for name, steps in roads.distances(garage, True).items():
                best[name] = min(steps, best.get(name, steps))
    return best


def _garage(board: "Json", roads: Roads, found: "Found") -> None:
    best = _to_garage(board, roads)
    far = [name for name in attraction_squares(board) if best.get(name, 0) > FAR_FROM_GARAGE]
    if far:
        text = "More than 30 squares to the Garage, for 3 Fuel Cards at the start, from " + _names(far) + "."
        found.append((WARNING, 6, text))
    if board["garages"]:
        cut = [name for name in attraction_squares(board) if name in roads.out and name not in best]
        if cut:
            found.append((ERROR, 6, "No way to a Garage from " + _names(cut) + "."))


def _meetings(board: "Json", found: "Found") -> None:
    at = attraction_squares(board)
    if not [name for name in board["lights"] if name in at]:
        found.append((WARNING, 7, "No square has lights and an attraction: L-074 never comes up."))
    stand: list[str] = []
    for name in sorted(board["attractions"]):
        stand += _squares_of(board["attractions"][name])
    if len(set(stand)) == len(stand):
        found.append((WARNING, 7, "No square has two attractions: L-075 and L-076 hardly ever come up."))


def _approaches(roads: Roads, found: "Found") -> None:
    base = roads.base
    if not isinstance(base, str) or base not in roads.out:
        return
    steps = roads.distances(base, True).values()
    lacking = [str(n) for n in range(1, FACES + 1) if n not in steps]
    if lacking:
        text = "No square lies " + ", ".join(lacking) + " from the Base: one die cannot enter it exactly from there."
        found.append((ERROR, 8, text))


def _wiring(board: "Json", layout: "Json", found: "Found") -> None:
    """Number 9: which squares have a reader, which lights an LED, and whether there are six tags."""
    wired = _sockets(board, layout.get("sockets", {}), found)
    for name in sorted([board["base"]] + board["garages"]):
        if name not in wired:
            what = "the Base" if name == board["base"] else "a Garage"
            text = name + " (" + what + ") has no reader: there the table never sees a taxi."
            found.append((WARNING, 9, text))
    bare = [name for name in attraction_squares(board) if name not in wired]
    if bare:
        found.append((WARNING, 9, "Attraction squares without a reader: " + _names(bare) + "; people tap them."))
    leds = layout.get("leds", {})
    dark = [name for name in board["lights"] if name not in leds]
    if dark:
        found.append((WARNING, 9, "Lights without an LED: " + _names(dark) + "."))
    numbers: list[int] = []
    for name in sorted(leds):
        if name not in board["squares"]:
            found.append((ERROR, 9, "LED " + str(leds[name]) + " is at " + name + ", which is no square."))
        elif not 0 <= leds[name] < LEDS_PER_STRIP:
            found.append((ERROR, 9, "LED " + str(leds[name]) + " at " + name + ": a strip has 0 to 63."))
        elif leds[name] in numbers:
            found.append((ERROR, 9, "LED " + str(leds[name]) + " is at two squares, one is " + name + "."))
        numbers.append(leds[name])
    if layout.get("tags", TAXIS) < TAXIS:
        found.append((WARNING, 9, "Six players need six taxis with tags, here are " + str(layout["tags"]) + "."))


def _sockets(board: "Json", sockets: "Json", found: "Found") -> list[str]:
    """The squares with a reader; faults of the sockets go into `found`."""
    taken: dict[tuple[int, int], str] = {}
    wired = []
    for name in sorted(sockets):
        if name not in board["squares"]:
            found.append((ERROR, 9, "A reader is at " + name + ", which is no square."))
            continue
        wired.append(name)
        places = sockets[name] if isinstance(sockets[name], list) else [sockets[name]]
        for place in places:
            controller, number = 0, place
            if isinstance(place, dict):
                controller, number = place["controller"], place["socket"]
            if not 0 <= number < SOCKETS_PER_CONTROLLER:
                text = "Socket " + str(number) + " at " + name + ": a controller has 0 to 31; a second one takes more."
                found.append((ERROR, 9, text))
            elif (controller, number) in taken:
                text = "Socket " + str(number) + " of controller " + str(controller) + " is at "
                found.append((ERROR, 9, text + taken[(controller, number)] + " and at " + name + "."))
            taken[(controller, number)] = name
    return wired
