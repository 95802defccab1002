"""Dues of every kind, debts, insolvency, leaving, buying, selling, giving."""

import pytest
from taxi_tables import do, draw, move, names, player, refused, roll, table, turn, whole

from shared_rules.engine import game

WAIVE = {"deck": "passenger", "title": "w", "keep": "waive_fine"}
SETTLE = {"deck": "journey", "title": "s", "keep": "waive_settlement_due"}
ONE = {"guide": ["D1", "D2"]}


def cash(state):
    return [p["cash"] for p in whole(state)["players"]]


def test_every_due_is_a_transfer_between_two_accounts_with_a_receipt():
    state = table(3)
    events = draw(state, 1, ["pay_each", 50])
    assert [e for e in events if "amount" in e] == [
        {"event": "DuePaid", "unit": "money", "from": 1, "to": 2, "amount": 50, "rules": ["T-082", "T-130"]},
        {"event": "DuePaid", "unit": "money", "from": 1, "to": 3, "amount": 50, "rules": ["T-082", "T-130"]},
    ]
    assert cash(state) == [9240, 9390, 9390]


def test_dues_of_all_are_collected_from_the_drawers_left():
    state = table({}, {}, {"status": "out"}, {}, turn=2)
    events = draw(state, 2, ["collect_each", 100])
    assert [(e["from"], e["to"]) for e in events if "amount" in e] == [(4, 2), (1, 2)]


def test_collect_from():
    state = table({"plates": 1}, {"plates": 2, "cash": 0}, {"plates": 2}, {"cash": 60000})
    draw(state, 1, ["collect_from", "most_taxis", 100])
    assert whole(state)["phase"] == "debt"
    do(state, "sell_plate", 2)
    assert cash(state) == [9440, 4900, 9340, 60000]
    left = table({}, {"status": "out"}, {}, turn=1)
    draw(left, 1, ["collect_from", "left_neighbour", 100])
    assert cash(left) == [9440, 0, 9240]
    rich = table({"cash": 90000}, {}, {"plates": 1, "cash": 0}, {"cash": 15000})
    draw(rich, 1, ["collect_from", "richest", 100])
    assert whole(rich)["phase"] == "debt"
    assert whole(rich)["dues"][0]["seat"] == 3


def test_if_owner_and_choices_inside_choices():
    verbs = ["if_owner", [["collect_bank", 100]], [["choose",
        [[["pay_bank", 50]], [["choose", [[["collect_bank", 10]], []]]]]]]]
    owner = table({"plates": 1}, {})
    draw(owner, 1, verbs)
    assert cash(owner)[0] == 9440
    hirer = table(2)
    draw(hirer, 1, verbs, ["collect_bank", 1000])
    do(hirer, "choose", 1, option=1)
    do(hirer, "choose", 1, option=0)
    assert cash(hirer)[0] == 10350
    assert whole(hirer)["phase"] == "before_roll"


def test_a_second_keep_replaces_the_first():
    state = table(2)
    draw(state, 1, ["keep", "waive_fine"], ["keep", "pass_one_light"], title="two")
    assert player(state, 1)["kept"] == [{"deck": "journey", "card": None, "title": "two", "keep": "pass_one_light"}]
    assert whole(state)["decks"]["journey"] == {"draw": 49, "discard": []}


def test_kept_cards_fit_their_kind_of_due():
    fits = {"fine": WAIVE, "expense": SETTLE}
    for kind, other in (("fine", SETTLE), ("expense", WAIVE)):
        state = table({"kept": [other, fits[kind]], "plates": 1, "arrived": True, "owner_on_arrival": True},
            {"owner_on_arrival": False},
                      settle=[[1, "expense"]], turn=2)  # fmt: skip
        do(state, "draw_card", 1, deck="expense", card={"fine": kind == "fine", "do": [["pay_bank", 100]]})
        assert whole(state)["phase"] == "kept_card"
        assert refused(state, "play_card", 1, card=0) == "not_allowed"
        assert refused(state, "play_card", 1, card=2) == "malformed"
        assert refused(state, "play_card", 1, card=-1) == "malformed"
        assert refused(state, "play_card", 2, card=0) == "not_your_turn"
        events = do(state, "play_card", 1, card=1)
        assert names(events)[:2] == ["CardPlayed", "DueWaived"]
        assert whole(state)["decks"][fits[kind]["deck"]]["discard"] == [None]
        assert cash(state)[0] == 9340
    usual = table({"kept": [WAIVE, SETTLE]}, {})
    draw(usual, 1, ["pay_bank", 100])
    assert whole(usual)["phase"] == "before_roll"


def test_a_due_of_somebody_elses_fine_can_be_waived_and_declined():
    state = table({}, {"kept": [WAIVE]}, {"kept": [WAIVE]})
    draw(state, 1, ["collect_each", 100], fine=True)
    assert whole(state)["waiting_for"] == [2]
    do(state, "decline", 2)
    assert whole(state)["waiting_for"] == [3]
    do(state, "play_card", 3, card=0)
    assert cash(state) == [9440, 9240, 9340]
    assert player(state, 2)["kept"]


def test_one_light_for_nothing():
    from taxi_tables import STREET

    light = {"deck": "passenger", "title": "l", "keep": "pass_one_light"}
    state = table({"at": "A", "kept": [light, WAIVE, light], "green": 1}, {"at": "A"}, board=STREET)
    roll(state, 1, 1)
    assert refused(state, "play_card", 1, card=1) == "not_allowed"
    assert refused(state, "play_card", 2, card=0) == "not_your_turn"
    do(state, "play_card", 1, card=0)
    assert whole(state)["effects"]["free_lights"] == 1
    assert game.ask(state, {"do": "ask", "seat": 1, "what": "reachable", "green": 0})["reachable"][-1] == ["L~C", 1,
        1, 0]
    assert game.ask(state, {"do": "ask", "seat": 2, "what": "reachable", "streets": 1, "green": 0})["reachable"][-1][
        0] == "B~L"
    move(state, 1, "D", green=0)
    assert (player(state, 1)["green"], whole(state)["effects"]["free_lights"]) == (1, 0)
    assert [card["keep"] for card in player(state, 1)["kept"]] == ["waive_fine", "pass_one_light"]


def test_an_unused_light_ends_with_the_move():
    light = {"deck": "passenger", "title": "l", "keep": "pass_one_light"}
    state = table({"kept": [light]}, {})
    draw(state, 1, ["throw_again"])
    roll(state, 1, 1)
    do(state, "play_card", 1, card=0)
    move(state, 1, "EE")
    assert whole(state)["effects"]["free_lights"] == 0


def test_fines_go_to_the_pot_by_house_rule_and_only_those_to_the_bank():
    state = table(3, options={"fine_recipient": "pot"})
    draw(state, 1, ["pay_bank", 250], fine=True)
    draw_pot = whole(state)["bank"]["pot"]
    turn(state, 1, "O")
    draw(state, 2, ["pay_each", 50], fine=True)
    assert (draw_pot, whole(state)["bank"]["pot"]) == (250, 250)
    turn(state, 2, "O")
    draw(state, 3, ["pay_bank", 100])
    assert whole(state)["bank"]["pot"] == 250
    assert game.check_invariants(state) == []


def test_the_shortfall_counts_cash_below_zero():
    state = table({"cash": -100, "plates": 3}, {}, options={"insolvency": "carry_debt"})
    draw(state, 1, ["pay_bank", 4950])
    assert refused(state, "sell_plate", 1, count=3) == "not_allowed"
    do(state, "sell_plate", 1, count=2)
    assert (cash(state)[0], whole(state)["phase"]) == (4950, "before_roll")


def test_parts_of_an_insolvent_due_are_equal_tens_from_the_payers_left():
    state = table({"cash": 110, "plates": 1}, {}, {}, {}, turn=1)
    draw(state, 1, ["pay_each", 2000])
    assert refused(state, "declare_insolvent", 2) == "not_your_turn"
    events = do(state, "declare_insolvent", 1)
    assert [(e["to"], e["amount"]) for e in events if e["event"] == "PartialPaid"] == [(2, 1710), (3, 1700), (4, 1700)]
    assert player(state, 1)["status"] == "out"
    assert (whole(state)["turn"], whole(state)["phase"]) == (2, "card_choice")
    turned = table({}, {}, {"cash": 110}, {}, turn=3)
    draw(turned, 3, ["pay_each", 200])
    do(turned, "declare_insolvent", 3)
    assert cash(turned) == [9380, 9370, 0, 9380]


def test_an_eliminated_seat_leaves_nothing_behind():
    state = table({"cash": 100, "green": 2, "white": 1, "barriers": 1, "kept": [WAIVE], "skip": 2, "plates": 1}, {}, {})
    draw(state, 1, ["pay_bank", 9000])
    do(state, "declare_insolvent", 1)
    gone = player(state, 1)
    assert gone == gone | {"cash": 0, "green": 0, "white": 0, "plates": 0, "barriers": 0, "kept": [], "skip": 0,
        "at": None}
    assert whole(state)["bank"] == whole(state)["bank"] | {"green": 30, "white": 12, "plates": 36, "barriers": 12,
        "ownership_cards": 6}
    assert game.check_invariants(state) == []


def test_dues_to_a_seat_that_leaves_lapse():
    state = table({}, {"cash": 0}, {"cash": 0}, {})
    draw(state, 1, ["collect_each", 100], ["collect_bank", 500])
    assert whole(state)["waiting_for"] == [2]
    do(state, "resign", 1)
    assert (whole(state)["dues"], whole(state)["turn"], whole(state)["card_drawn"]) == ([], 2, None)
    assert whole(state)["decks"]["journey"]["discard"] == [None]
    creditor = table({"cash": 50}, {}, {}, {})
    draw(creditor, 1, ["pay_each", 100])
    do(creditor, "resign", 3)
    assert whole(creditor)["dues"][0]["to"] == [[2, 100], [4, 100]]


def test_who_leaves_below_zero_leaves_the_hole_to_the_bank():
    state = table({"cash": -50}, {}, {}, options={"insolvency": "carry_debt"}, bank={"cash": 0})
    do(state, "resign", 1)
    assert (player(state, 1)["cash"], whole(state)["bank"]["cash"]) == (0, -50)
    assert game.check_invariants(state) == []


def test_forgive_pays_what_there_is_plates_included():
    state = table({"cash": 100, "plates": 1}, {}, options={"insolvency": "forgive"}, bank={"cash": 0})
    draw(state, 1, ["pay_bank", 9000], ["collect_bank", 30])
    do(state, "declare_insolvent", 1)
    assert player(state, 1) == player(state, 1) | {"cash": 30, "plates": 0, "status": "in"}
    assert whole(state)["bank"] == whole(state)["bank"] | {"cash": 70, "plates": 36}


def test_carry_debt_sells_the_plates_first():
    state = table({"cash": 100, "plates": 1}, {}, options={"insolvency": "carry_debt"})
    draw(state, 1, ["pay_bank", 9000])
    assert refused(state, "roll", 1, die="d6", face=1) == "wrong_phase"
    do(state, "declare_insolvent", 1)
    assert player(state, 1) == player(state, 1) | {"cash": -3900, "plates": 0}
    draw_next = table({"cash": -200}, {}, options={"insolvency": "carry_debt"})
    draw(draw_next, 1, ["pay_bank", 100], ["collect_bank", 50])
    assert whole(draw_next)["phase"] == "debt"
    do(draw_next, "declare_insolvent", 1)
    assert cash(draw_next)[0] == -250


def test_the_last_one_wins_at_once_and_nothing_stays_open():
    state = table({"barriers": 0}, {"barriers": 1}, turn=1)
    do(state, "place_barrier", 2, on="O~E")
    draw(state, 1, ["gamble", "taxi"], ["collect_bank", 100])
    do(state, "resign", 2)
    out = whole(state)
    assert (out["phase"], out["turn"], out["gamble"], out["card_drawn"], out["placed_barriers"]) == ("over", 1, None,
        None, [])
    assert out["result"] == {"winners": [1], "reason": "last_player", "totals": {"1": 9340}}
    assert out["bank"]["barriers"] == 12
    assert game.check_invariants(state) == []
    assert game.state_hash(game.load_position(out)) == game.state_hash(state)
    own = table(2)
    draw(own, 1, ["pay_bank", 20000])
    do(own, "declare_insolvent", 1)
    assert (whole(own)["phase"], whole(own)["turn"], whole(own)["dues"]) == ("over", 1, [])


def test_leaving_during_a_settlement():
    out = {"arrived": True, "owner_on_arrival": True, "plates": 1}
    state = table(out, out, {"owner_on_arrival": False}, settle=[[1, "expense"], [2, "expense"], [3, "fee"]], turn=3)
    do(state, "draw_card", 1, deck="expense", card={"do": [["choose", [[["nothing"]]]]]})
    do(state, "resign", 1)
    assert (whole(state)["phase"], whole(state)["waiting_for"], whole(state)["decks"]["expense"]["discard"]) == (
        "settle", [2], [None])
    assert whole(state)["turn"] == 3
    do(state, "resign", 2)
    assert (whole(state)["phase"], whole(state)["turn"]) == ("over", 3)


def test_elimination_in_a_settlement_goes_on_with_it():
    out = {"owner_on_arrival": False, "arrived": True, "cash": 0}
    state = table(out, out | {"cash": 500}, {"owner_on_arrival": False}, settle=[[1, "fee"], [2, "fee"], [3, "fee"]],
        turn=3)
    assert whole(state)["dues"][0]["kind"] == "fee"
    do(state, "declare_insolvent", 1)
    assert (whole(state)["trip"], whole(state)["turn"], cash(state)) == (2, 2, [0, 0, 8840])


@pytest.mark.parametrize(
    ("window", "own", "others"),
    [
        ("own_turn_before_d6", {"card_choice", "before_roll"}, set()),
        ("own_turn_any", {"card_choice", "before_roll", "move", "tablet_die"}, set()),
        ("any_time", {"card_choice", "before_roll", "move", "tablet_die"},
        {"card_choice", "before_roll", "move", "tablet_die"}),
        ("settlement", set(), set()),
    ],
)  # fmt: skip
def test_purchase_windows(window, own, others):
    for phase in ("card_choice", "before_roll", "move", "tablet_die"):
        rich = {"cash": 50000}
        state = table(rich, rich, rich, phase=phase, d6=2 if phase == "move" else None,
            options={"purchase_window": window})
        if phase in others:
            do(state, "buy_taxi", 3)
        else:
            assert refused(state, "buy_taxi", 3) == "not_your_turn"
        if phase in own:
            do(state, "buy_taxi", 1)
            assert whole(state)["effects"]["bought"] == ([3, 1] if phase in others else [1])
        else:
            assert refused(state, "buy_taxi", 1) == "wrong_phase"


def test_buying_at_any_time_in_a_settlement():
    rich = {"cash": 50000, "owner_on_arrival": True, "plates": 1, "arrived": True}
    state = table(rich, rich, settle=[[1, "expense"]], turn=2, options={"purchase_window": "any_time"})
    do(state, "buy_taxi", 2, count=2)
    assert player(state, 2)["plates"] == 3
    draw_in_gamble = table({"cash": 50000}, {"cash": 50000}, options={"purchase_window": "any_time"})
    draw(draw_in_gamble, 1, ["gamble", None])
    assert refused(draw_in_gamble, "buy_taxi", 1) == "wrong_phase"


def test_a_settlement_counts_as_one_turn_for_the_limit():
    state = table({"cash": 90000} | ONE, {"cash": 90000} | ONE,
        options={"purchase_window": "settlement", "purchase_limit": "one_per_turn"})
    turn(state, 1, "E")
    turn(state, 2, "O")
    assert whole(state)["settle"] == [[1, "buy"], [2, "buy"]]
    assert refused(state, "buy_taxi", 1, count=2) == "not_allowed"
    do(state, "buy_taxi", 1)
    assert whole(state)["settle"] == [[2, "buy"]]
    do(state, "buy_taxi", 2)
    assert (whole(state)["trip"], whole(state)["effects"]["bought"]) == (2, [])


def test_one_a_turn_and_a_total_and_an_empty_box():
    limited = table({"cash": 90000}, {}, options={"purchase_limit": "one_per_turn"})
    do(limited, "buy_taxi", 1)
    assert refused(limited, "buy_taxi", 1) == "not_allowed"
    total = table({"cash": 90000, "plates": 3}, {}, options={"purchase_limit": "max_total_2"})
    assert refused(total, "buy_taxi", 1) == "not_allowed"
    empty = table({"cash": 90000}, {"plates": 34})
    assert refused(empty, "buy_taxi", 1, count=3) == "none_left"
    do(empty, "buy_taxi", 1, count=2)
    assert refused(empty, "buy_taxi", 1) == "none_left"
    assert refused(table({"cash": 14990}, {}), "buy_taxi", 1) == "not_enough_money"


def test_voluntary_sale():
    for phase in ("card_choice", "before_roll", "move", "tablet_die"):
        state = table({"plates": 2}, {"plates": 1}, phase=phase, d6=2 if phase == "move" else None,
            options={"voluntary_sale": True})
        assert refused(state, "sell_plate", 2) == "not_your_turn"
        assert refused(state, "sell_plate", 1, count=3) == "not_enough"
        events = do(state, "sell_plate", 1, count=2)
        assert names(events) == ["PlateMoved", "OwnershipCardReturned", "PlateSold"]
        assert (player(state, 1)["cash"], player(state, 1)["plates"]) == (19340, 0)
    state = table({"plates": 1}, {}, options={"voluntary_sale": True})
    draw(state, 1, ["gamble", None])
    assert refused(state, "sell_plate", 1) == "wrong_phase"


def test_giving():
    state = table({"green": 2, "white": 1, "plates": 1, "barriers": 1, "cash": 500}, {}, {"status": "out"},
        options={"trading": "all"})
    for fields, code in (
        ({"to": 2}, "malformed"), ({"to": 2, "green": 0}, "malformed"), ({"green": 1}, "malformed"),
        ({"to": "2", "green": 1}, "malformed"),
        ({"to": 2, "green": "1"}, "malformed"), ({"to": 2, "cash": -10}, "malformed"),
        ({"to": 2, "cash": 15}, "malformed"),
        ({"to": 1, "green": 1}, "not_allowed"), ({"to": 0, "green": 1}, "not_allowed"),
        ({"to": 9, "green": 1}, "not_allowed"), ({"to": -(10**20), "green": 1}, "not_allowed"),
        ({"to": 3, "green": 1}, "not_allowed"), ({"to": 2, "green": 9, "cash": 510}, "not_enough_money"),
        ({"to": 2, "green": 3}, "not_enough"),
    ):  # fmt: skip
        assert refused(state, "give", 1, **fields) == code, fields
    do(state, "give", 1, to=2, green=1, white=1, cash=500, plates=1, barriers=1)
    assert player(state, 2) == player(state, 2) | {"green": 1, "white": 1, "plates": 1, "barriers": 1, "cash": 9840}
    assert whole(state)["bank"]["ownership_cards"] == 5
    do(state, "give", 2, to=1, green=1)
    assert game.check_invariants(state) == []


@pytest.mark.parametrize(("trading", "allowed"), [("none", set()), ("tablets", {"green", "white"}),
    ("tablets_and_money", {"green", "white", "cash"})])
def test_what_may_be_given(trading, allowed):
    for field in ("green", "white", "cash", "plates", "barriers"):
        state = table({"green": 2, "white": 1, "plates": 1, "barriers": 1}, {}, options={"trading": trading})
        fields = {"to": 2, field: 10 if field == "cash" else 1}
        if field in allowed:
            do(state, "give", 1, **fields)
        else:
            assert refused(state, "give", 1, **fields) == "not_allowed"
    assert refused(table(2), "give", 1, to=1) == "malformed"


def test_giving_has_its_phases():
    state = table({"green": 1}, {"green": 1}, options={"trading": "tablets"})
    draw(state, 1, ["choose", [[["nothing"]]]])
    assert refused(state, "give", 2, to=1, green=1) == "wrong_phase"
    do(state, "choose", 1, option=0)
    do(state, "give", 2, to=1, green=1)
    roll(state, 1, 1)
    do(state, "give", 1, to=2, green=1)
    move(state, 1, "O")
    do(state, "give", 1, to=2, green=1)
    assert [player(state, seat)["green"] for seat in (1, 2)] == [0, 2]


def test_given_tablets_take_the_old_ones_first():
    state = table({"green": 1}, {}, options={"trading": "tablets"})
    draw(state, 1, ["throw_d12", 1])
    roll(state, 1, "green")
    do(state, "give", 1, to=2, green=2)
    assert whole(state)["fresh"] == {"green": 0, "white": 0}
