"""Reading positions: what is left out, what comes out again, what happens by itself on reading."""

import json

import pytest
from london_tables import FAR, THAMES, far_board, game, position, seen, table, title

from shared_rules.games.destination_london import light_cards, meta
from shared_rules.portable.json_text import dumps


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


def test_what_binds_only_those_who_are_in():
    state = table({}, {"status": "out", "sections": 9, "turbo": True, "loan": True}, {})
    assert seen(state)["seats"][2]["sections"] == 9


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
