"""Every check of a London board holds for the shipped one and fails for a board with just that fault."""

import copy

import pytest

from hardware.board_design import thames
from shared_rules import library
from shared_rules.games.destination_london.board_checks import (
    CHECKS,
    ERROR,
    WARNING,
    attraction_squares,
    check,
    figures,
)


def ring(**changes):
    """A ring of twelve squares with the Base outside, a short cut that is one-way, and no faults."""
    board = {
        "squares": {f"q{n}": [n, 0] for n in range(12)} | {"B": [0, 5], "x1": [5, 5]},
        "base": "B",
        "garages": ["q6"],
        "lights": ["q4", "q8"],
        "roads": [
            {"via": ["B", "q0"], "one_way": False},
            {"via": [f"q{n % 12}" for n in range(13)], "one_way": False},
            {"via": ["q2", "x1", "q9"], "one_way": True},
        ],
        "attractions": {
            "ALPHA": {"name": "Alpha", "square": "q3"},
            "BETA": {"name": "Beta", "square": "q5"},
            "DELTA": {"name": "Delta", "square": "q5"},
            "GAMMA": {"name": "Gamma", "square": "q8", "opposite": ["q10"]},
        },
        "cards": {
            name: {"attraction": name, "fare": 10 * n} for n, name in enumerate(("ALPHA", "BETA", "DELTA", "GAMMA"))
        },
    }
    board.update(changes)
    return board


def wired(**changes):
    layout = {
        "sockets": {"B": 0, "q6": 1, "q3": 2, "q5": 3, "q8": 4, "q10": {"controller": 1, "socket": 0}},
        "leds": {"q4": 0, "q8": 1},
        "tags": 6,
    }
    layout.update(changes)
    return layout


def told(board, layout=None):
    return [(severity, number) for severity, number, _ in check(board, layout)]


def sentences(board, layout=None):
    return " ".join(text for _, _, text in check(board, layout))


@pytest.fixture(scope="module")
def shipped():
    return library.board("thames")


def test_the_shipped_board_has_no_fault(shipped):
    assert check(shipped, library.layout("thames")) == []
    assert check(library.parsed_board("thames")) == []


def test_the_shipped_board_has_the_size_that_part_e_asks_for(shipped):
    assert len(shipped["squares"]) == 96
    at = [one["square"] for one in shipped["attractions"].values()]
    assert len(at) == len(shipped["cards"]) == 45
    assert sorted(at.count(square) for square in set(at)) == [1] * 39 + [2] * 3
    assert len(shipped["lights"]) == 20
    assert len([square for square in shipped["lights"] if square in at]) == 6
    assert len(shipped["garages"]) == 1
    links = [road["one_way"] for road in shipped["roads"] for _ in road["via"][1:]]
    assert 1 / 11 <= sum(links) / len(links) <= 1 / 8
    roads = [road["one_way"] for road in shipped["roads"]]
    assert 1 / 11 <= sum(roads) / len(roads) <= 1 / 8
    assert "stand-in" in shipped["title"]


def test_the_base_lies_at_an_edge_and_the_garage_in_the_middle(shipped):
    places = shipped["squares"]
    left, right = min(x for x, _ in places.values()), max(x for x, _ in places.values())
    low, high = min(y for _, y in places.values()), max(y for _, y in places.values())
    x, y = places[shipped["base"]]
    assert min((x - left) / (right - left), (y - low) / (high - low)) < 0.1
    x, y = places[shipped["garages"][0]]
    assert 0.3 < (x - left) / (right - left) < 0.7
    assert 0.3 < (y - low) / (high - low) < 0.7


def test_the_fares_come_in_five_bands_of_nine(shipped):
    cards = shipped["cards"]
    assert [cards[f"D{n:02d}"]["fare"] for n in range(1, 46)] == [
        fare for fare in (40, 60, 80, 100, 120) for _ in range(9)
    ]
    assert sum(card["fare"] for card in cards.values()) == 3600


def test_the_file_is_what_the_design_gives():
    assert thames.BOARD_FILE.read_text(encoding="utf-8") == thames.as_text(thames.design())
    assert thames.main([]) == 0


def test_the_known_figures(shipped):
    found = dict(figures(shipped))
    assert found["squares"] == "96"
    assert found["attractions"] == "45 on 42 squares"
    assert found["lights"] == "20, 6 shared"
    assert found["links"] == "137, 14 one-way"
    assert found["squares to the Garage, most"] == "11"
    assert dict(figures(ring()))["squares to the Garage, most"] == "4"


def test_the_small_board_has_no_fault_either():
    assert check(ring(), wired()) == []
    assert check(ring()) == []
    assert [number for number, _ in CHECKS] == list(range(1, 10))
    assert attraction_squares(ring()) == ["q10", "q3", "q5", "q8"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"base": None}, "no Base"),
        ({"base": "nowhere"}, "no Base"),
        ({"garages": []}, "no Garage"),
        ({"lights": []}, "no traffic lights"),
        ({"lights": ["q4", "q8", "moon"]}, "moon"),
        ({"garages": ["B", "q6"]}, "The Base is a Garage"),
        ({"lights": ["B", "q8"]}, "The Base has traffic lights"),
    ],
)
def test_1_one_base_that_is_nothing_else(changes, words):
    assert (ERROR, 1) in told(ring(**changes))
    assert words in sentences(ring(**changes))


def test_1_no_attraction_on_the_base():
    board = ring()
    board["attractions"]["ALPHA"]["square"] = "B"
    assert told(board) == [(ERROR, 1)]


def test_2_a_one_way_trap():
    board = ring()
    board["squares"]["trap"] = [7, 7]
    board["roads"].append({"via": ["q3", "trap"], "one_way": True})
    assert told(board) == [(ERROR, 2), (ERROR, 4), (WARNING, 4)]
    assert "from trap" in sentences(board)


def test_2_a_square_that_cannot_be_reached():
    board = ring()
    board["squares"]["isle"] = [7, 7]
    board["roads"].append({"via": ["isle", "q3"], "one_way": True})
    assert (ERROR, 2) in told(board)
    assert "no way to isle" in sentences(board)


def test_2_nobody_drives_through_the_base():
    """What lies behind the Base only cannot be reached, though roads lead there."""
    board = ring()
    board["squares"] |= {"y1": [1, 6], "y2": [2, 6]}
    board["roads"].append({"via": ["B", "y1", "y2", "B"], "one_way": False})
    assert (ERROR, 2) in told(board)
    assert "y1, y2" in sentences(board)


def test_3_a_card_for_nothing():
    board = ring()
    board["cards"]["C9"] = {"attraction": "OMEGA", "fare": 40}
    assert told(board) == [(ERROR, 3)]
    assert "C9" in sentences(board)


def test_3_an_attraction_without_a_card():
    board = ring()
    del board["cards"]["BETA"]
    assert told(board) == [(ERROR, 3)]


def test_3_an_attraction_on_no_square():
    board = ring()
    board["attractions"]["ALPHA"]["square"] = "q99"
    assert told(board) == [(ERROR, 3)]


def test_3_what_people_cannot_tell_apart():
    board = ring()
    board["attractions"]["ALPHA"]["name"] = "Beta"
    board["squares"]["q1"] = board["squares"]["q2"]
    board["cards"]["ALPHA"]["fare"] = 7
    assert told(board) == [(WARNING, 3)] * 3


def test_4_a_dead_end():
    board = ring()
    board["squares"]["mews"] = [3, 3]
    board["roads"].append({"via": ["q3", "mews"], "one_way": False})
    assert told(board) == [(WARNING, 4)]
    assert "mews" in sentences(board)


def test_4_the_base_may_be_a_dead_end():
    assert len([road for road in ring()["roads"] if "B" in road["via"]]) == 1
    assert told(ring()) == []


def test_5_a_way_back_on_a_one_way_road():
    board = ring()
    board["roads"].append({"via": ["x1", "q2"], "one_way": True})
    assert told(board) == [(ERROR, 5)]
    board = ring()
    board["roads"].append({"via": ["q3", "q4"], "one_way": True})
    assert told(board) == [(ERROR, 5)]


def test_5_a_link_twice_and_roads_that_lead_nowhere():
    board = ring()
    board["roads"].append({"via": ["q4", "q3"], "one_way": False})
    assert told(board) == [(WARNING, 5)]
    board = ring()
    board["roads"].append({"via": ["q4", "q4"], "one_way": False})
    board["roads"].append({"via": ["q4", "atlantis"], "one_way": False})
    board["roads"].append({"via": ["q4"], "one_way": False})
    assert told(board).count((ERROR, 5)) == 3


def test_6_a_garage_too_far_away():
    names = [f"far{n}" for n in range(40)]
    board = ring()
    board["squares"] |= {name: [n, 9] for n, name in enumerate(names)}
    board["roads"].append({"via": ["q3", *names, "q4"], "one_way": False})
    board["attractions"]["ALPHA"]["square"] = "far20"
    assert told(board) == []
    board["roads"][-1] = {"via": ["q3", *names, "q4"], "one_way": True}
    board["attractions"]["ALPHA"]["square"] = "far2"
    assert told(board) == [(WARNING, 6)]


def test_6_no_way_to_a_garage():
    board = ring(garages=["hill"])
    board["squares"]["hill"] = [9, 9]
    board["roads"].append({"via": ["hill", "q3"], "one_way": True})
    assert (ERROR, 6) in told(board)


def test_7_rules_that_never_come_up():
    board = ring(lights=["q4"])
    assert told(board) == [(WARNING, 7)]
    board = ring()
    board["attractions"]["DELTA"]["square"] = "q7"
    assert told(board) == [(WARNING, 7)]


def test_8_the_base_cannot_be_approached():
    short = ring(roads=[{"via": ["B", "q0", "q1", "q2", "q3"], "one_way": False}])
    board = copy.deepcopy(short)
    board["squares"] = {name: board["squares"][name] for name in ("B", "q0", "q1", "q2", "q3")}
    board["garages"], board["lights"] = ["q1"], ["q3"]
    board["attractions"] = {"ALPHA": {"name": "Alpha", "square": "q3"}, "BETA": {"name": "Beta", "square": "q3"}}
    board["cards"] = {name: {"attraction": name, "fare": 10} for name in ("ALPHA", "BETA")}
    assert told(board) == [(ERROR, 8), (WARNING, 4)]
    assert "5, 6 from the Base" in sentences(board)


@pytest.mark.parametrize(
    ("changes", "severity", "words"),
    [
        ({"sockets": {"q6": 1, "q3": 2, "q5": 3, "q8": 4, "q10": 5}}, WARNING, "the Base"),
        ({"sockets": {"B": 1, "q3": 2, "q5": 3, "q8": 4, "q10": 5}}, WARNING, "a Garage"),
        ({"sockets": {"B": 0, "q6": 1}}, WARNING, "without a reader"),
        ({"sockets": wired()["sockets"] | {"q4": 4}}, ERROR, "Socket 4 of controller 0"),
        ({"sockets": wired()["sockets"] | {"q4": 32}}, ERROR, "Socket 32"),
        ({"sockets": wired()["sockets"] | {"q4": [5, 5]}}, ERROR, "Socket 5"),
        ({"sockets": wired()["sockets"] | {"moon": 9}}, ERROR, "no square"),
        ({"leds": {"q4": 0}}, WARNING, "without an LED"),
        ({"leds": {"q4": 0, "q8": 0}}, ERROR, "two squares"),
        ({"leds": {"q4": 0, "q8": 64}}, ERROR, "0 to 63"),
        ({"leds": {"q4": 0, "q8": 1, "moon": 2}}, ERROR, "no square"),
        ({"tags": 4}, WARNING, "six taxis"),
    ],
)
def test_9_readers_lights_and_tags(changes, severity, words):
    assert told(ring(), wired(**changes)) == [(severity, 9)]
    assert words in sentences(ring(), wired(**changes))


def test_the_same_socket_number_on_another_controller_is_another_socket():
    sockets = wired()["sockets"] | {"q4": {"controller": 1, "socket": 4}}
    assert told(ring(), wired(sockets=sockets)) == []


def test_errors_come_first():
    board = ring(lights=["q4"], garages=[])
    board["squares"]["q1"] = board["squares"]["q2"]
    assert told(board) == [(ERROR, 1), (WARNING, 3), (WARNING, 7)]
