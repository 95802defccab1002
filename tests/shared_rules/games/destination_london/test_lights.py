"""Traffic lights: the deck, each kind of card, the card that moves one's taxi."""

import pytest
from london_tables import code, do, far_board, game, seen, table

from shared_rules.games.destination_london import light_cards


def at_lights(*players, **more):
    """Seat 1 has landed on the lights at q4 from q3."""
    state = table({"at": "q3", **players[0]}, *(players[1:] or ({},)), **more)
    do(state, 1, "roll", faces=[1])
    do(state, 1, "move", to="q4")
    assert state.phase == "lights"
    return state


def card(*effects, side="nice"):
    return {"title": "Typed", "side": side, "do": [list(effect) for effect in effects]}


TYPED = {"lights": {"pile": 30, "returned": 0}}


@pytest.mark.parametrize(("drawn", "more", "wanted"), [
    ("tip_20", {}, "accepted"), ("tip_25", {}, "none_left"), (None, {}, "malformed"), (3, {}, "malformed"),
    (card(["receive", 5]), {}, "not_allowed"), ("tip_20", TYPED, "not_allowed"),
    (card(["receive", 5]), TYPED, "accepted"), ({"title": "x", "side": "nice"}, TYPED, "malformed"),
    ({"title": "x", "side": "nice"}, {}, "malformed"),
])  # fmt: skip
def test_drawing(drawn, more, wanted):
    assert code(at_lights({}, **more), 1, "draw_light", card=drawn) == wanted


@pytest.mark.parametrize("typed", [
    {"title": 3, "side": "nice", "do": [["receive", 5]]},
    {"title": "x", "side": "red", "do": [["receive", 5]]},
    {"title": "x", "side": 3, "do": [["receive", 5]]},
    {"title": "x", "side": "nice", "do": [["receive", 5]], "fine": False},
    {"title": "x", "side": "nice", "do": {}},
    card(),
    card(["receive", 0]), card(["receive"]), card(["receive", "5"]), card(["receive", 5, 5]), card(["receive", True]),
    card(["pay_fine", 0]), card(["pay_fine"]), card(["pay_fine", 5, 5]), card(["pay_fine", 5, "a", "b"]),
    card(["licence_points", 2]), card(["licence_points"]), card(["gain_bonus_fuel", 2]), card(["gain_bonus_fuel"]),
    card(["move_to_own_destination", 1]), card(["next_fare", 3]), card(["next_fare", 1]), card(["next_fare"]),
    card(["hold_shield"]), card(["hold_shield", 3]), card(["dance"]), card([]), card([3]),
    {"title": "x", "side": "nice", "do": ["receive"]},
    card(["receive", 1], ["receive", 1], ["receive", 1], ["receive", 1]),
    card(["receive", 1], ["next_fare", 2]), card(["hold_shield", "a"], ["hold_shield", "a"]),
])  # fmt: skip
def test_typed_cards_that_are_none(typed):
    assert light_cards.fault_of(typed).endswith(".")
    assert code(at_lights({}, **TYPED), 1, "draw_light", card=typed) == "malformed"


def test_money_cards():
    state = at_lights({})
    events = do(state, 1, "draw_light", card="tip_40")
    assert events[1]["rules"] == ["L-043"]
    assert (state.cash[1], state.cash[0], state.returned, state.turn) == (340, -640, ["tip_40"], 2)
    state = at_lights({})
    do(state, 1, "draw_light", card="fine_60")
    assert (state.cash[1], state.returned) == (240, ["fine_60"])


def test_cards_that_are_kept():
    state = at_lights({"fuel": 5, "held": ["no_fare_1"], "bonus_fuel": ["fuel_3"]})
    do(state, 1, "draw_light", card="fuel_1")
    assert (state.bonus[1], state.fuel[1], state.returned) == (["fuel_1", "fuel_3"], 5, [])
    state = at_lights({"held": ["no_fare_1"]})
    do(state, 1, "draw_light", card="escape_2")
    assert state.held[1] == ["escape_2", "no_fare_1"]
    state = at_lights({"held": ["no_fare_1"]})
    do(state, 1, "draw_light", card="double_1")
    assert (state.held[1], len(state.lights)) == (["double_1", "no_fare_1"], 28)


def test_a_shield_cancels_a_fine_of_its_name():
    state = at_lights({"held": ["escape_2", "escape_1"]})
    events = do(state, 1, "draw_light", card="petrol_1")
    assert [event["event"] for event in events][:2] == ["LightDrawn", "FineEscaped"]
    assert (state.cash[1], state.held[1], state.returned) == (300, ["escape_2"], ["petrol_1", "escape_1"])
    state = at_lights({"held": ["escape_1"]})
    do(state, 1, "draw_light", card="fine_60")
    assert (state.cash[1], state.held[1]) == (240, ["escape_1"])
    shield = {"title": "S", "side": "nice", "do": [["hold_shield", "parking"]]}
    state = at_lights({"held": [shield]}, **TYPED)
    do(state, 1, "draw_light", card=card(["pay_fine", 30, "parking"], ["pay_fine", 20, "parking"]))
    assert (state.cash[1], state.held[1], state.returned_count) == (280, [], 2)
    state = at_lights({"held": [shield]}, **TYPED)
    do(state, 1, "draw_light", card=card(["pay_fine", 30, "petrol_station"]))
    assert (state.cash[1], state.held[1]) == (270, [shield])


def test_the_pile_is_made_of_what_came_back_with_the_next_draw():
    rest = [name for name in light_cards.IDS if name != "tip_20"]
    state = at_lights({}, lights={"pile": ["tip_20"], "returned": rest})
    assert code(state, 1, "draw_light", card="tip_30") == "none_left"
    do(state, 1, "draw_light", card="tip_20")
    assert (state.lights, len(state.returned)) == ([], 30)
    state = at_lights({}, lights={"pile": [], "returned": list(reversed(light_cards.IDS))})
    do(state, 1, "draw_light", card="tip_30")
    assert (len(state.lights), state.lights, state.returned) == (29, sorted(state.lights), ["tip_30"])
    state = at_lights({}, lights={"pile": 0, "returned": 4})
    do(state, 1, "draw_light", card=card(["receive", 5]))
    assert (state.lights_count, state.returned_count) == (3, 1)


def test_without_any_card_the_lights_do_nothing():
    state = table({"at": "q3"}, {}, lights={"pile": 0, "returned": 0})
    do(state, 1, "roll", faces=[1])
    do(state, 1, "move", to="q4")
    assert (state.phase, state.turn) == ("before_roll", 2)


def moved(*players, **more):
    """Seat 1 has drawn a move card at q4."""
    state = at_lights(*players, **more)
    do(state, 1, "draw_light", card="move_1")
    return state


def test_a_move_card_takes_one_to_an_own_destination():
    state = moved({"hand": ["ETA", "ALPHA", "F1"]})
    assert seen(state)["arrivals"][0]["card"] == "move_1"
    assert code(state, 1, "draw_light", card="tip_20") == "wrong_phase"
    assert code(state, 1, "keep") == "not_allowed"
    do(state, 1, "choose_destination", card="ETA")
    after = seen(state)
    assert (after["seats"][1]["at"], after["seats"][1]["cash"], after["seats"][1]["fuel"]) == ("q9", 400, 2)
    assert after["lights"]["returned"] == ["move_1"]
    assert after["arrivals"] == [{
        "seat": 1, "square": "q9", "steps": ["knock_back", "claims", "lights", "garage"], "must_collect": False,
        "knocks": None, "claims": None, "knocked": False, "home": False, "card": None,
    }]  # fmt: skip


@pytest.mark.parametrize(("fields", "wanted"), [
    ({}, "malformed"), ({"card": 3}, "malformed"), ({"card": "MOON"}, "not_held"), ({"card": "q6"}, "not_held"),
    ({"card": "BETA", "also": "DELTA"}, "malformed"), ({"card": "BETA", "also": ["BETA"]}, "malformed"),
    ({"card": "BETA", "also": ["DELTA", "DELTA"]}, "malformed"), ({"card": "BETA", "also": ["ETA"]}, "not_held"),
    ({"card": "BETA", "also": ["F1"]}, "not_allowed"), ({"card": "BETA", "spend": "bonus"}, "not_enough"),
    ({"card": "BETA", "spend": "x"}, "malformed"), ({"card": "BETA", "also": []}, "accepted"),
    ({"card": "BETA", "also": ["DELTA"]}, "accepted"),
])  # fmt: skip
def test_what_can_be_chosen(fields, wanted):
    assert code(moved({"hand": ["BETA", "DELTA", "F1"]}), 1, "choose_destination", **fields) == wanted


def test_further_cards_for_the_square_cost_no_more_fuel():
    state = moved({"hand": ["BETA", "DELTA", "F1"], "held": ["double_1"], "bonus_fuel": ["fuel_1"]})
    do(state, 1, "choose_destination", card="BETA", also=["DELTA"])
    assert (state.cash[1], state.fuel[1], state.returned) == (460, 3, ["move_1", "fuel_1", "double_1"])


def test_a_move_card_is_of_no_use_where_one_stands():
    board = far_board()
    board["cards"]["H"] = {"attraction": "HERE", "fare": 70}
    board["attractions"]["HERE"] = {"name": "Here", "square": "q4", "opposite": ["q7"]}
    for hand, phase in ((["H"], "before_roll"), (["H", "ETA"], "lights")):
        state = table({"at": "q3", "hand": hand}, {}, board=board)
        do(state, 1, "roll", faces=[1])
        do(state, 1, "move", to="q4")
        do(state, 1, "keep_quiet")
        do(state, 2, "pass")
        do(state, 1, "draw_light", card="move_1")
        assert state.phase == phase
        if phase == "lights":
            assert code(state, 1, "choose_destination", card="H") == "not_allowed"


def test_a_move_card_without_fuel_comes_back():
    landing = {"square": "q4", "steps": ["lights"]}
    state = table({"at": "q3", "hand": ["ETA"], "fuel": 0}, {}, dice=[1], arrivals=[landing])
    do(state, 1, "draw_light", card="move_1")
    assert (state.returned, state.turn) == (["move_1"], 2)
    state = moved({"hand": []}, {"hand": ["F1"]}, pile=[])
    assert (state.returned, state.turn) == (["move_1"], 2)


@pytest.mark.parametrize(("player", "options", "wanted"), [
    ({"fuel": 1}, {}, "accepted"), ({"fuel": 0, "bonus_fuel": ["fuel_1"]}, {}, "accepted"),
    ({"fuel": 1, "bonus_fuel": ["fuel_1"]}, {}, "not_allowed"), ({}, {"move_card": "always_keepable"}, "accepted"),
])  # fmt: skip
def test_when_a_move_card_may_be_kept(player, options, wanted):
    state = moved({"hand": ["ETA"], **player}, options=options)
    assert code(state, 1, "keep") == wanted
    if wanted == "accepted":
        assert (state.held[1], state.turn, state.returned) == (["move_1"], 2, [])


def test_a_kept_move_card_is_played_instead_of_a_throw():
    state = table({"at": "q3", "hand": ["ETA", "F1"], "held": ["move_2", "double_1"], "fuel": 1}, {}, pile=[])
    for fields, wanted in (
        ({"card": "move_2"}, "malformed"), ({"destination": "ETA"}, "malformed"),
        ({"card": "move_1", "destination": "ETA"}, "not_held"),
        ({"card": "double_1", "destination": "ETA"}, "not_allowed"),
        ({"card": "move_2", "destination": "ALPHA"}, "not_held"),
        ({"card": "move_2", "destination": "ETA", "spend": "bonus"}, "not_enough"),
    ):  # fmt: skip
        assert code(state, 1, "play_move_card", **fields) == wanted
    do(state, 1, "play_move_card", card="move_2", destination="ETA")
    assert (state.at[1], state.cash[1], state.held[1], state.returned) == ("q9", 500, [], ["move_2", "double_1"])
    do(state, 2, "pass")
    assert state.turn == 2
    state = table({"at": "q3", "hand": ["ETA"], "held": ["move_2"]}, {})
    do(state, 1, "roll", faces=[1])
    assert code(state, 1, "play_move_card", card="move_2", destination="ETA") == "wrong_phase"


def test_a_typed_move_card_is_named_by_its_title():
    cards = [card(["next_fare", 2]), card(["move_to_own_destination"])]
    state = table({"at": "q3", "hand": ["ETA"], "held": cards}, {}, lights={"pile": 4, "returned": 0}, pile=[])
    do(state, 1, "play_move_card", card="Typed", destination="ETA")
    assert (state.at[1], state.held[1], state.returned_count) == ("q9", [], 2)


def test_a_move_by_card_is_a_landing_but_for_a_house_rule():
    state = moved({"hand": ["GAMMA", "F1"]}, {"at": "q8"}, pile=[])
    do(state, 1, "choose_destination", card="GAMMA")
    assert state.phase == "knock_back"
    do(state, 1, "spare", whom=2)
    do(state, 2, "pass")
    assert state.phase == "lights"
    state = moved({"hand": ["GAMMA", "F1"]}, {"at": "q8"}, pile=[], options={"card_move_counts_as_landing": "no"})
    do(state, 1, "choose_destination", card="GAMMA")
    assert (state.cash[1], state.turn, state.phase) == (360, 2, "before_roll")


def test_without_a_landing_owed_cards_still_come_before_the_next_turn():
    state = moved({"hand": ["GAMMA", "F1"]}, {"hand": ["F2"]}, options={"card_move_counts_as_landing": "no"})
    do(state, 1, "choose_destination", card="GAMMA")
    assert (state.phase, state.turn, seen(state)["arrivals"][0]["steps"]) == ("deal", 1, [])
    do(state, 0, "deal", card="F9")
    do(state, 0, "deal", card="F10")
    assert (state.phase, state.turn) == ("before_roll", 2)


def test_an_open_move_card_comes_back_when_its_landing_is_dropped():
    state = moved({"hand": ["ETA"]}, {}, {})
    do(state, 1, "resign")
    assert (state.returned, state.arrivals) == (["move_1"], [])
    state = moved({"hand": ["ETA"]}, {}, {})
    do(state, 0, "correct", set={"turn": 2}, why="wrong seat")
    assert (state.returned, state.arrivals) == (["move_1"], [])
    state = moved({"hand": ["ETA"]}, {})
    do(state, 2, "resign")
    assert (state.result["reason"], state.returned) == ("last_survivor", ["move_1"])
    assert game.check_invariants(state) == []
