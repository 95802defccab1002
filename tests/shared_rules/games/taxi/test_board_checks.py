"""Every check of a board holds for the shipped one and fails for a board with just that fault."""

import copy

import pytest
from small_maps import FREEWAY

from shared_rules import library
from shared_rules.games.taxi.board import parse_board
from shared_rules.games.taxi.board_checks import CHECKS, FIGURE, WARNING, YES, BoardJudge, check_board
from shared_rules.games.taxi.board_graph import blocks, bridges, crossings


@pytest.fixture(scope="module")
def shipped():
    return check_board(library.parsed_board("fumbling"), designed=True)


def test_the_shipped_board_passes_every_check(shipped):
    names = [f"BD-{n:02}" for n in range(1, 17)] + [f"GD-{n:02}" for n in range(1, 10)]
    assert [row["check"] for row in shipped] == names
    assert [row for row in shipped if not row["ok"]] == []
    assert {row["required"] for row in shipped} == {YES}


def test_the_known_board_gives_its_known_figures(proof_board):
    rows = {row["check"]: row for row in check_board(parse_board(proof_board), designed=True)}
    assert all(row["ok"] for row in rows.values())
    figures = {
        "BD-10": "70.4 %", "BD-11": "21.6 %", "BD-12": "8.52, 2.7 %, 16, 4.71", "BD-13": "3-9", "BD-15": "29",
        "BD-16": "20.0 mm", "GD-05": "4", "GD-06": "0, 1 / 3, 2", "GD-08": "0.024 / 0.018", "GD-09": "0.037 / 0.035",
    }  # fmt: skip
    assert {name: rows[name]["figure"] for name in figures} == figures


def town(**changes):
    """A block of streets with an X on each outer side, a base in the middle and a freeway from south to north."""
    board = {
        "points": {
            "SW": [0, 0], "S": [2, 0], "SE": [4, 0], "W": [0, 2], "O": [2, 2], "E": [4, 2],
            "NW": [0, 4], "N": [2, 4], "NE": [4, 4],
            "X1": [1, 0], "X2": [3, 0], "X3": [1, 4], "X4": [3, 4], "L1": [2, 3],
            "G": [2, -1], "F1": [2, -2], "F2": [6, -2], "F3": [6, 2],
        },
        "lights": ["L1"],
        "gates": ["G"],
        "base": "O",
        "roads": [
            {"kind": "minor", "via": ["SW", "X1", "S", "X2", "SE"]},
            {"kind": "minor", "via": ["W", "O", "E"]},
            {"kind": "minor", "via": ["NW", "X3", "N", "X4", "NE"]},
            {"kind": "minor", "via": ["SW", "W", "NW"]},
            {"kind": "major", "via": ["S", "O", "L1", "N"]},
            {"kind": "minor", "via": ["SE", "E", "NE"]},
            {"kind": "lead_on", "via": ["S", "G"]},
            {"kind": "freeway", "via": ["G", "F1", "F2", "F3"]},
            {"kind": "off_ramp", "via": ["F3", "E"]},
        ],
        "destinations": {f"D{n}": {"at": f"X{n}"} for n in range(1, 5)},
    }  # fmt: skip
    board = copy.deepcopy(board)
    points = changes.pop("points", {})
    board["points"].update(points)
    board["roads"] += changes.pop("more_roads", [])
    for road, replacement in changes.pop("roads", {}).items():
        board["roads"][road] = replacement
    board["roads"] = [road for road in board["roads"] if road]
    board.update(changes)
    return board


def verdict(board, check):
    judge = BoardJudge(parse_board(board))
    return getattr(judge, check.lower().replace("-", "_"))()


# Check, what is wrong, the board, a word of the message. `town()` itself passes these checks.
FAULTS = [
    ("BD-02", "X on a junction", town(destinations={"D1": {"at": "N"}}), "N is not in the course"),
    ("BD-02", "X on a lead-on road", town(destinations={"D1": {"at": "Y"}}, points={"Y": [2, -0.5]},
     roads={6: {"kind": "lead_on", "via": ["S", "Y", "G"]}}), "Y is not in the course"),
    ("BD-02", "X beside the base", town(destinations={"D1": {"at": "Y"}}, points={"Y": [1, 2]},
     roads={1: {"kind": "minor", "via": ["W", "Y", "O", "E"]}}), "touches the base"),
    ("BD-02", "X on a bend", town(destinations={"D1": {"at": "SW"}}), "SW lies on a bend"),
    ("BD-03", "cut off by a light", town(lights=["M", "Y", "Z"], points={"M": [0, 1], "Y": [0, 3], "Z": [0.5, 2]},
     roads={3: {"kind": "minor", "via": ["SW", "M", "W", "Y", "NW"]},
     1: {"kind": "minor", "via": ["W", "Z", "O", "E"]}}),
     "get to W"),
    ("BD-04", "a trap behind the freeway", town(lights=["L1", "Y"], points={"Y": [5, 3], "T": [6, 3], "U": [6, 4]},
     roads={8: {"kind": "off_ramp", "via": ["F3", "T"]}},
     more_roads=[{"kind": "minor", "via": ["T", "Y", "NE"]}, {"kind": "minor", "via": ["T", "U"]}]), "T"),
    ("BD-05", "no gate", town(gates=[]), "onto the freeway at G"),
    ("BD-05", "a gate in the city", town(gates=["G", "Y"], points={"Y": [1, 2]},
     roads={1: {"kind": "minor", "via": ["W", "Y", "O", "E"]}}), "Y leads to no freeway"),
    ("BD-05", "a gate inside the freeway", town(gates=["G", "F1"]), "F1 lies inside the freeway"),
    ("BD-05", "no exit", town(roads={8: None}), "no exit after G"),
    ("BD-05", "a ring with one exit", town(roads={7: {"kind": "freeway", "via": ["G", "F1", "F2", "F3", "F4", "F1"]}},
     points={"F4": [-2, 3]}), "fewer than two exits"),
    ("BD-06", "freeway to nowhere", town(points={"F5": [8, -2]},
     more_roads=[{"kind": "freeway", "via": ["F2", "F5"]}]), "F2~F5"),
    ("BD-07", "freeway straight into a street", town(roads={7: {"kind": "freeway", "via": ["G", "F1", "F2", "F3", "E"]},
     8: None}), "no off-ramp where the freeway ends at E"),
    ("BD-07", "no road to the gate", town(roads={6: None}), "no road to wait on before G"),
    ("BD-08", "a street at 45 degrees", town(more_roads=[{"kind": "minor", "via": ["O", "NE"]}]), "45 degrees"),
    ("BD-09", "a light on a junction", town(lights=["L1", "N"]), "N lies on no link"),
    ("BD-09", "light and X on one half", town(lights=["L1", "Y"], points={"Y": [0.8, 0], "X1": [0.6, 0]},
     roads={0: {"kind": "minor", "via": ["SW", "X1", "Y", "S", "X2", "SE"]}}), "one half"),
    ("BD-10", "a useless light", town(points={"L1": [0, 1]},
     roads={3: {"kind": "minor", "via": ["SW", "L1", "W", "NW"]},
     4: {"kind": "major", "via": ["S", "O", "N"]}}), "of no use to anybody: L1"),
    ("BD-11", "a useless gate", town(), "G is never the only best gate"),
    ("BD-12", "a village", town(), "not 7 to 9"),
    ("BD-13", "X's at the base", town(), "nearer than 3"),
    ("BD-14", "a street across another", town(points={"P": [1, 1], "Q": [3, 1]},
     more_roads=[{"kind": "minor", "via": ["P", "Q"]}]), "crosses"),
    ("BD-14", "freeway over the city", town(points={"F2": [-1, 3]}), "crosses"),
    ("BD-15", "an X on a bridge", town(points={"T": [7, 4], "X4": [5, 4]},
     roads={2: {"kind": "minor", "via": ["NW", "X3", "N", "NE", "X4", "T"]}}), "with an X on it"),
    ("BD-15", "a bridge between destinations", town(
     points={"T": [6, 4], "U": [8, 4], "V": [8, 6], "Y": [6, 5], "Z": [6, 6]},
     more_roads=[{"kind": "minor", "via": ["NE", "T", "U", "V", "Z", "Y", "T"]}],
     destinations={"D1": {"at": "X1"}, "D2": {"at": "Y"}}), "parting destinations: NE~T"),
    ("BD-16", "points too near", town(points={"L1": [2, 3.9]}), "4.0 mm"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("check", "board", "says"), [(f[0], f[2], f[3]) for f in FAULTS], ids=[f"{f[0]} {f[1]}" for f in FAULTS]
)
def test_a_fault_is_found(check, board, says):
    faults, _ = verdict(board, check)
    assert any(says in fault for fault in faults), faults


@pytest.mark.parametrize("check", [f"BD-{n:02}" for n in (2, 3, 4, 5, 6, 7, 8, 9, 14, 15, 16)])
def test_the_town_with_the_faults_has_no_other(check):
    assert verdict(town(), check)[0] == []


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({}, "28 characters are wanted"),
        ({"base": None}, "there is no base"),
        ({"destinations": {"D1": {"at": "X1"}, "D2": {"at": "X1"}}}, "share an X"),
        (
            {"points": {"Y": [0.5, 0]}, "roads": {0: {"kind": "minor", "via": ["SW", "Y", "X1", "S", "X2", "SE"]}},
             "destinations": {"D1": {"at": "X1"}, "D2": {"at": "Y"}}},
            "two X's between S and SW",
        ),
    ],
)  # fmt: skip
def test_what_bd_01_counts(change, says):
    assert any(says in fault for fault in verdict(town(**change), "BD-01")[0])


def without_lights(board, names):
    board = copy.deepcopy(board)
    board["lights"] = [name for name in board["lights"] if name not in names]
    return board


def test_a_town_without_lights_makes_green_tablets_worthless():
    board = library.board("fumbling")
    faults, figure = BoardJudge(parse_board(without_lights(board, board["lights"]))).bd_10()
    assert figure == "0.0 %"
    assert "0.0 % of the pairs only" in faults[0]


def test_a_closed_freeway_makes_white_tablets_worthless():
    board = copy.deepcopy(library.board("fumbling"))
    board["roads"] = [road for road in board["roads"] if road["kind"] != "off_ramp"]
    faults, figure = BoardJudge(parse_board(board)).bd_11()
    assert figure == "0.0 %"
    assert len(faults) == 1 + len(board["gates"])


def test_a_board_of_ones_own_is_warned_or_told_and_not_failed():
    board = without_lights(library.board("fumbling"), ["L01"])
    rows = {row["check"]: row["required"] for row in check_board(parse_board(board))}
    assert {name for name, required in rows.items() if required == WARNING} >= {"BD-03", "BD-04", "BD-16"}
    assert {name for name, required in rows.items() if required == FIGURE} == {
        "BD-10", "BD-11", "BD-12", "BD-13", "BD-15",
    }  # fmt: skip
    assert rows["BD-05"] == YES


def test_checks_without_guides_are_those_of_the_board_alone():
    board = dict(library.board("fumbling"))
    del board["guides"]
    assert [row["check"] for row in check_board(parse_board(board))] == [name for name, _, _ in CHECKS]


@pytest.mark.parametrize("board", [
    {"points": {}, "roads": []},
    {"points": {"A": [0, 0]}, "roads": [], "base": "A"},
    {"points": {"A": [0, 0], "B": [1, 0], "C": [0, 1]}, "base": "A",
     "roads": [{"kind": "freeway", "via": ["B", "C"]}], "destinations": {"D": {"at": "A"}}},
])  # fmt: skip
def test_no_board_is_too_poor_to_be_judged(board):
    assert len(check_board(parse_board(board))) == 16


def test_blocks_run_through_dots_and_end_at_bends():
    found = {tuple(sorted((block[0], block[-1]))): block for block in blocks(parse_board(town()))}
    assert found[("N", "O")] == ["N", "L1", "O"]
    assert found[("S", "SW")] == ["S", "X1", "SW"]
    assert found[("SW", "W")] == ["SW", "W"]


def test_links_that_lie_on_one_another_cross():
    board = {
        "points": {"A": [0, 0], "B": [2, 0], "C": [1, 0], "D": [3, 0]},
        "roads": [{"kind": "minor", "via": ["A", "B"]}, {"kind": "minor", "via": ["C", "D"]}],
    }
    assert crossings(parse_board(board)) == [("A~B", "C~D")]
    folded = {
        "points": {"A": [0, 0], "B": [2, 0], "C": [1, 0]},
        "roads": [{"kind": "minor", "via": ["A", "B"]}, {"kind": "minor", "via": ["A", "C"]}],
    }
    assert crossings(parse_board(folded)) == [("A~B", "A~C")]


def test_bridges_are_what_cuts_the_town():
    board = town(points={"T": [6, 4], "U": [8, 4]}, more_roads=[{"kind": "minor", "via": ["NE", "T", "U"]}])
    found, with_x, parting = bridges(parse_board(board), ["X1", "X2", "X3", "X4", "O"])
    assert (found, with_x, parting) == (["NE~T", "T~U"], [], [])


def small_town(*more):
    """The town of S-154: two rows of streets right and left of a light, with gaps."""
    return {
        "points": {f"{c}{r}": [x, r] for x, c in enumerate("abcde") for r in range(4)}
        | {"L1": [2.5, 3], "L2": [1.5, 1], "L3": [4, 1.5], "X": [3.5, 0]},
        "lights": ["L1", "L2", "L3"],
        "roads": [{"kind": "minor", "via": via.split("-")} for via in (
            "a3-b3-c3-L1-d3-e3", "a2-b2-c2", "d2-e2", "b1-L2-c1-d1-e1", "a0-b0-c0", "d0-X-e0",
            "a3-a2-a1-a0", "b2-b1-b0", "c3-c2-c1", "d3-d2", "d1-d0", "e3-e2-L3-e1-e0", *more,
        )],
        "destinations": {"D": {"at": "X"}},
        "base": "c2",
    }  # fmt: skip


def test_s_154_what_a_light_cuts_off():
    assert verdict(small_town(), "BD-03")[0] == ["without tablets one cannot get to d2, d3, e2, e3"]
    assert verdict(small_town("c2-d2"), "BD-03")[0] == []


def test_s_155_a_trap():
    trap = {
        "points": {"A": [0, 0], "G": [1, 0], "H": [2, 0], "K": [3, 0], "P": [4, 0], "L": [5, 0], "Q": [6, 0],
                   "R": [4, 1], "S": [5, 1]},
        "gates": ["G"], "lights": ["L"], "base": "A",
        "roads": [{"kind": "lead_on", "via": ["A", "G"]}, {"kind": "freeway", "via": ["G", "H", "K"]},
                  {"kind": "off_ramp", "via": ["K", "P"]}, {"kind": "minor", "via": ["P", "L", "Q"]},
                  {"kind": "minor", "via": ["P", "R", "S"]}],
    }  # fmt: skip
    [fault] = verdict(trap, "BD-04")[0]
    assert fault.startswith("no way home without tablets from K~P, ")
    assert set(fault.split("from ")[1].split(", ")) >= {"P", "R", "S"}


def test_s_156_gates():
    assert "onto the freeway at G without a gate" in verdict({**FREEWAY, "gates": []}, "BD-05")[0][0]
    assert verdict(FREEWAY, "BD-05")[0] == []
    on_ramp = copy.deepcopy(FREEWAY)
    on_ramp["points"]["X"] = [1.5, 3]
    on_ramp["roads"][2]["via"] = ["M", "X", "P"]
    on_ramp["destinations"] = {"D": {"at": "X"}}
    assert "X is not in the course" in verdict(on_ramp, "BD-02")[0][0]
