"""Reading positions: what is left out, what is impossible, what happens by itself on reading."""

import json

import pytest
from london_tables import FAR, THAMES, far_board, game, position, seen, table, title

from shared_rules.engine.errors import PositionError
from shared_rules.games.destination_london import light_cards, meta
from shared_rules.portable.json_text import dumps

TYPED_MOVE = {"title": "Off", "side": "nice", "do": [["move_to_own_destination"]]}
TYPED_FUEL = {"title": "Full", "side": "nice", "do": [["gain_bonus_fuel", 1]]}


def fault(given):
    with pytest.raises(PositionError) as caught:
        game.load_position(given)
    assert caught.value.message.endswith(".")
    return caught.value.code, caught.value.at


def test_a_new_game_on_the_shipped_board():
    state = game.load_position({"game": "destination_london", "board": THAMES, "players": [{}, {}, {}]})
    after = seen(state)
    assert after["board"] == THAMES
    assert (after["phase"], after["turn"], after["waiting_for"]) == ("deal", 1, [0])
    assert after["deals"] == [1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert after["bank"] == {"cash": -900}
    assert after["fuel_bank"] == 21
    assert len(after["pile"]) == 45
    assert after["lights"] == {"pile": list(light_cards.IDS), "returned": []}
    player = after["seats"][2]
    assert player == {
        "seat": 2, "name": "Blue", "colour": "blue", "cash": 300, "fuel": 3, "bonus_fuel": [], "loan": False,
        "loan_used": False, "sections": 0, "turbo": False, "hand": [], "held": [], "at": state.board.base,
        "status": "in",
    }  # fmt: skip


@pytest.mark.parametrize(("seats", "cards", "fuel", "cash"), [
    (2, 39, 24, 600), (3, 36, 21, 900), (4, 33, 18, 1200), (5, 30, 15, 1500), (6, 27, 12, 1800),
])  # fmt: skip
def test_what_is_dealt_at_the_start(seats, cards, fuel, cash):
    """L-088."""
    state = game.load_position({"game": "destination_london", "board": THAMES, "players": [{}] * seats})
    for card in state.board.card_ids[: 3 * seats]:
        game.play(state, {"do": "deal", "seat": 0, "card": card})
    assert (len(state.pile), state.fuel[0], -state.cash[0]) == (cards, fuel, cash)
    assert (state.phase, state.turn) == ("before_roll", 1)


def test_colours_and_names_that_are_left_out():
    state = table({"colour": "blue"}, {"name": "Ann"}, {}, {"colour": "red"})
    assert state.colours[1:] == ["blue", "green", "yellow", "red"]
    assert state.names[1:] == ["Blue", "Ann", "Yellow", "Red"]


def test_everything_comes_out_in_order_however_it_goes_in():
    state = table(
        {"hand": ["F2", "F1"], "held": ["no_fare_1", "double_2"], "bonus_fuel": ["fuel_4", "fuel_1"]}, {},
        pile=["ZETA", "ALPHA", "BETA"],
        lights={"pile": ["tip_30", "fine_20"], "returned": [
            card for card in reversed(light_cards.IDS)
            if card not in ("tip_30", "fine_20", "no_fare_1", "double_2", "fuel_4", "fuel_1")
        ]},
    )  # fmt: skip
    after = seen(state)
    assert after["seats"][1]["hand"] == ["F1", "F2"]
    assert after["seats"][1]["held"] == ["double_2", "no_fare_1"]
    assert after["seats"][1]["bonus_fuel"] == ["fuel_1", "fuel_4"]
    assert after["pile"] == ["ALPHA", "BETA", "ZETA"]
    assert after["gone"] == sorted(after["gone"])
    assert after["lights"]["pile"] == ["fine_20", "tip_30"]
    assert after["lights"]["returned"][0] == "tip_50"


def test_typed_cards_are_sorted_by_title_side_and_text():
    cards = [
        {"title": "b", "side": "nice", "do": [["next_fare", 2]]},
        {"title": "a", "side": "nice", "do": [["hold_shield", "petrol_station"]]},
        {"title": "a", "side": "nasty", "do": [["next_fare", 2]]},
        {"title": "a", "side": "nasty", "do": [["next_fare", 0]]},
    ]
    state = table({"held": cards}, {}, lights={"pile": 4, "returned": 0})
    assert seen(state)["seats"][1]["held"] == [cards[3], cards[2], cards[1], cards[0]]


@pytest.mark.parametrize(("lights", "pile", "returned"), [
    ({}, 30, 0), ({"pile": ["tip_20"]}, 1, 29), ({"returned": ["tip_20"]}, 29, 1),
])  # fmt: skip
def test_lights_that_are_left_out(lights, pile, returned):
    state = table({}, {}, lights=lights)
    assert (len(state.lights), len(state.returned)) == (pile, returned)


@pytest.mark.parametrize(("lights", "pile", "returned"), [({"pile": 7}, 7, 0), ({"returned": 3}, 30, 3)])
def test_a_physical_deck_is_two_numbers(lights, pile, returned):
    assert seen(table({}, {}, lights=lights))["lights"] == {"pile": pile, "returned": returned}


def test_pile_and_gone_follow_from_one_another():
    cards = set(far_board()["cards"])
    for given in ({}, {"pile": ["ALPHA"]}, {"gone": ["ALPHA"]}):
        state = table({}, {}, **given)
        hands = set(state.hand[1] + state.hand[2])
        assert set(state.pile) | set(state.gone) | hands == cards
        assert state.pile == (["ALPHA"] if "pile" in given else sorted(cards - hands - set(state.gone)))
        assert state.gone == ([] if not given else ["ALPHA"] if "gone" in given else sorted(cards - hands - {"ALPHA"}))


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


def test_what_binds_only_those_who_are_in():
    state = table({}, {"status": "out", "sections": 9, "turbo": True, "loan": True}, {})
    assert seen(state)["seats"][2]["sections"] == 9


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


def test_a_board_comes_out_as_it_went_in():
    board = far_board()
    board["attractions"]["ALPHA"]["opposite"] = ["q2"]
    assert seen(table({}, {}, board=board))["board"] == board
    names = list(seen(table({}, {}, board=board))["board"]["squares"])
    assert names == sorted(names)
    assert title.parse_board(board).dump() == board


ON_READING = [
    # A phase that is left out lets the turn start, one that is given does not.
    ({"fuel": 0, "cash": 4, "loan": True, "at": "q2"}, {}, "before_roll", 2),
    ({"fuel": 0, "cash": 4, "loan": True, "at": "q2"}, {"phase": "stranded"}, "stranded", 1),
    ({"fuel": 0, "at": "q2"}, {"phase": "before_roll"}, "stranded", 1),
    ({"fuel": 1, "at": "q2"}, {"phase": "stranded"}, "before_roll", 1),
    ({}, {"phase": "deal", "deals": [1]}, "deal", 1),
    ({}, {"deals": [1], "pile": []}, "before_roll", 1),
    ({}, {"dice": [3]}, "before_roll", 2),
    ({}, {"dice": [6], "extra_turn": True}, "extra_turn", 1),
    ({"at": "q2"}, {"dice": [3], "moves": [3]}, "moving", 1),
    ({"at": "q2", "fuel": 0}, {"dice": [3], "moves": [3]}, "before_roll", 2),
    ({"at": "q3"}, {"dice": [3], "arrivals": [{"square": "q3", "steps": ["claims", "lights"]}]}, "claims", 1),
    ({"at": "q3"}, {"arrivals": [{"square": "q3", "steps": []}]}, "before_roll", 2),
    ({}, {"debts": [{"seat": 1, "amount": 60, "to": 0, "why": "fine"}]}, "before_roll", 1),
    ({"cash": 10}, {"debts": [{"seat": 1, "amount": 60, "to": 0, "why": "fine"}]}, "debt", 1),
    ({"cash": 10, "loan": True}, {"debts": [{"seat": 1, "amount": 60, "to": 2, "why": "claim"}]}, "before_roll", 2),
    ({}, {"offer": 2, "asked": [3]}, "before_roll", 1),
    ({}, {"order": {"among": [1, 3], "rolls": {"1": 6, "3": 5}}}, "before_roll", 1),
    ({}, {"order": {"among": [1, 3], "rolls": {"1": 6, "3": 6}}}, "order_roll", 1),
    ({}, {"phase": "order_roll"}, "order_roll", 1),
]


@pytest.mark.parametrize(("player", "more", "phase", "turn"), ON_READING)
def test_what_happens_by_itself_on_reading(player, more, phase, turn):
    after = seen(table(player, {"at": "q7"}, {"at": "q10"}, **more))
    assert (after["phase"], after["turn"]) == (phase, turn)
    assert after["offer"] is None
    assert after["asked"] == []


def test_owed_cards_are_counted_for_hands_that_are_left_out():
    cards = {card: {"attraction": "FAR", "fare": 40} for card in FAR}
    given = {"game": "destination_london", "board": far_board(cards=cards), "players": [{}, {"hand": ["F1"]}, {}]}
    assert game.load_position(given).deals == [1, 1, 1, 3, 3, 3]
    assert game.load_position({**given, "phase": "order_roll"}).deals == [1, 1, 1, 3, 3, 3]
    assert game.load_position({**given, "phase": "before_roll"}).deals == []


def test_a_finished_game_reads_back():
    given = position(
        {"cash": 550, "hand": ["ALPHA"]}, {"cash": 700, "status": "out", "loan": True, "hand": ["BETA"], "fuel": 2},
        result={"winners": [1], "reason": "home", "totals": {"1": 550, "2": 700}}, turn=2,
    )  # fmt: skip
    after = game.dump_position(game.load_position(given))
    assert after["phase"] == "over"
    assert after["players"][1]["fuel"] == 2
    assert game.dump_position(game.load_position(json.loads(dumps(after)))) == after


def test_shipped_cards_and_the_rules_agree():
    """The deck's file says once more what each id does; both must say the same."""
    from shared_rules import library

    deck = {card["id"]: card for card in library.deck("destination_london", "lights")}
    assert sorted(deck) == list(light_cards.IDS)
    assert len(deck) == light_cards.SIZE == 30
    for card in light_cards.IDS:
        assert deck[card]["do"] == light_cards.effects_of(card)
        assert deck[card]["side"] == light_cards.side_of(card)
    sides = [light_cards.side_of(card) for card in light_cards.IDS]
    assert sides.count("nice") == sides.count("nasty") == 15
    fares = {card["id"]: card["fare"] for card in library.deck("destination_london", "destinations")}
    board = library.parsed_board(THAMES)
    assert fares == board.fares


def test_options_say_what_they_are():
    names = [option.name for option in meta.OPTIONS]
    assert len(names) == len(set(names)) == 35
    for option in meta.OPTIONS:
        assert option.explains.endswith(".")
        assert all(rule.startswith(("L-", "LQ-")) for rule in option.rules)
        assert option.takes(option.default)
        assert option.values[0] == option.default


def test_options_come_out_in_their_order_without_defaults():
    given = {"tie": "bonus_holder_wins", "extra_turn": "forced", "knock_back": "optional", "max_extra_turns": 3}
    after = seen(table({}, {}, options=given))
    assert list(after["options"].items()) == [
        ("extra_turn", "forced"), ("max_extra_turns", 3), ("tie", "bonus_holder_wins"),
    ]  # fmt: skip
