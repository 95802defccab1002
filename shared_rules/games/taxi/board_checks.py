"""Whether a board is a good one: BD-01 to BD-16 of the rules, part F, for `cabstand board check` and the design tool.

`check_board(board)` gives one entry a check: {"check": "BD-10", "title", "ok", "required", "figure", "limit", "text"}
(`text` says what is wrong when it is not ok).
`required` is "yes" (the board is wrong without it), "warning" (a printed board of somebody's own has to be lived with)
or "figure" (a measure of quality, asked of designed boards only). Distances are in streets, from `street_map` with
the default rules; the destinations are the characters' X's and the base.
"""

from shared_rules.games.taxi import freeway_checks, guide_checks
from shared_rules.games.taxi.board import FREEWAY, MAJOR, MINOR, Board, Link
from shared_rules.games.taxi.board_graph import (
    blocks,
    bridges,
    crossings,
    drive,
    is_junction,
    least_gap,
)
from shared_rules.games.taxi.street_tables import StreetTables
from shared_rules.games.taxi.streets import StreetMap, street_map

YES, WARNING, FIGURE = "yes", "warning", "figure"

CHARACTERS = 28
# BD-16: the board is printed at 40 mm a block unless its layout says otherwise.
BLOCK_MM = 40.0
LEAST_GAP_MM = 20.0

# What part F asks; the shipped board meets all of it.
MAX_STRAIGHT, MIN_TURN = 20.0, 70.0
GREEN_SAVES = 0.60
WHITE_SAVES = 0.20
MEAN_STREETS = (7.0, 9.0)
MEAN_GREEN_STREETS = (4.0, 6.0)
MAX_SMALL = 0.05
MAX_STREETS = 20
BASE_STREETS = (3, 12)
MAX_BRIDGES = 30

_WARNINGS = ("BD-03", "BD-04", "BD-16")
_QUALITY = ("BD-10", "BD-11", "BD-12", "BD-13", "BD-15")


class BoardJudge:
    """The board under judgement with what several checks need; each method `bd_nn` gives (faults, figure)."""

    def __init__(self, board: Board, block_mm: float = BLOCK_MM) -> None:
        self.board = board
        self.block_mm = block_mm
        self.streets: StreetMap = street_map(board, {})
        self.sites = [board.destinations[name]["at"] for name in board.destination_ids]
        if board.base is not None and board.base not in self.sites:
            self.sites.append(board.base)
        self._plain: dict[tuple[str, str], int | None] | None = None
        self._green: dict[tuple[str, str], int | None] | None = None

    def plain(self) -> dict[tuple[str, str], int | None]:
        """Least streets without tablets between the sites, by (from, to)."""
        if self._plain is None:
            self._plain = self._distances(self.streets.tables(), 0, 0)
        return self._plain

    def green(self) -> dict[tuple[str, str], int | None]:
        """Least streets with as many green tablets as one likes."""
        if self._green is None:
            self._green = self._distances(self.streets.tables_if(self.board.lights, ()), 0, 0)
        return self._green

    def _distances(self, tables: StreetTables, green: int, white: int) -> dict[tuple[str, str], int | None]:
        index = self.streets.place_index
        out = {}
        for a in self.sites:
            for b in self.sites:
                if a != b:
                    out[(a, b)] = tables.streets_needed(index[a], index[b], green, white)
        return out

    def bd_01(self) -> tuple[list[str], str]:
        """28 characters with an X each, one base, no two X's on one link."""
        board = self.board
        at = [board.destinations[name]["at"] for name in board.destination_ids]
        faults = []
        if len(at) != CHARACTERS:
            faults.append(str(CHARACTERS) + " characters are wanted")
        if len(set(at)) != len(at):
            faults.append("two characters share an X")
        if board.base is None:
            faults.append("there is no base")
        for block in blocks(board):
            if len([p for p in block if p in at]) > 1:
                faults.append("two X's between " + block[0] + " and " + block[-1])
        return faults, str(len(at))

    def bd_02(self) -> tuple[list[str], str]:
        """X's lie in the course of a city road and not beside the base."""
        board = self.board
        at = set(self.sites)
        at.discard(board.base or "")
        beside = set()
        for block in blocks(board):
            if board.base in (block[0], block[-1]):
                beside.update(block)
        faults = []
        for name in sorted(at):
            links = [board.links[i] for i in board.links_at[board.point_index[name]]]
            if len(links) != 2 or [link for link in links if link.kind not in (MINOR, MAJOR)]:
                faults.append(name + " is not in the course of a minor or major road")
            elif _turn(board, links[0], links[1], name) > MAX_STRAIGHT:
                faults.append(name + " lies on a bend")
            elif name in beside:
                faults.append(name + " lies on a link that touches the base")
        return faults, str(len(faults)) + " wrong"

    def bd_03(self) -> tuple[list[str], str]:
        """Everything can be reached without tablets."""
        board = self.board
        wanted = []
        for i, name in enumerate(board.point_ids):
            kinds = [board.links[k].kind for k in board.links_at[i]]
            if self.streets.is_stop(name) and (MINOR in kinds or MAJOR in kinds or name == board.base):
                wanted.append(name)
        lost = set()
        for start in self.sites:
            reached = drive(self.streets, [start], False)
            lost.update([name for name in wanted if name not in reached])
        faults = ["without tablets one cannot get to " + ", ".join(sorted(lost))] if lost else []
        return faults, str(len(lost)) + " cut off"

    def bd_04(self) -> tuple[list[str], str]:
        """From wherever tablets can take a taxi, the base can be reached without."""
        board = self.board
        home = [board.base] if board.base is not None else self.sites[:1]
        if not home:
            return [], "0 traps"
        there = drive(self.streets, home, True)
        traps = []
        for place in sorted(there):
            if self.streets.is_stop(place) and home[0] not in drive(self.streets, [place], False):
                traps.append(place)
        faults = ["no way home without tablets from " + ", ".join(traps)] if traps else []
        return faults, str(len(traps)) + " traps"

    def bd_05(self) -> tuple[list[str], str]:
        """One gate on every way onto the freeway, an exit after each."""
        return freeway_checks.entries(self.board)

    def bd_06(self) -> tuple[list[str], str]:
        """Every freeway link lies on a way from a gate to an exit."""
        return freeway_checks.useless_links(self.board)

    def bd_07(self) -> tuple[list[str], str]:
        """A stop before every gate and after every freeway end."""
        return freeway_checks.stops_around(self.board)

    def bd_08(self) -> tuple[list[str], str]:
        """No doubtful turns."""
        board = self.board
        faults = []
        for i in range(len(board.point_ids)):
            links = [board.links[k] for k in board.links_at[i] if board.links[k].kind != FREEWAY]
            for k, first in enumerate(links):
                for second in links[:k]:
                    angle = _turn(board, first, second, board.point_ids[i])
                    if MAX_STRAIGHT < angle < MIN_TURN:
                        faults.append(first.name + " and " + second.name + " turn by " + str(round(angle)) + " degrees")
        return faults, str(len(faults)) + " doubtful"

    def bd_09(self) -> tuple[list[str], str]:
        """Lights lie on links, and not on the half that has an X."""
        board = self.board
        faults = []
        for name in board.lights:
            if len(board.links_at[board.point_index[name]]) != 2 or is_junction(board, name):
                faults.append(name + " lies on no link")
        at = set(self.sites)
        for block in blocks(board):
            lengths = [0.0]
            for k in range(1, len(block)):
                lengths.append(lengths[-1] + _gap(board, block[k - 1], block[k]))
            part = [length / lengths[-1] - 0.5 for length in lengths]
            for k, light in enumerate(block):
                for n, x in enumerate(block):
                    if light in board.lights and x in at and 0 < n < len(block) - 1 and part[k] * part[n] > 0:
                        faults.append(light + " and " + x + " lie on one half of a link")
        return faults, str(len(board.lights)) + " lights"

    def bd_10(self) -> tuple[list[str], str]:
        """Green tablets are worth having, and every light matters."""
        plain = self.plain()
        one = self._distances(self.streets.tables(), 1, 0)
        saves = [1 for pair in plain if _less(one[pair], plain[pair])]
        share = len(saves) / len(plain) if plain else 0.0
        useless = []
        for name in self.board.lights:
            tables = self.streets.tables_if([name], ())
            opened = self._distances(tables, 0, 0)
            if not [1 for pair in plain if _less(opened[pair], plain[pair])]:
                useless.append(name)
        faults = []
        if share < GREEN_SAVES:
            faults.append("one green saves a street in " + _percent(share) + " of the pairs only")
        if useless:
            faults.append("of no use to anybody: " + ", ".join(useless))
        return faults, _percent(share)

    def bd_11(self) -> tuple[list[str], str]:
        """White tablets are worth having, and every gate is the best one for somebody."""
        green = self._distances(self.streets.tables(), 1, 0)
        white = self._distances(self.streets.tables(), 1, 1)
        saves = [1 for pair in green if _less(white[pair], green[pair], 2)]
        share = len(saves) / len(green) if green else 0.0
        faults = []
        if share < WHITE_SAVES:
            faults.append("one white saves two streets in " + _percent(share) + " of the pairs only")
        for gate in self.board.gates:
            others = [name for name in self.board.gates if name != gate]
            alone = self._distances(self.streets.tables_if((), others), 1, 1)
            without = self._distances(self.streets.tables_if((), [gate]), 1, 1)
            if not [1 for pair in alone if _less(alone[pair], without[pair])]:
                faults.append(gate + " is never the only best gate")
        return faults, _percent(share)

    def bd_12(self) -> tuple[list[str], str]:
        """How far apart the destinations lie."""
        plain, green = self.plain(), self.green()
        faults = [a + " to " + b + " cannot be driven" for (a, b) in sorted(plain) if plain[(a, b)] is None]
        numbers = [d for d in plain.values() if d is not None]
        free = [d for d in green.values() if d is not None]
        if not numbers or not free:
            return ["there are no two destinations"], "-"
        mean, mean_green = sum(numbers) / len(numbers), sum(free) / len(free)
        small = len([d for d in numbers if d < 3]) / len(numbers)
        if not MEAN_STREETS[0] <= mean <= MEAN_STREETS[1]:
            faults.append("the mean is " + _two(mean) + " streets, not 7 to 9")
        if small > MAX_SMALL:
            faults.append(_percent(small) + " of the pairs are nearer than 3 streets, more than 5 %")
        if max(numbers) > MAX_STREETS:
            faults.append("one pair is " + str(max(numbers)) + " streets apart, more than 20")
        if not MEAN_GREEN_STREETS[0] <= mean_green <= MEAN_GREEN_STREETS[1]:
            faults.append("with green tablets the mean is " + _two(mean_green) + " streets, not 4 to 6")
        if [1 for (a, b) in plain if plain[(a, b)] != plain[(b, a)]]:
            faults.append("some way is longer than the way back")
        figure = _two(mean) + ", " + _percent(small) + ", " + str(max(numbers)) + ", " + _two(mean_green)
        return faults, figure

    def bd_13(self) -> tuple[list[str], str]:
        """How far the X's lie from the base."""
        base = self.board.base
        if base is None:
            return ["there is no base"], "-"
        found = [self.plain()[(base, x)] for x in self.sites if x != base]
        numbers = [d for d in found if d is not None]
        if not numbers:
            return ["no X can be reached from the base"], "-"
        faults = []
        if len(numbers) < len(found):
            faults.append("some X cannot be reached")
        if min(numbers) < BASE_STREETS[0] or max(numbers) > BASE_STREETS[1]:
            faults.append("some X is nearer than 3 or farther than 12 streets")
        return faults, str(min(numbers)) + "-" + str(max(numbers))

    def bd_14(self) -> tuple[list[str], str]:
        """Links cross only at points."""
        found = crossings(self.board)
        faults = [a + " crosses " + b for a, b in found]
        return faults, str(len(found)) + " crossings"

    def bd_15(self) -> tuple[list[str], str]:
        """What a barrier may do: blocks that cut the town in two."""
        found, with_x, parting = bridges(self.board, self.sites)
        faults = []
        if len(found) > MAX_BRIDGES:
            faults.append("more than 30 blocks cut the town in two when they are shut")
        if with_x:
            faults.append("with an X on it: " + ", ".join(with_x))
        if parting:
            faults.append("parting destinations: " + ", ".join(parting))
        return faults, str(len(found))

    def bd_16(self) -> tuple[list[str], str]:
        """Points far enough apart for paper and readers."""
        gap, name = least_gap(self.board)
        gap *= self.block_mm
        faults = [name + " is only " + _two(gap) + " mm long"] if gap < LEAST_GAP_MM else []
        return faults, _two(gap) + " mm"


# Each check with what it asks and what its figure is about.
CHECKS = (
    ("BD-01", "28", "An X for each of 28 characters, and a base"),
    ("BD-02", "0 wrong", "X's lie in the course of city streets"),
    ("BD-03", "0 cut off", "Without tablets one gets everywhere"),
    ("BD-04", "0 traps", "Home from everywhere without tablets"),
    ("BD-05", "fit", "One gate on every way onto the freeway"),
    ("BD-06", "0 useless", "No useless piece of freeway"),
    ("BD-07", "0 missing", "Stops before gates and after freeway ends"),
    ("BD-08", "0 doubtful", "Turns of at most 20 or at least 70 degrees"),
    ("BD-09", "fit", "Lights lie on links, apart from X's"),
    ("BD-10", ">= 60 %, all of use", "Pairs in which one green saves a street"),
    ("BD-11", ">= 20 %, all of use", "Pairs in which one white saves two more"),
    ("BD-12", "7-9, 5 %, 20, 4-6", "Streets apart: mean, below 3, most, green"),
    ("BD-13", "3-12", "Streets from the base to an X"),
    ("BD-14", "0 crossings", "Links meet at points only"),
    ("BD-15", "<= 30", "Blocks that cut the town in two"),
    ("BD-16", ">= 20 mm", "Least distance of neighbouring points"),
)


def check_board(board: Board, designed: bool = False, block_mm: float = BLOCK_MM) -> list[dict[str, object]]:
    """Every check of the board and, if it has guides, of these; for the command line and the design tool.

    `designed` asks for all of it, as of the shipped board; otherwise the quality is a figure only and what a printed
    board cannot change is a warning. Takes about two seconds for a large board. Never raises for a parsed board.
    """
    judge = BoardJudge(board, block_mm)
    methods = (
        judge.bd_01,
        judge.bd_02,
        judge.bd_03,
        judge.bd_04,
        judge.bd_05,
        judge.bd_06,
        judge.bd_07,
        judge.bd_08,
        judge.bd_09,
        judge.bd_10,
        judge.bd_11,
        judge.bd_12,
        judge.bd_13,
        judge.bd_14,
        judge.bd_15,
        judge.bd_16,
    )
    out: list[dict[str, object]] = []
    for (name, limit, title), method in zip(CHECKS, methods):
        required = YES
        if not designed and name in _WARNINGS:
            required = WARNING
        if not designed and name in _QUALITY:
            required = FIGURE
        faults, figure = method()
        out.append(_entry(name, required, limit, title, faults, figure))
    if board.guides is not None and board.base is not None:
        found = guide_checks.check_guides(board, judge.plain(), judge.green())
        for name, limit, title, faults, figure in found:
            out.append(_entry(name, YES if designed else WARNING, limit, title, faults, figure))
    return out


def _entry(name: str, required: str, limit: str, title: str, faults: list[str], figure: str) -> dict[str, object]:
    text = title + "."
    if faults:
        text = "; ".join(faults[:4])
        text = text[:1].upper() + text[1:] + ("; …" if len(faults) > 4 else "") + "."
    return {
        "check": name,
        "title": title,
        "ok": not faults,
        "required": required,
        "figure": figure,
        "limit": limit,
        "text": text,
    }


def _less(a: int | None, b: int | None, by: int = 1) -> bool:
    """Whether `a` streets are at least `by` fewer than `b`; what cannot be reached is farther than anything."""
    if a is None:
        return False
    return b is None or a + by <= b


def _percent(share: float) -> str:
    return str(round(1000 * share) / 10) + " %"


def _two(number: float) -> str:
    return str(round(100 * number) / 100)


def _turn(board: Board, first: Link, second: Link, name: str) -> float:
    """By how many degrees one turns in a point from one link to another."""
    at = board.point_index[name]
    before = first.end if first.start == at else first.start
    after = second.end if second.start == at else second.start
    return board.deflection(before, at, after)


def _gap(board: Board, a: str, b: str) -> float:
    ax, ay = board.points[a]
    bx, by = board.points[b]
    return float(((ax - bx) ** 2 + (ay - by) ** 2) ** 0.5)
