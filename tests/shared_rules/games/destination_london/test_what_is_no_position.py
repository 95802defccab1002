"""What is no position, no player and no board, and where the fault is said to be."""

import pytest
from london_tables import far_board, game, position

from shared_rules.engine.errors import PositionError
from shared_rules.portable.json_text import dumps

TYPED_MOVE = {"title": "Off", "side": "nice", "do": [["move_to_own_destination"]]}
TYPED_FUEL = {"title": "Full", "side": "nice", "do": [["gain_bonus_fuel", 1]]}


def fault(given):
    with pytest.raises(PositionError) as caught:
        game.load_position(given)
    assert caught.value.message.endswith(".")
    return caught.value.code, caught.value.at


GOOD = {"square": "q3", "steps": ["claims"]}
BAD = [
    # A part of a wrong kind, or a key that is none or is missing.
    ({"speed": 3}, "malformed"),
    ({"options": []}, "malformed"),
    ({"options": {"speed": "yes"}}, "unknown_option"),
    ({"options": {"tie": "maybe"}}, "bad_option"),
    ({"options": {"max_extra_turns": 0}}, "bad_option"),
    ({"options": {"max_extra_turns": True}}, "bad_option"),
    ({"options": {"fuel_resale_price": -1}}, "bad_option"),
    ({"board": 3}, "malformed"),
    ({"board": "nowhere"}, "unknown_board"),
    ({"players": {"1": {}}}, "malformed"),
    ({"players": [{}]}, "malformed"),
    ({"players": [{}] * 7}, "malformed"),
    ({"players": [{}, {"speed": 3}]}, "malformed"),
    ({"players": [{}, 3]}, "malformed"),
    ({"phase": 3}, "malformed"),
    ({"phase": None}, "malformed"),
    ({"turn": "1"}, "malformed"),
    ({"turn": True}, "malformed"),
    ({"bank": 600}, "malformed"),
    ({"bank": {"cash": 1.5}}, "malformed"),
    ({"bank": {"gold": 1}}, "malformed"),
    ({"fuel_bank": "24"}, "malformed"),
    ({"pile": [1]}, "malformed"),
    ({"gone": "F1"}, "malformed"),
    ({"lights": []}, "malformed"),
    ({"lights": {"pile": 30, "returned": []}}, "malformed"),
    ({"lights": {"pile": None}}, "malformed"),
    ({"lights": {"pile": True}}, "malformed"),
    ({"lights": {"speed": 1}}, "malformed"),
    ({"dice": 3}, "malformed"),
    ({"dice": ["3"]}, "malformed"),
    ({"moves": None}, "malformed"),
    ({"extra_turn": 1}, "malformed"),
    ({"extra_turns": "1"}, "malformed"),
    ({"arrivals": {}}, "malformed"),
    ({"arrivals": [{"square": "q3"}]}, "malformed"),
    ({"arrivals": [{"steps": []}]}, "malformed"),
    ({"arrivals": [{**GOOD, "knocks": 1}]}, "malformed"),
    ({"arrivals": [{**GOOD, "home": 0}]}, "malformed"),
    ({"arrivals": [{**GOOD, "seat": None}]}, "malformed"),
    ({"arrivals": [{**GOOD, "card": 5}]}, "malformed"),
    ({"arrivals": [{**GOOD, "speed": 5}]}, "malformed"),
    ({"debts": [{"seat": 1, "amount": 5, "to": 0}]}, "malformed"),
    ({"debts": [{"seat": 1, "amount": 5, "to": None, "why": "fine"}]}, "malformed"),
    ({"deals": [None]}, "malformed"),
    ({"offer": "2"}, "malformed"),
    ({"asked": None}, "malformed"),
    ({"order": []}, "malformed"),
    ({"order": {"among": [1, 2]}}, "malformed"),
    ({"order": {"among": [1, 2], "rolls": {"1": "4"}}}, "malformed"),
    ({"first": None}, "malformed"),
    ({"ending": {"seat": 1}}, "malformed"),
    ({"result": {"winners": [1], "reason": "home"}}, "malformed"),
    ({"result": {"winners": [1], "reason": "home", "totals": []}}, "malformed"),
    # Well formed, and impossible.
    ({"phase": "sleeping"}, "bad_position"),
    ({"phase": "over"}, "bad_position"),
    ({"phase": "moving"}, "bad_position"),
    ({"phase": "extra_turn"}, "bad_position"),
    ({"phase": "order_roll", "dice": [1]}, "bad_position"),
    ({"turn": 0}, "bad_position"),
    ({"turn": 3}, "bad_position"),
    ({"first": 0}, "bad_position"),
    ({"first": 3}, "bad_position"),
    ({"bank": {"cash": 0}}, "bad_position"),
    ({"fuel_bank": 25}, "bad_position"),
    ({"pile": ["MOON"]}, "bad_position"),
    ({"pile": ["F1"]}, "bad_position"),
    ({"pile": ["ALPHA", "ALPHA"]}, "bad_position"),
    ({"pile": ["ALPHA"], "gone": []}, "bad_position"),
    ({"lights": {"pile": ["tip_20"], "returned": ["tip_30"]}}, "bad_position"),
    ({"lights": {"pile": ["tip_20", "tip_20"]}}, "bad_position"),
    ({"lights": {"pile": ["tip_25"]}}, "bad_position"),
    ({"lights": {"pile": -1}}, "bad_position"),
    ({"lights": {"returned": -1}}, "bad_position"),
    ({"dice": [7]}, "bad_position"),
    ({"dice": [0]}, "bad_position"),
    ({"dice": [1, 2, 3]}, "bad_position"),
    ({"moves": [3]}, "bad_position"),
    ({"dice": [3], "moves": [3, 3]}, "bad_position"),
    ({"dice": [3], "moves": [0]}, "bad_position"),
    ({"dice": [3], "moves": [13]}, "bad_position"),
    ({"extra_turn": True}, "bad_position"),
    ({"extra_turns": -1}, "bad_position"),
    ({"dice": [1], "arrivals": [{"square": "B", "steps": []}]}, "bad_position"),
    ({"dice": [1], "arrivals": [{"square": "moon", "steps": []}]}, "bad_position"),
    ({"dice": [1], "arrivals": [{"square": "q3", "steps": ["lights", "claims"]}]}, "bad_position"),
    ({"dice": [1], "arrivals": [{"square": "q3", "steps": ["claims", "claims"]}]}, "bad_position"),
    ({"dice": [1], "arrivals": [{"square": "q3", "steps": ["dance"]}]}, "bad_position"),
    ({"dice": [1], "arrivals": [{**GOOD, "seat": 2}]}, "bad_position"),
    ({"dice": [1], "arrivals": [{**GOOD, "seat": 5}]}, "bad_position"),
    ({"dice": [1], "arrivals": [{**GOOD, "claims": [1]}]}, "bad_position"),
    ({"dice": [1], "arrivals": [{**GOOD, "claims": [2, 2]}]}, "bad_position"),
    ({"dice": [1], "arrivals": [{**GOOD, "knocks": [5]}]}, "bad_position"),
    ({"dice": [1], "arrivals": [{**GOOD, "card": "move_1"}]}, "bad_position"),
    ({"dice": [1], "arrivals": [{"square": "q3", "steps": ["lights"], "card": "move_1"}]}, "bad_position"),
    ({"dice": [1], "arrivals": [{"square": "q4", "steps": ["lights"], "card": "tip_20"}]}, "bad_position"),
    ({"dice": [1], "arrivals": [{"square": "q4", "steps": ["lights"], "card": "moon"}]}, "bad_position"),
    ({"dice": [1], "arrivals": [{"square": "q4", "steps": ["lights"], "card": TYPED_MOVE}]}, "bad_position"),
    ({"debts": [{"seat": 1, "amount": 5, "to": 1, "why": "claim"}]}, "bad_position"),
    ({"debts": [{"seat": 1, "amount": 0, "to": 2, "why": "claim"}]}, "bad_position"),
    ({"debts": [{"seat": 3, "amount": 5, "to": 0, "why": "claim"}]}, "bad_position"),
    ({"debts": [{"seat": 1, "amount": 5, "to": 3, "why": "claim"}]}, "bad_position"),
    ({"debts": [{"seat": 1, "amount": 5, "to": 0, "why": "fun"}]}, "bad_position"),
    ({"deals": [3]}, "bad_position"),
    ({"offer": 1, "phase": "stranded"}, "bad_position"),
    ({"offer": 3, "phase": "stranded"}, "bad_position"),
    ({"offer": 2, "dice": [3], "moves": [3]}, "bad_position"),
    ({"asked": [2, 2]}, "bad_position"),
    ({"asked": [3]}, "bad_position"),
    ({"order": {"among": [], "rolls": {}}}, "bad_position"),
    ({"order": {"among": [1, 1], "rolls": {}}}, "bad_position"),
    ({"order": {"among": [1, 3], "rolls": {}}}, "bad_position"),
    ({"order": {"among": [1, 2], "rolls": {"3": 4}}}, "bad_position"),
    ({"order": {"among": [1, 2], "rolls": {"1": 7}}}, "bad_position"),
    ({"order": {"among": [1, 2], "rolls": {}}, "dice": [1]}, "bad_position"),
    ({"order": {"among": [1, 2], "rolls": {}}, "dice": [1], "moves": [1]}, "bad_position"),
    ({"ending": {"seat": 1, "reason": "home"}}, "bad_position"),
    ({"ending": {"seat": 3, "reason": "home"}, "options": {"finish_round": "yes"}}, "bad_position"),
    ({"ending": {"seat": 1, "reason": "all_stranded"}, "options": {"finish_round": "yes"}}, "bad_position"),
    ({"result": {"winners": [1], "reason": "home", "totals": {"1": 300, "2": 301}}}, "bad_position"),
    ({"result": {"winners": [1], "reason": "home", "totals": {"1": 300}}}, "bad_position"),
    ({"result": {"winners": [1], "reason": "home", "totals": {"1": 300, "2": 300, "3": 0}}}, "bad_position"),
    ({"result": {"winners": [3], "reason": "home", "totals": {"1": 300, "2": 300}}}, "bad_position"),
    ({"result": {"winners": [1, 1], "reason": "home", "totals": {"1": 300, "2": 300}}}, "bad_position"),
    ({"result": {"winners": [1], "reason": "fun", "totals": {"1": 300, "2": 300}}}, "bad_position"),
    ({"result": {"winners": [1], "reason": "home", "totals": {"1": 300, "2": 300}}, "phase": "deal"}, "bad_position"),
    ({"result": {"winners": [1], "reason": "home", "totals": {"1": 300, "2": 300}}, "asked": [2]}, "bad_position"),
]


@pytest.mark.parametrize(("change", "wanted"), BAD, ids=[dumps(change)[:70] for change, _ in BAD])
def test_positions_that_are_none(change, wanted):
    assert fault({**position({}, {}), **change})[0] == wanted


PLAYERS = [
    ({"seat": 2}, "bad_position", "players[0].seat"),
    ({"seat": "1"}, "malformed", "players[0].seat"),
    ({"name": 3}, "malformed", "players[0].name"),
    ({"colour": "pink"}, "bad_position", "players[0].colour"),
    ({"colour": "green"}, "bad_position", "players[1].colour"),
    ({"cash": "300"}, "malformed", "players[0].cash"),
    ({"cash": -1}, "bad_position", "players[0].cash"),
    ({"fuel": 6}, "bad_position", "players[0].fuel"),
    ({"fuel": -1}, "bad_position", "players[0].fuel"),
    ({"bonus_fuel": ["tip_20"]}, "bad_position", "players[0].bonus_fuel[0]"),
    ({"bonus_fuel": ["moon"]}, "bad_position", "players[0].bonus_fuel[0]"),
    ({"bonus_fuel": [TYPED_FUEL]}, "bad_position", "lights"),
    ({"bonus_fuel": [7]}, "malformed", "players[0].bonus_fuel[0]"),
    ({"loan": 1}, "malformed", "players[0].loan"),
    ({"loan": True, "loan_used": False}, "bad_position", "players[0].loan_used"),
    ({"sections": 5}, "bad_position", "players[0].sections"),
    ({"sections": 4}, "bad_position", "players"),
    ({"turbo": None}, "malformed", "players[0].turbo"),
    ({"hand": [3]}, "malformed", "players[0].hand[0]"),
    ({"hand": ["MOON"]}, "bad_position", "players[0].hand"),
    ({"hand": ["ALPHA", "ALPHA"]}, "bad_position", "players[0].hand"),
    ({"held": ["tip_20"]}, "bad_position", "players[0].held[0]"),
    ({"held": ["fuel_1"]}, "bad_position", "players[0].held[0]"),
    ({"held": [{"title": "x", "side": "nice", "do": []}]}, "malformed", "players[0].held[0]"),
    ({"held": ["move_1"], "bonus_fuel": ["fuel_1", "fuel_1"]}, "bad_position", "players"),
    ({"at": "moon"}, "bad_position", "players[0].at"),
    ({"at": None}, "bad_position", "players[0].at"),
    ({"at": 5}, "malformed", "players[0].at"),
    ({"status": "asleep"}, "bad_position", "players[0].status"),
    ({"status": "out", "cash": 5, "hand": []}, "bad_position", "players[0]"),
    ({"status": "out", "fuel": 1, "hand": []}, "bad_position", "players[0]"),
    ({"status": "out", "hand": ["F1"]}, "bad_position", "players[0]"),
    ({"status": "out", "held": ["move_1"], "hand": []}, "bad_position", "players[0]"),
    ({"status": "out", "bonus_fuel": ["fuel_1"], "hand": []}, "bad_position", "players[0]"),
    ({"status": "out", "at": "q3", "hand": []}, "bad_position", "players[0].at"),
]


@pytest.mark.parametrize(("player", "wanted", "at"), PLAYERS, ids=[dumps(player)[:60] for player, _, _ in PLAYERS])
def test_players_that_are_none(player, wanted, at):
    assert fault(position(player, {"colour": "green"}, {})) == (wanted, at)


def test_a_position_needs_a_board_and_players():
    for key in ("board", "players"):
        given = position({}, {})
        del given[key]
        assert fault(given) == ("malformed", key)


def test_two_players_at_least_are_in():
    assert fault(position({}, {"status": "out"}))[0] == "bad_position"
    assert fault(position({"status": "out"}, {"status": "out"}))[0] == "bad_position"


BOARDS = [
    ({"id": 3}, "board.id"),
    ({"title": None}, "board.title"),
    ({"squares": []}, "board.squares"),
    ({"squares": {"B": [0, 1.5]}}, "board.squares.B"),
    ({"squares": {"B": [0]}}, "board.squares.B"),
    ({"squares": {"B": "0 1"}}, "board.squares.B"),
    ({"base": "moon"}, "board.base"),
    ({"garages": "q6"}, "board.garages"),
    ({"garages": ["moon"]}, "board.garages[0]"),
    ({"garages": ["B"]}, "board.garages"),
    ({"lights": ["B"]}, "board.lights"),
    ({"lights": [4]}, "board.lights[0]"),
    ({"roads": {}}, "board.roads"),
    ({"roads": [3]}, "board.roads[0]"),
    ({"roads": [{"via": ["q0"], "one_way": False}]}, "board.roads[0].via"),
    ({"roads": [{"via": ["q0", "moon"], "one_way": False}]}, "board.roads[0].via[1]"),
    ({"roads": [{"via": ["q0", "q1"]}]}, "board.roads[0]"),
    ({"roads": [{"via": ["q0", "q1"], "one_way": 1}]}, "board.roads[0].one_way"),
    ({"roads": [{"via": ["q0", "q1"], "one_way": True, "speed": 1}]}, "board.roads[0].speed"),
    ({"attractions": []}, "board.attractions"),
    ({"attractions": {"ALPHA": {"square": "q3"}}}, "board.attractions.ALPHA"),
    ({"attractions": {"ALPHA": {"name": 3, "square": "q3"}}}, "board.attractions.ALPHA.name"),
    ({"attractions": {"ALPHA": {"name": "A", "square": "moon"}}}, "board.attractions.ALPHA.square"),
    ({"attractions": {"ALPHA": {"name": "A", "square": "B"}}}, "board.attractions.ALPHA"),
    ({"attractions": {"ALPHA": {"name": "A", "square": "q3", "opposite": ["B"]}}}, "board.attractions.ALPHA"),
    ({"attractions": {"ALPHA": {"name": "A", "square": "q3", "opposite": "q2"}}}, "board.attractions.ALPHA.opposite"),
    ({"cards": []}, "board.cards"),
    ({"cards": {"C": {"attraction": "MOON", "fare": 40}}}, "board.cards.C.attraction"),
    ({"cards": {"C": {"attraction": "ALPHA", "fare": -5}}}, "board.cards.C.fare"),
    ({"cards": {"C": {"attraction": "ALPHA", "fare": "5"}}}, "board.cards.C.fare"),
    ({"cards": {"C": {"attraction": 3, "fare": 5}}}, "board.cards.C.attraction"),
    ({"cards": {"C": {"fare": 5}}}, "board.cards.C"),
    ({"speed": 3}, "board.speed"),
]


@pytest.mark.parametrize(("change", "at"), BOARDS, ids=[dumps(change)[:60] for change, _ in BOARDS])
def test_boards_that_are_none(change, at):
    assert fault(position({}, {}, board=far_board(**change))) == ("bad_board", at)


@pytest.mark.parametrize("key", sorted(far_board()))
def test_a_board_needs_all_its_keys(key):
    board = far_board()
    del board[key]
    assert fault(position({}, {}, board=board)) == ("bad_board", "board")
