"""Whether six destination guides are fair: GD-01 to GD-09 of the rules, part F, computed without simulation.

A guide is a list of 30 destinations, the base in trips 15 and 30. Distances are given as {(place, place): streets}.
"""

from shared_rules.games.taxi.board import Board

GUIDES = 6
TRIPS = 30
HALF = 15
BONUS = 6000

SHORTEST_LEG = 3
MAX_TOTAL, MAX_GREEN_TOTAL = 3, 5
MAX_INNER, MAX_BASE_LEG, MAX_PLACES = 2, 3, 3
MAX_SHARED_LEGS = 12
MAX_VALUE, MAX_SUBSET_VALUE = 0.04, 0.08

# Each check with what it asks and what its figure is about.
CHECKS = (
    ("GD-01", "6, all fit", "Every character once, base in trips 15, 30"),
    ("GD-02", "0", "The same places for all by trips 15, 30"),
    ("GD-03", "0", "Six different destinations in every trip"),
    ("GD-04", "<= 12", "Legs that two guides share in a half"),
    ("GD-05", ">= 3", "Streets of the shortest leg"),
    ("GD-06", "<= 3 / <= 5", "Totals apart by half, plain / green"),
    ("GD-07", "2 / 3 / 3", "Legs apart in a trip: inner, base, ends"),
    ("GD-08", "<= 0.04", "Expected bonus apart, 15 / 30 trips"),
    ("GD-09", "<= 0.08", "The same for any two to five players"),
)

# After so many throws of a d6 nobody is still on the way to a place on any sensible board (or 100 streets away).
TURNS = 100


def check_guides(
    board: Board, plain: dict[tuple[str, str], int | None], green: dict[tuple[str, str], int | None]
) -> list[tuple[str, str, str, list[str], str]]:
    """The checks as (check, limit, title, faults, figure), ending where nothing more can be said.

    `plain` and `green` are the distances between the sites, without tablets and with as many green ones as one likes.
    """
    guides = board.guides or []
    found = [_gd_01(board, guides)]
    if not found[0][0]:
        found += [_gd_02(guides), _gd_03(guides), _gd_04(guides)]
        legs = guide_legs(board, guides, plain)
        green_legs = guide_legs(board, guides, green)
        if legs is None or green_legs is None:
            found.append((["some leg cannot be driven"], "-"))
        else:
            found += [_gd_05(legs), _gd_06(legs, green_legs), _gd_07(legs), _gd_08(legs), _gd_09(legs)]
    out = []
    for (name, limit, title), (faults, figure) in zip(CHECKS, found):
        out.append((name, limit, title, faults, figure))
    return out


def guide_legs(
    board: Board, guides: list[list[str]], distances: dict[tuple[str, str], int | None]
) -> list[list[int]] | None:
    """By guide, the streets of its 30 legs, the first from the base; None if one cannot be driven."""
    out = []
    for guide in guides:
        at = board.base
        row = []
        for name in guide:
            to = board.base if name == "base" else board.destinations[name]["at"]
            if at is None or to is None:
                return None
            streets = 0 if at == to else distances[(at, to)]
            if streets is None:
                return None
            row.append(streets)
            at = to
        out.append(row)
    return out


def throws_needed(streets: int, turns: int = TURNS) -> list[float]:
    """P(T = t), t = 0…turns: the throw of a d6 with which a taxi so many streets away arrives (S-147)."""
    left = [0.0] * (streets + 1)
    left[streets] = 1.0
    out = [1.0 if streets == 0 else 0.0]
    for _ in range(turns):
        then = [0.0] * (streets + 1)
        done = 0.0
        for k in range(1, streets + 1):
            for face in range(1, 7):
                if face >= k:
                    done += left[k] / 6
                else:
                    then[k - face] += left[k] / 6
        out.append(done)
        left = then
    return out


def bonus_shares(distances: list[int], turns: int = TURNS) -> list[float]:
    """Each taxi's expected share of the bonus when all play the d6 alone (GD-08): complete rounds, equal parts."""
    arrive = [throws_needed(d, turns) for d in distances]
    later = []
    for row in arrive:
        still = 1.0
        rest = []
        for p in row:
            still -= p
            rest.append(max(still, 0.0))
        later.append(rest)
    out = [0.0] * len(distances)
    for t in range(turns + 1):
        for i in range(len(distances)):
            mine = arrive[i][t]
            if mine > 0.0:
                # The chance that so many of the others arrive in the same round, none earlier.
                count = [1.0]
                for k in range(len(distances)):
                    if k != i:
                        p, q = arrive[k][t], later[k][t]
                        more = [0.0] * (len(count) + 1)
                        for n, chance in enumerate(count):
                            more[n] += chance * q
                            more[n + 1] += chance * p
                        count = more
                out[i] += BONUS * mine * sum([chance / (n + 1) for n, chance in enumerate(count)])
    return out


def value_spread(legs: list[list[int]], members: list[int], trips: int) -> float:
    """(max V - min V) / mean V of some guides over their first trips."""
    kept: dict[tuple[int, ...], list[float]] = {}
    return _spread(legs, members, trips, kept)


def _spread(legs: list[list[int]], members: list[int], trips: int, kept: dict[tuple[int, ...], list[float]]) -> float:
    value = [0.0] * len(members)
    turns = 2 * max([max(row) for row in legs]) + 10
    for k in range(trips):
        distances = [legs[p][k] for p in members]
        ordered = tuple(sorted(distances))
        if ordered not in kept:
            kept[ordered] = bonus_shares(list(ordered), turns)
        shares = kept[ordered]
        for i, d in enumerate(distances):
            value[i] += shares[ordered.index(d)]
    return (max(value) - min(value)) / (sum(value) / len(value))


def _gd_01(board: Board, guides: list[list[str]]) -> tuple[list[str], str]:
    faults = []
    if len(guides) != GUIDES:
        faults.append("There are " + str(len(guides)) + " guides, not six")
    for p, guide in enumerate(guides):
        who = "Guide " + str(p + 1)
        names = [name for name in guide if name != "base"]
        if len(guide) != TRIPS or guide[HALF - 1] != "base" or guide[TRIPS - 1] != "base":
            faults.append(who + " has not the base in trips 15 and 30 of 30")
        elif sorted(names) != board.destination_ids:
            faults.append(who + " does not hold every character once")
    figure = str(len(guides))
    return faults, figure


def _gd_02(guides: list[list[str]]) -> tuple[list[str], str]:
    faults = []
    for p, guide in enumerate(guides):
        for first in (0, HALF):
            if set(guide[first : first + HALF]) != set(guides[0][first : first + HALF]):
                faults.append("Guide " + str(p + 1) + " has other characters than guide 1 by trip " + str(first + HALF))
    return faults, str(len(faults))


def _gd_03(guides: list[list[str]]) -> tuple[list[str], str]:
    faults = []
    for k in range(TRIPS):
        names = [guide[k] for guide in guides]
        if k % HALF != HALF - 1 and len(set(names)) != len(names):
            faults.append("Two guides have the same destination in trip " + str(k + 1))
    return faults, str(len(faults))


def _gd_04(guides: list[list[str]]) -> tuple[list[str], str]:
    most = 0
    faults = []
    for p in range(len(guides)):
        for q in range(p):
            for first in (0, HALF):
                pairs = []
                for guide in (guides[p], guides[q]):
                    pairs.append({(guide[k], guide[k + 1]): k for k in range(first, first + HALF - 2)})
                shared = [leg for leg in pairs[0] if leg in pairs[1]]
                most = max(most, len(shared))
                if [1 for leg in shared if pairs[0][leg] == pairs[1][leg]]:
                    faults.append("Guides " + str(q + 1) + " and " + str(p + 1) + " drive the same leg in one trip")
    if most > MAX_SHARED_LEGS:
        faults.append("Two guides share " + str(most) + " legs of a half")
    return faults, str(most)


def _gd_05(legs: list[list[int]]) -> tuple[list[str], str]:
    least = min([min(row) for row in legs])
    faults = ["A leg is only " + str(least) + " streets long"] if least < SHORTEST_LEG else []
    return faults, str(least)


def guide_totals(legs: list[list[int]]) -> list[int]:
    """By half, how far the guides' totals lie apart."""
    out = []
    for first in (0, HALF):
        sums = [sum(row[first : first + HALF]) for row in legs]
        out.append(max(sums) - min(sums))
    return out


def _gd_06(legs: list[list[int]], green: list[list[int]]) -> tuple[list[str], str]:
    plain, free = guide_totals(legs), guide_totals(green)
    faults = []
    if max(plain) > MAX_TOTAL:
        faults.append("Totals of a half lie " + str(max(plain)) + " streets apart")
    if max(free) > MAX_GREEN_TOTAL:
        faults.append("With green tablets totals of a half lie " + str(max(free)) + " streets apart")
    figure = str(plain[0]) + ", " + str(plain[1]) + " / " + str(free[0]) + ", " + str(free[1])
    return faults, figure


def _gd_07(legs: list[list[int]]) -> tuple[list[str], str]:
    inner, outer, places = 0, 0, 0
    for half in (0, 1):
        ends = []
        for k in range(half * HALF, half * HALF + HALF):
            column = [row[k] for row in legs]
            spread = max(column) - min(column)
            if k % HALF in (0, HALF - 1):
                outer = max(outer, spread)
                ends += column
            else:
                inner = max(inner, spread)
        places = max(places, max(ends) - min(ends))
    faults = []
    if inner > MAX_INNER:
        faults.append("In some trip the legs lie " + str(inner) + " streets apart")
    if outer > MAX_BASE_LEG:
        faults.append("From or to the base the legs lie " + str(outer) + " streets apart")
    if places > MAX_PLACES:
        faults.append("First and last places of a half lie " + str(places) + " streets apart from the base")
    figure = str(inner) + " / " + str(outer) + " / " + str(places)
    return faults, figure


def _gd_08(legs: list[list[int]]) -> tuple[list[str], str]:
    members = list(range(len(legs)))
    short, long = value_spread(legs, members, HALF), value_spread(legs, members, TRIPS)
    faults = []
    if max(short, long) > MAX_VALUE:
        faults.append("The guides' expected bonuses lie " + _three(max(short, long)) + " of their mean apart")
    figure = _three(short) + " / " + _three(long)
    return faults, figure


def _gd_09(legs: list[list[int]]) -> tuple[list[str], str]:
    kept: dict[tuple[int, ...], list[float]] = {}
    worst = [0.0, 0.0]
    for chosen in range(3, 1 << len(legs)):
        members = [p for p in range(len(legs)) if chosen >> p & 1]
        if len(members) > 1:
            for i, trips in enumerate((HALF, TRIPS)):
                worst[i] = max(worst[i], _spread(legs, members, trips, kept))
    faults = []
    if max(worst) > MAX_SUBSET_VALUE:
        faults.append("Fewer players' expected bonuses lie up to " + _three(max(worst)) + " of their mean apart")
    figure = _three(worst[0]) + " / " + _three(worst[1])
    return faults, figure


def _three(number: float) -> str:
    return str(round(1000 * number) / 1000)
