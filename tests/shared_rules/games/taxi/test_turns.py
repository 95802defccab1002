"""Turns, rounds and trips: cards and dice in order, the seat that is next, skipped turns, who begins."""

import pytest
from taxi_tables import STAR, STREET, do, draw, move, names, player, refused, roll, table, turn, whole

from shared_rules.engine import game


def at(state):
    """(trip, round, turn, phase)."""
    out = whole(state)
    return out["trip"], out["round"], out["turn"], out["phase"]


def test_a_turn_step_by_step_with_its_receipts():
    state = table(2)
    events = draw(state, 1, ["collect_bank", 150], deck="passenger")
    assert names(events) == ["CardDrawn", "EffectBegun", "MoneyPaid", "CardDiscarded"]
    assert events[2] == {"event": "MoneyPaid", "unit": "money", "from": 0, "to": 1, "amount": 150, "rules": ["T-082"]}
    assert names(roll(state, 1, 3)) == ["D6Thrown"]
    assert names(move(state, 1, "EE")) == ["TaxiMoved"]
    events = roll(state, 1, "white")
    assert names(events) == ["D12Thrown", "TabletMoved", "TurnEnded", "TurnStarted"]
    assert events[1]["rules"] == ["T-039", "T-040"]
    assert player(state, 1)["white"] == 1
    assert at(state) == (1, 1, 2, "card_choice")


def test_the_throw_forfeits_an_undrawn_card():
    state = table(2)
    assert names(roll(state, 1, 3)) == ["CardForfeited", "D6Thrown"]


def test_d6_stays_until_the_turn_ends_and_is_null_before_a_second_throw():
    state = table(2)
    draw(state, 1, ["throw_again"])
    roll(state, 1, 2)
    move(state, 1, "EE")
    assert (whole(state)["d6"], whole(state)["phase"], whole(state)["effects"]["again"]) == (None, "before_roll", 0)
    roll(state, 1, 5)
    move(state, 1, "O")
    assert (whole(state)["d6"], whole(state)["phase"]) == (5, "tablet_die")
    do(state, "end_turn", 1)
    assert whole(state)["d6"] is None


def test_one_of_each_deck():
    state = table(2, options={"card_draw": "one_of_each"})
    draw(state, 1, ["nothing"])
    assert refused(state, "draw_card", 1, deck="journey", card={"do": []}) == "already_done"
    draw(state, 1, ["nothing"], deck="passenger")
    assert whole(state)["effects"]["drawn"] == ["journey", "passenger"]
    assert refused(state, "draw_card", 1, deck="passenger", card={"do": []}) == "already_done"
    assert [t["do"] for t in game.legal_commands(state, 1)] == ["roll"]
    roll(state, 1, 1)


def test_a_mandatory_card_only_while_a_deck_can_be_drawn_from():
    empty = {"draw": 0, "discard": []}
    kept = {"deck": "journey", "title": "k", "keep": "waive_fine"}
    kept2 = {"deck": "passenger", "title": "k", "keep": "waive_fine"}
    state = table(
        {"kept": [kept] * 50}, {"kept": [kept2] * 50}, decks={"journey": empty, "passenger": empty},
        options={"card_draw": "mandatory_one"},
    )  # fmt: skip
    assert refused(state, "draw_card", 1, deck="journey", card={"do": []}) == "none_left"
    roll(state, 1, 1)
    one_left = table({"kept": [kept] * 50}, {}, decks={"journey": empty}, options={"card_draw": "mandatory_one"})
    assert refused(one_left, "roll", 1, die="d6", face=1) == "not_allowed"
    assert game.chance(one_left) is None


def test_what_is_refused_when_drawing_in_order():
    state = table(2)
    journey = {"deck": "journey"}
    assert refused(state, "draw_card", 1, **journey, card="X99") == "unknown_card"
    for card in (None, 7, {}, {"do": 7}, {"do": [["fly"]]}, {"do": [["pay_bank"]]}, {"do": [["pay_bank", -10]]},
        {"do": [["pay_bank", 15]]},
                 {"do": [["throw_d12", 0]]}, {"do": [["choose", []]]}, {"do": [["nothing", 1]]},
                 {"do": [["gamble", "bus"]]},
                 {"do": [["add_streets", 1.5]]}, {"do": [["add_streets", True]]}, {"do": [["move_to", "moon"]]},
                 {"do": [[]]}, {"do": ["nothing"]},
                 {"do": [["if_owner", [["fly"]], []]]}, {"do": [["win_tablet", "red", 1]]}, {"title": 7, "do": []},
                 {"fine": 1, "do": []},
                 {"do": [["collect_from", "poorest", 10]]}, {"do": [["keep", "money"]]},
                 {"do": [["choose", [["nothing"]]]]}):  # fmt: skip
        assert refused(state, "draw_card", 1, **journey, card=card) == "malformed", card
    assert refused(state, "draw_card", 1, **journey) == "malformed"
    no_base = table({"at": "A"}, {"at": "A"}, board=STREET)
    for goal in ("base", "trip_start"):
        assert refused(no_base, "draw_card", 1, **journey, card={"do": [["move_to", goal]]}) == "not_allowed"
        nested = {"do": [["if_owner", [["choose", [[["move_to", goal]]]]], []]]}
        assert refused(no_base, "draw_card", 1, **journey, card=nested) == "not_allowed"
    draw(no_base, 1, ["move_to", "own_destination"])
    draw(state, 1, ["nothing"])
    assert refused(state, "draw_card", 1, **journey, card={"do": [["fly"]]}) == "malformed"
    assert refused(state, "draw_card", 1, **journey, card={"do": []}) == "already_done"


def test_an_empty_card_and_verbs_of_nothing():
    state = table(2)
    events = draw(state, 1)
    assert names(events) == ["CardDrawn", "CardDiscarded"]
    assert whole(state)["phase"] == "before_roll"
    other = table(2)
    nothing = [["pay_bank", 0], ["collect_bank", 0], ["pay_each", 0], ["collect_each", 0], ["nothing"],
        ["add_streets", 0]]
    events = draw(other, 1, *nothing)
    assert not [event for event in events if "amount" in event or event["event"] == "DueRaised"]
    assert whole(other)["phase"] == "before_roll"
    assert player(other, 1)["cash"] == 9340


def test_a_card_of_the_shipped_deck_by_its_id_is_there_once():
    state = table(2, options={"card_draw": "one_of_each"})
    do(state, "draw_card", 1, deck="journey", card="J10")
    assert whole(state)["decks"]["journey"]["discard"] == ["J10"]
    roll(state, 1, 1)
    move(state, 1, "O")
    do(state, "end_turn", 1)
    assert refused(state, "draw_card", 2, deck="journey", card="J10") == "none_left"
    assert game.cards_left(state, "journey", ["J09", "J10", "J11"]) == ["J09", "J11"]
    assert refused(state, "draw_card", 2, deck="passenger", card="J11") == "unknown_card"


def test_discards_become_the_deck_when_it_is_empty():
    state = table(2, decks={"journey": {"draw": 0, "discard": ["J01", "J02", *[None] * 48]}})
    assert game.cards_left(state, "journey", ["J01", "J02"]) == ["J01", "J02"]
    events = draw(state, 1, ["nothing"])
    assert names(events)[:2] == ["DeckReshuffled", "CardDrawn"]
    assert whole(state)["decks"]["journey"] == {"draw": 49, "discard": [None]}


@pytest.mark.parametrize("first", ["roll", "draw_card", "buy_taxi"])
def test_the_seat_that_is_next_ends_the_turn_by_beginning(first):
    state = table({}, {"cash": 20000}, {"cash": 20000})
    roll(state, 1, 1)
    move(state, 1, "O")
    fields = {"roll": {"die": "d6", "face": 2}, "draw_card": {"deck": "journey", "card": {"do": []}}, "buy_taxi": {}}[
        first]
    assert refused(state, first, 3, **fields) == "not_your_turn"
    assert names(do(state, first, 2, **fields))[:3] == ["D12Lapsed", "TurnEnded", "TurnStarted"]
    assert whole(state)["turn"] == 2


def test_what_the_next_seat_may_not_do_ends_nothing():
    state = table(3)
    roll(state, 1, 1)
    move(state, 1, "O")
    assert refused(state, "roll", 2, die="d6", face=7) == "bad_face"
    assert refused(state, "roll", 2, die="d12", face="green") == "wrong_phase"
    assert refused(state, "draw_card", 2, deck="journey") == "malformed"
    assert refused(state, "buy_taxi", 2) == "not_enough_money"
    assert refused(state, "move", 2, to="O") == "not_your_turn"
    assert refused(state, "end_turn", 2) == "not_your_turn"
    assert refused(state, "roll", 1, die="d6", face=1) == "wrong_phase"
    roll(state, 1, "green")
    assert player(state, 1)["green"] == 1


def test_the_next_seat_may_be_one_after_seats_that_skip_or_are_out():
    state = table({}, {"skip": 1}, {"status": "out"}, {})
    roll(state, 1, 1)
    move(state, 1, "O")
    assert refused(state, "roll", 2, die="d6", face=1) == "not_your_turn"
    events = roll(state, 4, 1)
    assert names(events)[:5] == ["D12Lapsed", "TurnEnded", "TurnSkipped", "SeatPassed", "TurnStarted"]
    assert player(state, 2)["skip"] == 0


def test_the_same_seat_may_be_next():
    state = table({}, {"skip": 1})
    roll(state, 1, 1)
    move(state, 1, "O")
    roll(state, 1, 5)
    assert at(state) == (1, 2, 1, "move")


def test_a_step_of_the_settlement_may_be_next():
    state = table({"plates": 1, "guide": ["D1", "D2"]}, {"plates": 1, "guide": ["D1", "D2"]})
    turn(state, 1, "E")
    roll(state, 2, 1)
    move(state, 2, "O")
    assert refused(state, "draw_card", 2, deck="expense", card={"do": []}) == "wrong_phase"
    do(state, "draw_card", 1, deck="expense", card={"do": []})
    assert whole(state)["settle"] == [[2, "expense"]]


def test_the_turns_own_seat_may_have_the_first_step_of_the_settlement():
    state = table({"guide": ["D1", "D2"]}, {"plates": 1, "guide": ["D1", "D2"]})
    turn(state, 1, "E")
    roll(state, 2, 1)
    move(state, 2, "O")
    do(state, "draw_card", 2, deck="expense", card={"do": []})
    assert at(state) == (2, 1, 1, "card_choice")


def test_a_round_ends_at_its_starters_place_whoever_sits_there():
    state = table({}, {}, {}, {}, turn=3, starter=3, options={"next_trip_starter": "rotate"})
    turn(state, 3, "O")
    do(state, "resign", 3)
    turn(state, 4, "O")
    turn(state, 1, "O")
    turn(state, 2, "O")
    assert at(state) == (1, 2, 4, "card_choice")


def test_turn_is_the_last_place_that_was_passed_when_a_round_ends():
    state = table({"plates": 1, "guide": ["D1"]}, {"guide": ["D1"]}, {"skip": 1, "guide": ["D1"]},
        {"status": "out", "guide": ["D1"]})
    turn(state, 1, "E")
    turn(state, 2, "O")
    assert (whole(state)["phase"], whole(state)["turn"]) == ("settle", 4)
    do(state, "draw_card", 1, deck="expense", card={"do": []})
    assert (whole(state)["phase"], whole(state)["turn"]) == ("over", 4)


def test_seats_that_all_skip_let_rounds_go_by():
    state = table({"skip": 1}, {"skip": 2})
    turn(state, 1, "O")
    assert at(state) == (1, 3, 1, "card_choice")
    assert [player(state, seat)["skip"] for seat in (1, 2)] == [0, 0]


def test_the_starter_of_the_next_trip_may_skip():
    state = table({"guide": ["D1", "D2"]}, {"guide": ["D1", "D2"]})
    draw(state, 1, ["miss_next_turn"], ["miss_next_turn"])
    turn(state, 1, "E")
    turn(state, 2, "O")
    assert at(state) == (2, 1, 2, "card_choice")
    assert player(state, 1)["skip"] == 1
    turn(state, 2, "E")
    assert at(state) == (2, 2, 2, "card_choice")


@pytest.mark.parametrize(
    ("rule", "arrive", "starter"),
    [("first_seat", (2, 3), 1), ("winner", (2, 3), 2), ("rotate", (2, 3), 3), ("after_last_arriver", (2, 3), 4),
     ("after_last_arriver", (4,), 1), ("winner", (4,), 4)],
)  # fmt: skip
def test_who_begins_the_next_trip(rule, arrive, starter):
    guide = {"guide": ["D1", "D2"]}
    state = table(guide, guide, guide, guide, starter=2, turn=2, options={"next_trip_starter": rule})
    for seat in (2, 3, 4, 1):
        turn(state, seat, "E" if seat in arrive else "O")
    assert (whole(state)["starter"], whole(state)["turn"]) == (starter, starter)


def test_a_starter_that_is_out_hands_on_to_the_next_seat_in():
    guide = {"guide": ["D1", "D2"]}
    state = table(guide, guide, guide, guide, options={"next_trip_starter": "winner"})
    turn(state, 1, "O")
    turn(state, 2, "E")
    turn(state, 3, "E")
    do(state, "resign", 2)
    assert whole(state)["first_arrival"] == 2
    turn(state, 4, "O")
    assert whole(state)["starter"] == 3


def test_one_more_turn_each_ends_where_the_first_arrival_was_even_if_its_place_is_empty():
    guide = {"guide": ["D1", "D2"]}
    state = table(guide, guide, guide, turn=2, options={"round_completion": "one_more_turn_each"})
    turn(state, 2, "E")
    turn(state, 3, "E")
    do(state, "resign", 2)
    assert at(state) == (1, 2, 1, "card_choice")
    turn(state, 1, "O")
    assert (whole(state)["trip"], whole(state)["first_arrival"]) == (2, None)
    alone = table(guide, guide, guide, turn=2, options={"round_completion": "one_more_turn_each"})
    turn(alone, 2, "E")
    do(alone, "resign", 2)
    assert whole(alone)["first_arrival"] is None
    turn(alone, 3, "O")
    turn(alone, 1, "O")
    assert at(alone) == (1, 2, 3, "card_choice")


def test_immediate_settles_at_the_end_of_the_arrivers_turn():
    guide = {"guide": ["D1", "D2"]}
    state = table(guide, guide, guide, options={"round_completion": "immediate"})
    turn(state, 1, "O")
    roll(state, 2, 1)
    move(state, 2, "E")
    assert whole(state)["trip"] == 1
    do(state, "end_turn", 2)
    assert at(state) == (2, 1, 1, "card_choice")
    assert [player(state, seat)["cash"] for seat in (1, 2, 3)] == [8840, 14840, 8840]


def test_d12_options():
    no_move = {"d12_after_no_move": False}
    state = table(2, options=no_move)
    draw(state, 1, ["no_move_now"])
    assert at(state) == (1, 1, 2, "card_choice")
    draw(state, 2, ["throw_again"])
    roll(state, 2, 1)
    move(state, 2, "S")
    roll(state, 2, 1)
    move(state, 2, "S")
    assert whole(state)["phase"] == "tablet_die"
    roll(state, 2, "blank")
    draw(state, 1, ["move_to", "base"])
    roll(state, 1, 1)
    move(state, 1, "O")
    assert whole(state)["turn"] == 2
    arrival = table(2, options={"d12_on_arrival": False})
    draw(arrival, 1, ["move_to", "own_destination"])
    assert whole(arrival)["turn"] == 2
    none = table(2)
    draw(none, 1, ["no_d12_now"], ["no_move_now"])
    assert whole(none)["turn"] == 2


def test_d12_after_a_card_moved_the_taxi_counts_as_moved():
    state = table(2, trip=2, options={"d12_after_no_move": False})
    draw(state, 1, ["move_to", "trip_start"])
    roll(state, 1, 1)
    move(state, 1, "E")
    assert whole(state)["phase"] == "tablet_die"


def test_arrival_ends_throw_again():
    state = table(2)
    draw(state, 1, ["throw_again"], ["throw_again"])
    assert whole(state)["effects"]["again"] == 2
    roll(state, 1, 1)
    move(state, 1, "E")
    assert (whole(state)["effects"]["again"], whole(state)["phase"], player(state, 1)["arrived"]) == (0, "tablet_die",
        True)


def test_a_card_can_arrive_only_if_the_house_rule_lets_it():
    state = table(2, options={"card_move_arrival": "does_not_count"})
    draw(state, 1, ["move_to", "own_destination"])
    assert (whole(state)["phase"], player(state, 1)["at"], player(state, 1)["arrived"]) == ("before_roll", "E", False)
    roll(state, 1, 1)
    move(state, 1, "E")
    assert player(state, 1)["arrived"] is True


def test_an_arrival_cannot_be_undone_by_the_same_card():
    state = table(2)
    draw(state, 1, ["move_to", "own_destination"], ["move_to", "base"], ["collect_bank", 50])
    assert (player(state, 1)["at"], player(state, 1)["cash"]) == ("E", 9390)


def test_fresh_tablets():
    state = table({"green": 1}, {}, board=STAR)
    draw(state, 1, ["throw_d12", 2])
    assert whole(state)["card_drawn"]["do"] == [["throw_d12", 2]]
    roll(state, 1, "green")
    assert whole(state)["card_drawn"]["do"] == [["throw_d12", 1]]
    roll(state, 1, "white")
    assert whole(state)["fresh"] == {"green": 1, "white": 1}
    do(state, "roll", 1, die="d6", face=1)
    assert refused(state, "move", 1, to="O", green=2) == "not_enough"
    assert refused(state, "move", 1, to="O", white=1) == "not_enough"
    move(state, 1, "O", green=1)
    assert player(state, 1)["green"] == 2
    roll(state, 1, "blank")
    assert whole(state)["fresh"] == {"green": 0, "white": 0}


def test_tablets_won_by_a_card_are_fresh_by_house_rule_and_lost_ones_leave():
    state = table(2, options={"card_tablets_usable": "next_turn"})
    draw(state, 1, ["win_tablet", "green", 2], ["lose_tablet", "green", 1])
    assert whole(state)["fresh"] == {"green": 1, "white": 0}
    usual = table(2)
    draw(usual, 1, ["win_tablet", "green", 2])
    assert whole(usual)["fresh"] == {"green": 0, "white": 0}


def test_add_streets_and_double_move_on_a_throw_that_lies_there_act_at_once():
    state = table(2, phase="move", d6=3, card_drawn={"seat": 1, "deck": "journey",
        "do": [["double_move"], ["add_streets", -7]]})
    assert (whole(state)["d6"], whole(state)["phase"]) == (0, "move")
    twice = table(2)
    draw(twice, 1, ["double_move"], ["double_move"], ["add_streets", -2])
    assert whole(twice)["effects"]["times"] == 4
    roll(twice, 1, 3)
    assert (whole(twice)["d6"], whole(twice)["effects"]["times"], whole(twice)["effects"]["add_streets"]) == (10, 1, 0)


def test_bad_faces():
    state = table(2)
    for face in (0, 7, -1):
        assert refused(state, "roll", 1, die="d6", face=face) == "bad_face"
    for face in ("3", None, True, 3.0, []):
        assert refused(state, "roll", 1, die="d6", face=face) == "malformed"
    assert refused(state, "roll", 1, die="d6") == "malformed"
    roll(state, 1, 1)
    move(state, 1, "O")
    assert refused(state, "roll", 1, die="d12", face="red") == "bad_face"
    assert refused(state, "roll", 1, die="d12", face=1) == "malformed"
