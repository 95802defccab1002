"""Reading and writing TAXI! positions: defaults, order, and every way in which one is none."""

import json

import pytest
from taxi_tables import GATE, STAR, STREET, error, player, position, table, whole

from shared_rules.engine import game
from shared_rules.games.taxi.meta import OPTIONS
from shared_rules.portable.json_text import dumps

KEPT = {"deck": "passenger", "title": "k", "keep": "waive_fine"}


def fine(seat=1, amount=100, **more):
    """A fine that is open, with its card."""
    return {
        "dues": [{"seat": seat, "kind": "fine", "to": [[0, amount]], **more}],
        "card_drawn": {"seat": 1, "deck": "journey", "fine": True},
    }


def settling(*steps, **keys):
    """Keys of a settlement under way with these steps, in a position of two seats."""
    return {"settle": [list(step) for step in steps], **keys}


OWNERS = ({"owner_on_arrival": True, "arrived": True, "plates": 1}, {"owner_on_arrival": False})


def test_what_is_left_out_has_its_value_in_a_new_game():
    out = whole(table(3))
    assert out["players"][1] == {
        "seat": 2, "name": "P2", "colour": "yellow", "status": "in", "cash": 9340, "green": 0, "white": 0, "plates": 0,
        "barriers": 0, "kept": [], "skip": 0, "at": "O", "guide": ["D2", "D3", "D4", "D1", "base"], "arrived": False,
        "owner_on_arrival": None,
    }  # fmt: skip
    del out["players"], out["board"]
    assert out == {
        "game": "taxi", "options": {}, "trips": 5, "trip": 1, "round": 1, "starter": 1, "first_arrival": None,
        "turn": 1, "phase": "card_choice", "waiting_for": [1], "card_drawn": None,
        "effects": {
            "drawn": [], "bought": [], "add_streets": 0, "times": 1, "again": 0, "no_move": False, "no_d12": False,
            "moved": False, "free_lights": 0,
        },
        "d6": None, "fresh": {"green": 0, "white": 0}, "placed_barriers": [], "gamble": None, "dues": [],
        "settle": None,
        "bank": {
            "cash": -28020, "pot": 0, "green": 30, "white": 12, "plates": 36, "barriers": 12, "ownership_cards": 6,
        },
        "decks": {name: {"draw": 50, "discard": []} for name in ("journey", "passenger", "expense")},
        "result": None,
    }  # fmt: skip


def test_a_whole_position_reads_back_to_the_letter():
    state = table(
        {"plates": 2, "kept": [KEPT], "skip": 3, "colour": "black"}, {"barriers": 2, "green": 4, "name": ""}, {},
        trip=2, round=4, starter=2, options={"insolvency": "carry_debt", "plate_price": 30},
        placed_barriers=[{"on": "E~O", "by": 2, "against": 1}], effects={"drawn": ["passenger"], "bought": [1, 3]},
        phase="before_roll", decks={"journey": {"discard": [None, "J01"]}},
    )  # fmt: skip
    out = whole(state)
    assert dumps(whole(game.load_position(json.loads(json.dumps(out))))) == dumps(out)
    assert out["placed_barriers"][0]["on"] == "O~E"
    assert out["decks"]["passenger"] == {"draw": 49, "discard": []}
    assert out["players"][0]["kept"] == [{"deck": "passenger", "card": None, "title": "k", "keep": "waive_fine"}]


def test_guides_of_the_board_and_without_a_base():
    assert player(table({"at": "A"}, {"at": "A"}, board=STREET), 2)["guide"] == ["D1"]
    board = STAR | {"guides": [["D3", "base"], ["D4", "base"]]}
    assert [p["guide"] for p in whole(table(2, board=board))["players"]] == [["D3", "base"], ["D4", "base"]]
    assert error(position(3, board=board)) == ("bad_position", "players[2].guide")


def test_a_seat_that_is_out_has_nothing():
    out = player(table({"status": "out"}, {}, {}, turn=2), 1)
    assert (out["cash"], out["at"], out["status"]) == (0, None, "out")
    assert whole(table({"status": "out"}, {}, {}, turn=2))["starter"] == 2
    assert whole(table({"at": "A"}, {"status": "out"}, {"at": "A"}, board=STREET))["players"][1]["at"] is None


def test_the_bank_pays_for_the_float_of_every_seat_whatever_they_hold():
    assert whole(table({"cash": 0}, {"cash": 50000}))["bank"]["cash"] == -18680
    assert whole(table({"cash": 0}, {}, bank={"cash": 70, "pot": 30}))["bank"]["cash"] == 70


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_every_value_of_every_option_is_read_and_written(option):
    values = list(option.values) + {"plate_price": [10, 30000], "purchase_limit": ["max_total_1", "max_total_36"]}.get(
        option.name, []
    )
    for value in values:
        out = whole(table(2, options={option.name: value}))["options"]
        assert out == ({} if value == option.default else {option.name: value})
    for value in (None, 7.5, "nonsense", [], {}, 1 if option.default is True else True if option.default == 1 else -5):
        assert error(position(2, options={option.name: value})) == ("bad_option", "options." + option.name)


@pytest.mark.parametrize(
    "value", [0, -10, 15, True, "15000", None]
)  # fmt: skip
def test_a_plate_price_is_a_positive_multiple_of_ten(value):
    assert error(position(2, options={"plate_price": value}))[0] == "bad_option"


@pytest.mark.parametrize("value", ["max_total_0", "max_total_37", "max_total_", "max_total_01", "max_total_+1",
    "max_total_x"])
def test_a_limit_of_purchases_has_a_number_from_1_to_36(value):
    assert error(position(2, options={"purchase_limit": value}))[0] == "bad_option"


def test_options_know_what_the_set_up_page_needs():
    for option in OPTIONS:
        assert option.explains.endswith(".")
        assert option.rules
        assert option.takes(option.default)
    assert len(OPTIONS) == 30


@pytest.mark.parametrize(
    ("keys", "at"),
    [
        ({"trip": "1"}, "trip"), ({"trip": None}, "trip"), ({"round": True}, "round"), ({"trips": 1.0}, "trips"),
        ({"starter": 3}, "starter"), ({"starter": 0}, "starter"), ({"turn": 3}, "turn"), ({"turn": None}, "turn"),
        ({"first_arrival": 3}, "first_arrival"), ({"phase": "lunch"}, "phase"), ({"phase": None}, "phase"),
        ({"waiting_for": 1}, "waiting_for"), ({"waiting_for": ["1"]}, "waiting_for[0]"), ({"d6": "3"}, "d6"),
        ({"d6": True}, "d6"), ({"fresh": []}, "fresh"), ({"fresh": {"red": 1}}, "fresh.red"),
        ({"effects": None}, "effects"),
        ({"effects": {"speed": 1}}, "effects.speed"), ({"effects": {"drawn": ["expense"]}}, "effects.drawn[0]"),
        ({"effects": {"bought": [3]}}, "effects.bought[0]"), ({"effects": {"no_move": 1}}, "effects.no_move"),
        ({"effects": {"times": 1.5}}, "effects.times"), ({"placed_barriers": None}, "placed_barriers"),
        ({"placed_barriers": [{"on": "O~E", "by": 2}]}, "placed_barriers[0].against"),
        ({"placed_barriers": [{"on": "O~E", "by": 3, "against": 1}]}, "placed_barriers[0].by"),
        ({"placed_barriers": [{"on": "O~E", "by": 2, "against": 1, "till": 1}]}, "placed_barriers[0].till"),
        ({"gamble": []}, "gamble"), ({"gamble": {"word": "taxi"}}, "gamble.holder"), ({"dues": None}, "dues"),
        ({"dues": [{"seat": 1, "kind": "fine"}]}, "dues[0].to"),
        ({"dues": [{"kind": "fine", "to": []}]}, "dues[0].seat"),
        (fine() | {"dues": [{"seat": 1, "kind": "tip", "to": [[0, 10]]}]}, "dues[0].kind"),
        (fine() | {"dues": [{"seat": 1, "kind": "fine", "to": [[9, 10]]}]}, "dues[0].to[0][0]"),
        (fine() | {"dues": [{"seat": 1, "kind": "fine", "to": [[0]]}]}, "dues[0].to[0]"),
        ({"settle": {}}, "settle"), ({"settle": [[1, "lunch"]]}, "settle[0][1]"), ({"settle": [[1]]}, "settle[0]"),
        ({"settle": [[3, "fee"]]}, "settle[0][0]"), ({"bank": {"gold": 1}}, "bank.gold"),
        ({"bank": {"cash": "0"}}, "bank.cash"),
        ({"bank": {"green": None}}, "bank.green"), ({"decks": {"tarot": {}}}, "decks.tarot"),
        ({"decks": None}, "decks"),
        ({"decks": {"journey": {"discard": [7]}}}, "decks.journey.discard[0]"), ({"result": 7}, "result"),
        ({"decks": {"journey": {"top": "J01"}}}, "decks.journey.top"), ({"result": {"winners": [1]}}, "result.reason"),
        ({"result": {"winners": [3], "reason": "trips_done", "totals": {}}}, "result.winners[0]"),
        ({"result": {"winners": [], "reason": "rain", "totals": {}}}, "result.reason"),
        ({"result": {"winners": [], "reason": "trips_done", "totals": {"3": 0}}}, "result.totals.3"),
        ({"card_drawn": {"deck": "journey"}}, "card_drawn.seat"), ({"card_drawn": {"seat": 1}}, "card_drawn.deck"),
        ({"card_drawn": {"seat": 1, "deck": "journey", "do": [["fly"]]}}, "card_drawn.do"),
        ({"card_drawn": {"seat": 1, "deck": "journey", "do": [["pay_bank", 15]]}}, "card_drawn.do"),
        ({"card_drawn": {"seat": 1, "deck": "journey", "keep": "money"}}, "card_drawn.keep"),
        ({"card_drawn": {"seat": 1, "deck": "journey", "fine": 1}}, "card_drawn.fine"),
        ({"card_drawn": {"seat": 3, "deck": "journey"}}, "card_drawn.seat"), ({"players": {}}, "players"),
        ({"options": None}, "options"), ({"board": 7}, "board"), ({"weather": "rain"}, "weather"),
    ],
)  # fmt: skip
def test_wrong_kinds_and_keys_are_malformed(keys, at):
    assert error(position(2) | keys) == ("malformed", at)


@pytest.mark.parametrize(
    ("keys", "at"),
    [
        ({"cash": "1"}, "cash"), ({"name": 7}, "name"), ({"colour": "pink"}, "colour"), ({"status": "away"}, "status"),
        ({"green": True}, "green"), ({"kept": [{}]}, "kept[0].deck"), ({"kept": [{"deck": "journey"}]}, "kept[0].keep"),
        ({"kept": [KEPT | {"keep": None}]}, "kept[0].keep"), ({"kept": [KEPT | {"x": 1}]}, "kept[0].x"),
        ({"skip": None}, "skip"), ({"at": 7}, "at"), ({"guide": "D1"}, "guide"), ({"guide": [7]}, "guide[0]"),
        ({"arrived": 0}, "arrived"), ({"owner_on_arrival": 1}, "owner_on_arrival"), ({"seat": "1"}, "seat"),
        ({"seat": 3}, "seat"), ({"hat": "red"}, "hat"),
    ],
)  # fmt: skip
def test_wrong_kinds_in_a_player_are_malformed(keys, at):
    assert error(position(keys, {})) == ("malformed", "players[0]." + at)


@pytest.mark.parametrize(
    ("keys", "at"),
    [
        ({"cash": 15}, "cash"), ({"cash": -10}, "cash"), ({"green": -1}, "green"), ({"plates": -1}, "plates"),
        ({"skip": -1}, "skip"), ({"skip": 1000}, "skip"), ({"at": "X"}, "at"), ({"at": None}, "at"),
        ({"guide": ["D9"]}, "guide[0]"),
        ({"seat": 2}, "seat"), ({"arrived": True}, "owner_on_arrival"),
        ({"owner_on_arrival": False}, "owner_on_arrival"),
    ],
)  # fmt: skip
def test_impossible_players(keys, at):
    assert error(position(keys, {})) == ("bad_position", "players[0]." + at)


@pytest.mark.parametrize(
    "players",
    [
        [{}], [{}] * 7, [], [{"colour": "yellow"}, {}], [{"green": 20}, {"green": 11}], [{"white": 13}, {}],
        [{"plates": 37}, {}], [{"barriers": 13}, {}], [{"guide": ["D1"]}, {"guide": ["D1", "D2"]}],
        [{"guide": []}, {"guide": []}], [{"status": "out", "green": 1}, {}, {}],
        [{"status": "out", "cash": 10}, {}, {}],
        [{"status": "out", "at": "O"}, {}, {}], [{}, {"status": "out"}], [{"status": "out"}, {"status": "out"}],
        [{"kept": [KEPT] * 51}, {}], [{"kept": [KEPT | {"card": "P1"}] * 2}, {}],
        [{"status": "out", "kept": [KEPT]}, {}, {}], [{"status": "out", "arrived": True}, {}, {}],
    ],
)  # fmt: skip
def test_impossible_tables(players):
    assert error(position(*players))[0] == "bad_position"


@pytest.mark.parametrize(
    "keys",
    [
        {"trip": 0}, {"trip": 6}, {"round": 0}, {"trips": 4}, {"phase": "move"}, {"d6": 3}, {"d6": -1, "phase": "move"},
        {"phase": "before_roll", "d6": 0}, {"phase": "over"}, {"phase": "debt"}, {"phase": "settle"},
        {"phase": "kept_card"},
        {"phase": "card_option"}, {"phase": "gamble_bets"}, {"phase": "gamble_reveal"}, {"first_arrival": 1},
        {"fresh": {"green": 1}}, {"effects": {"times": 0}}, {"effects": {"drawn": ["journey", "journey"]}},
        {"effects": {"bought": [1, 1]}}, {"bank": {"green": 29}}, {"bank": {"ownership_cards": 5}},
        {"bank": {"cash": 5}},
        {"bank": {"pot": -10}}, {"bank": {"pot": 5}}, {"decks": {"journey": {"draw": 49}}},
        {"decks": {"journey": {"discard": [None] * 51}}},
        {"decks": {"journey": {"discard": ["J1", "J1"]}}}, {"placed_barriers": [{"on": "O", "by": 2, "against": 1}]},
        {"placed_barriers": [{"on": "X~Y", "by": 2, "against": 1}]},
        {"placed_barriers": [{"on": "O~E", "by": 1, "against": 2}]},
        {"placed_barriers": [{"on": "O~E", "by": 2, "against": 1}] * 2},
        {"dues": [{"seat": 1, "kind": "card", "to": [[0, 10]]}]},
        {"gamble": {"holder": 1}}, fine(amount=100) | {"phase": "debt"}, fine(amount=10000) | {"phase": "before_roll"},
        fine(amount=15), fine(amount=0), fine() | {"dues": [{"seat": 1, "kind": "fine", "to": []}]},
        fine() | {"dues": [{"seat": 1, "kind": "fine", "to": [[1, 10]]}]},
        fine() | {"dues": [{"seat": 1, "kind": "fee", "to": [[0, 10]]}]},
        fine() | {"dues": [{"seat": 1, "kind": "expense", "to": [[0, 10]]}]},
        {"card_drawn": {"seat": 2, "deck": "journey"}},
        {"card_drawn": {"seat": 1, "deck": "expense"}}, {"card_drawn": {"seat": 1, "deck": "journey",
        "do": [["choose", [[]]]]}, "phase": "move"},
        settling([1, "expense"]), settling([1, "expense"], players=list(OWNERS), phase="card_choice"),
        settling([1, "expense"], players=list(OWNERS), d6=3), settling(players=list(OWNERS), phase="settle"),
        settling([1, "expense"], players=list(OWNERS), placed_barriers=[{"on": "O~E", "by": 2, "against": 1}]),
        settling([1, "expense"], players=list(OWNERS), card_drawn={"seat": 1, "deck": "journey"}),
        settling([2, "fee"], players=[*OWNERS[:1], {"status": "out"}, {"owner_on_arrival": False}]),
        {"result": {"winners": [1], "reason": "trips_done", "totals": {"1": 0, "2": 0}}, "phase": "move"},
        {"result": {"winners": [1, 1], "reason": "trips_done", "totals": {"1": 0, "2": 0}}},
        {"result": {"winners": [1], "reason": "trips_done", "totals": {"1": 0}}},
        {"result": {"winners": [1], "reason": "trips_done", "totals": {"1": 0, "2": 0}}, "settle": []},
    ],
)  # fmt: skip
def test_impossible_positions(keys):
    assert error(position(2) | keys)[0] == "bad_position"


def test_bets_of_a_position():
    card = {"card_drawn": {"seat": 1, "deck": "journey"}}
    bets = {"2": {"words": ["money", "freeway"], "done": False}}
    gamble = card | {"gamble": {"holder": 1, "bets": bets}}
    assert error(position(2) | gamble)[0] == "bad_position"
    state = game.load_position(position(3, options={"bets_per_gambler": "one_per_word"}) | gamble)
    assert whole(state)["bank"]["green"] == 29
    assert whole(state)["phase"] == "gamble_bets"
    assert whole(state)["waiting_for"] == [2, 3]
    assert game.check_invariants(state) == []
    for bad in ({"1": {}}, {"2": {"words": ["taxi", "taxi"]}}):
        assert error(position(3, options={"bets_per_gambler": "one_per_word"}) | card | {
            "gamble": {"holder": 1, "bets": bad}})[0] == "bad_position"
    for bad in ({"4": {}}, {"x": {}}, {"2": []}, {"2": {"words": ["bus"]}}, {"2": {"done": 1}}, {"2": {"odd": 1}}):
        assert error(position(3) | card | {"gamble": {"holder": 1, "bets": bad}})[0] == "malformed"
    assert error(position(2) | card | {"gamble": {"holder": 2}})[0] == "bad_position"
    assert error(position(2) | fine() | {"gamble": {"holder": 1}})[0] == "bad_position"


def test_a_debt_below_zero_needs_its_house_rule():
    assert player(table({"cash": -500}, {}, options={"insolvency": "carry_debt"}), 1)["cash"] == -500


def test_tablets_beyond_the_box_need_their_house_rule():
    assert whole(table({"green": 33}, {}, options={"tablet_shortage": "unlimited"}))["bank"]["green"] == -3
    assert error(position({"barriers": 13}, {}, options={"tablet_shortage": "unlimited"}))[0] == "bad_position"


def test_steps_that_happen_by_themselves_happen_on_reading():
    paid = game.load_position(position({"cash": 300}, {}) | fine(amount=250))
    assert (whole(paid)["phase"], player(paid, 1)["cash"]) == ("before_roll", 50)
    assert whole(game.load_position(position(2, phase="before_roll") | fine()))["dues"] == []
    fees = game.load_position(position(*OWNERS) | settling([2, "fee"], [1, "expense"]))
    assert (whole(fees)["phase"], whole(fees)["waiting_for"], player(fees, 2)["cash"]) == ("settle", [1], 8840)
    done = game.load_position(position(*OWNERS, turn=2) | settling())
    assert (whole(done)["trip"], whole(done)["turn"], player(done, 1)["at"]) == (2, 1, "E")
    kept = game.load_position(position({"kept": [KEPT]}, {}) | fine())
    assert (whole(kept)["phase"], whole(kept)["waiting_for"]) == ("kept_card", [1])
    declined = game.load_position(position({"kept": [KEPT], "cash": 0}, {}, phase="debt") | fine(declined=True))
    assert whole(declined)["waiting_for"] == [1]
    closed = {"card_drawn": {"seat": 1, "deck": "journey"}, "gamble": {"holder": 1,
        "bets": {"2": {"words": [], "done": True}}}}
    assert whole(game.load_position(position(2) | closed))["phase"] == "gamble_reveal"


def test_a_seat_that_is_out_may_have_played_last_before_a_settlement():
    state = game.load_position(position(*OWNERS, {"status": "out"}, turn=3) | settling([1, "expense"]))
    assert whole(state)["turn"] == 3
    over = position({}, {"status": "out"}, turn=2, result={"winners": [1], "reason": "last_player",
        "totals": {"1": 9340}})
    assert whole(game.load_position(over))["phase"] == "over"
    nobody = position({"status": "out"}, {"status": "out"}, result={"winners": [], "reason": "nobody_left",
        "totals": {}})
    assert whole(game.load_position(nobody))["waiting_for"] == []


def test_a_taxi_may_stand_on_any_link_but_the_freeway():
    state = table({"at": "K~P"}, {"at": "C~A"}, board=GATE)
    assert [p["at"] for p in whole(state)["players"]] == ["K~P", "A~C"]
    for place in ("G", "H", "H~K", "A~P"):
        assert error(position({"at": place}, {"at": "A"}, board=GATE)) == ("bad_position", "players[0].at")
    assert player(table({"at": "H~K"}, {"at": "H"}, board=GATE, options={"freeway_stop": "allowed"}), 2)["at"] == "H"
    assert error(position({}, {"at": "A"}, board=GATE)) == ("malformed", "players[0].at")


def test_copies_are_independent():
    state = table({"kept": [KEPT]}, {"barriers": 1}, placed_barriers=[{"on": "O~E", "by": 2, "against": 1}])
    before = game.state_hash(state)
    copy = game.copy_state(state)
    assert game.state_hash(copy) == before
    game.play(copy, {"do": "resign", "seat": 1})
    assert game.state_hash(state) == before


def test_a_position_must_be_an_object_with_a_known_game():
    assert error(7) == ("malformed", "")
    assert error({}) == ("malformed", "game")
    assert error({"game": "ludo"}) == ("unknown_game", "game")
    assert error({"game": "../taxi"}) == ("unknown_game", "game")
    assert error({"game": "taxi", "players": []}) == ("malformed", "board")
    assert error({"game": "taxi", "board": STAR}) == ("malformed", "players")
