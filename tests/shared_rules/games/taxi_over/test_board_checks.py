"""The road validator (part E, 1 to 9) and the shipped board with its layout."""

import pytest
from taxi_over_tables import EIGHT, RING, ring

from shared_rules import library
from shared_rules.games.taxi_over.board import parse_board
from shared_rules.games.taxi_over.board_checks import CHECKS, ERROR, WARNING, check, figures


def told(board, layout=None, options=None):
    """[(severity, number)] without the warning about tokens, which is due with the ordinary targets."""
    found = check(board, layout, options)
    for severity, number, sentence in found:
        assert severity in (ERROR, WARNING)
        assert 1 <= number <= len(CHECKS)
        assert sentence.endswith(".")
    return [(severity, number) for severity, number, _ in found if number != 8]


def test_the_shipped_board_has_no_fault_and_says_what_people_have_to_know():
    found = check(library.parsed_board("carousel"), library.layout("carousel"))
    assert [(severity, number) for severity, number, _ in found] == [(WARNING, 8), (WARNING, 9)]
    assert "4 players" in found[0][2]
    assert "FRONT1" in found[1][2]
    assert dict(figures(library.board("carousel"))) == {
        "spaces": "20", "crossings": "0", "intersections": "2", "sinkholes": "2",
        "steps from START to an intersection": "5", "steps between intersections": "10",
    }  # fmt: skip


def test_the_shipped_board_is_the_reference_of_the_rules():
    shipped = library.board("carousel")
    assert {key: shipped[key] for key in RING if key not in ("id", "title")} == {
        key: RING[key] for key in RING if key not in ("id", "title")
    }
    assert "stand-in" in shipped["title"]


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"loop": [*RING["loop"], "s5", "s5"]}, (ERROR, 1)),
        ({"loop": ["s1", "s2", "s3", "s4", "s2", "s5", "s8", "s15", "s18", "s6"]}, (ERROR, 1)),
        ({"loop": ["X", "Y", "s1", "s5", "s8", "X", "s15", "s18", "s6", "Y", "s9", "s10"]}, (ERROR, 1)),
        ({"loop": [*RING["loop"], ""]}, (ERROR, 1)),
        ({"entry": "s0"}, (ERROR, 2)),
        ({"loop": [*RING["loop"], "START"]}, (ERROR, 2)),
        ({"sinkholes": {"K1": "s99"}}, (ERROR, 3)),
        ({"sinkholes": {"K1": "s8", "K2": "s8"}}, (ERROR, 3)),
        ({"sinkholes": {"START": "s8"}}, (ERROR, 3)),
        ({"sinkholes": {}}, (WARNING, 3)),
        ({"intersections": []}, (ERROR, 4)),
        ({"intersections": ["s0", "s5"]}, (ERROR, 4)),
        ({"intersections": ["s5", "s5"]}, (ERROR, 4)),
        ({"intersections": ["s5", "s8"]}, (WARNING, 4)),
        ({"intersections": ["s1"]}, (WARNING, 4)),
        ({"sinkholes": {"s3": "s8"}}, (ERROR, 6)),
    ],
)
def test_each_fault_is_found(change, expected):
    assert expected in told({**RING, **change})


def test_crossings_are_checked():
    assert told(EIGHT) == [(WARNING, 3), (WARNING, 5)]
    assert (ERROR, 2) in told({**EIGHT, "entry": "X"})
    assert (ERROR, 3) in told({**EIGHT, "sinkholes": {"K1": "X"}})


def test_small_roads():
    assert told(ring(4, (1,), {"K1": 3}))[-1:] == [(ERROR, 5)]
    assert (WARNING, 5) in told(ring(15, (4,), {"K1": 8}))
    assert told(ring(16, (4,), {"K1": 8})) == []


def test_house_rules_are_checked_with_the_board():
    assert told(RING, options={"dice_faces": [1, 2, 3, 4, 5, 6]}) == [(WARNING, 7)]
    assert told(RING, options={"dice_faces": [3, 3, 3, 3, 3, 3]}) == [(WARNING, 7)]
    assert told(RING, options={"dice_faces": [0, 1, 1, 2, 2, 3]}) == [(ERROR, 7)]
    assert told({**RING, "sinkholes": {"s3": "s8"}}, options={"sinkhole_entry": "any"}) == []
    assert check(RING, options={"target_tokens": {"4": 9}}) == []
    assert [number for _, number, _ in check(RING, options={"target_tokens": {"2": 19}})] == [8, 8]


def layout(**changes):
    out = {
        "sockets": {**{name: i for i, name in enumerate([*RING["loop"], "START"])},
            **{f"FRONT{i}": 20 + i for i in range(1, 5)}},
        "leds": {"s5": 0, "s15": 1},
        "tags": 8,
        "die_ids": ["A", "B", "C"],
        "spaces": {name: [0, 0] for name in RING["loop"]},
        "sinkholes": {"K1": [0, 0], "K2": [0, 0]},
    }  # fmt: skip
    for key, change in changes.items():
        out[key] = {**out[key], **change} if isinstance(change, dict) else change
    return out


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, []),
        ({"sockets": {"s3": 4}}, [(ERROR, 9)]),
        ({"sockets": {"s3": 32}}, [(ERROR, 9)]),
        ({"sockets": {"moon": 30}}, [(ERROR, 9)]),
        ({"leds": {"s5": 1}}, [(ERROR, 9)]),
        ({"leds": {"s3": 64}}, [(ERROR, 9)]),
        ({"tags": 4}, [(WARNING, 9)]),
        ({"sockets": {"START": [20, 25, 26]}}, []),
        ({"sockets": {"START": [20, 3]}}, [(ERROR, 9)]),
        ({"leds": {"s5/2": 2}}, []),
        ({"leds": {"s6/2": 0}}, [(ERROR, 9)]),
        ({"die_ids": ["A", "A", "B"]}, [(WARNING, 7)]),
        ({"die_ids": []}, [(WARNING, 7)]),
    ],
)
def test_layouts_are_checked(changes, expected):
    assert told(RING, layout(**changes)) == expected


def test_a_layout_that_lacks_something():
    lacking = layout()
    for key, name in (("sockets", "s3"), ("sockets", "START"), ("sockets", "FRONT2"), ("leds", "s5"), ("spaces", "s9"),
            ("sinkholes", "K1")):  # fmt: skip
        part = {other: value for other, value in lacking[key].items() if other != name}
        found = check(RING, {**lacking, key: part})
        assert [number for _, number, _ in found] == [8, 9]
        assert name in found[-1][2]


def test_a_parsed_board_is_checked_as_its_object_is():
    assert check(parse_board(EIGHT)) == check(EIGHT)


def test_the_layout_of_the_shipped_board():
    board, drawn = library.board("carousel"), library.layout("carousel")
    assert set(drawn["sockets"]) == {*board["loop"], "START"}
    width, height = drawn["page"]["width"], drawn["page"]["height"]
    assert all(0 < x < width and 0 < y < height for x, y in drawn["spaces"].values())
