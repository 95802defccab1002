"""Whether a road can be played and is a good one: invariants 1 to 9 of the rules, part E, for `cabstand board check`.

`check(board, layout)` takes a parsed board or its object (also one that `parse_board` would refuse) and gives what is
wrong as [(severity, number, sentence), …], by number: ERROR (it cannot be played so) or WARNING (it can, and people
have to know). `figures` measures it.
"""

from shared_rules.games.taxi_over import meta
from shared_rules.games.taxi_over.board import LEAST_BETWEEN, LEAST_SPACES, Board

MYPY = False
if MYPY:  # only type checkers come here
    from typing import Any

    Json = dict[str, Any]
    Found = list[tuple[str, int, str]]

ERROR, WARNING = "error", "warning"

# What each number is about, for lists of checks.
CHECKS = (
    (1, "One cyclic road; a space occurs once, or twice as a crossing"),
    (2, "START leads onto the road, and is no space of it"),
    (3, "Every sinkhole lies behind a bend of its own"),
    (4, "An intersection on the road; none on a bend or the entry"),
    (5, "More spaces than taxis, and room for the longest drive"),
    (6, "No drive leads into a sinkhole"),
    (7, "Three dice of six faces with which one can drive"),
    (8, "Tokens enough for somebody to win"),
    (9, "Readers, lights and tags of the built table"),
)

# The longest drive by ordinary taxi dice and all taxis: on a shorter road a move can meet itself.
ROOMY = 16
FACES = 6
TAGS = 2 * meta.MOST_TAXIS
SOCKETS_PER_CONTROLLER = 32
LEDS_PER_STRIP = 64
FRONTS = ("FRONT1", "FRONT2", "FRONT3", "FRONT4")


def check(board: "Board | Json", layout: "Json | None" = None, options: "Json | None" = None) -> "Found":
    """What is wrong with a board, with its layout if there is one, and with house rules if some are named.

    [] when nothing is. Never raises for objects of the right kinds.
    """
    road = _object(board)
    rules: "Json" = {} if options is None else options
    found: "Found" = []
    _road(road, found)
    _start(road, found)
    _sinkholes(road, found)
    _intersections(road, found)
    _size(road, found)
    _drives(road, rules, found)
    _dice(rules, layout, found)
    _tokens(rules, found)
    if layout is not None:
        _table(road, layout, found)
    return found


def figures(board: "Board | Json") -> list[tuple[str, str]]:
    """[(what, figure), …] of a board without faults: its size, and how far things are."""
    road = _object(board)
    loop: list[str] = road["loop"]
    marks = [place for place, name in enumerate(loop) if name in road["intersections"]]
    gaps = [(after - place - 1) % len(loop) + 1 for place, after in zip(marks, marks[1:] + marks[:1])]
    out = [
        ("spaces", str(len(set(loop)))),
        ("crossings", str(len(loop) - len(set(loop)))),
        ("intersections", str(len(road["intersections"]))),
        ("sinkholes", str(len(road.get("sinkholes", {})))),
    ]
    if road["entry"] in loop and gaps:
        entry = loop.index(road["entry"])
        out.append(
            ("steps from START to an intersection", str(min([(mark - entry) % len(loop) for mark in marks]) + 1))
        )
        out.append(("steps between intersections", _span(gaps)))
    return out


def _object(board: "Board | Json") -> "Json":
    return board.dump() if isinstance(board, Board) else board


def _span(numbers: list[int]) -> str:
    least, most = min(numbers), max(numbers)
    return str(least) if least == most else str(least) + " to " + str(most)


def _names(names: list[str]) -> str:
    """The first few of many names, for a sentence."""
    names = sorted(set(names))
    return ", ".join(names[:5]) + (" and " + str(len(names) - 5) + " more" if len(names) > 5 else "")


def _twice(loop: list[str]) -> list[str]:
    return [name for name in sorted(set(loop)) if len([1 for other in loop if other == name]) == 2]


def _road(road: "Json", found: "Found") -> None:
    loop: list[str] = road["loop"]
    crossings = _twice(loop)
    often = [name for name in loop if len([1 for other in loop if other == name]) > 2]
    if often:
        found.append((ERROR, 1, "The road passes more than twice over " + _names(often) + "; two roads cross at most."))
    for name in crossings:
        first = loop.index(name)
        second = loop.index(name, first + 1)
        between = min(second - first - 1, len(loop) - (second - first) - 1)
        if between < LEAST_BETWEEN:
            text = (
                "Between the two passes of the crossing " + name + " lie " + str(between) + " spaces; leave at least "
            )
            found.append((ERROR, 1, text + str(LEAST_BETWEEN) + ", or a row of taxis meets itself."))
        if loop[second - 1] in crossings or loop[first - 1] in crossings:
            found.append((ERROR, 1, "The crossing " + name + " follows another; put a plain space between them."))
    if [name for name in loop if name == ""]:
        found.append((ERROR, 1, "A space has no name; every space in `loop` needs one."))


def _start(road: "Json", found: "Found") -> None:
    loop: list[str] = road["loop"]
    entry = road.get("entry")
    if entry not in loop:
        found.append((ERROR, 2, "START leads to " + str(entry) + ", which is no space: `entry` names one of `loop`."))
    elif entry in _twice(loop):
        found.append((ERROR, 2, "START leads onto the crossing " + str(entry) + "; let it join at a plain space."))
    if meta.START in loop:
        found.append((ERROR, 2, "START is a space of the road; give that space another name."))


def _sinkholes(road: "Json", found: "Found") -> None:
    loop: list[str] = road["loop"]
    sinkholes: dict[str, str] = road.get("sinkholes", {})
    bends: list[str] = []
    for name in sorted(sinkholes):
        bend = sinkholes[name]
        if bend not in loop:
            found.append(
                (ERROR, 3, "The sinkhole " + name + " lies behind " + bend + ", which is no space of the road.")
            )
        elif bend in _twice(loop):
            found.append((ERROR, 3, "The sinkhole " + name + " lies behind the crossing " + bend + "; move it away."))
        if bend in bends:
            found.append((ERROR, 3, "Two sinkholes lie behind " + bend + "; leave one."))
        if name == "" or name == meta.START:
            found.append((ERROR, 3, "A sinkhole is called '" + name + "'; give it another name."))
        bends.append(bend)
    if not sinkholes:
        found.append((WARNING, 3, "There is no sinkhole, so nobody is ever pushed off the road (O-041)."))


def _intersections(road: "Json", found: "Found") -> None:
    loop: list[str] = road["loop"]
    marks: list[str] = road["intersections"]
    away = [name for name in marks if name not in loop]
    if away:
        found.append((ERROR, 4, "Not on the road: " + _names(away) + "; every intersection is a space of `loop`."))
    if len(set(marks)) < len(marks):
        found.append((ERROR, 4, "An intersection is named twice; name each once."))
    if not [name for name in marks if name in loop]:
        found.append((ERROR, 4, "There is no intersection, so nobody can ever collect; name a space."))
    bends = list(road.get("sinkholes", {}).values())
    for name in sorted(set(marks)):
        if name in bends:
            text = (
                "The intersection " + name + " is a bend: a taxi placed there pushes the one before it into the hole."
            )
            found.append((WARNING, 4, text))
        if name == road.get("entry"):
            found.append((WARNING, 4, "The intersection " + name + " is the entry: every first step collects."))


def _size(road: "Json", found: "Found") -> None:
    spaces = len(set(road["loop"]))
    if spaces < LEAST_SPACES:
        text = "The road has " + str(spaces) + " spaces; four taxis need at least " + str(LEAST_SPACES) + "."
        found.append((ERROR, 5, text))
    elif spaces < ROOMY:
        text = (
            "The road has " + str(spaces) + " spaces; with fewer than " + str(ROOMY) + " a drive of 12 can meet itself."
        )
        found.append((WARNING, 5, text))


def _drives(road: "Json", rules: "Json", found: "Found") -> None:
    into = [name for name in sorted(road.get("sinkholes", {})) if name in road["loop"]]
    if into and rules.get("sinkhole_entry") != "any":
        found.append((ERROR, 6, "The road itself leads into " + _names(into) + "; a sinkhole is no space of `loop`."))


def _dice(rules: "Json", layout: "Json | None", found: "Found") -> None:
    faces: list[int] = rules.get("dice_faces", [1, 1, 2, 2, 3, 3])
    if len(faces) != FACES or min(faces) < 1:
        found.append((ERROR, 7, "A taxi die has six faces, each at least 1."))
        return
    if max(faces) > meta.LIMIT:
        found.append((WARNING, 7, "One die alone can be a violation: a face shows " + str(max(faces)) + " (OQ-02)."))
    if 2 * min(faces) > meta.LIMIT:
        found.append((WARNING, 7, "Two dice are always a violation; let two faces together be 4 or less."))
    dice: "list[str] | None" = None if layout is None else layout.get("die_ids")
    if dice is not None and len(set(dice)) != meta.MOST_DICE:
        text = "Three dice with ids of their own are needed; `die_ids` names " + str(len(set(dice))) + "."
        found.append((WARNING, 7, text))


def _tokens(rules: "Json", found: "Found") -> None:
    targets = dict(meta.TARGETS)
    targets.update(rules.get("target_tokens", {}))
    for players in sorted(targets):
        if (targets[players] - 1) * int(players) >= meta.ALL_TOKENS:
            text = (
                "With " + players + " players all " + str(meta.ALL_TOKENS) + " tokens can be out while nobody holds "
                + str(targets[players]) + ": then the game ends as a draw (OQ-29)."
            )  # fmt: skip
            found.append((WARNING, 8, text))


def _table(road: "Json", layout: "Json", found: "Found") -> None:
    wanted = sorted(set(road["loop"])) + [meta.START]
    sockets: "Json" = layout.get("sockets", {})
    _numbered(sockets, wanted, "reader", SOCKETS_PER_CONTROLLER, FRONTS, found)
    missing = [name for name in wanted if name not in sockets]
    if missing:
        found.append((ERROR, 9, "No reader lies under " + _names(missing) + "; give each a number in `sockets`."))
    fronts = [name for name in FRONTS if name not in sockets]
    if fronts:
        text = "No reader lies in front of the players (" + _names(fronts) + "): a driver who is out is taken on trust."
        found.append((WARNING, 9, text))
    leds: "Json" = layout.get("leds", {})
    _numbered(leds, wanted, "light", LEDS_PER_STRIP, (), found)
    dark = [name for name in road["intersections"] if name not in leds]
    if dark:
        text = "No light shows the intersections " + _names(dark) + "; give each a number in `leds`."
        found.append((WARNING, 9, text))
    tags = layout.get("tags", TAGS)
    if tags != TAGS:
        text = "The table needs " + str(TAGS) + " tags, one for each taxi and each driver; the layout says "
        found.append((WARNING, 9, text + str(tags) + " in `tags`."))
    drawn = set(layout.get("spaces", {})) | set(layout.get("sinkholes", {}))
    undrawn = [name for name in wanted + sorted(road.get("sinkholes", {})) if name not in drawn and name != meta.START]
    if undrawn:
        found.append((WARNING, 9, "Not in the drawing: " + _names(undrawn) + "; give each its place in the layout."))


def _numbered(
    numbers: "Json", places: list[str], what: str, most: int, more: "tuple[str, ...]", found: "Found"
) -> None:
    """A place has a number or several; `s5/2` is one more at s5."""
    used: dict[int, str] = {}
    for name in sorted(numbers):
        if name.split("/")[0] not in places and name not in more:
            text = "The layout has a " + what + " for " + name + ", which is no place of the board."
            found.append((ERROR, 9, text))
        several = numbers[name] if isinstance(numbers[name], list) else [numbers[name]]
        for number in several:
            if not 0 <= number < most:
                text = "The " + what + " of " + name + " has number " + str(number) + "; numbers are 0 to "
                found.append((ERROR, 9, text + str(most - 1) + "."))
            if number in used:
                text = "The " + what + "s of " + used[number] + " and " + name + " share number " + str(number)
                found.append((ERROR, 9, text + "; give each its own."))
            used[number] = name
