"""The operator's corrections."""

import pytest
from london_tables import code, do, game, seen, table

from shared_rules.games.destination_london import light_cards


def change(state, **changes):
    """What a correction of these parts comes to: its code."""
    return code(state, 0, "correct", set=changes, why="because")


def player(state, **fields):
    return change(state, players=[{"seat": 1, **fields}])


def test_only_the_operator_corrects_and_says_why():
    state = table({}, {})
    good = {"turn": 2}
    assert code(state, 1, "correct", set=good, why="x") == "not_allowed"
    assert code(state, 0, "correct", set=good) == "why_missing"
    assert code(state, 0, "correct", set=good, why="") == "why_missing"
    assert code(state, 0, "correct", set=good, why=3) == "why_missing"
    assert code(state, 0, "correct", why="x") == "malformed"
    do(state, 1, "resign")
    assert code(state, 0, "correct", set=good, why="x") == "game_over"


@pytest.mark.parametrize("given", [
    {}, [1], 3, {"speed": 1}, {"players": {}}, {"players": []}, {"players": [3]}, {"players": [{"seat": 1}]},
    {"players": [{"cash": 5}]}, {"players": [{"seat": "1", "cash": 5}]}, {"players": [{"seat": 1, "speed": 5}]},
    {"players": [{"seat": 1, "cash": "5"}]}, {"players": [{"seat": 1, "held": 5}]}, {"turn": "2"}, {"turn": None},
    {"players": [{"seat": 1, "hand": [1]}]}, {"pile": 5}, {"gone": [1]}, {"lights": []}, {"lights": {"pile": "x"}},
    {"phase": 5}, {"bank": 5}, {"options": []}, {"board": 5}, {"players": [{"seat": 1, "loan": 1}]},
])  # fmt: skip
def test_what_no_position_has(given):
    assert code(table({}, {}), 0, "correct", set=given, why="x") == "malformed"


@pytest.mark.parametrize("given", [
    {"phase": "over"}, {"bank": {"cash": -600}}, {"fuel_bank": 24}, {"options": {}}, {"board": "thames"}, {"dice": [1]},
    {"result": None}, {"players": [{"seat": 1, "status": "out"}]}, {"players": [{"seat": 7, "cash": 5}]},
    {"players": [{"seat": 0, "cash": 5}]}, {"players": [{"seat": 3, "cash": 5}]}, {"turn": 7}, {"turn": 3},
    {"players": [{"seat": 1, "cash": -5}]}, {"players": [{"seat": 1, "fuel": 6}]},
    {"players": [{"seat": 1, "at": "moon"}]}, {"players": [{"seat": 1, "at": None}]},
    {"players": [{"seat": 1, "sections": 4}]},
    {"players": [{"seat": 1, "colour": "blue"}]}, {"players": [{"seat": 1, "colour": "pink"}]},
    {"players": [{"seat": 1, "hand": ["F4"]}]}, {"players": [{"seat": 1, "hand": ["MOON"]}]},
    {"players": [{"seat": 1, "hand": ["ALPHA", "ALPHA"]}]}, {"players": [{"seat": 1, "held": ["tip_20"]}]},
    {"players": [{"seat": 1, "loan_used": False, "loan": True}]}, {"pile": ["ALPHA"]}, {"gone": ["ALPHA"]},
    {"lights": {"pile": ["tip_20", "tip_20"]}}, {"lights": {"pile": [], "returned": []}},
])  # fmt: skip
def test_what_cannot_be_set(given):
    assert code(table({}, {}, {"status": "out"}, {}), 0, "correct", set=given, why="x") == "not_allowed"


def test_money_and_fuel_are_booked_against_the_bank():
    state = table({}, {})
    (event,) = game.decide(state, {"do": "correct", "seat": 0, "why": "change", "set": {"players": [
        {"seat": 1, "cash": 340, "fuel": 1}, {"seat": 2, "cash": 290},
    ]}})  # fmt: skip
    assert event["booked"] == [
        {"event": "Booked", "unit": "money", "from": 0, "to": 1, "amount": 40, "rules": ["L-086"]},
        {"event": "Booked", "unit": "money", "from": 2, "to": 0, "amount": 10, "rules": ["L-086"]},
        {"event": "Booked", "unit": "fuel", "from": 1, "to": 0, "amount": 2, "rules": ["L-084"]},
    ]
    game.evolve(state, event)
    assert (state.cash[:], state.fuel[:]) == ([-630, 340, 290], [26, 1, 3])


def test_what_is_set_is_set():
    state = table({}, {})
    assert player(state, name="Zoë", colour="white", sections=2, turbo=True, at="q3", loan_used=True) == "accepted"
    after = seen(state)["seats"][1]
    assert (after["name"], after["colour"], after["sections"], after["turbo"], after["at"], after["loan_used"]) == (
        "Zoë", "white", 2, True, "q3", True,
    )  # fmt: skip
    assert player(state, loan_used=False) == "accepted"
    assert player(state, loan=True) == "accepted"
    assert seen(state)["seats"][1]["loan_used"] is True
    assert player(state, loan=False) == "accepted"
    assert seen(state)["seats"][1]["loan_used"] is True


def test_cards_that_enter_a_hand_leave_pile_or_gone():
    state = table({"hand": ["F1", "F2", "F3"]}, {}, pile=["ALPHA", "BETA"])
    assert player(state, hand=["ALPHA", "DELTA", "F1"]) == "accepted"
    assert (state.hand[1], state.pile) == (["ALPHA", "DELTA", "F1"], ["BETA", "F2", "F3"])
    assert "DELTA" not in state.gone
    # Two seats exchange a card: it lies nowhere else.
    other = state.hand[2]
    swap = [{"seat": 1, "hand": [other[0], "DELTA", "F1"]}, {"seat": 2, "hand": ["ALPHA", *other[1:]]}]
    assert change(state, players=swap) == "accepted"
    assert state.pile == ["BETA", "F2", "F3"]


def test_pile_and_gone_may_be_set_with_the_hands():
    state = table({"hand": ["F1"]}, {"hand": ["F2"]}, pile=["ALPHA"])
    gone = list(state.gone)
    assert change(state, pile=["F1"], players=[{"seat": 1, "hand": ["ALPHA"]}]) == "accepted"
    assert (state.hand[1], state.pile, state.gone) == (["ALPHA"], ["F1"], gone)
    assert change(state, pile=[], gone=[*gone, "F1"]) == "accepted"
    assert (state.pile, "F1" in state.gone) == ([], True)


def test_light_cards_that_are_no_longer_kept_come_back():
    state = table({"held": ["double_1", "escape_1"], "bonus_fuel": ["fuel_2"]}, {})
    assert player(state, held=["no_fare_1"], bonus_fuel=[]) == "accepted"
    assert (state.held[1], state.bonus[1], state.returned) == (["no_fare_1"], [], ["fuel_2", "double_1", "escape_1"])
    assert "no_fare_1" not in state.lights
    assert player(state, held=["double_1"]) == "accepted"
    assert state.returned == ["fuel_2", "escape_1", "no_fare_1"]


def test_typed_cards_are_counted():
    shield = {"title": "S", "side": "nice", "do": [["hold_shield", "a"]]}
    double = {"title": "D", "side": "nice", "do": [["next_fare", 2]]}
    state = table({"held": [shield, shield]}, {}, lights={"pile": 5, "returned": 1})
    assert player(state, held=[shield, double]) == "accepted"
    assert (state.held[1], state.lights_count, state.returned_count) == ([double, shield], 4, 2)
    assert player(state, held=[double, shield, shield, shield, shield, shield, shield]) == "not_allowed"
    assert change(state, lights={"pile": 9, "returned": 0}) == "accepted"
    assert (state.lights_count, state.returned_count) == (9, 0)


def test_the_lights_may_be_set():
    state = table({"held": ["double_1"]}, {})
    rest = [name for name in light_cards.IDS if name != "double_1"]
    assert change(state, lights={"pile": rest[:3], "returned": rest[3:]}) == "accepted"
    assert state.lights == rest[:3]
    assert change(state, lights={"pile": ["double_1", *rest]}, players=[{"seat": 1, "held": []}]) == "accepted"
    assert (len(state.lights), state.returned) == (30, [])


def test_a_turn_that_is_set_starts():
    state = table({"at": "q4"}, {}, {})
    do(state, 1, "roll", faces=[6])
    assert change(state, turn=3) == "accepted"
    after = seen(state)
    assert (after["phase"], after["turn"], after["dice"], after["moves"], after["extra_turn"], after["first"]) == (
        "before_roll", 3, [], [], False, 1,
    )  # fmt: skip
    state = table({"at": "q2"}, {"fuel": 0, "cash": 4, "loan": True, "at": "q2"}, {})
    assert change(state, turn=2) == "accepted"
    assert (state.playing[2], state.turn) == (False, 3)


def test_a_turn_that_is_set_leaves_debts_and_owed_cards():
    debts = [{"seat": 1, "amount": 60, "to": 0, "why": "fine"}]
    state = table({"cash": 10, "at": "q4"}, {}, dice=[6], extra_turn=True, debts=debts, deals=[2], extra_turns=3,
                  arrivals=[{"square": "q4", "steps": []}])  # fmt: skip
    assert change(state, turn=2) == "accepted"
    assert (state.phase, state.turn, state.deals, state.extra_turns) == ("debt", 2, [2], 0)
    do(state, 1, "take_loan")
    do(state, 0, "deal", card="ALPHA")
    assert (state.phase, state.turn) == ("before_roll", 2)


def test_a_turn_that_is_set_settles_who_begins():
    state = table({}, {}, {}, phase="order_roll")
    do(state, 1, "roll", faces=[2])
    assert change(state, turn=2) == "accepted"
    assert (state.phase, state.turn, state.order, state.first) == ("before_roll", 2, None, 1)


def test_otherwise_no_turn_starts_and_the_phase_follows():
    state = table({"at": "q2"}, {"at": "q3", "fuel": 0})
    assert player(state, fuel=0, cash=4, loan=True) == "accepted"
    assert (state.phase, state.playing[1]) == ("stranded", True)
    state = table({"at": "q2"}, {})
    do(state, 1, "roll", faces=[6])
    assert player(state, fuel=0) == "accepted"
    assert (state.phase, state.turn) == ("extra_turn", 1)
    state = table({"at": "q2"}, {})
    do(state, 1, "roll", faces=[3])
    assert player(state, at="q7") == "accepted"
    assert "q10" in game.legal_commands(state, 1)[0]["to"]
    state = table({"cash": 10}, {}, {}, debts=[{"seat": 1, "amount": 60, "to": 0, "why": "fine"}])
    assert state.phase == "debt"
    assert player(state, cash=60) == "accepted"
    assert (state.phase, state.cash[1]) == ("before_roll", 0)
    state = table({"cash": 10, "sections": 4}, {}, debts=[{"seat": 1, "amount": 200, "to": 0, "why": "licence"}])
    assert player(state, sections=2) == "accepted"
    assert state.phase == "debt"


def test_cards_that_were_to_be_dealt_still_are():
    state = table({"hand": ["F1"]}, {}, deals=[1, 1], pile=["ALPHA", "BETA"])
    assert player(state, hand=["ALPHA"]) == "accepted"
    assert (state.deals, state.pile) == ([1, 1], ["BETA", "F1"])
    assert change(state, pile=[], gone=[*state.gone, "BETA", "F1"]) == "accepted"
    assert (state.deals, state.phase) == ([], "before_roll")
