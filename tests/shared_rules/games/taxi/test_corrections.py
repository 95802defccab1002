"""The operator's corrections: what they set, what follows, what is booked, what is refused."""

import pytest
from taxi_tables import do, draw, move, names, player, refused, roll, table, whole

from shared_rules.engine import game

KEPT = {"deck": "passenger", "title": "k", "keep": "waive_fine"}


def correct(state, why="counted again", **changes):
    return do(state, "correct", set=changes, why=why)


def test_money_is_booked_against_the_bank_unless_its_cash_is_given():
    state = table(3, bank={"cash": 0})
    events = correct(state, players=[{"seat": 1, "cash": 9000}, {"seat": 3, "cash": 10000}])
    assert whole(state)["bank"]["cash"] == 340 - 660
    assert [(e["from"], e["to"], e["amount"]) for e in events[0]["booked"]] == [(1, 0, 340), (0, 3, 660)]
    correct(state, bank={"pot": 100})
    assert whole(state)["bank"]["cash"] == -420
    correct(state, players=[{"seat": 1, "cash": 0}], bank={"cash": 70})
    assert whole(state)["bank"]["cash"] == 70
    assert game.check_invariants(state) == []


def test_pieces_and_draw_piles_follow():
    state = table({"plates": 1}, {})
    correct(state, players=[{"seat": 1, "plates": 0, "green": 3}, {"seat": 2, "plates": 2, "kept": [KEPT]}])
    out = whole(state)
    assert out["bank"] == out["bank"] | {"green": 27, "plates": 34, "ownership_cards": 5}
    assert out["decks"]["passenger"]["draw"] == 49
    correct(state, decks={"journey": {"discard": [None, None]}})
    assert whole(state)["decks"]["journey"] == {"draw": 48, "discard": [None, None]}
    assert whole(state)["decks"]["passenger"]["draw"] == 49


def test_objects_are_merged_and_other_keys_replaced():
    state = table({}, {"barriers": 2}, placed_barriers=[{"on": "O~E", "by": 2, "against": 1}])
    correct(state, effects={"again": 1})
    correct(state, effects={"no_d12": True})
    assert (whole(state)["effects"]["again"], whole(state)["effects"]["no_d12"]) == (1, True)
    correct(state, placed_barriers=[{"on": "O~N", "by": 2, "against": 1}])
    assert [b["on"] for b in whole(state)["placed_barriers"]] == ["O~N"]
    correct(state, turn=2, placed_barriers=[])
    assert whole(state)["turn"] == 2


def test_the_phase_can_be_set_with_what_it_needs():
    state = table(2)
    correct(state, phase="move", d6=4)
    assert (whole(state)["phase"], whole(state)["d6"]) == ("move", 4)
    move(state, 1, "N")
    correct(state, phase="before_roll", d6=None)
    roll(state, 1, 1)
    correct(state, d6=6)
    assert whole(state)["d6"] == 6


def test_a_phase_that_stays_stays():
    for phase in ("before_roll", "tablet_die"):
        state = table(2, phase=phase)
        correct(state, trip=2)
        assert whole(state)["phase"] == phase
    bets = table(2)
    draw(bets, 1, ["gamble", None])
    correct(bets, trip=2)
    assert whole(bets)["phase"] == "gamble_bets"


def test_what_happens_by_itself_happens_after_a_correction():
    state = table({"cash": 0}, {})
    draw(state, 1, ["pay_bank", 100], ["collect_bank", 30])
    events = correct(state, players=[{"seat": 1, "cash": 100}])
    assert names(events)[:3] == ["Corrected", "DuePaid", "DueClosed"]
    assert (whole(state)["phase"], player(state, 1)["cash"]) == ("before_roll", 30)


def test_a_gamble_that_is_corrected_away_gives_its_stakes_to_the_bank():
    state = table({}, {"green": 1}, {}, bank={"cash": 0})
    draw(state, 1, ["gamble", None])
    do(state, "place_bet", 2, word="money")
    correct(state, gamble=None)
    assert (whole(state)["phase"], whole(state)["bank"]["cash"]) == ("before_roll", 1000)
    assert game.check_invariants(state) == []


def test_a_seat_can_be_taken_out_and_back():
    state = table(3)
    out = {"seat": 3, "status": "out", "cash": 0, "at": None}
    assert refused(state, "correct", set={"players": [{"seat": 3, "status": "out"}]}, why="x") == "not_allowed"
    correct(state, players=[out])
    assert player(state, 3)["status"] == "out"
    correct(state, players=[{"seat": 3, "status": "in", "cash": 9340, "at": "O"}])
    assert whole(state)["bank"]["cash"] == -28020
    only = table(2)
    assert refused(only, "correct", set={"players": [out | {"seat": 2}]}, why="x") == "not_allowed"


def test_a_result_ends_the_game():
    state = table(2)
    correct(state, phase="over", result={"winners": [1], "reason": "trips_done", "totals": {"1": 9340, "2": 9340}})
    assert whole(state)["phase"] == "over"
    assert refused(state, "correct", set={"trip": 2}, why="") == "game_over"
    assert refused(state, "correct", 1, set={"trip": 2}) == "not_allowed"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        (None, "malformed"), ({}, "malformed"), ([], "malformed"), ({"weather": 1}, "malformed"),
        ({"game": "taxi"}, "malformed"),
        ({"options": {}}, "malformed"), ({"board": {}}, "malformed"), ({"trips": 5}, "malformed"),
        ({"waiting_for": []}, "malformed"),
        ({"players": {}}, "malformed"), ({"players": [7]}, "malformed"), ({"players": [{"cash": 0}]}, "malformed"),
        ({"players": [{"seat": "1"}]}, "malformed"), ({"players": [{"seat": 3}]}, "unknown_seat"),
        ({"players": [{"seat": 0}]}, "unknown_seat"),
        ({"players": [{"seat": 1, "hat": 1}]}, "malformed"), ({"players": [{"seat": 1, "cash": "1"}]}, "malformed"),
        ({"players": [{"seat": 1, "cash": -10}]}, "not_allowed"),
        ({"players": [{"seat": 1, "at": "X"}]}, "not_allowed"),
        ({"players": [{"seat": 1, "colour": "yellow"}]}, "not_allowed"), ({"trip": 9}, "not_allowed"),
        ({"trip": None}, "malformed"),
        ({"bank": 7}, "malformed"), ({"bank": {"gold": 1}}, "malformed"), ({"bank": {"green": 29}}, "not_allowed"),
        ({"decks": {"tarot": {}}}, "malformed"), ({"decks": {"journey": 7}}, "malformed"),
        ({"decks": {"journey": {"draw": 49}}}, "not_allowed"),
        ({"effects": []}, "malformed"), ({"effects": {"times": 0}}, "not_allowed"),
        ({"fresh": {"green": 1}}, "not_allowed"),
        ({"phase": "move"}, "not_allowed"), ({"d6": 3}, "not_allowed"), ({"phase": "lunch"}, "malformed"),
        ({"dues": [{}]}, "malformed"),
        ({"settle": [[1, "fee"]]}, "not_allowed"), ({"result": {"winners": [1], "reason": "trips_done",
        "totals": {}}}, "not_allowed"),
    ],
)  # fmt: skip
def test_refused_corrections(changes, code):
    state = table(2)
    fields = {"why": "x"} if changes is None else {"set": changes, "why": "x"}
    assert refused(state, "correct", **fields) == code


def test_a_reason_is_needed():
    state = table(2)
    for why in ("", None, 7, []):
        assert refused(state, "correct", set={"trip": 2}, why=why) == "why_missing"
    assert refused(state, "correct", set={"trip": 2}) == "why_missing"
    assert refused(state, "correct", set=7) == "why_missing"
    for seat in (1, 2):
        assert refused(state, "correct", seat, set={"trip": 2}, why="") == "not_allowed"


def test_a_correction_is_replayed_from_its_event():
    state = table(3)
    again = game.copy_state(state)
    events = correct(state, players=[{"seat": 2, "cash": 100, "at": "E~O"}], round=4, turn=2)
    for event in events:
        game.evolve(again, event)
    assert game.state_hash(again) == game.state_hash(state)
    assert player(again, 2)["at"] == "O~E"
