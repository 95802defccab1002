"""Reading and writing boards, and what a broken one answers."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_maps import FREEWAY, LINE, boards

from shared_rules.engine.errors import PositionError
from shared_rules.games.taxi.board import parse_board


def test_dump_is_whole_and_in_canonical_order():
    dumped = parse_board(LINE).dump()
    assert list(dumped) == ["id", "title", "points", "lights", "gates", "base", "roads", "destinations"]
    assert list(dumped["points"]) == ["A", "B", "C", "D", "L"]
    assert dumped["base"] is None
    assert dumped["title"] == ""


def test_defaults_of_a_bare_board():
    board = parse_board({"points": {"A": [0, 0], "B": [1, 0]}, "roads": [{"kind": "minor", "via": ["A", "B"]}]})
    assert (board.id, board.title, board.base, board.guides) == ("inline", "", None, None)
    assert board.destination_ids == []


def test_a_destination_without_a_name_is_called_by_its_id():
    board = parse_board({**LINE, "destinations": {"Z": {"at": "A"}}})
    assert board.dump()["destinations"] == {"Z": {"name": "Z", "at": "A"}}


def test_guides_are_kept():
    board = parse_board({**LINE, "base": "A", "destinations": {"Z": {"at": "D"}}, "guides": [["Z", "base"]]})
    assert board.dump()["guides"] == [["Z", "base"]]


@settings(max_examples=100, deadline=None)
@given(boards())
def test_a_dumped_board_reads_back_byte_for_byte(obj):
    dumped = json.dumps(parse_board(obj).dump())
    assert json.dumps(parse_board(json.loads(dumped)).dump()) == dumped


def test_links_are_named_in_the_order_of_their_road():
    board = parse_board(FREEWAY)
    assert board.place("I~H") == "H~I"
    assert board.place("H~I") == "H~I"
    assert board.place("A~H") is None
    assert board.place(7) is None
    assert board.is_link("I~H")
    assert not board.is_link("H")


def test_deflection_is_the_angle_of_the_turn():
    board = parse_board(FREEWAY)
    a, b, c = (board.point_index[name] for name in ("H", "I", "K"))
    assert board.deflection(a, b, c) == pytest.approx(90)
    assert board.deflection(board.point_index["G"], a, b) == pytest.approx(0)


def changed(**parts):
    return {**FREEWAY, **parts}


BROKEN = [
    ("no board", 7, "malformed", "board"),
    ("no points", {"roads": []}, "malformed", "board.points"),
    ("no roads", {"points": {}}, "malformed", "board.roads"),
    ("unknown key", changed(colour="red"), "malformed", "board.colour"),
    ("id no text", changed(id=7), "malformed", "board.id"),
    ("points a list", changed(points=[]), "malformed", "board.points"),
    ("a tilde", changed(points={"a~b": [0, 0]}), "bad_board", "board.points.a~b"),
    ("no y", changed(points={**FREEWAY["points"], "A": [0]}), "bad_board", "board.points.A"),
    ("a word for x", changed(points={**FREEWAY["points"], "A": ["0", 0]}), "malformed", "board.points.A"),
    ("true for x", changed(points={**FREEWAY["points"], "A": [True, 0]}), "malformed", "board.points.A"),
    ("endless", changed(points={**FREEWAY["points"], "A": [float("inf"), 0]}), "bad_board", "board.points.A"),
    ("no number", changed(points={**FREEWAY["points"], "A": [float("nan"), 0]}), "bad_board", "board.points.A"),
    ("lights a text", changed(lights="L"), "malformed", "board.lights"),
    ("light unknown", changed(lights=["L", "Z"]), "bad_board", "board.lights[1]"),
    ("light twice", changed(lights=["L", "L"]), "bad_board", "board.lights[1]"),
    ("gate a number", changed(gates=[1]), "malformed", "board.gates[0]"),
    ("base on a light", changed(base="L"), "bad_board", "board.base"),
    ("base on the freeway", changed(base="I"), "bad_board", "board.base"),
    ("base unknown", changed(base="Z"), "bad_board", "board.base"),
    ("base a number", changed(base=1), "malformed", "board.base"),
    ("roads an object", changed(roads={}), "malformed", "board.roads"),
    ("road without kind", changed(roads=[{"via": ["A", "B"]}]), "malformed", "board.roads[0].kind"),
    ("road with an x", changed(roads=[{"kind": "minor", "via": ["A"], "x": 1}]), "malformed", "board.roads[0].x"),
    ("rail", changed(roads=[{"kind": "rail", "via": ["A", "B"]}]), "bad_board", "board.roads[0].kind"),
    ("road to nowhere", changed(roads=[{"kind": "minor", "via": ["A", "Z"]}]), "bad_board", "board.roads[0].via[1]"),
    ("road of one point", changed(roads=[{"kind": "minor", "via": ["A"]}]), "bad_board", "board.roads[0].via"),
    ("standing road", changed(roads=[{"kind": "minor", "via": ["A", "A"]}]), "bad_board", "board.roads[0].via[1]"),
    ("link twice", changed(roads=[{"kind": "minor", "via": ["A", "B", "A"]}]), "bad_board", "board.roads[0].via[2]"),
    ("destinations a list", changed(destinations=[]), "malformed", "board.destinations"),
    ("destination nowhere", changed(destinations={"Z": {"at": "Y"}}), "bad_board", "board.destinations.Z.at"),
    ("destination on a gate", changed(destinations={"Z": {"at": "G"}}), "bad_board", "board.destinations.Z.at"),
    ("destination without place", changed(destinations={"Z": {}}), "malformed", "board.destinations.Z.at"),
    ("destination named base", changed(destinations={"base": {"at": "A"}}), "bad_board", "board.destinations.base"),
    ("guide to nowhere", changed(guides=[["Z"]]), "bad_board", "board.guides[0][0]"),
    ("guide home without base", changed(guides=[["base"]]), "bad_board", "board.guides[0][0]"),
    ("guides a text", changed(guides="Z"), "malformed", "board.guides"),
]


@pytest.mark.parametrize(("obj", "code", "at"), [b[1:] for b in BROKEN], ids=[b[0] for b in BROKEN])
def test_a_broken_board_names_its_fault(obj, code, at):
    with pytest.raises(PositionError) as fault:
        parse_board(obj)
    assert (fault.value.code, fault.value.at) == (code, at)
    assert fault.value.message.endswith(".")


def test_with_freeway_stops_a_destination_may_lie_there():
    board = parse_board(changed(destinations={"Z": {"at": "I"}}), "board", True)
    assert board.destinations["Z"]["at"] == "I"


def test_a_board_that_is_read_does_not_hang_on_its_source():
    source = json.loads(json.dumps(LINE))
    board = parse_board(source)
    source["points"]["A"][0] = 99
    source["roads"][0]["via"].clear()
    assert board.dump()["points"]["A"] == [0, 0]
    assert board.dump()["roads"][0]["via"] == LINE["roads"][0]["via"]


JUNK = [None, True, 0, -1, 1.5, float("nan"), "", "~", "A", "base", [], {}, [[]], ["A"], {"A": 1}, 10**400]


def spots(value, path=()):
    """The paths of everything in a JSON value."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield from spots(inner, (*path, key))


@settings(max_examples=300, deadline=None)
@given(boards(), st.data())
def test_junk_anywhere_is_refused_or_read_and_never_more(obj, data):
    board = {"id": "B", "title": "t", "destinations": {"Z": {"name": "z", "at": "A"}}, "guides": [["Z"]], **obj}
    path = data.draw(st.sampled_from(list(spots(board))))
    junk = data.draw(st.sampled_from(JUNK))
    if not path:
        board = junk
    else:
        inner = board
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = junk
    try:
        dumped, refusal = parse_board(board).dump(), None
    except PositionError as fault:
        dumped, refusal = None, fault
    if refusal is None:
        assert parse_board(dumped).dump() == dumped
    else:
        assert refusal.code in ("malformed", "bad_board")
        assert refusal.at.startswith("board")
