"""In which order the rules refuse a TAXI! command, and that a refusal changes nothing in any phase (S-139)."""

import pytest
from taxi_tables import do, draw, move, refused, roll, table, whole

from shared_rules.engine import game
from shared_rules.engine.errors import RuleViolation

KEPT = {"deck": "passenger", "title": "k", "keep": "waive_fine"}
LIGHT = {"deck": "passenger", "title": "l", "keep": "pass_one_light"}
ALL = ("draw_card", "choose", "roll", "move", "end_turn", "buy_taxi", "sell_plate", "declare_insolvent",
    "place_barrier", "place_bet",
       "pass_bet", "close_bets", "reveal_card", "play_card", "decline", "give", "resign", "correct")  # fmt: skip


def code_of(state, command):
    before = game.state_hash(state)
    with pytest.raises(RuleViolation) as no:
        game.play(state, command)
    assert game.state_hash(state) == before
    return no.value.code


def in_phase(phase):
    """A table of three rich seats in a phase; seat 1 has the turn (in settlement seat 2 draws)."""
    rich = {"cash": 20000, "plates": 1, "barriers": 1}
    state = table(rich | {"kept": [KEPT, LIGHT]}, rich, {"cash": 20000}, phase="card_choice")
    if phase == "before_roll":
        draw(state, 1, ["nothing"])
    elif phase == "card_option":
        draw(state, 1, ["choose", [[["nothing"]]]])
    elif phase in ("gamble_bets", "gamble_reveal"):
        draw(state, 1, ["gamble", None])
        if phase == "gamble_reveal":
            do(state, "close_bets")
    elif phase == "move":
        roll(state, 1, 6)
    elif phase == "tablet_die":
        roll(state, 1, 6)
        move(state, 1, "O")
    elif phase == "kept_card":
        draw(state, 1, ["pay_bank", 100], fine=True)
    elif phase == "debt":
        draw(state, 1, ["pay_bank", 22000])
    elif phase == "settle":
        for seat, to in ((1, "EE"), (2, "N"), (3, "O")):
            roll(state, seat, 6)
            move(state, seat, to)
            do(state, "end_turn", seat)
        do(state, "draw_card", 1, deck="expense", card={"do": [["nothing"]]})
    elif phase == "over":
        do(state, "resign", 2)
        do(state, "resign", 3)
    assert whole(state)["phase"] == phase
    return state


PHASES = ("card_choice", "before_roll", "card_option", "gamble_bets", "gamble_reveal", "move", "tablet_die",
    "kept_card", "debt", "settle", "over")


@pytest.mark.parametrize("command", [7, None, [], "roll", {}, {"do": 7}, {"do": None}, {"seat": 1}])
def test_no_object_or_no_text_in_do_is_malformed(command):
    assert code_of(in_phase("over"), command) == "malformed"


@pytest.mark.parametrize("do_", ["", "fly", "Roll", "undo"])
def test_an_unknown_command_comes_before_its_seat(do_):
    assert code_of(in_phase("over"), {"do": do_, "seat": "x"}) == "unknown_command"


@pytest.mark.parametrize("what", ALL)
def test_the_seat_is_a_whole_number_that_exists(what):
    for seat in ("1", True, 1.0, None, [1]):
        assert code_of(in_phase("over"), {"do": what, "seat": seat}) == "malformed"
    assert code_of(in_phase("over"), {"do": what}) == "malformed"
    for seat in (4, -1, 10**30):
        assert code_of(in_phase("over"), {"do": what, "seat": seat}) == "unknown_seat"


def test_an_unknown_deck_or_die_comes_before_the_end_of_the_game():
    state = in_phase("over")
    for deck in ("tarot", None, 7, ["journey"]):
        assert code_of(state, {"do": "draw_card", "seat": 2, "deck": deck}) == "malformed"
    assert code_of(state, {"do": "draw_card", "seat": 2}) == "malformed"
    assert code_of(state, {"do": "roll", "seat": 0, "die": "d20"}) == "malformed"
    assert code_of(state, {"do": "roll", "seat": 0, "die": "d6"}) == "game_over"


@pytest.mark.parametrize("what", [name for name in ALL if name != "correct"])
def test_a_finished_game_and_a_seat_that_is_out(what):
    fields = {"do": what, "deck": "journey", "die": "d6"}
    assert code_of(in_phase("over"), fields | {"seat": 2}) == "game_over"
    assert code_of(in_phase("over"), fields | {"seat": 0}) == "game_over"
    state = in_phase("card_choice")
    do(state, "resign", 3)
    assert code_of(state, fields | {"seat": 3}) == "out_of_game"


@pytest.mark.parametrize("what", [name for name in ALL if name not in ("correct", "resign", "close_bets")])
def test_the_operator_has_no_turn(what):
    for phase in PHASES[:-1]:
        assert code_of(in_phase(phase), {"do": what, "seat": 0, "deck": "journey", "die": "d6"}) == "not_your_turn"


def test_the_operator_cannot_resign_and_only_it_closes_bets():
    assert refused(in_phase("card_choice"), "resign", 0) == "not_allowed"
    assert refused(in_phase("card_choice"), "close_bets", 0) == "wrong_phase"
    assert refused(in_phase("card_choice"), "close_bets", 2) == "wrong_phase"
    assert refused(in_phase("gamble_bets"), "close_bets", 2) == "not_allowed"


@pytest.mark.parametrize("phase", PHASES[:-1])
def test_turn_commands_ask_first_whose_turn_it_is_and_then_for_the_phase(phase):
    own = 2 if phase == "settle" else 1
    other = 3
    card = {"do": [["nothing"]]}
    for fields in (
        {"do": "draw_card", "deck": "journey", "card": card}, {"do": "draw_card", "deck": "passenger"},
        {"do": "roll", "die": "d6", "face": 9}, {"do": "roll", "die": "d12"}, {"do": "move"}, {"do": "end_turn"},
        {"do": "buy_taxi", "count": "x"},
    ):  # fmt: skip
        assert code_of(in_phase(phase), fields | {"seat": other}) == "not_your_turn", fields
    fits = {
        "card_choice": {"draw_card", "d6", "buy_taxi"}, "before_roll": {"draw_card", "d6", "buy_taxi"},
        "move": {"move"},
        "tablet_die": {"d12", "end_turn"},
    }.get(phase, set())  # fmt: skip
    for name, fields in {
        "draw_card": {"do": "draw_card", "deck": "journey"}, "d6": {"do": "roll", "die": "d6"},
        "d12": {"do": "roll", "die": "d12"},
        "move": {"do": "move"}, "end_turn": {"do": "end_turn"}, "buy_taxi": {"do": "buy_taxi", "count": "x"},
    }.items():  # fmt: skip
        if name == "end_turn" and name in fits:
            continue
        assert code_of(in_phase(phase), fields | {"seat": own}) == (
            "malformed" if name in fits else "wrong_phase"), name


@pytest.mark.parametrize(
    ("what", "fits"),
    [
        ("choose", {"card_option": 1}), ("declare_insolvent", {"debt": 1}), ("place_bet", {"gamble_bets": 0}),
        ("pass_bet", {"gamble_bets": 0}),
        ("reveal_card", {"gamble_reveal": 1}), ("play_card", {"kept_card": 1, "move": 1}),
        ("decline", {"kept_card": 1}),
        ("place_barrier", {"card_choice": 0, "before_roll": 0}),
    ],
)  # fmt: skip
def test_all_others_ask_first_for_the_phase(what, fits):
    for phase in PHASES[:-1]:
        for seat in (1, 2, 3):
            if phase not in fits:
                assert refused(in_phase(phase), what, seat) == "wrong_phase", (phase, seat)
            elif fits[phase] not in (seat, 0):
                assert refused(in_phase(phase), what, seat) == "not_your_turn", (phase, seat)


def test_drawing_an_expense_card_asks_first_for_the_phase():
    for phase in PHASES[:-1]:
        for seat in (1, 2, 3):
            expected = "wrong_phase" if phase != "settle" else "malformed" if seat == 2 else "not_your_turn"
            assert refused(in_phase(phase), "draw_card", seat, deck="expense") == expected


def test_the_phase_also_tells_which_die_choice_or_step_is_due():
    state = table(2)
    draw(state, 1, ["pay_by_die", 10], ["choose", [[], []]])
    assert refused(state, "roll", 1, die="d12", face="green") == "wrong_phase"
    assert refused(state, "choose", 1, option=0) == "wrong_phase"
    roll(state, 1, 1)
    assert refused(state, "roll", 1, die="d6", face=1) == "wrong_phase"
    assert refused(in_phase("settle"), "decline", 2) == "wrong_phase"
    buying = table({"cash": 40000}, {}, options={"purchase_window": "settlement"})
    for seat, to in ((1, "EE"), (2, "N")):
        roll(buying, seat, 6)
        move(buying, seat, to)
        do(buying, "end_turn", seat)
    assert whole(buying)["settle"][0] == [1, "buy"]
    assert refused(buying, "draw_card", 1, deck="expense", card={"do": []}) == "wrong_phase"


def test_fields_of_a_wrong_kind_come_before_what_the_rules_say():
    state = in_phase("move")
    assert refused(state, "move", 1, to="nowhere", green="1") == "malformed"
    assert refused(state, "move", 1, to="nowhere", green=99) == "unknown_place"
    for green in (True, -1, 1.0, None):
        assert refused(state, "move", 1, to="O", green=green) == "malformed"
    assert refused(in_phase("gamble_bets"), "place_bet", 1, word="bus") == "malformed"
    assert refused(in_phase("gamble_bets"), "place_bet", 1, word="taxi") == "not_allowed"
    assert refused(in_phase("card_choice"), "place_barrier", 1) == "not_allowed"
    assert refused(in_phase("card_choice"), "place_barrier", 3) == "malformed"
    assert refused(in_phase("card_choice"), "place_barrier", 3, on="nowhere") == "not_enough"
    assert refused(in_phase("card_choice"), "place_barrier", 2, on="nowhere") == "unknown_place"
    assert refused(in_phase("card_choice"), "place_barrier", 2, on="O") == "not_allowed"
    for count in (0, -1, "1", True, None, 1.5):
        assert refused(in_phase("card_choice"), "buy_taxi", 1, count=count) == "malformed"
        assert refused(in_phase("debt"), "sell_plate", 1, count=count) == "malformed"
        assert refused(in_phase("card_choice"), "sell_plate", 1, count=count) == "malformed"
    assert refused(in_phase("debt"), "sell_plate", 1, count=2) == "not_allowed"


def test_unknown_fields_of_a_command_are_ignored():
    state = table(2)
    do(state, "roll", 1, die="d6", face=1, weather="rain", evidence={"die": 7})
    do(state, "move", 1, to="E", path=["O", "E"])
    do(state, "end_turn", 1, why=7)
    assert whole(state)["turn"] == 2


@pytest.mark.parametrize("phase", PHASES)
def test_what_fits_no_phase_leaves_no_trace(phase):
    state = in_phase(phase)
    before = game.state_hash(state)
    legal = {seat: {t["do"] for t in game.legal_commands(state, seat)} for seat in range(4)}
    fields = {
        "deck": "journey", "card": {"do": [["nothing"]]}, "die": "d6", "face": 3, "to": "O", "word": "money",
        "on": "O~E", "option": 0,
    }  # fmt: skip
    tried = 0
    for what in ALL:
        for seat in range(4):
            if what in legal[seat] or what in ("resign", "correct", "give"):
                continue
            if what == "draw_card" and phase == "settle":
                continue
            assert code_of(state, fields | {"do": what, "seat": seat})
            tried += 1
    assert game.state_hash(state) == before
    assert tried > 40


def test_every_refusal_explains_itself_in_a_sentence():
    state = in_phase("card_choice")
    with pytest.raises(RuleViolation) as no:
        game.play(state, {"do": "move", "seat": 1, "to": "O"})
    assert no.value.message.endswith(".")
    assert no.value.rules == ("T-032",)
