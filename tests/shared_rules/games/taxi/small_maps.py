"""Small maps with known ways, and random ones with questions about them, for the tests of streets and checks."""

from pathlib import Path

from hypothesis import strategies as st

ROOT = Path(__file__).parents[4]

GRID = {
    "id": "GRID",
    "points": {f"{c}{r}": [x, r] for x, c in enumerate("abc") for r in range(3)},
    "roads": [{"kind": "minor", "via": [f"{c}{r}" for c in "abc"]} for r in range(3)]
    + [{"kind": "minor", "via": [f"{c}{r}" for r in range(3)]} for c in "abc"],
}

LINE = {
    "id": "LINE",
    "points": {"A": [0, 0], "B": [1, 0], "L": [1.5, 0], "C": [2, 0], "D": [3, 0]},
    "lights": ["L"],
    "roads": [{"kind": "minor", "via": ["A", "B", "L", "C", "D"]}],
}

FREEWAY = {
    "id": "FREEWAY",
    "points": {
        "A": [0, 0], "B": [0, -1], "G": [1, 0], "H": [2, 0], "I": [4, 0], "K": [4, 3], "M": [2, 3],
        "P": [1, 3], "Q": [0, 3], "L": [0.5, 3], "S": [1, 4], "R": [1, 2],
    },
    "lights": ["L"],
    "gates": ["G"],
    "roads": [
        {"kind": "lead_on", "via": ["A", "G"]},
        {"kind": "freeway", "via": ["G", "H", "I", "K", "M"]},
        {"kind": "off_ramp", "via": ["M", "P"]},
        {"kind": "minor", "via": ["A", "B"]},
        {"kind": "minor", "via": ["P", "L", "Q"]},
        {"kind": "minor", "via": ["S", "P", "R"]},
    ],
}  # fmt: skip

OPTIONS = {
    "bend_90_costs": [True, False],
    "node_light_scope": ["all_movements", "straight_only"],
    "freeway_stop": ["forbidden", "allowed"],
    "base_through": ["junction", "terminal"],
    "stop_points": ["anywhere", "corners_only"],
    "barrier_extent": ["point", "link", "street"],
}


@st.composite
def boards(draw):
    """A board object of three to eight points and a few roads; lights and gates anywhere."""
    spots = draw(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=3, max_size=8, unique=True))
    names = "ABCDEFGH"[: len(spots)]
    linked, roads = set(), []
    for _ in range(draw(st.integers(1, 7))):
        kind = draw(st.sampled_from(["minor", "minor", "minor", "major", "freeway", "lead_on", "off_ramp"]))
        via = [draw(st.sampled_from(names))]
        for _ in range(draw(st.integers(1, 4))):
            free = [n for n in names if n != via[-1] and frozenset((n, via[-1])) not in linked]
            if not free:
                break
            via.append(draw(st.sampled_from(free)))
            linked.add(frozenset(via[-2:]))
        if len(via) > 1:
            roads.append({"kind": kind, "via": via})
    lights = draw(st.lists(st.sampled_from(names), max_size=3, unique=True))
    gates = draw(st.lists(st.sampled_from(names), max_size=2, unique=True))
    points = {name: list(spot) for name, spot in zip(names, spots, strict=True)}
    board = {"points": points, "lights": lights, "gates": [g for g in gates if g not in lights], "roads": roads}
    touched = {p for road in roads if road["kind"] == "freeway" for p in road["via"]}
    good = [n for n in names if n not in lights and n not in board["gates"] and n not in touched]
    if good and draw(st.booleans()):
        board["base"] = draw(st.sampled_from(good))
    return board


@st.composite
def questions(draw, streets=4, tablets=3):
    """(board object, options, streets, green, white, number of the start, numbers of links with barriers)."""
    board = draw(boards())
    options = {name: draw(st.sampled_from(values)) for name, values in OPTIONS.items()}
    barriers = draw(st.lists(st.integers(0, 30), max_size=2)) if draw(st.booleans()) else []
    budget = [draw(st.integers(0, most)) for most in (streets, tablets, tablets)]
    return board, options, *budget, draw(st.integers(0, 60)), barriers
